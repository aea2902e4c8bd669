#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""operations.py check    has every operation that a statement calls built a line in operations.json, and has that a fuzz target,
                       an operation of the conformance suite and a row of the coverage page, or a reason why not? Exit code
                       1 if not

operations.json is the table of operations: `fuzz` names a target, `case` an operation of conformance/schemas/vocabulary.json,
`coverage` a row of coverage.md. `gradient` is built, refused or not built: gradients.md says more. What is missing has its
reason: no_fuzz, no_case, no_row."""
import json
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(HERE))
import documents  # noqa: E402

COLUMNS = {"fuzz": "no_fuzz", "case": "no_case", "coverage": "no_row"}
KEYS = {"operation", "gradient", *COLUMNS, *COLUMNS.values()}


def known():
    """The names that each column may have."""
    rules = (ROOT / "fuzz/rules.mk").read_text(encoding="utf-8")
    targets = {name for line in re.findall(r"^FUZZ_TARGETS [:+]?= (.*)", rules, re.M) for name in line.split()}
    vocabulary = json.loads((ROOT / "conformance/schemas/vocabulary.json").read_text(encoding="utf-8"))
    coverage = json.loads((HERE / "coverage.json").read_text(encoding="utf-8"))
    return {"fuzz": {name for name in targets if (ROOT / f"fuzz/targets/{name}.c").exists()},
            "case": {entry["name"] for entry in vocabulary["operations"]}, "coverage": set(coverage["operations"])}


def built():
    """The operations that statements name which the library does, in their order."""
    found = {}
    for entry in documents.entries(documents.STATEMENT):
        if entry[2] == "built":
            found.update(dict.fromkeys(entry[4].split()))
    return list(found)


def problems(table, names, stated):
    listed = [line["operation"] for line in table]
    yield from (f"{name}: a statement calls it built, and operations.json has no line for it" for name in stated if name not in listed)
    yield from (f"{name}: no statement that is built names it" for name in listed if name not in stated)
    yield from (f"{name}: there are two lines for it" for name in sorted(set(listed)) if listed.count(name) > 1)
    for line in table:
        yield from (f"{line['operation']}: {key} is no key" for key in line if key not in KEYS)
        if not line.get("gradient"):
            yield f"{line['operation']}: nothing is said of its gradient"
        for column, reason in COLUMNS.items():
            if column in line and line[column] not in names[column]:
                yield f"{line['operation']}: there is no {column} {line[column]}"
            if (column in line) == bool(line.get(reason)):
                yield f"{line['operation']}: it needs {column}, or {reason}, and not both"


def selftest(table, names, stated):
    """Each kind of problem is found in a table that has it."""
    first = table[0]
    wrong = [table[1:], table + [first], table + [{**first, "operation": "none"}],
             *([{key: value for key, value in first.items() if key != column}, *table[1:]] for column in COLUMNS),
             *([{**first, column: "none"}, *table[1:]] for column in COLUMNS), [{**first, "gradient": ""}, *table[1:]]]
    return all(list(problems(one, names, stated)) for one in wrong)


def main(arguments):
    if arguments != ["check"]:
        print(__doc__, file=sys.stderr)
        return 2
    table = json.loads((HERE / "operations.json").read_text(encoding="utf-8"))["operations"]
    names, stated = known(), built()
    found = list(problems(table, names, stated))
    for problem in found:
        print("operations:", problem)
    if not found and not selftest(table, names, stated):
        print("operations: a planted problem is not found")
        return 1
    missing = {column: sum(column not in line for line in table) for column in COLUMNS}
    print(f"operations: {len(table)} of statements; without " + ", ".join(f"{column}: {n}" for column, n in missing.items()))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
