# SPDX-License-Identifier: Apache-2.0
"""Checks that conformance cases are well formed. Needs nothing but Python."""
import json
import re

REQUIRED = {"id", "group", "phase", "operation", "expect", "flags"}
OPERANDS = {"tensor", "dense", "file"}
KEYS = REQUIRED | OPERANDS | {"arguments", "comment", "source"}
LAYOUTS = ("coo", "csr", "csc", "bsr", "bsc")
OPERATIONS = ("check", "use", "to_dense", "from_dense", "convert", "transpose", "matvec", "matmat",
              "sum", "sum_dim", "add", "add_dense", "read")
# An operation's operand is a tensor, but for these.
OTHER_OPERAND = {"from_dense": "dense", "read": "file"}
ID = re.compile(r"[a-z0-9_]+(/[A-Za-z0-9._-]+)+")
RULE = re.compile(r"[1-6]\.[1-9][0-9]?")
# What a case contains that a library may be unable to express, or may read differently.
FLAGS = ("array-lengths", "bad-slack", "batched", "block-size", "blocks-not-square", "claim",
         "column-major", "coo-nd", "declared", "duplicates", "empty-size", "explicit-zeros",
         "huge-array", "huge-size", "hybrid", "index-range", "indices-not-2d", "inf",
         "large-size", "mixed-index-dtypes", "nan", "narrow-index-dtype", "negative-shape",
         "negative-stride", "negative-zero", "no-elements", "not-2d", "out-of-storage",
         "overfull", "sizeless", "slack", "sparse-dim-0", "strided", "strided-indices", "tall",
         "uninferable", "unsorted")
# The rules that a flag is about: who permits it does not have to notice these.
EXCUSES = {"strided-indices": ("3.5", "3.6"), "negative-stride": ("3.14",), "huge-size": ("3.11",),
           "index-range": ("1.6",), "mixed-index-dtypes": ("1.1", "1.2"),
           "narrow-index-dtype": ("1.3",), "slack": ("5.2",), "bad-slack": ("5.2", "5.4", "5.5"), "unsorted": ("5.6", "6.7"),
           "duplicates": ("5.6", "6.7"), "overfull": ("5.3",)}


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
    if not isinstance(case, dict) or not REQUIRED <= set(case) <= KEYS:
        return [f"a case is an object with the keys {', '.join(sorted(REQUIRED))}"]
    return list(problems_of_case(case, seen))


def problems_of_case(case, seen):
    name = case["id"]
    if not isinstance(name, str) or not ID.fullmatch(name):
        yield f"id {name!r} is not a path of words"
    elif name in seen:
        yield f"id {name} stands twice"
    else:
        seen.add(name)
    operation = case["operation"]
    if operation not in OPERATIONS or operation == "use":
        yield f"unknown operation {operation!r}"
        return
    if set(case) & OPERANDS != {OTHER_OPERAND.get(operation, "tensor")}:
        yield f"{operation} needs {OTHER_OPERAND.get(operation, 'tensor')} and no other operand"
        return
    if case["phase"] not in ("construct", "validate", "use"):
        yield f"unknown phase {case['phase']!r}"
    if not isinstance(case["group"], str) or not case["group"]:
        yield f"group {case['group']!r} is not a name"
    yield from problems_of_expect(case["expect"], operation)
    flags = case["flags"]
    if not is_list_of(flags, FLAGS.__contains__) or len(set(flags)) != len(flags):
        yield f"flags {flags!r} are not distinct known flags"
    yield from problems_of_operands(case)


def problems_of_expect(expect, operation):
    if not isinstance(expect, dict) or expect.get("verdict") not in ("valid", "invalid"):
        yield "expect.verdict is valid or invalid"
        return
    rules, rejects = expect.get("rules"), expect["verdict"] == "invalid"
    if operation == "check" and set(expect) != ({"verdict", "rules"} if rejects else {"verdict"}):
        yield 'expect is {"verdict": "valid"} or {"verdict": "invalid", "rules": [...]}'
    elif operation != "check" and not rejects and not is_array(expect.get("dense")):
        yield "expect.dense is no array"
    elif rules is not None and (not rules or not is_list_of(rules, is_rule)):
        yield f"rules {rules!r} are not a list of rule ids, at least one"


def problems_of_operands(case):
    arguments = case.get("arguments", {})
    operands = [case["tensor"]] if "tensor" in case else []
    for tensor in operands + [arguments[key] for key in ("other",) if key in arguments]:
        yield from problems_of_tensor(tensor)
        yield from problems_of_size(tensor)
    needed = {"from_dense": [case.get("dense")], "matvec": [arguments.get("x")],
              "matmat": [arguments.get("x")],
              "add_dense": [arguments.get("dense")]}.get(case["operation"], [])
    if not all(map(is_array, needed)):
        yield "a dense operand is no array"
    if case["operation"] == "sum_dim" and arguments.get("dim") not in (0, 1):
        yield "arguments.dim is neither 0 nor 1"
    if case["operation"] in ("convert", "from_dense") and arguments.get("to") not in LAYOUTS:
        yield "arguments.to is no layout"


def problems_of_tensor(tensor):
    if not isinstance(tensor, dict) or tensor.get("layout") not in LAYOUTS:
        yield "the tensor has no known layout"
        return
    indices = ["indices"] if tensor["layout"] == "coo" else ["compressed_indices", "plain_indices"]
    for member in (*indices, "values"):
        if not is_array(tensor.get(member)):
            yield f"the tensor has no array {member}"


def problems_of_size(tensor):
    size = tensor.get("size", []) if isinstance(tensor, dict) else []
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
