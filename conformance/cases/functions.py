# SPDX-License-Identifier: Apache-2.0
"""Functions of every element that are exact: whole numbers, fractions whose parts are known, squares and their roots, and what is
there twice. Each case is a dict, as in operations."""
from cases import operations
from cases.model import Model, of_rows
from cases.more import DTYPE, asked, models

LAYOUTS = operations.LAYOUTS
HALVES = [0.5, -0.25, 2.5, -2.5, 3.75, -3.75, 1.5, -1.5, 7, -8, 0.25, -0.75]
ROOTS = [0.5, 1.5, 2, 3, 12, 0.25]
OF_INTEGERS = {"neg": lambda n: -n, "abs": lambda n: n if n > 0 else -n, "sign": lambda n: 1 if n > 0 else -1 if n < 0 else 0,
               "square": lambda n: n * n, "relu": lambda n: n if n > 0 else 0}
# What each of HALVES becomes; 0 where it becomes +0 or -0.
OF_HALVES = {"ceil": [1, 0, 3, -2, 4, -3, 2, -1, 7, -8, 1, 0], "floor": [0, -1, 2, -3, 3, -4, 1, -2, 7, -8, 0, -1],
             "trunc": [0, 0, 2, -2, 3, -3, 1, -1, 7, -8, 0, 0], "round": [0, 0, 2, -2, 4, -4, 2, -2, 7, -8, 0, -1]}


def cases():
    for k, model in enumerate(models()):
        for j, layout in enumerate(("coo", "csr", "csc")):
            for dtype in (DTYPE, "int64"):
                yield from whole(model, layout, ("int32", "int64")[(k + j) % 2], dtype)
    for j, layout in enumerate(LAYOUTS):
        index_dtype = ("int32", "int64")[j % 2]
        for dtype in (DTYPE, "float32", "float16"):
            yield from of_fractions(layout, index_dtype, dtype)


def question(name, model, layout, index_dtype, dtype, function, **arguments):
    grid = [[function(n) for n in row] for row in model.grid(dtype)]
    what = "-".join([name, *map(str, arguments.values())])
    return asked("unary", model, layout, index_dtype, dtype, of_rows(grid, model.size, dtype), what, {"function": name, **arguments})


def whole(model, layout, index_dtype, dtype):
    for name, function in OF_INTEGERS.items():
        yield question(name, model, layout, index_dtype, dtype, function)
    yield question("pow", model, layout, index_dtype, dtype, lambda n: n * n * n, alpha=3)
    yield question("div_floor", model, layout, index_dtype, dtype, lambda n: n // 2, alpha=2)
    yield question("div_trunc", model, layout, index_dtype, dtype, lambda n: n // 2 if n > 0 else -(-n // 2), alpha=2)


def placed(name, numbers):
    places = operations.scattered(6, 12, 22, 64)
    return Model(name, (6, 12), [(r, c, numbers[k % len(numbers)]) for k, (r, c) in enumerate(places)])


def of_fractions(layout, index_dtype, dtype):
    for name, found in OF_HALVES.items():
        becomes = {0: 0, **dict(zip(HALVES, found))}
        yield question(name, placed("halves", HALVES), layout, index_dtype, dtype, becomes.__getitem__)
    roots = placed("squares", [n * n for n in ROOTS])
    becomes = {0: 0, **{n * n: n for n in ROOTS}}
    yield question("sqrt", roots, layout, index_dtype, dtype, becomes.__getitem__)
    yield question("pow", roots, layout, index_dtype, dtype, becomes.__getitem__, alpha=0.5)
