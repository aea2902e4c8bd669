# SPDX-License-Identifier: Apache-2.0
"""Operations about which places a tensor has: a dense array and a product there and nowhere else, softmax
over what is stored; besides, another type of elements, and products of batches in COO. Each case is a
dict, as in operations."""
from cases import operations
from cases.model import Model, number, of_rows, shortest
from cases.more import DTYPE, asked, coo, models, nd
from cases.operations import all_places, small
from cases.tensors import BLOCKED, array
from judging.oracle import FORMATS, nearest

LAYOUTS = ("coo", "csr", "csc")
# From and to. Whole numbers that each of the types has.
CASTS = [(DTYPE, to) for to in ("float32", "float16", "int64", "int32", "int8", "bool", "complex64", "complex128")]
CASTS += [("float32", DTYPE), ("int32", DTYPE), ("int64", "int32"), ("int64", "bool"), ("complex64", "complex128")]
# How many elements a row has in which softmax is exact: powers of two, which are divided into equal parts.
EQUAL = (1, 2, 4, 0, 8)
# The exponential of minus this is 0 in every type.
FAR_BELOW = 2000


def cases():
    for k, model in enumerate(models()):
        for j, layout in enumerate(LAYOUTS):
            index_dtype = ("int32", "int64")[(k + j) % 2]
            if not {"unsorted", "duplicates"} & model.flags:
                yield masked(model, layout, index_dtype)
                yield from sampled(model, layout, index_dtype)
            if "duplicates" not in model.flags:
                yield from casts(model, layout, index_dtype)
        if model.name in ("scattered", "explicit-zeros"):
            for j, layout in enumerate(BLOCKED):
                yield from casts(model, layout, ("int32", "int64")[(k + j) % 2])
    for j, layout in enumerate(operations.LAYOUTS):
        yield from rounded_casts(layout, ("int32", "int64")[j % 2])
    for layout in LAYOUTS:
        for dtype in (DTYPE, "float32"):
            yield from softmax(layout, dtype)
    for index_dtype in ("int32", "int64"):
        yield from of_batches(index_dtype)


def masked(model, layout, index_dtype):
    """No element of the dense array is 0, so that each place of the mask shows."""
    rows, columns = model.size
    given = [[small(r * columns + c) for c in range(columns)] for r in range(rows)]
    places = {(r, c) for r, c, _ in model.entries}
    found = [[given[r][c] if (r, c) in places else 0 for c in range(columns)] for r in range(rows)]
    return asked("sparse_mask", model, layout, index_dtype, DTYPE, of_rows(found, model.size, DTYPE), "",
                 {"dense": of_rows(given, model.size, DTYPE)}, elements=len(places))


def sampled(model, layout, index_dtype):
    (rows, columns), inner, grid = model.size, 3, model.grid(DTYPE)
    x = [[small(r + 2 * k) for k in range(inner)] for r in range(rows)]
    y = [[small(3 * k + c) for c in range(columns)] for k in range(inner)]
    places = {(r, c) for r, c, _ in model.entries}
    for alpha, beta in ((1, 1), (2, 3), (2, 0), (0, 3)):
        found = [[beta * grid[r][c] + alpha * sum(x[r][k] * y[k][c] for k in range(inner))
                  if (r, c) in places else 0 for c in range(columns)] for r in range(rows)]
        yield asked("sampled_addmm", model, layout, index_dtype, DTYPE, of_rows(found, model.size, DTYPE),
                    f"alpha-{alpha}-beta-{beta}",
                    {"x": of_rows(x, [rows, inner], DTYPE), "y": of_rows(y, [inner, columns], DTYPE),
                     "alpha": alpha, "beta": beta})


def casts(model, layout, index_dtype):
    for dtype, to in CASTS:
        grid = [[cast(n, to) for n in row] for row in model.grid(dtype)]
        yield asked("cast", model, layout, index_dtype, dtype, of_rows(grid, model.size, to), f"to-{to}",
                    {"dtype": to})


def cast(n, to):
    return int(n != 0) if to == "bool" else n


# From and to: what is between, and halfway between two numbers of the other type. 0.25 is true.
HALVES = [sign * (1 + k * 2.0**-bits) for bits in (8, 11, 24) for k in (1, 3) for sign in (1, -1)]
ROUNDED = {("float64", ("bool", "float32", "float16", "bfloat16")): ("fractions", [0.5, -0.25, 1 / 3, -2 / 3, 0.1, 1 + 2.0**-50,
                                                                                   *HALVES]),
           ("float32", ("bool", "float16", "bfloat16")): ("fractions", [0.5, -0.25, 3.75, 1 + 2.0**-23, *HALVES[:8]]),
           ("int64", ("float64", "float32")): ("beyond-floats", [2**53 + 1, 2**53 + 3, -2**53 - 1, 2**24 + 1, 2**24 + 3, 2**63 - 1,
                                                              -2**63]),
           # By way of float32 these are halfway between two.
           ("float64", ("float16", "bfloat16")): ("fractions-near-halves", [1 + 2.0**-11 + 2.0**-40, 1 + 3 * 2.0**-11 - 2.0**-40,
                                                                            1 + 2.0**-8 + 2.0**-40, 1 + 3 * 2.0**-8 - 2.0**-40])}


def rounded_casts(layout, index_dtype):
    places = operations.scattered(6, 12, 22, 63)
    for (dtype, types), (name, found) in ROUNDED.items():
        model = Model(name, (6, 12), [(r, c, found[k % len(found)]) for k, (r, c) in enumerate(places)])
        for to in types:
            grid = [[cast(n, to) if to == "bool" else shortest(float(nearest(n, FORMATS[to]))) for n in row]
                    for row in model.grid(dtype)]
            yield asked("cast", model, layout, index_dtype, dtype, of_rows(grid, model.size, to), f"to-{to}", {"dtype": to})


def softmax(layout, dtype):
    """Equal numbers, also large ones, of which the exponential alone would overflow, and between them as many that are so much
    smaller that nothing is left of them; a place that is not stored takes no part, one that stores 0 does."""
    for what, value in (("ones", 1), ("zeros", 0), ("large", 1000), ("minus-large", -1000)):
        entries = [(r, (3 * k + r) % 17, value - k % 2 * FAR_BELOW) for r, count in enumerate(EQUAL) for k in range(2 * count)]
        model = Model(f"equal-{what}", (5, 17), entries, flags=["explicit-zeros"] * (value == 0))
        found = [[0] * 17 for _ in EQUAL]
        for r, c, n in entries:
            found[r][c] = 1 / EQUAL[r] if n == value else 0
        for dim in (1, 0):
            turned = model.transposed() if dim == 0 else model
            rows = found if dim else [list(column) for column in zip(*found)]
            yield asked("softmax", turned, layout, "int64", dtype, of_rows(rows, turned.size, dtype),
                        f"dim-{dim}", {"dim": dim})


def of_batches(index_dtype):
    """COO of three dimensions times an array of three: matrix by matrix. The last batch may be empty."""
    for what, size, places in (("two", (2, 3, 5), [(0, 0, 4), (0, 2, 0), (1, 1, 1), (1, 2, 4)]),
                               ("last-empty", (3, 4, 5), [(0, 0, 4), (1, 2, 0)]),
                               ("first-empty", (3, 2, 5), [(1, 0, 4), (2, 1, 0)]),
                               ("nothing", (2, 3, 4), [])):
        first, columns = nd(size, places, 0), 2
        x_size = [size[0], size[2], columns]
        x = {place: number(small(sum(place)), DTYPE) for place in all_places(x_size)}
        shape = [size[0], size[1], columns]
        found = [sum(first.get((b, r, k), 0) * x[b, k, c] for k in range(size[2]))
                 for b, r, c in all_places(shape)]
        yield {"operation": "bmm", "name": f"coo/bmm/{what}/{DTYPE}-{index_dtype}", "flags": ["coo-nd"],
               "tensor": coo(size, first, index_dtype), "arguments": {"x": array(DTYPE, x_size, list(x.values()))},
               "expect": {"verdict": "valid", "dense": array(DTYPE, shape, found)}}
