# SPDX-License-Identifier: Apache-2.0
"""Cases whose type of values does not matter are asked in a type that the library has: `retype` of a
case is "any", or "wide" where the numbers need a type that holds 32 bit whole numbers."""
from schemas.vocabulary import ARGUMENTS

# The first that the library has.
WIDE = ("float64", "float32", "int64", "int32", "complex128", "complex64")
ANY = (*WIDE, "float16", "bfloat16", "int16", "int8", "uint8", "bool")
TYPES = {"any": ANY, "wide": WIDE}
EXACT = 2**24  # whole numbers up to here are exact in float32


def retype_of(case):
    """What `retype` of a case can be: None where its numbers or its type matter."""
    if "file" in case or case["operation"] in ("chain", "vjp") or "sums" in case["expect"]:
        return None
    members = list(arrays_of(case))
    if case["operation"] == "check":
        tensor = case["tensor"]
        structural = tensor["values"]["dtype"] == "float32" and "dtype" not in tensor
        return "any" if structural else None
    whole = all(member["dtype"] == "float64" and all(is_whole(n) for n in numbers(member))
                for member in members)
    return "wide" if members and whole else None


def arrays_of(case):
    """The arrays of elements, those of indices left out; each may be replaced in its holder."""
    return (holder[name] for holder, name in holders(case))


def holders(case):
    if "tensor" in case:
        yield case["tensor"], "values"
    if "dense" in case:
        yield case, "dense"
    if "dense" in case["expect"]:
        yield case["expect"], "dense"
    for name, value in case.get("arguments", {}).items():
        if ARGUMENTS[name] == "array":
            yield case["arguments"], name
        elif ARGUMENTS[name] in ("tensor", "tensors"):
            for tensor in value if ARGUMENTS[name] == "tensors" else [value]:
                yield tensor, "values"


def numbers(member):
    return [member["fill"]] if "fill" in member else member["data"]


def is_whole(n):
    return isinstance(n, (int, float)) and n == int(n) and abs(n) <= EXACT


def in_type(case, dtype):
    """The same case with all its elements in another type."""
    case = {**case, "expect": dict(case["expect"])}
    if "tensor" in case:
        case["tensor"] = dict(case["tensor"])
    if "arguments" in case:
        case["arguments"] = {name: [dict(tensor) for tensor in value] if ARGUMENTS[name] == "tensors"
                             else dict(value) if ARGUMENTS[name] == "tensor" else value
                             for name, value in case["arguments"].items()}
    for holder, name in holders(case):
        holder[name] = converted(holder[name], dtype)
    return case


def converted(member, dtype):
    def convert(n):
        if dtype.startswith("complex"):
            return [n, 0]
        return int(n != 0) if dtype == "bool" else abs(n) if dtype == "uint8" else n
    changed = {"fill": convert(member["fill"])} if "fill" in member \
        else {"data": [convert(n) for n in member["data"]]}
    return {**member, "dtype": dtype, **changed}


def for_manifest(manifest, case):
    """The case, in another type where the library does not have the one that it is written in."""
    entry = manifest["operations"].get(case["operation"])
    if entry is None or "retype" not in case:
        return case
    written = (case["tensor"]["values"] if "tensor" in case else case["dense"])["dtype"]
    if written in entry["dtypes"]:
        return case
    dtype = next((dtype for dtype in TYPES[case["retype"]] if dtype in entry["dtypes"]), None)
    return in_type(case, dtype) if dtype else case
