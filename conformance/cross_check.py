#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cross_check.py SPW CASES.jsonl

Every expectation from two sources. What a tensor violates was planted by the generator; the proven
checker must find the same. What an operation gives comes from the generator's list of entries; the
tensor, read as a dense one by dense.py, must mean the same. Exit code 1 where they disagree."""
import json
import os
import sys
from collections import Counter
from math import prod

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import dense  # noqa: E402
import judge  # noqa: E402
from control import Control  # noqa: E402

SAME = ("to_dense", "convert")


def problems_of_verdicts(cases, control):
    items = [(case, case["tensor"]) for case in cases if "tensor" in case]
    items += [(case, case["arguments"]["other"]) for case in cases
              if "other" in case.get("arguments", {})]
    for (case, tensor), line in zip(items, control.lines([tensor for _, tensor in items])):
        expected = judge.first_phase(case["expect"].get("rules", []))
        if tensor is case.get("arguments", {}).get("other"):
            expected = set()
        found = {violation["rule"] for violation in line["violations"]}
        if line["verdict"] not in ("valid", "invalid") or found != expected:
            yield f"{case['id']}: planted {sorted(expected)}, {line['verdict']} {sorted(found)}"


def problem_of_meaning(case):
    expected = case["expect"]["dense"]
    if case["operation"] in SAME:
        return dense.difference(expected, dense.dense_of(case["tensor"]), exact=True)
    if case["operation"] == "transpose":
        batch = len(case["tensor"].get("compressed_indices", {"shape": [0]})["shape"]) - 1
        return dense.difference(expected, swapped(dense.dense_of(case["tensor"]), batch), exact=True)
    if case["operation"] == "from_dense":
        return dense.difference(expected, case["dense"], exact=True)
    numbers = numeric(dense.dense_of(case["tensor"]))
    return dense.difference(expected, computed(case, numbers), exact=False)


def swapped(member, batch):
    """Rows and columns of a dense array, which stand behind `batch` dimensions and before dense ones."""
    rows, columns = member["shape"][batch:batch + 2]
    width = prod(member["shape"][batch + 2:])
    size, data = rows * columns * width, []
    for start in range(0, len(member["data"]), size or 1):
        for r, c in ((r, c) for c in range(columns) for r in range(rows)):
            first = start + (r * columns + c) * width
            data += member["data"][first:first + width]
    shape = [*member["shape"][:batch], columns, rows, *member["shape"][batch + 2:]]
    return {"dtype": member["dtype"], "shape": shape, "data": data}


def numeric(member):
    return {**member, "data": [complex(*n) if isinstance(n, list) else n
                               for n in dense.elements(member)]}


def computed(case, a):
    """The operation on a dense tensor, by its definition."""
    operation, arguments, dtype = case["operation"], case.get("arguments", {}), a["dtype"]
    if operation == "sum":
        return written(dtype, [], [sum(a["data"])])
    if operation == "sum_dim":
        rows, columns = a["shape"]
        lines = [a["data"][c::columns] for c in range(columns)] if arguments["dim"] == 0 else \
            [a["data"][r * columns:(r + 1) * columns] for r in range(rows)]
        return written(dtype, [len(lines)], list(map(sum, lines)))
    if operation in ("add", "add_dense"):
        other = numeric(arguments["dense"] if operation == "add_dense"
                        else dense.dense_of(arguments.get("other", case["tensor"])))
        return written(dtype, a["shape"], [m + n for m, n in zip(a["data"], other["data"])])
    x = numeric(arguments["x"])
    (rows, inner), columns = a["shape"], (x["shape"] + [1])[1]
    data = [sum(a["data"][r * inner + k] * x["data"][k * columns + c] for k in range(inner))
            for r in range(rows) for c in range(columns)]
    return written(dtype, [rows] + x["shape"][1:], data)


def written(dtype, shape, numbers):
    if dtype in dense.PARTS:
        numbers = [[complex(n).real, complex(n).imag] for n in numbers]
    return {"dtype": dtype, "shape": shape, "data": numbers}


def main(spw, path):
    with open(path, encoding="utf-8") as file:
        cases = [json.loads(line) for line in file]
    counts, problems = Counter(), list(problems_of_verdicts(cases, Control(spw)))
    for case in cases:
        if "dense" in case["expect"] and case["operation"] != "read":
            counts["meanings"] += 1
            problem = problem_of_meaning(case)
            if problem:
                problems.append(f"{case['id']}: {problem}")
    counts["verdicts"] = sum("tensor" in case for case in cases)
    print(f"cross-check: {counts['verdicts']} tensors by {os.path.basename(spw)},"
          f" {counts['meanings']} meanings: {len(problems)} problems")
    print("".join(f"  {problem}\n" for problem in problems[:20]), end="")
    return 1 if problems or not all(counts.values()) else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
