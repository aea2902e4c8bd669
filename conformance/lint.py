# SPDX-License-Identifier: Apache-2.0
"""Checks that conformance cases are well formed. Needs nothing but Python."""
import json
import re

KEYS = {"id", "phase", "tensor", "expect", "flags"}
LAYOUTS = ("coo", "csr", "csc", "bsr", "bsc")
ID = re.compile(r"[a-z0-9]+(/[A-Za-z0-9._-]+)+")
RULE = re.compile(r"[1-6]\.[1-9][0-9]?")
# What a case contains that a library may be unable to express, or may read differently.
FLAGS = ("batched", "claim", "declared", "duplicates", "huge-array", "huge-size", "hybrid",
         "index-range", "indices-not-2d", "mixed-index-dtypes", "narrow-index-dtype",
         "negative-shape", "negative-stride", "out-of-storage", "sizeless", "slack",
         "sparse-dim-0", "strided", "strided-indices", "unsorted")


def read_cases(path):
    """The cases of a file. ValueError names every problem."""
    problems = problems_of_file(path)
    if problems:
        raise ValueError("\n".join(problems))
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def problems_of_file(path):
    problems, seen = [], set()
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            problems += [f"{path}:{number}: {text}" for text in problems_of_line(line, seen)]
    return problems


def problems_of_line(line, seen):
    try:
        case = json.loads(line)
    except ValueError as error:
        return [f"not JSON: {error}"]
    if not isinstance(case, dict) or set(case) != KEYS:
        return [f"a case is an object with the keys {', '.join(sorted(KEYS))}"]
    return list(problems_of_case(case, seen))


def problems_of_case(case, seen):
    name = case["id"]
    if not isinstance(name, str) or not ID.fullmatch(name):
        yield f"id {name!r} is not a path of words"
    elif name in seen:
        yield f"id {name} stands twice"
    else:
        seen.add(name)
    if case["phase"] != "validate":
        yield f"unknown phase {case['phase']!r}"
    yield from problems_of_expect(case["expect"])
    flags = case["flags"]
    if not is_list_of(flags, FLAGS.__contains__) or len(set(flags)) != len(flags):
        yield f"flags {flags!r} are not distinct known flags"
    yield from problems_of_tensor(case["tensor"])


def problems_of_expect(expect):
    if expect == {"verdict": "valid"}:
        return
    if (not isinstance(expect, dict) or set(expect) != {"verdict", "rules"}
            or expect["verdict"] != "invalid"):
        yield 'expect is {"verdict": "valid"} or {"verdict": "invalid", "rules": [...]}'
    elif not expect["rules"] or not is_list_of(expect["rules"], is_rule):
        yield f"rules {expect['rules']!r} are not a list of rule ids, at least one"


def problems_of_tensor(tensor):
    if not isinstance(tensor, dict) or tensor.get("layout") not in LAYOUTS:
        yield "the tensor has no known layout"
        return
    indices = ["indices"] if tensor["layout"] == "coo" else ["compressed_indices", "plain_indices"]
    for member in (*indices, "values"):
        if not is_array(tensor.get(member)):
            yield f"the tensor has no array {member}"
    size = tensor.get("size", [])
    if any(a == b != 0 for a, b in zip(size, size[1:])):
        yield f"size {size} is symmetric, so that it cannot tell rows from columns"


def is_array(member):
    return (isinstance(member, dict) and isinstance(member.get("dtype"), str)
            and is_list_of(member.get("shape"), lambda entry: isinstance(entry, int))
            and ("data" in member) != ("length" in member and "fill" in member))


def is_rule(text):
    return isinstance(text, str) and RULE.fullmatch(text)


def is_list_of(items, test):
    return isinstance(items, list) and all(test(item) for item in items)
