#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cross_check.py SPW CASES.jsonl

Every expectation from two sources. What a tensor violates was planted by the generator; the proven
checker must find the same. What an operation gives comes from the generator's list of entries; the
operation's definition (cases/definitions.py), applied to the tensor as dense.py reads it, must give the
same. Exit code 1 where they disagree."""
import json
import os
import sys
from collections import Counter
from itertools import product
from math import prod

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from judging import dense  # noqa: E402
from judging import oracle  # noqa: E402
from cases import differentiated, terms  # noqa: E402
from cases.definitions import MOVES, meaning  # noqa: E402
from cases.sums import nearest_array  # noqa: E402
from judging.control import Control  # noqa: E402
from cases.generate import tensors_of  # noqa: E402
from harness import random_mode  # noqa: E402
from judging.rules import first_phase  # noqa: E402

def problems_of_verdicts(cases, control):
    """The first operand violates what the case says. Of operations on two, one of them does, and none violates anything else."""
    items = [(case, tensor) for case in cases for tensor in tensors_of(case)]
    lines, violated = control.lines([tensor for _, tensor in items]), {}
    for (case, tensor), line in zip(items, lines):
        expected = first_phase(case["expect"].get("rules", []))
        found = {violation["rule"] for violation in line["violations"]}
        violated.setdefault(case["id"], (set(), expected))[0].update(found)
        alone = tensor is case.get("tensor") and case["group"] not in ("axes", "spellings")
        if line["verdict"] not in ("valid", "invalid") or not (found == expected if alone else found <= expected):
            yield f"{case['id']}: planted {sorted(expected)}, {line['verdict']} {sorted(found)}"
    for name, (found, expected) in violated.items():
        if found != expected:
            yield f"{name}: planted {sorted(expected)}, and found in its operands {sorted(found)}"


def problem_of_meaning(case):
    if "sums" in case["expect"]:
        return problem_of_sums(case)
    if case["operation"] == "vjp":
        return differentiated.problem(case)
    if "/x-wide-" in case["id"]:
        return dense.difference(case["expect"]["dense"], of_places(case))
    if "/m-special-" in case["id"]:
        return dense.difference(case["expect"]["dense"], of_stored(case))
    return dense.difference(case["expect"]["dense"], meaning(case), exact=case["operation"] in MOVES)


def of_stored(case):
    """Where numbers are not finite, what is not stored may not be taken for 0."""
    shape, found = terms.of_case(case, zeros=True)
    return {"dtype": case["expect"]["dense"]["dtype"], "shape": shape,
            "data": [str(sum(map(prod, products), 0.0)) for products in found]}


def of_places(case):
    """Where no dense array can be: each step does to the places of the elements what the random questions do."""
    size, places = case["tensor"]["size"], places_of(case["tensor"])
    for step in case["arguments"]["steps"]:
        given = {**step["arguments"], **{name: (other["size"], places_of(other)) for name, other in step["arguments"].items() if name == "other"}}
        places, size = random_mode.APPLY[step["operation"]](places, tuple(size), given)
    return {"dtype": "float64", "shape": list(size), "data": [places.get(place, 0) for place in product(*map(range, size))]}


def places_of(tensor):
    found = {}
    for place, n in zip(dense.tensor_places(tensor)[0], dense.elements(tensor["values"])):
        place = tuple(place)[-2:]
        found[place] = found.get(place, 0) + n
    return found


def problem_of_sums(case):
    """What is summed, by the definition; on the lattice, the usual precision gives the same in every order."""
    expect, operation = case["expect"], case["operation"]
    dtype, sums = expect["dense"]["dtype"], expect["sums"]
    shape, found = terms.of_case(case)
    listed = [[value for value in terms.exactly(products) if value] for products in found]
    exact, gauge = [sum(values) for values in listed], [sum(map(abs, values)) for values in listed]
    if shape != expect["dense"]["shape"] or nearest_array(dtype, shape, exact) != expect["dense"]:
        return "the dense array is another"
    if [exact, gauge, list(map(len, listed))] != [list(map(oracle.number_of, sums["exact"])),
                                                  list(map(oracle.number_of, sums["gauge"])), sums["terms"]]:
        return "the sums are others"
    if any(value % oracle.power(unit) for values, unit in zip(listed, sums["unit"]) for value in values):
        return "a term is no multiple of its unit"
    precision = oracle.PRECISIONS[oracle.USUAL[dtype]]
    ordered = [oracle.bound(sums, k, operation, precision) > 0 for k in range(len(exact))]
    if any(ordered) if sums["lattice"] else not any(ordered):
        return "lattice says otherwise than the oracle"
    return None


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
