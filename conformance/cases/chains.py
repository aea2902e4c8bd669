# SPDX-License-Identifier: Apache-2.0
"""Chains: the result of each operation is the first operand of the next, as the library keeps it in
memory. Walks of 2 to 6 steps, always the same ones; what they give follows from the entries. A flag that
a result carries wrongly, or an array that two results share, shows only here."""
from cases.model import Model
from cases.operations import expectation, numbered, scattered, small
from cases.tensors import array

DTYPE = "float64"
WALKS = 12
# The first ones are asked in these types as well.
FEWER, OTHERS = 4, ("float32", "int64")
# Numbers stay exact in every type that holds 32 bit whole numbers.
LARGEST = 2**24
PAIRS = ("add", "sub", "mul")
ORDER = ("coalesce", "sum_duplicates", "sort_indices", "eliminate_zeros")
# Which operations meet in a walk: not every library has all of them.
KINDS = {"arithmetic": {"coo": (*PAIRS, "scale", "transpose"), "csr": ("add", "mul", "scale", "matmul_sparse"),
                        "csc": (*PAIRS, "scale", "matmul_sparse")},
         "slices": {"coo": ("cat", "narrow", "index_select", "permute", "coalesce", "add"),
                    "csr": ("cat", "narrow", "index_select", "add", "scale"),
                    "csc": ("cat", "narrow", "index_select", "sub", "mul")},
         "layouts": {layout: ("convert", "transpose", "scale", "add") for layout in ("coo", "csr", "csc")},
         "order": {"coo": ("coalesce", *PAIRS, "matmul_sparse", "index_select"),
                   "csr": (*ORDER[1:], "matmul_sparse", "index_select", "transpose"),
                   "csc": (*ORDER[1:], "matmul_sparse", "add", "transpose")}}


def cases():
    for k, model in enumerate(models()):
        for kind, of_layout in KINDS.items():
            for j, (layout, names) in enumerate(of_layout.items()):
                index_dtype = ("int32", "int64")[(k + j) % 2]
                for walk in range(WALKS):
                    seed = 7919 * walk + 104729 * k + 31 * j + len(kind)
                    for dtype in (DTYPE, *(OTHERS if k == 0 and walk < FEWER else ())):
                        yield case(model, kind, layout, (index_dtype, dtype), names, walk, seed)


def models():
    yield Model("scattered", (6, 12), numbered(scattered(6, 12, 17, 41)))
    yield Model("explicit-zeros", (4, 9), [(0, 1, 0), (1, 4, 5), (2, 0, 0), (3, 7, 0), (3, 8, -2)],
                flags=["explicit-zeros"])
    yield Model("backwards", (6, 10), numbered(scattered(6, 10, 14, 42)[::-1]), flags=["unsorted"])
    yield Model("duplicates", (4, 9), [(0, 1, 4), (1, 4, 5), (0, 1, -4), (3, 8, 2), (3, 8, 3)],
                flags=["duplicates", "unsorted"])
    yield Model("no-elements", (4, 9), [])


def case(model, kind, layout, types, names, walk, seed):
    """types: of indices and of elements."""
    index_dtype, dtype = types
    draw, steps = Draws(seed), []
    places, size = {}, model.size
    for row, column, n in model.entries:
        places[row, column] = places.get((row, column), 0) + n
    now, wanted = layout, 2 + walk % 5
    while len(steps) < wanted:
        name = names[draw.below(len(names))]
        arguments, found, shape = STEPS[name](places, size, draw)
        if shape[0] == shape[1] or max(map(abs, found.values()), default=0) > LARGEST:
            continue  # a square matrix cannot tell rows from columns
        if name == "convert":
            now = arguments["to"]
        if name == "transpose" and now != "coo":
            # Some libraries turn the layout, others the elements: the next step is for both the same.
            now = "csr"
            steps.append(step(name, arguments))
            name, arguments = "convert", {"to": now}
        steps.append(step(name, written(arguments, now, types)))
        places, size = found, shape
    dense = array(dtype, size, [places.get((r, c), 0) for r in range(size[0]) for c in range(size[1])])
    return {"operation": "chain", "name": f"{layout}/chain/{kind}-{model.name}-{walk}/{dtype}-{index_dtype}",
            "tensor": model.tensor(layout, index_dtype, dtype), "arguments": {"steps": steps},
            "expect": expectation(model, layout, dense), "flags": sorted(model.flags)}


def step(name, arguments):
    return {"operation": name, "arguments": arguments}


def written(arguments, layout, types):
    """Second operands in the layout in which the first one is by then."""
    def tensor(other):
        return Model("", other[0], [(*place, n) for place, n in sorted(other[1].items())]).tensor(
            layout, *types)
    found = dict(arguments)
    if "other" in found:
        found["other"] = tensor(found["other"])
    if "others" in found:
        found["others"] = [tensor(other) for other in found["others"]]
    return found


class Draws:
    """The same numbers each time."""

    def __init__(self, seed):
        self.state = seed

    def below(self, limit):
        self.state = (self.state * 1103515245 + 12345) % 2**31
        return (self.state >> 8) % limit


def some(size, draw):
    """Places and numbers of a second operand."""
    count = min(size[0] * size[1], 1 + draw.below(12))
    return {place: small(k + draw.below(7)) for k, place in enumerate(scattered(*size, count, draw.below(999)))}


# ---- Steps: of the places and the size, the arguments and what becomes of both -------------------

def pairwise(function):
    def take(places, size, draw):
        other = some(size, draw)
        found = {place: function(places.get(place, 0), other.get(place, 0)) for place in {*places, *other}}
        return {"other": (size, other)}, found, size
    return take


def product(places, size, draw):
    shape = (size[1], next(n for n in (7, 11, 5) if n not in size))
    other, found = some(shape, draw), {}
    for (row, k), n in places.items():
        for (line, column), m in other.items():
            if k == line:
                found[row, column] = found.get((row, column), 0) + n * m
    return {"other": (shape, other)}, found, (size[0], shape[1])


def scale(places, size, draw):
    alpha = (2, -1, 3)[draw.below(3)]
    return {"alpha": alpha}, {place: alpha * n for place, n in places.items()}, size


def turned(arguments):
    def take(places, size, draw):
        return dict(arguments), {(c, r): n for (r, c), n in places.items()}, size[::-1]
    return take


def convert(places, size, draw):
    return {"to": ("csr", "csc", "coo")[draw.below(3)]}, places, size


def chosen(places, size, dim, kept):
    """The slices at some places of a dimension, in their order."""
    found = {}
    for new, old in enumerate(kept):
        for place, n in places.items():
            if place[dim] == old:
                found[(new, place[1]) if dim == 0 else (place[0], new)] = n
    shape = (len(kept), size[1]) if dim == 0 else (size[0], len(kept))
    return found, shape


def narrow(places, size, draw):
    dim = draw.below(2)
    start = draw.below(2)
    length = max(1, size[dim] - start - draw.below(2))
    length = min(length, size[dim] - start)
    return {"dim": dim, "start": start, "length": length}, *chosen(
        places, size, dim, range(start, start + length))


def index_select(places, size, draw):
    dim = draw.below(2)
    kept = [draw.below(size[dim]) for _ in range(size[dim])]
    return {"dim": dim, "indices": kept}, *chosen(places, size, dim, kept)


def cat(places, size, draw):
    dim = draw.below(2)
    shape = (2, size[1]) if dim == 0 else (size[0], 2)
    if shape[0] == shape[1]:
        shape = (3, size[1]) if dim == 0 else (size[0], 3)
    other = some(shape, draw)
    moved = {(r + size[0] * (dim == 0), c + size[1] * (dim == 1)): n for (r, c), n in other.items()}
    whole = (size[0] + shape[0], size[1]) if dim == 0 else (size[0], size[1] + shape[1])
    return {"dim": dim, "others": [(shape, other)]}, {**places, **moved}, whole


def in_order(places, size, draw):
    return {}, places, size


STEPS = {"add": pairwise(lambda m, n: m + n), "sub": pairwise(lambda m, n: m - n),
         "mul": pairwise(lambda m, n: m * n), "matmul_sparse": product, "scale": scale,
         "transpose": turned({}), "permute": turned({"dims": [1, 0]}), "convert": convert, "narrow": narrow,
         "index_select": index_select, "cat": cat, **dict.fromkeys(ORDER, in_order)}
