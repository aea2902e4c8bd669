#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""generate.py > cases.jsonl         the conformance cases, one JSON object a line
generate.py --lint cases.jsonl    checks a file of cases; exit code 1 if something is wrong

Every case is a valid tensor, or a valid tensor with a named fault: what it violates is known by
construction and no checker was asked. Nothing is random. Other modules hold the cases:
cases_compressed.py and cases_coo.py; this one collects them and gives them names."""
import json
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cases_compressed  # noqa: E402
import cases_coo  # noqa: E402
import judge  # noqa: E402
import lint  # noqa: E402

INDEX_DTYPES = ("int32", "int64")


def case(layout, index_dtype, what, tensor, rules, flags):
    """rules: those the tensor violates, the planted one first; empty for a valid tensor."""
    expect = {"verdict": "invalid", "rules": rules} if rules else {"verdict": "valid"}
    name = f"{layout}/{rules[0] if rules else 'valid'}/{what}/{index_dtype}"
    all_flags = sorted({*flags, *tensor_flags(tensor)})
    return {"id": name, "group": group_of(rules), "phase": "validate", "operation": "check",
            "tensor": tensor, "expect": expect, "flags": all_flags}


def group_of(rules):
    if not rules:
        return "valid"
    if len(rules) > 1:
        return "several rules"
    return ("shape", "structure", "canonical")[judge.phase(rules[0]) - 1] + " rules"


def tensor_flags(tensor):
    """The flags that can be seen: parts of the tensor that a library may be unable to express."""
    if "size" not in tensor:
        yield "sizeless"
    if "index_dtype" in tensor or "dtype" in tensor:
        yield "declared"
    if "coalesced" in tensor:
        yield "claim"
    members = [member for member in tensor.values() if isinstance(member, dict)]
    if any("strides" in member or "offset" in member for member in members):
        yield "strided"
    if any(entry < 0 for member in members for entry in member["shape"]):
        yield "negative-shape"


def all_cases():
    for index_dtype in INDEX_DTYPES:
        for layout in ("csr", "csc", "bsr", "bsc"):
            for item in cases_compressed.cases(layout, index_dtype):
                yield case(layout, index_dtype, *item)
        for item in cases_coo.cases(index_dtype):
            yield case("coo", index_dtype, *item)


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "--lint":
        problems = lint.problems_of_file(arguments[1])
        print("\n".join(problems) or "no problems")
        return 1 if problems else 0
    if arguments:
        print(__doc__, file=sys.stderr)
        return 2
    for item in all_cases():
        print(json.dumps(item))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
