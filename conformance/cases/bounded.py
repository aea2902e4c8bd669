# SPDX-License-Identifier: Apache-2.0
"""Sums of numbers as they come, with all the bits that their type has: different orders give different results, and each
is judged by the bound of J3 in spec/semantics.def. Small matrices, so that the bound is small too."""
from cases.operations import scattered
from cases.sums import (DTYPES, INDEX_DTYPES, LAYOUTS, Dice, Kind, Matrix, added_dense, added_to_dense, laid_out, multiplied,
                        of_two, parts, sampled, scaled, times_batches, times_dense, times_sparse, together, total,
                        total_of_each)
from judging.oracle import FORMATS, lowest, real

# The largest numbers of a family lie below 2^this, and the smallest above 2^that; of the tiny ones, products lie below
# the normal numbers.
SPREAD = {"float16": 3}
TINY = {"float32": -70, "complex64": -70, "float64": -530, "complex128": -530}
ALPHA, BETA = 3, -5


def cases():
    for k, dtype in enumerate(DTYPES):
        asked = list(questions(dtype))
        for j, layout in enumerate(LAYOUTS):
            for question in asked:
                yield laid_out(question, layout, INDEX_DTYPES[(k + j) % 2])
        yield in_batches(Family(dtype, "spread", 10), INDEX_DTYPES[k % 2])
        if real(dtype) in ("float32", "float64"):
            yield from of_duplicates(Family(dtype, "cancelling", 11), INDEX_DTYPES[k % 2])


class Family:
    """Numbers of a kind. uniform: of about one size; spread: of many sizes; cancelling: each second one is nearly the one
    before, with the other sign; tiny: near the smallest."""

    def __init__(self, dtype, name, seed):
        self.name, self.dice, self.before = name, Dice(seed), None
        self.bits, self.parts = FORMATS[real(dtype)].bits, parts(dtype)
        middle = TINY[dtype] if name == "tiny" else 0
        reach = SPREAD.get(dtype, 12) if name == "spread" else 0
        self.tops = (middle - reach, middle + reach)
        self.kind = Kind(dtype, min(self.bits - self.tops[0], -lowest(FORMATS[real(dtype)])), False)

    def part(self):
        """A number of all the bits of the type, as a multiple of 2^-grid."""
        low, high = self.tops
        last = max(low + self.dice.roll(high - low + 1) - self.bits, -self.kind.grid)
        digits = self.dice.roll(1 << self.bits - 1) | 1 << self.bits - 1
        return (digits << last + self.kind.grid) * (1 - 2 * self.dice.roll(2))

    def element(self):
        if self.name == "cancelling" and self.before:
            found, self.before = tuple(-part + self.step(part) for part in self.before), None
            return found
        self.before = tuple(self.part() for _ in range(self.parts))
        return self.before

    def step(self, part):
        """A few of its last bits, so that it has no more of them."""
        return (self.dice.roll(7) - 3) * (part & -part) if part.bit_length() > 3 else 0

    def rows(self, count, width):
        return [[self.element() for _ in range(width)] for _ in range(count)]

    def matrix(self):
        places = [(0, c) for c in range(33)] + [(1, c) for c in range(2, 33, 2)] + [(3, 5)] + [(5, c) for c in (1, 8, 9)]
        return Matrix(f"bounded-{self.name}", (6, 33), [(*place, self.element()) for place in places])


def questions(dtype):
    for k, name in enumerate(("uniform", "spread", "cancelling", *(("tiny",) if dtype in TINY else ()))):
        family = Family(dtype, name, k + 1)
        kind, a, x = family.kind, family.matrix(), family.rows(33, 2)
        small = Matrix(a.name, a.size, a.cells, flags=["subnormal"] * (name == "tiny"))
        yield times_dense(kind, small, x, 0)
        yield total_of_each(kind, a, 1)
        if name == "uniform":
            yield times_dense(kind, a, x, 2)
            yield total(kind, a)
        if name == "spread":
            yield added_to_dense(kind, a, x, 0, family.rows(6, 1), ALPHA, BETA)
            yield total_of_each(kind, a.transposed(), 0)
        if name == "cancelling":
            yield added_to_dense(kind, a, x, 2, family.rows(6, 2), ALPHA, BETA)
            cells = [(k, c, n) for k, row in enumerate(family.rows(33, 3)) for c, n in enumerate(row) if (k + c) % 3]
            yield times_sparse(kind, a, Matrix("", (33, 3), cells, (3, 3)))
        if name != "uniform":
            yield scaled(kind, a, ALPHA)
    yield from of_places(Family(dtype, "spread", 9))


def of_places(family):
    """Operations element by element, and at some elements."""
    kind, a = family.kind, family.matrix()
    cells = [(r, c, family.element()) for r, c in scattered(6, 33, 60, 43)]
    for operation in ("add", "sub"):
        yield of_two(operation, kind, a, Matrix("", a.size, cells))
    yield multiplied(kind, a, Matrix("", a.size, cells))
    yield added_dense(kind, a, family.rows(*a.size))
    few = [(r, c, family.element()) for r, c in ((0, 1), (1, 0), (1, 4), (2, 2))]
    yield sampled(kind, Matrix(f"bounded-{family.name}", (3, 5), few, (1, 1)), family.rows(3, 24), family.rows(24, 5), ALPHA, BETA)


def in_batches(family, index_dtype):
    matrices, xs = zip(*((family.matrix(), family.rows(33, 2)) for _ in range(2)))
    cells = {(b, r, k): n for b, matrix in enumerate(matrices) for r, k, n in matrix.cells}
    return times_batches(family.kind, f"bounded-{family.name}", (2, 6, 33), cells, xs, index_dtype)


def of_duplicates(family, index_dtype):
    places = [(0, 7), (2, 1), (3, 63)]
    cells = [(*places[k % 3], family.element()) for k in range(60)]
    matrix = Matrix("bounded-duplicates", (4, 64), cells, flags=("duplicates", "unsorted"))
    for layout, operation in (("coo", "coalesce"), ("csr", "sum_duplicates"), ("coo", "to_dense"), ("csr", "to_dense")):
        yield laid_out(together(operation, family.kind, matrix), layout, index_dtype)
