# SPDX-License-Identifier: Apache-2.0
"""Checks that conformance cases are well formed."""
import json
import re
from math import prod

from judging.dense import PARTS
from judging.oracle import USUAL, Operands
from judging.rules import is_rule
from cases.retype import TYPES
from schemas.vocabulary import ARGUMENTS, FLAGS, LAYOUTS, NOT_IN_CASES, OPERATIONS, WRT

REQUIRED = {"id", "group", "phase", "operation", "expect", "flags"}
OPERANDS = {"tensor", "dense", "file"}
KEYS = REQUIRED | OPERANDS | {"arguments", "comment", "source", "retype", "spelling"}
BINARY = re.compile(r"-?0x[0-9a-f]+p-[0-9]+")  # a sum of floats, exactly
ID = re.compile(r"[a-z0-9_]+(/[A-Za-z0-9._-]+)+")


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
    if operation not in OPERATIONS or operation in NOT_IN_CASES:
        yield f"unknown operation {operation!r}"
        return
    operand = OPERATIONS[operation].operand
    if set(case) & OPERANDS != {operand}:
        yield f"{operation} needs {operand} and no other operand"
        return
    if case["phase"] not in ("construct", "validate", "use"):
        yield f"unknown phase {case['phase']!r}"
    if not isinstance(case["group"], str) or not case["group"]:
        yield f"group {case['group']!r} is not a name"
    yield from problems_of_expect(case["expect"], operation)
    flags = case["flags"]
    if not is_list_of(flags, FLAGS.__contains__) or len(set(flags)) != len(flags):
        yield f"flags {flags!r} are not distinct known flags"
    if case.get("retype", "any") not in TYPES:
        yield f"unknown retype {case['retype']!r}"
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
    elif expect.get("order", "sorted") not in ("sorted", "canonical"):
        yield "expect.order is sorted or canonical"
    elif expect.get("layout", "coo") not in LAYOUTS or not is_list_of(expect.get("blocksize", []), is_integer):
        yield "expect.layout is no layout, or expect.blocksize no list of numbers"
    elif not is_integer(expect.get("elements", 0)):
        yield "expect.elements is no number"
    elif rules is not None and (not rules or not is_list_of(rules, is_rule)):
        yield f"rules {rules!r} are not a list of rule ids, at least one"
    elif "sums" in expect:
        yield from problems_of_sums(expect["sums"], expect["dense"])


def problems_of_sums(sums, dense):
    """One of each for each number of the result, of complex types two for an element."""
    count = prod(dense["shape"]) * (2 if dense["dtype"] in PARTS else 1)
    if not isinstance(sums, dict) or set(sums) != {"lattice", "exact", "gauge", "terms", "unit", "operands"}:
        yield "expect.sums has not the keys of sums"
    elif not all(is_list_of(sums[name], test) and len(sums[name]) == count for name, test in (
            ("exact", is_binary), ("gauge", is_binary), ("terms", is_integer), ("unit", is_integer))):
        yield f"expect.sums has not {count} sums, gauges, numbers of terms and units"
    elif dense["dtype"] not in USUAL or not isinstance(sums["lattice"], bool):
        yield "expect.sums is not about floats, or does not say whether they are on a lattice"
    elif not isinstance(sums["operands"], dict) or set(sums["operands"]) != {*Operands._fields} \
            or not all(map(is_integer, sums["operands"].values())):
        yield "expect.sums.operands has not bits, low and top"


def problems_of_operands(case):
    if "tensor" in case:
        yield from problems_of_tensor(case["tensor"])
        if not (case.get("group") == "advisory" or is_squared(case)):  # what was published is asked as it is
            yield from problems_of_size(case["tensor"])
    if "dense" in case and not is_array(case["dense"]):
        yield "the dense operand is no array"
    yield from problems_of_arguments(case["operation"], case.get("arguments", {}))
    if case["operation"] == "vjp" and len({"upstream", "upstream_sparse"} & set(case.get("arguments", {}))) != 1:
        yield "vjp needs one upstream gradient"


def is_squared(case):
    """A product of a matrix with itself needs a square one. So does a triangular system, of which one triangle is read."""
    arguments = case.get("arguments", {})
    steps = arguments.get("steps") or [arguments.get("of", case)]
    if "triangular_solve" in (step["operation"] for step in steps):
        return True
    return case["operation"] == "matmul_sparse" and "other" not in arguments


def problems_of_arguments(operation, arguments):
    entry = OPERATIONS[operation]
    if not isinstance(arguments, dict):
        yield "arguments are no object"
        return
    for name in entry.arguments:
        if name not in arguments:
            yield f"{operation} needs the argument {name}"
    for name, value in arguments.items():
        if name not in (*entry.arguments, *entry.optional):
            yield f"{operation} has no argument {name}"
        else:
            yield from problems_of_argument(name, value)


def problems_of_argument(name, value):
    kind = ARGUMENTS[name]
    if not FITS[kind](value):
        yield f"arguments.{name} is no {kind}"
    elif kind in ("step", "steps"):
        for step in value if kind == "steps" else [value]:
            if OPERATIONS[step["operation"]].operand != "tensor":
                yield f"{step['operation']} is no step"
            yield from problems_of_arguments(step["operation"], step["arguments"])
    elif kind in ("tensor", "tensors"):
        for tensor in value if kind == "tensors" else [value]:
            yield from problems_of_tensor(tensor) if name == "upstream_sparse" else problems_of_operand(tensor)


def problems_of_operand(tensor):
    yield from problems_of_tensor(tensor)
    yield from problems_of_size(tensor)


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


def is_list_of(items, test):
    return isinstance(items, list) and all(test(item) for item in items)


def is_binary(item):
    return isinstance(item, str) and BINARY.fullmatch(item) is not None


def is_integer(item):
    return isinstance(item, int) and not isinstance(item, bool)


def is_step(item):
    return (isinstance(item, dict) and set(item) == {"operation", "arguments"}
            and item["operation"] in OPERATIONS)


# Has an argument the form of its kind?
FITS = {"layout": LAYOUTS.__contains__, "array": is_array, "tensor": lambda item: isinstance(item, dict),
        "tensors": lambda items: is_list_of(items, lambda item: isinstance(item, dict)),
        "integer": is_integer, "integers": lambda items: is_list_of(items, is_integer),
        "number": lambda item: is_integer(item) or isinstance(item, float),
        "boolean": lambda item: isinstance(item, bool), "dtype": lambda item: isinstance(item, str),
        "function": lambda item: isinstance(item, str),
        "step": is_step, "steps": lambda items: is_list_of(items, is_step), "operand": WRT.__contains__}
