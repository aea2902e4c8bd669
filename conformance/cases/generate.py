#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""generate.py > cases.jsonl         the conformance cases, one JSON object a line
generate.py --lint cases.jsonl    checks a file of cases; exit code 1 if something is wrong
generate.py --groups              the groups, and how many cases each has

Every case is a valid tensor, or a valid tensor with named faults: what it violates, and what an
operation gives, is known by construction and no checker was asked. Nothing is random. The modules
of cases/ hold the families; this one collects them and gives them names."""
import json
import os
import sys
from collections import Counter

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from judging import lint  # noqa: E402
from cases import (advisories, axes, bare, blocks, bools, bounded, chains, compressed, coo, files, functions, gradients, halves, lattice, more, operations,  # noqa: E402
                   pairs, reach, reported, sampled, shapes, special, storage, surface, torture, torture_coo, width)
from judging.rules import phase  # noqa: E402
from cases.retype import retype_of  # noqa: E402
from schemas.vocabulary import ARGUMENTS  # noqa: E402

INDEX_DTYPES = ("int32", "int64")


def check_case(layout, index_dtype, what, tensor, rules, flags, group=None, **more):
    """rules: those the tensor violates, the planted one first; empty for a valid tensor."""
    expect = {"verdict": "invalid", "rules": rules} if rules else {"verdict": "valid"}
    name = f"{layout}/{rules[0] if rules else 'valid'}/{what}/{index_dtype}"
    return {"id": name, "group": group or group_of(rules), "phase": "validate",
            "operation": "check", "tensor": tensor, "expect": expect,
            "flags": sorted({*flags, *tensor_flags(tensor)}), **more}


def group_of(rules):
    if not rules:
        return "valid"
    if len(rules) > 1:
        return "several-rules"
    return phase(rules[0])


def operation_case(item, group=None):
    """A case of an operation, in the order of keys that all have."""
    first = {"id": item.pop("name"), "group": group or item["operation"].replace("_", "-"),
             "phase": "use", "operation": item["operation"]}
    for tensor in tensors_of(item):
        item["flags"] = sorted({*item["flags"], *tensor_flags(tensor)})
    item["flags"] = sorted({*item["flags"], *bare.argument_flags(item.get("arguments", {}))})
    return {**first, **item}


def tensors_of(item):
    """The operand, and what arguments are tensors, those of a chain's steps too."""
    for name, value in [("tensor", item.get("tensor")), *item.get("arguments", {}).items()]:
        kind = ARGUMENTS.get(name, name)
        if value is not None and kind in ("tensor", "tensors"):
            yield from value if kind == "tensors" else [value]
        elif kind in ("step", "steps"):
            for step in value if kind == "steps" else [value]:
                yield from tensors_of(step)


def tensor_flags(tensor):
    """The flags that can be seen: parts of the tensor that a library may be unable to express."""
    if "size" not in tensor:
        yield "sizeless"
    if 0 in tensor.get("size", ()):
        yield "empty-size"
    if "index_dtype" in tensor or "dtype" in tensor:
        yield "declared"
    if "coalesced" in tensor:
        yield "claim"
    members = [member for member in tensor.values() if isinstance(member, dict)]
    if any("strides" in member or "offset" in member for member in members):
        yield "strided"
    if any(entry < 0 for member in members for entry in member["shape"]):
        yield "negative-shape"
    first = tensor.get("indices", tensor.get("plain_indices"))["shape"]
    if first and first[-1] == 0:
        yield "no-elements"
        if "size" not in tensor:
            yield "uninferable"
    if tensor["layout"] == "coo" and len(first) == 2 and first[0] not in (0, 2):
        yield "coo-nd"
    yield from bare.bare_flags(tensor)


def all_cases():
    for case in families():
        kind = retype_of(case)
        yield {**case, "retype": kind} if kind else case


def families():
    for index_dtype in INDEX_DTYPES:
        for layout in ("csr", "csc", "bsr", "bsc"):
            for item in compressed.cases(layout, index_dtype):
                yield check_case(layout, index_dtype, *item)
            for item in torture.cases(layout, index_dtype):
                yield check_case(layout, index_dtype, *item, group="torture")
        for item in coo.cases(index_dtype):
            yield check_case("coo", index_dtype, *item)
        for item in torture_coo.cases(index_dtype):
            yield check_case("coo", index_dtype, *item, group="torture")
        for layout in ("csr", "csc", "bsr", "bsc", "coo"):
            for item in pairs.cases(layout, index_dtype):
                yield check_case(layout, index_dtype, *item, group="pairs")
    for group in (operations, more, bools, blocks, width, storage, chains, sampled, functions, surface, halves, shapes, lattice, bounded, special,
                  files):
        for item in group.cases():
            yield operation_case(item)
    for item in reach.plain():
        yield operation_case(item)
    for item in axes.cases():
        yield operation_case(item, "axes")
    for item in reach.cases():
        yield operation_case(item, "axes")
    for module in (axes.spelled, reach.again):
        for item in module():
            yield operation_case(item, "spellings")
    for item in gradients.cases():
        yield operation_case(item, "gradients")
    yield from reported_cases()


def reported_cases():
    for item in reported.checks():
        *positional, source, comment = item
        yield check_case(*positional, group="reported", source=source, comment=comment)
    for *positional, source, comment in advisories.checks():
        yield check_case(*positional, group="advisory", source=source, comment=comment)
    for item in reported.operations():
        yield operation_case(item, "reported")


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "--lint":
        problems = lint.problems_of_file(arguments[1])
        print("\n".join(problems) or "no problems")
        return 1 if problems else 0
    if arguments == ["--groups"]:
        counts = Counter(case["group"] for case in all_cases())
        print("".join(f"{group:<16}{count:>6}\n" for group, count in counts.items())
              + f"{'all':<16}{sum(counts.values()):>6}")
        return 0
    if arguments:
        print(__doc__, file=sys.stderr)
        return 2
    for item in all_cases():
        print(json.dumps(item))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
