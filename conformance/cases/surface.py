# SPDX-License-Identifier: Apache-2.0
"""Triangular systems, reductions beside sums, positions, triangles, Kronecker products and linear layers: of small whole numbers, so
that every order of operations gives the same. Each case is a dict, as in operations."""
from cases import operations
from cases.model import Model, of_rows
from cases.more import DTYPE, asked, models
from cases.operations import small
from cases.tensors import array

LAYOUTS = operations.LAYOUTS
TYPES = (DTYPE, "float32")


def cases():
    for k, model in enumerate(models()):
        for j, layout in enumerate(("coo", "csr", "csc")):
            index_dtype = ("int32", "int64")[(k + j) % 2]
            for dtype in (DTYPE, "int64"):
                yield from reductions(model, layout, index_dtype, dtype)
            if "duplicates" not in model.flags:
                yield from pieces(model, layout, index_dtype)
    for j, layout in enumerate(LAYOUTS):
        for dtype in TYPES:
            yield from systems(layout, ("int32", "int64")[j % 2], dtype)


# ---- Reductions -------------------------------------------------------------------------------------

def first(numbers, wanted):
    return next(place for place, n in enumerate(numbers) if n == wanted)


def reductions(model, layout, index_dtype, dtype):
    grid, (rows, columns) = model.grid(dtype), model.size
    stored = {(r, c) for r, c, _ in model.entries}
    for dim in (0, 1):
        lines = [[grid[r][c] for c in range(columns)] for r in range(rows)] if dim else [[grid[r][c] for r in range(rows)] for c in range(columns)]
        kept = [[n for place, n in enumerate(line) if ((k, place) if dim else (place, k)) in stored] for k, line in enumerate(lines)]
        for name, type_of, found in (
                ("any", "bool", [int(any(line)) for line in lines]), ("all", "bool", [int(all(line)) for line in lines]),
                ("amax", dtype, [max(line) if line else 0 for line in kept]),
                ("amin", dtype, [min(line) if line else 0 for line in kept])):
            yield reduced(model, layout, index_dtype, dtype, name, dim, type_of, found)
        if rows and columns:
            for name, of in (("max", max), ("min", min)):
                yield reduced(model, layout, index_dtype, dtype, name, dim, dtype, [of(line) for line in lines])
                yield reduced(model, layout, index_dtype, dtype, "arg" + name, dim, "int64", [first(line, of(line)) for line in lines])
    yield asked("nonzero", model, layout, index_dtype, dtype, positions(grid), "", {})


def reduced(model, layout, index_dtype, dtype, name, dim, type_of, found):
    return asked("reduce", model, layout, index_dtype, dtype, array(type_of, [len(found)], found), f"{name}-{dim}",
                 {"function": name, "dim": dim})


def positions(grid):
    found = [[r, c] for r, row in enumerate(grid) for c, n in enumerate(row) if n]
    return array("int64", [len(found), 2], [n for place in found for n in place])


# ---- Pieces, products ------------------------------------------------------------------------------

def pieces(model, layout, index_dtype):
    grid, (rows, columns) = model.grid(DTYPE), model.size
    for name, inside in (("tril", lambda r, c, d: c - r <= d), ("triu", lambda r, c, d: c - r >= d)):
        for index in (0, 2, -1):
            found = [[n if inside(r, c, index) else 0 for c, n in enumerate(row)] for r, row in enumerate(grid)]
            yield asked("triangle", model, layout, index_dtype, DTYPE, of_rows(found, model.size, DTYPE), f"{name}-{index}",
                        {"function": name, "index": index})
    other = Model("", (2, 3), [(0, 1, 2), (1, 0, -3), (1, 2, 5)])
    found = [[m * n for m in row for n in second] for row in grid for second in other.grid(DTYPE)]
    yield asked("kron", model, layout, index_dtype, DTYPE, of_rows(found, (2 * rows, 3 * columns), DTYPE), "",
                {"other": other.tensor(layout, index_dtype, DTYPE)})
    x = [[small(2 * r + c) for c in range(columns)] for r in range(3)]
    bias = [small(k + 1) for k in range(rows)]
    found = [[sum(m * n for m, n in zip(line, row)) + bias[r] for r, row in enumerate(grid)] for line in x]
    yield asked("linear", model, layout, index_dtype, DTYPE, of_rows(found, [3, rows], DTYPE), "",
                {"x": of_rows(x, [3, columns], DTYPE), "dense": array(DTYPE, [rows], bias)})


# ---- Triangular systems ----------------------------------------------------------------------------

def systems(layout, index_dtype, dtype):
    """Powers of two on the diagonal. The other side holds numbers, too, which are not to be read."""
    size, places = 6, [(r, c) for r, c in operations.scattered(6, 6, 20, 71) if r != c]
    full = Model("full-diagonal", (size, size), sorted([(k, k, (2, -1, 4, 1, -2, 8)[k]) for k in range(size)] +
                                                       [(r, c, small(k)) for k, (r, c) in enumerate(places)]), (2, 3))
    none = Model("nothing-beside-the-diagonal", (size, size), [(k, k, (1, 2, 4, -2, 1, -8)[k]) for k in range(size)], (2, 3))
    for model in (full, none):
        for upper in (False, True):
            for transposed in (False, True):
                for unit in (False, True):
                    yield system(model, layout, index_dtype, dtype, upper, transposed, unit)
    if layout != "coo":
        yield from in_batches(full, layout, index_dtype, dtype)


def in_batches(model, layout, index_dtype, dtype):
    """Two matrices, and two right sides."""
    twice = Model(model.name, model.size, [(r, c, 2 * n) for r, c, n in model.entries], model.block)
    for upper in (False, True):
        both = [system(one, layout, index_dtype, dtype, upper, False, False) for one in (model, twice)]
        yield {**both[0], "name": both[0]["name"].replace("/m-", "/m-batched-"), "flags": ["batched"],
               "tensor": operations.stack([one["tensor"] for one in both]),
               "arguments": {**both[0]["arguments"], "x": operations.stack_arrays([one["arguments"]["x"] for one in both])},
               "expect": {**both[0]["expect"], "dense": operations.stack_arrays([one["expect"]["dense"] for one in both])}}


def system(model, layout, index_dtype, dtype, upper, transposed, unit):
    grid, size = model.grid(dtype), model.size[0]
    kept = [[1 if unit and r == c else n if (c >= r if upper else c <= r) else 0 for c, n in enumerate(row)] for r, row in enumerate(grid)]
    if transposed:
        kept = [list(column) for column in zip(*kept)]
    found = [[small(2 * r + c) for c in range(2)] for r in range(size)]
    x = [[sum(m * line[c] for m, line in zip(row, found)) for c in range(2)] for row in kept]
    what = "-".join(["upper" if upper else "lower", *["transposed"] * transposed, *["unit"] * unit])
    return asked("triangular_solve", model, layout, index_dtype, dtype, of_rows(found, [size, 2], dtype), what,
                 {"x": of_rows(x, [size, 2], dtype), "upper": upper, "transposed": transposed, "unit": unit})
