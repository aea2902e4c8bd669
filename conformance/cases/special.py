# SPDX-License-Identifier: Apache-2.0
"""Products and sums with infinities and NaN: of a result its class counts (J7 of spec/semantics.def), which is the same in
every order. What is not stored has no term, not even times an infinity; a zero that is stored has one, also in a block."""
from math import inf, nan

from cases.model import Model
from cases.more import asked
from cases.operations import LAYOUTS
from cases.sums import INDEX_DTYPES
from cases.tensors import BLOCKED, array

DTYPES = ("float16", "bfloat16", "float32", "float64")
SIZE, BLOCK = (10, 12), (2, 3)
# Below the columns: x, of which column 4 is never met by a stored element, but in blocks.
X = [1, 2, inf, 0, nan, -1, 3, -inf, 1, 2, 5, 4]
ROWS = [{0: inf, 1: 2},             # an infinity
        {0: inf, 1: -inf, 8: 1},    # of both signs: NaN
        {6: nan, 8: 3},             # NaN
        {6: 1, 9: -2},              # neither
        {2: 3, 8: -7},              # times an infinity
        {7: 3},                     # times a negative one
        {0: 1, 1: -1, 6: 2},        # infinities stand only where nothing is stored
        {3: -inf},                  # an infinity times 0
        {},
        {5: inf, 2: -2, 9: 1}]      # two of the same sign
ZEROS = [{}, {2: 0, 6: 1}, {1: 3, 7: 0}]  # times an infinity: NaN
PAIRS = {"infinite": {0: {1: inf, 4: -3}, 3: {2: 1}}, "both": {0: {1: inf}, 1: {2: -inf}, 4: {0: 1}}, "nan": {2: {0: nan, 5: 1}}}


def cases():
    for k, dtype in enumerate(DTYPES):
        for j, layout in enumerate(LAYOUTS):
            yield from of_layout(layout, INDEX_DTYPES[(k + j) % 2], dtype)


def of_layout(layout, index_dtype, dtype):
    kind = (layout, index_dtype, dtype)
    for name, lines in (("rows", ROWS), ("zeros", ZEROS)):
        rows = dict(enumerate(lines))
        yield from products(model_of(f"special-{name}", rows), stored(rows, layout), kind)
    for name, pair in PAIRS.items():
        lines = stored(pair, layout)
        values = [a for r in sorted(lines) for _, a in sorted(lines[r].items())]
        summed = [total(a for _, a in sorted(lines.get(r, {}).items())) for r in range(SIZE[0])]
        of_pair = model_of(f"special-{name}", pair)
        yield with_infinities(asked("sum", of_pair, *kind, member(dtype, [], [total(values)]), "", {}))
        yield with_infinities(asked("sum_dim", of_pair, *kind, member(dtype, SIZE[:1], summed), "dim-1", {"dim": 1}))


def products(model, rows, kind):
    dtype = kind[2]
    found = [total(a * X[c] for c, a in sorted(rows.get(r, {}).items())) for r in range(SIZE[0])]
    yield with_infinities(asked("matvec", model, *kind, member(dtype, SIZE[:1], found), "", {"x": member(dtype, SIZE[1:], X)}))
    columns = [[x, 1] for x in X]
    found = [total(a * columns[c][k] for c, a in sorted(rows.get(r, {}).items())) for r in range(SIZE[0]) for k in range(2)]
    yield with_infinities(asked("matmat", model, *kind, member(dtype, [SIZE[0], 2], found), "",
                                {"x": member(dtype, [SIZE[1], 2], [n for pair in columns for n in pair])}))
    yield times_sparse(model, rows, kind)


def times_sparse(model, rows, kind):
    """By a matrix that stores X in its first column and ones in the last, each in some rows only."""
    layout, index_dtype, dtype = kind
    second = {k: {**({0: x} if k % 4 else {}), **({4: 1} if k % 3 else {})} for k, x in enumerate(X)}
    b = Model("", (12, 6), entries(second), (3, 3))
    second = stored(second, layout, (3, 3))
    found = [total(a * second[k][c] for k, a in sorted(rows.get(r, {}).items()) if c in second.get(k, {}))
             for r in range(SIZE[0]) for c in range(6)]
    return with_infinities(asked("matmul_sparse", model, layout, index_dtype, dtype, member(dtype, [SIZE[0], 6], found), "",
                                 {"other": b.tensor(layout, index_dtype, dtype)}))


# ---- Parts -----------------------------------------------------------------------------------------

def entries(rows):
    return [(r, c, text(a)) for r in sorted(rows) for c, a in sorted(rows[r].items())]


def model_of(name, rows):
    return Model(name, SIZE, entries(rows), BLOCK)


def stored(rows, layout, block=BLOCK):
    """With the zeros that stand in blocks."""
    if layout not in BLOCKED:
        return rows
    found = {}
    for r, row in rows.items():
        for c in row:
            for i in range(r // block[0] * block[0], (r // block[0] + 1) * block[0]):
                for j in range(c // block[1] * block[1], (c // block[1] + 1) * block[1]):
                    found.setdefault(i, {})[j] = rows.get(i, {}).get(j, 0)
    return found


def total(numbers):
    """Python's floats have the classes of IEEE 754."""
    return sum(map(float, numbers))


def text(n):
    return str(n) if n != n or n in (inf, -inf) else int(n)


def member(dtype, shape, numbers):
    return array(dtype, shape, [text(n) for n in numbers])


def with_infinities(item):
    return {**item, "flags": sorted({*item["flags"], "inf", "explicit-zeros"})}
