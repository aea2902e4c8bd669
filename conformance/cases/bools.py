# SPDX-License-Identifier: Apache-2.0
"""Sums and products of bools: `or` is their sum and `and` their product, so that two that are true are true together. Each
case is a dict, as in operations."""
from cases.model import Model, of_rows
from cases.more import asked
from cases.operations import INDEX_DTYPES, LAYOUTS, scattered
from cases.tensors import BLOCKED, array

DTYPE = "bool"


def cases():
    for k, layout in enumerate(LAYOUTS):
        yield from of_layout(layout, INDEX_DTYPES[k % 2])


def stored(name, size, count, seed, block):
    """Every fourth that is stored is false."""
    places = scattered(*size, count, seed)
    return Model(name, size, [(r, c, int(k % 4 != 3)) for k, (r, c) in enumerate(places)], block, ["explicit-zeros"])


def times(rows, columns):
    return [[int(any(m and n for m, n in zip(row, column))) for column in columns] for row in rows]


def of_layout(layout, index_dtype):
    model, other = stored("bools", (6, 12), 29, 81, (2, 3)), stored("", (6, 12), 31, 82, (2, 3))
    factor = stored("", (12, 9), 40, 83, (3, 3) if layout in BLOCKED else (1, 1))
    a, b = model.grid(DTYPE), other.grid(DTYPE)
    x = [[int(k % 3 != 1) for k in range(12)], [int(k % 5 == 2) for k in range(12)]]
    second = {"other": other.tensor(layout, index_dtype, DTYPE)}
    for operation, what, arguments, rows, shape in (
            ("matvec", "", {"x": array(DTYPE, [12], x[0])}, times(a, x[:1]), [6]),
            ("matmat", "", {"x": of_rows(zip(*x), [12, 2], DTYPE)}, times(a, x), [6, 2]),
            ("add", "same-object", {}, a, [6, 12]),
            ("add", "other", second, [[m | n for m, n in zip(*pair)] for pair in zip(a, b)], [6, 12]),
            ("mul", "other", second, [[m & n for m, n in zip(*pair)] for pair in zip(a, b)], [6, 12]),
            ("matmul_sparse", "", {"other": factor.tensor(layout, index_dtype, DTYPE)},
             times(a, [list(column) for column in zip(*factor.grid(DTYPE))]), [6, 9])):
        yield asked(operation, model, layout, index_dtype, DTYPE, of_rows(rows, shape, DTYPE), what, arguments)
