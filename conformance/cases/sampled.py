# SPDX-License-Identifier: Apache-2.0
"""Operations about which places a tensor has: a dense array and a product there and nowhere else, softmax
over what is stored; besides, another type of elements, and products of batches in COO. Each case is a
dict, as in operations."""
from cases.model import Model, number, of_rows
from cases.more import DTYPE, asked, coo, models, nd
from cases.operations import all_places, small
from cases.tensors import array

LAYOUTS = ("coo", "csr", "csc")
# From and to. Whole numbers that each of the types has.
CASTS = [(DTYPE, to) for to in ("float32", "float16", "int64", "int32", "int8", "bool", "complex64", "complex128")]
CASTS += [("float32", DTYPE), ("int32", DTYPE), ("int64", "int32"), ("int64", "bool"), ("complex64", "complex128")]
# How many elements a row has in which softmax is exact: powers of two, which are divided into equal parts.
EQUAL = (1, 2, 4, 0, 8)


def cases():
    for k, model in enumerate(models()):
        for j, layout in enumerate(LAYOUTS):
            index_dtype = ("int32", "int64")[(k + j) % 2]
            if not {"unsorted", "duplicates"} & model.flags:
                yield masked(model, layout, index_dtype)
                yield from sampled(model, layout, index_dtype)
            if "duplicates" not in model.flags:
                yield from casts(model, layout, index_dtype)
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


def softmax(layout, dtype):
    """Equal numbers, also large ones, of which the exponential alone would overflow; a place that is not
    stored takes no part, one that stores 0 does."""
    for what, value in (("ones", 1), ("zeros", 0), ("large", 1000), ("minus-large", -1000)):
        entries = [(r, (3 * k + r) % 11, value) for r, count in enumerate(EQUAL) for k in range(count)]
        model = Model(f"equal-{what}", (5, 11), entries, flags=["explicit-zeros"] * (value == 0))
        found = [[0] * 11 for _ in EQUAL]
        for r, c, _ in entries:
            found[r][c] = 1 / EQUAL[r]
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
