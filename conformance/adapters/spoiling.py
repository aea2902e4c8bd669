# SPDX-License-Identifier: Apache-2.0
"""What a planted library with every layout does wrong to the operands it is given, or to the blocks that it makes of them."""
from math import prod

import dense
from vocabulary import ARGUMENTS, LAYOUTS, OPERATIONS

BLOCKED = ("bsr", "bsc")
# Nothing is wrong with this one.
HONEST = "operands-honest"
# It sorts nothing in blocks, and its other results may be dense.
OF_ELEMENTS = ("coalesce", "sum_duplicates", "sort_indices", "eliminate_zeros", "sparse_mask")
DTYPES = ["bool", *dense.INT_BITS, *dense.WIDTH]


def manifest_entries():
    for name, entry in OPERATIONS.items():
        if entry.operand == "file" or name == "chain":
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


# The fault, and what it makes of a tensor, or of an array of values.
OF_TENSORS = {"transposes-blocks": transposed_blocks}
OF_VALUES = {}
OF_RESULTS = ("transposes-the-blocks-it-makes",)
FAULTS = (*OF_TENSORS, *OF_VALUES, *OF_RESULTS)
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


def unchanged(given):
    return given


# ---- Results in blocks -----------------------------------------------------------------------------

def blocked(member, layout, index_dtype, block, fault):
    """The blocks of a dense matrix in which something is not 0."""
    (rows, columns), elements, dtype = member["shape"], dense.elements(member), member["dtype"]
    grid, major = (rows // block[0], columns // block[1]), BLOCKED.index(layout)
    found = []
    for place in sorted(((i, j) for i in range(grid[0]) for j in range(grid[1])), key=lambda p: (p[major], p)):
        data = [elements[(place[0] * block[0] + r) * columns + place[1] * block[1] + c]
                for r in range(block[0]) for c in range(block[1])]
        if any(dense.bits_of(value, dtype) for value in data):
            found.append((place, data))
    offsets = [sum(place[major] < k for place, _ in found) for k in range(grid[major] + 1)]
    result = {"spw": 1, "layout": layout, "size": [rows, columns],
              "compressed_indices": {"dtype": index_dtype, "shape": [len(offsets)], "data": offsets},
              "plain_indices": {"dtype": index_dtype, "shape": [len(found)],
                                "data": [place[1 - major] for place, _ in found]},
              "values": {"dtype": dtype, "shape": [len(found), *block],
                         "data": [value for _, data in found for value in data]}}
    if len(result["values"]["data"]) != len(found) * prod(block):
        raise ValueError("blocks do not divide")
    return transposed_blocks(result) if fault == "transposes-the-blocks-it-makes" else result
