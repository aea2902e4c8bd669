# SPDX-License-Identifier: Apache-2.0
"""What a planted library with every layout does wrong to the operands it is given, or to the blocks that it makes of them."""
from math import prod

from judging import dense
from judging import oracle
from cases import definitions
from cases.tensors import BLOCKED
from schemas.vocabulary import ARGUMENTS, LAYOUTS, OPERATIONS

# Nothing is wrong with this one.
HONEST = "operands-honest"
# It masks no blocks.
OF_ELEMENTS = ("sparse_mask",)
DTYPES = ["bool", *dense.INT_BITS, *dense.WIDTH]


def manifest_entries():
    for name, entry in OPERATIONS.items():
        if entry.operand == "file" or name in ("chain", "vjp"):
            continue
        layouts = [layout for layout in LAYOUTS if name not in OF_ELEMENTS or layout not in BLOCKED]
        to = {"to": dict.fromkeys(LAYOUTS, list(LAYOUTS))} if name == "convert" else {}
        yield name, {"layouts": layouts, "dtypes": DTYPES, **to}


# ---- What is wrong with operands -----------------------------------------------------------------

def transposed_blocks(tensor):
    """Its blocks read by columns, where that does not show in their shape."""
    values = tensor["values"]
    if tensor["layout"] not in BLOCKED or len(values["shape"]) != 3 or values["shape"][1] != values["shape"][2]:
        return tensor
    width, elements = values["shape"][1], dense.elements(values)
    turned = [elements[k * width * width + c * width + r]
              for k in range(values["shape"][0]) for r in range(width) for c in range(width)]
    return {**tensor, "values": {"dtype": values["dtype"], "shape": values["shape"], "data": turned}}


def each(dtypes, function):
    """Of arrays of these types, each element as function has it."""
    def take(member):
        if member["dtype"] not in dtypes:
            return member
        name = "fill" if "fill" in member else "data"
        return {**member, name: function(member[name]) if name == "fill" else list(map(function, member[name]))}
    return take


def of_indices(function):
    """Of a tensor, each index array as function has it."""
    return lambda tensor: {name: function(member) if name.endswith("indices") else member for name, member in tensor.items()}


def without(name):
    return lambda member: {key: value for key, value in member.items() if key != name}


def cut_offsets(tensor):
    if "compressed_indices" not in tensor:
        return tensor
    return {**tensor, "compressed_indices": IN_16_BITS(tensor["compressed_indices"])}


# As a library would that keeps indices without a sign.
IN_16_BITS = each(("int32", "int64"), lambda n: n % 2**16)

# The fault, and what it makes of a tensor, of an array of values, or of a result.
OF_TENSORS = {"transposes-blocks": transposed_blocks, "cuts-indices": of_indices(IN_16_BITS), "cuts-offsets": cut_offsets,
              "ignores-offsets-of-indices": of_indices(without("offset"))}
CUT = each(("int64",), lambda n: dense.wrapped(n, "int32"))
OF_VALUES = {"takes-32-bits-of-64": CUT,
             "takes-whole-numbers-for-doubles": each(("int64",), lambda n: min(int(float(n)), 2**63 - 1)),
             "takes-32-bits-for-floats": each(("int32",), lambda n: min(int(dense.rounded(float(n), "float32")), 2**31 - 1)),
             "takes-8-bits-of-16": each(("int16",), lambda n: dense.wrapped(n, "int8")),
             "takes-the-least-for-its-neighbour": each(("int8",), lambda n: max(n, -127)),
             "rounds-to-float32": each(("float64",), lambda n: dense.rounded(float(n), "float32")),
             "rounds-to-bfloat16": each(("float32",), lambda n: dense.rounded(float(n), "bfloat16")),
             **{f"flushes-{dtype}": each((dtype,), lambda n, least=least: 0 if abs(n) < least else n)
                for dtype, least in (("float32", 2.0**-126), ("float64", 2.0**-1022))},
             "ignores-offsets-of-values": without("offset"), "ignores-strides-of-values": without("strides"),
             "takes-at-most-127": each(("uint8",), lambda n: min(n, 127))}
OF_RESULTS = {"gives-32-bits-of-64": CUT, "gives-doubles-for-whole-numbers": OF_VALUES["takes-whole-numbers-for-doubles"],
              "gives-at-most-127": OF_VALUES["takes-at-most-127"]}
# What is wrong with the tensors that it makes, and with every sum and product: what is beyond a type becomes its end.
OF_MADE = {"transposes-the-blocks-it-makes": transposed_blocks, "cuts-indices-it-makes": OF_TENSORS["cuts-indices"]}
SATURATES = ("gives-the-largest-for-what-wraps", "gives-the-largest-of-64-bits-for-what-wraps")
KEEPS_BLOCKS = "leaves-blocks-as-they-are"


def cut_off(n, to):
    """Towards zero."""
    found = oracle.nearest(n, oracle.FORMATS[to])
    bits = dense.float_bits(float(found), to) - (abs(found) > abs(n))
    return dense.number_of_float(f"bits:{bits:0{dense.WIDTH[to] // 4}x}", to)


def ends_of(n, dtype):
    """The end of the type for what is beyond."""
    top = 2**(dense.INT_BITS[dtype] - (not dtype.startswith("u")))
    return max(0 if dtype.startswith("u") else -top, min(n, top - 1))


# Faults of single definitions: the name there, and what is in its place.
OF_DEFINITIONS = {"casts-by-cutting": ("nearest", cut_off), "adds-bools-mod-2": ("of_bools", lambda n: n % 2),
                  "casts-by-whole-numbers": ("is_true", lambda n: int(n) != 0)}
FAULTS = (*OF_TENSORS, *OF_VALUES, *OF_RESULTS, *OF_MADE, *SATURATES, *OF_DEFINITIONS, KEEPS_BLOCKS)
KINDS = (HONEST, *FAULTS)


def spoiled(question, fault):
    """The question as the library takes it."""
    of_tensor, of_values = OF_TENSORS.get(fault, unchanged), OF_VALUES.get(fault, unchanged)

    def tensor(given):
        given = of_tensor(given)
        return {**given, "values": of_values(given["values"])}
    take = {"tensor": tensor, "tensors": lambda given: list(map(tensor, given)), "array": of_values}
    taken = {name: take.get(kind, unchanged)(question[name])
             for name, kind in (("tensor", "tensor"), ("dense", "array")) if name in question}
    arguments = {name: take.get(ARGUMENTS[name], unchanged)(value) for name, value in question["arguments"].items()}
    return {**question, **taken, "arguments": arguments}


def meaning(question, fault):
    """What it takes the result to be."""
    if fault in SATURATES:
        dense.wrapped = ends_of
    if fault in OF_DEFINITIONS:
        setattr(definitions, *OF_DEFINITIONS[fault])
    return OF_RESULTS.get(fault, unchanged)(definitions.meaning(question))


def made(tensor, fault):
    """A result as it leaves the library."""
    return OF_MADE.get(fault, unchanged)(tensor)


def unchanged(given):
    return given


# ---- Results in blocks -----------------------------------------------------------------------------

def blocks_in_order(tensor, operation, fault):
    """Sorted, each place once or as often as it was, without blocks of zeros where they are to go."""
    if fault == KEEPS_BLOCKS:
        return tensor
    places, dtype, area = dense.CompressedPlaces(tensor), tensor["values"]["dtype"], prod(tensor["values"]["shape"][1:])
    flat, major = dense.elements(tensor["values"]), BLOCKED.index(tensor["layout"])
    stored = [(place[1:], flat[k * area:(k + 1) * area]) for k, place in enumerate(places)]
    stored.sort(key=lambda block: (block[0][major], block[0][1 - major]))
    if operation in ("coalesce", "sum_duplicates"):
        together = {}
        for place, data in stored:
            together.setdefault(place, []).append(data)
        stored = [(place, [dense.total(values, dtype) for values in zip(*found)]) for place, found in together.items()]
    if operation == "eliminate_zeros":
        stored = [block for block in stored if any(dense.plain(dense.bits_of(value, dtype), dtype) for value in block[1])]
    return of_blocks(stored, tensor["layout"], tensor["compressed_indices"]["dtype"], tensor["size"],
                     tensor["values"]["shape"][1:], dtype)


def blocked(member, layout, index_dtype, block, is_stored):
    """The blocks of a dense matrix in which something is not 0, or is stored."""
    (rows, columns), elements, dtype = member["shape"], dense.elements(member), member["dtype"]
    grid, major = (rows // block[0], columns // block[1]), BLOCKED.index(layout)
    found = []
    for place in sorted(((i, j) for i in range(grid[0]) for j in range(grid[1])), key=lambda p: (p[major], p)):
        inside = [(place[0] * block[0] + r) * columns + place[1] * block[1] + c
                  for r in range(block[0]) for c in range(block[1])]
        data = [elements[k] for k in inside]
        if any(dense.bits_of(elements[k], dtype) or is_stored[k] for k in inside):
            found.append((place, data))
    result = of_blocks(found, layout, index_dtype, [rows, columns], block, dtype)
    if len(result["values"]["data"]) != len(found) * prod(block):
        raise ValueError("blocks do not divide")
    return result


def of_blocks(found, layout, index_dtype, size, block, dtype):
    """found: places of blocks in the order of storage, and their elements."""
    major = BLOCKED.index(layout)
    offsets = [sum(place[major] < k for place, _ in found) for k in range(size[major] // block[major] + 1)]
    return {"spw": 1, "layout": layout, "size": size,
            "compressed_indices": {"dtype": index_dtype, "shape": [len(offsets)], "data": offsets},
            "plain_indices": {"dtype": index_dtype, "shape": [len(found)], "data": [place[1 - major] for place, _ in found]},
            "values": {"dtype": dtype, "shape": [len(found), *block], "data": [value for _, data in found for value in data]}}
