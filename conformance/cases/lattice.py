# SPDX-License-Identifier: Apache-2.0
"""Operands for which every order of summation gives the same bits, though most of a sum's bits are used (J5 and J6 of
spec/semantics.def): odd whole numbers times 2^-3, as wide as hundreds of their products may be without a rounding. The
products of a row cancel nearly all, so that a term that is left out, repeated, of the wrong sign or of the next column
shows, and so does a sum in fewer bits, in every type. What is promised is checked where a case is made (sums.check)."""
from itertools import product as choices

from cases.operations import numbered, scattered
from cases.sums import (DTYPES, INDEX_DTYPES, LAYOUTS, Dice, Kind, Matrix, added_dense, added_to_dense, laid_out, multiplied,
                        of_two, parts, sampled, scaled, times_batches, times_dense, times_sparse, together, total,
                        total_of_each)
from judging.dense import PARTS
from judging.oracle import FORMATS, USUAL, real

GRID = 3
# Of each sum, as many terms at its end become smaller and smaller, so that little is left.
TAIL = {"float64": 60, "complex128": 60}
USUAL_TAIL = 32
# Bits of the wider factor, more than float16, bfloat16 and tf32 keep, or as many as the type has.
WIDE = {"float16": 11, "bfloat16": 8, "float32": 12, "float64": 30, "complex64": 12, "complex128": 30}
# Of complex numbers, each product is two terms.
COLUMNS = {"complex64": 240, "complex128": 240}
ALPHA, BETA = 3, -2


def room(dtype, terms):
    """How many bits the two factors of so many products have together: terms * 2^room <= 2^p."""
    return FORMATS[USUAL[dtype]].bits - (terms - 1).bit_length() - (dtype in PARTS)


def cases():
    for k, dtype in enumerate(DTYPES):
        kind = Kind(dtype, GRID, True)
        asked = [*of_products(kind, k), *of_sums(kind), *of_one_rounding(kind)]
        for j, layout in enumerate(LAYOUTS):
            for question in asked:
                yield laid_out(question, layout, INDEX_DTYPES[(k + j) % 2])
        for wide in ("a", "x"):
            yield in_batches(kind, wide, INDEX_DTYPES[k % 2])
        if real(dtype) in ("float32", "float64"):
            yield from of_duplicates(kind, INDEX_DTYPES[k % 2])


# ---- Numbers ---------------------------------------------------------------------------------------

def odd(dice, bits, full=False):
    """full: with the highest bit."""
    return dice.roll(2**(bits - 1)) * 2 + 1 | full << bits - 1


def magnitude(dice, dtype, bits, full=False, unlike=None):
    """An element of odd parts, without its signs, and another one than its neighbour's."""
    found = tuple(odd(dice, bits, full) for _ in range(parts(dtype)))
    return found if found != unlike else magnitude(dice, dtype, bits, False, unlike)


def either(dice, found):
    return tuple(part * (1 - 2 * dice.roll(2)) for part in found)


def value(a, x):
    if len(a) == 1:
        return (a[0] * x[0],)
    return a[0] * x[0] - a[1] * x[1], a[0] * x[1] + a[1] * x[0]


class Balance:
    """Signs such that little is left of sums, which first become large. Each sum has a name."""

    def __init__(self):
        self.sums = {}

    def signed(self, name, x, a=None, grows=False):
        """x with those signs with which least is left of the sum, where it is multiplied by a, or with which it grows."""
        so_far = self.sums.get(name, (0,) * len(x))
        found = [tuple(part * sign for part, sign in zip(x, signs)) for signs in choices((1, -1), repeat=len(x))]
        left = [tuple(m + n for m, n in zip(so_far, value(a, signed) if a else signed)) for signed in found]
        best = (max if grows else min)(range(len(found)), key=lambda k: sum(map(abs, left[k])))
        self.sums[name] = left[best]
        return found[best]


def tail(dtype):
    return TAIL.get(dtype, USUAL_TAIL)


def narrowed(dtype, bits, behind, least=1):
    """Fewer bits where few terms are behind."""
    return max(least, bits if behind >= tail(dtype) else 1 + (bits - 1) * behind // tail(dtype))


def widths(dtype, wide, terms):
    """Bits of a and x."""
    pair = (WIDE[dtype], room(dtype, terms) - WIDE[dtype])
    return pair if wide == "a" else pair[::-1]


# ---- Operands --------------------------------------------------------------------------------------

def rows_of(columns):
    """Which row has an element in a column: of four, the first has two thirds, the third has none, and the last
    has one. Odd numbers of odd terms are not 0."""
    found = [None if j % 32 == 31 else 1 if j % 3 == 1 else 0 for j in range(columns)]
    found[columns // 2 + 1] = 3
    for row in (0, 1):
        if found.count(row) % 2 == 0:
            found[found.index(row)] = None
    return found


def behind_of(rows):
    """How many elements of the same row stand behind each."""
    seen, found = {}, []
    for row in rows[::-1]:
        found.append(seen.get(row, 0))
        seen[row] = seen.get(row, 0) + 1
    return found[::-1]


def grows(behind, count):
    """Of so many terms, do the first let a sum grow?"""
    return 10 * behind > 7 * count


class Factors:
    """A matrix of four rows, each column of which has at most one element, and for each column elements of two
    dense columns, with signs that balance every sum."""

    def __init__(self, dtype, wide, seed):
        dice, balance, self.x, cells, before = Dice(seed), Balance(), [], [], [None, None]
        rows = rows_of(COLUMNS.get(dtype, 480))
        a_bits, x_bits = widths(dtype, wide, max(rows.count(row) for row in set(rows)))
        for j, (row, behind) in enumerate(zip(rows, behind_of(rows))):
            full = behind < tail(dtype)
            a = either(dice, magnitude(dice, dtype, narrowed(dtype, a_bits, behind), full))
            before = [magnitude(dice, dtype, narrowed(dtype, x_bits, behind, 2), full, n) for n in before]
            up = grows(behind, rows.count(row))
            self.x.append([balance.signed((row, c), n, a, up) for c, n in enumerate(before)])
            cells += [(row, j, a)] * (row is not None)
        self.matrix = Matrix(f"lattice-wide-{wide}", (4, len(rows)), sorted(cells, key=lambda cell: cell[:2]))

    def old(self):
        """What a product is added to: on the grid of operands, and small."""
        width = len(self.x[0][0])
        return [[tuple(2 * r + c + p + 1 for p in range(width)) for c in range(2)] for r in range(4)]

    def holes(self):
        """The dense factor as a sparse one, a quarter of it left out and the rest balanced again."""
        balance, rows, cells = Balance(), {j: (r, n) for r, j, n in self.matrix.cells}, []
        for j, row in enumerate(self.x):
            place, a = rows.get(j, (None, self.x[0][0]))
            up = grows(len(self.x) - j, len(self.x))
            cells += [(j, c, balance.signed((place, c), n, a, up)) for c, n in enumerate(row) if (j + c) % 4]
        return Matrix("", (len(self.x), 3), cells, (3, 3))


# ---- Questions -------------------------------------------------------------------------------------

def of_products(kind, turn):
    for wide in ("a", "x"):
        factors = Factors(kind.dtype, wide, 100 + turn)
        a, x = factors.matrix, factors.x
        yield times_dense(kind, a, x, 0)
        if wide == "ax"[turn % 2]:
            yield times_dense(kind, a, x, 2)
            yield added_to_dense(kind, a, x, 0, factors.old(), ALPHA, BETA)
            yield sampled_question(kind, wide)
        else:
            yield added_to_dense(kind, a, x, 2, factors.old(), ALPHA, BETA)
            yield times_sparse(kind, a, factors.holes())


def in_batches(kind, wide, index_dtype):
    batches = [Factors(kind.dtype, wide, 200 + b) for b in range(2)]
    cells = {(b, r, k): n for b, batch in enumerate(batches) for r, k, n in batch.matrix.cells}
    size = (2, *batches[0].matrix.size)
    return times_batches(kind, f"lattice-wide-{wide}", size, cells, [batch.x for batch in batches], index_dtype)


def sampled_question(kind, wide):
    """Of each row of x, the product with one column of y is balanced."""
    dtype, inner, size = kind.dtype, COLUMNS.get(kind.dtype, 480) // 2, (3, 5)
    dice, balance, x, y, before = Dice(300), Balance(), [[], [], []], [], [None] * 5
    x_bits, y_bits = widths(dtype, wide, inner)
    for behind in range(inner)[::-1]:
        full = behind < tail(dtype)
        before = [magnitude(dice, dtype, narrowed(dtype, y_bits, behind, 2), full, n) for n in before]
        y.append([either(dice, n) for n in before])
        for r, row in enumerate(x):
            found = magnitude(dice, dtype, narrowed(dtype, x_bits, behind), full)
            row.append(balance.signed(r, found, y[-1][r], grows(behind, inner)))
    places = [(0, 0), (0, 4), (1, 1), (2, 0), (2, 2)]
    cells = [(r, c, tuple(2 * k + p + 1 for p in range(parts(dtype)))) for k, (r, c) in enumerate(places)]
    return sampled(kind, Matrix(f"lattice-wide-{wide}", size, cells, (1, 1)), x, y, ALPHA, BETA)


def of_sums(kind):
    """Numbers that are as wide as their sum permits; rows, and so the sum of all, are balanced."""
    dtype, rows = kind.dtype, rows_of(COLUMNS.get(kind.dtype, 480))
    dice, balance, cells, before = Dice(400), Balance(), [], None
    bits = min(FORMATS[real(dtype)].bits, room(dtype, len(rows)))
    for j, (row, behind) in enumerate(zip(rows, behind_of(rows))):
        before = magnitude(dice, dtype, narrowed(dtype, bits, behind, 2), behind < tail(dtype), before)
        signed = balance.signed(row, before, None, grows(behind, rows.count(row)))
        cells += [(row, j, signed)] * (row is not None)
    matrix = Matrix("lattice", (4, len(rows)), sorted(cells, key=lambda cell: cell[:2]))
    return total(kind, matrix), total_of_each(kind, matrix, 1), total_of_each(kind, matrix.transposed(), 0)


def wide_matrix(dtype, places, bits, seed):
    dice = Dice(seed)
    return Matrix("lattice", (6, 12), [(r, c, either(dice, magnitude(dice, dtype, bits))) for r, c, _ in numbered(places)])


def of_one_rounding(kind):
    """Results that have as many bits as the type."""
    dtype, bits = kind.dtype, FORMATS[real(kind.dtype)].bits
    first, other, every = scattered(6, 12, 31, 41), scattered(6, 12, 29, 42), [(r, c) for r in range(6) for c in range(12)]
    half = (bits - parts(dtype) + 1) // 2
    for operation in ("add", "sub"):
        yield of_two(operation, kind, wide_matrix(dtype, first, bits - 1, 500), wide_matrix(dtype, other, bits - 1, 501))
    yield multiplied(kind, wide_matrix(dtype, first, half + 1, 502), wide_matrix(dtype, other, half - 1, 503))
    given = wide_matrix(dtype, every, bits - 1, 504).cells
    yield added_dense(kind, wide_matrix(dtype, first, bits - 1, 505),
                      [[n for row, _, n in given if row == r] for r in range(6)])
    yield scaled(kind, wide_matrix(dtype, first, bits - 2, 506), ALPHA)


def of_duplicates(kind, index_dtype):
    """Each of three places a hundred times, out of order."""
    dice, balance, count, cells = Dice(600), Balance(), 301, []
    places = [(0, 7), (2, 1), (3, 319)]
    bits = room(kind.dtype, count // len(places))
    for k in range(count):
        place = places[k * 7 % 3 if k % 5 else 0]
        found = magnitude(dice, kind.dtype, narrowed(kind.dtype, bits, (count - 1 - k) // 3))
        cells.append((*place, balance.signed(place, found, None, grows(count - k, count))))
    matrix = Matrix("lattice-duplicates", (4, 320), cells, flags=("duplicates", "unsorted"))
    for layout, operation in (("coo", "coalesce"), ("coo", "sum_duplicates"), ("csr", "sum_duplicates"),
                              ("csc", "sum_duplicates"), ("coo", "to_dense"), ("csr", "to_dense")):
        a = matrix.transposed() if layout == "csc" else matrix  # no row or column has more elements than places
        yield laid_out(together(operation, kind, a), layout, index_dtype)
