# SPDX-License-Identifier: Apache-2.0
"""Questions about operations that sum floats: what is summed in each number of a result is listed here, from the entries
that the operands are made of, and `expect.sums` says it: exact sums, sums of magnitudes and numbers of terms. A question
is made once, and laid out in every layout. Elements are tuples of one or, of complex types, two integers, in units of
2^-grid. Nothing is random: dice begin with a seed."""
from collections import namedtuple
from fractions import Fraction
from math import prod

from cases.model import PARTS, Model, shortest
from cases.operations import case, expectation
from cases.tensors import array
from judging.oracle import FORMATS, USUAL, Operands, last_place, lowest, nearest, operands_of, real, text_of

LAYOUTS = ("coo", "csr", "csc", "bsr", "bsc")
DTYPES = ("float16", "bfloat16", "float32", "float64", "complex64", "complex128")
INDEX_DTYPES = ("int32", "int64")
# lattice: every order has to give the same.
Kind = namedtuple("Kind", "dtype grid lattice")
# argument(layout, index_dtype) for each argument's name
Question = namedtuple("Question", "operation matrix what kind dense sums arguments")


class Dice:
    """The same numbers every time (SplitMix64)."""

    def __init__(self, seed):
        self.state = seed

    def roll(self, below):
        self.state = (self.state + 0x9e3779b97f4a7c15) % 2**64
        z = self.state
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9 % 2**64
        z = (z ^ z >> 27) * 0x94d049bb133111eb % 2**64
        return (z ^ z >> 31) % below


class Matrix:
    """cells: (row, column, element), in the order in which they are stored."""

    def __init__(self, name, size, cells, block=(2, 3), flags=()):
        self.name, self.size, self.cells, self.block, self.flags = name, tuple(size), list(cells), block, flags

    def model(self, kind):
        return Model(self.name, self.size, [(r, c, python(kind, n)) for r, c, n in self.cells], self.block, self.flags)

    def transposed(self):
        return Matrix(self.name, self.size[::-1], [(c, r, n) for r, c, n in self.cells], self.block[::-1], self.flags)

    def elements(self):
        return [n for *_, n in self.cells]


# ---- Elements --------------------------------------------------------------------------------------

def parts(dtype):
    return 2 if dtype in PARTS else 1


def python(kind, n):
    """The number that an element is; each part has at most 53 bits."""
    values = [part / (1 << kind.grid) for part in n]
    return complex(*values) if len(n) == 2 else shortest(values[0])


def written(kind, n):
    value = python(kind, n)
    return [shortest(value.real), shortest(value.imag)] if len(n) == 2 else value


def member(kind, shape, elements):
    return array(kind.dtype, shape, [written(kind, n) for n in elements])


def product(a, x):
    """What the product of two elements adds to each part of a sum."""
    if len(a) == 1:
        return [[a[0] * x[0]]]
    return [[a[0] * x[0], -a[1] * x[1]], [a[0] * x[1], a[1] * x[0]]]


class Terms:
    """What is summed in each number of a result, as integers in units of 2^-(depth * grid): depth is that of a product."""

    def __init__(self, kind, shape, depth):
        self.kind, self.shape, self.depth = kind, list(shape), depth
        self.parts = [[] for _ in range(prod(shape) * parts(kind.dtype))]

    def add(self, place, a, factor=1):
        self.put(place, [[part << (self.depth - 1) * self.kind.grid] for part in a], factor)

    def add_product(self, place, a, x, factor=1):
        self.put(place, product(a, x), factor)

    def put(self, place, found, factor):
        k = 0
        for index, extent in zip(place, self.shape):
            k = k * extent + index
        for part, terms in enumerate(found):
            self.parts[k * len(found) + part] += [factor * term for term in terms if term and factor]


# ---- What is right ---------------------------------------------------------------------------------

def right(terms, operands, scaled=()):
    """The nearest dense array, and the sums. operands: all elements that are multiplied or added. scaled: the whole numbers
    that sums are multiplied by."""
    kind, depth = terms.kind, terms.depth * terms.kind.grid
    kept = operands_of({part for n in operands for part in n} | {n << kind.grid for n in scaled}, kind.grid)
    exact, gauge = [sum(part) for part in terms.parts], [sum(map(abs, part)) for part in terms.parts]
    units = [min(map(last_place, part), default=depth) - depth for part in terms.parts]
    check(kind, max(map(abs, exact)) >> depth, max(gauge) >> depth, kept)
    lattice = every_order_gives_the_same(kind, gauge, units, depth)
    sums = {"lattice": lattice, "exact": [text_of(n, depth) for n in exact], "gauge": [text_of(n, depth) for n in gauge],
            "terms": list(map(len, terms.parts)), "unit": units, "operands": Operands._asdict(kept)}
    return nearest_array(kind.dtype, terms.shape, [Fraction(n, 1 << depth) if n else n for n in exact]), sums


def nearest_array(dtype, shape, exact):
    numbers = [shortest(float(nearest(n, FORMATS[real(dtype)]))) for n in exact]
    return array(dtype, shape, [[*pair] for pair in zip(numbers[::2], numbers[1::2])] if dtype in PARTS else numbers)


def every_order_gives_the_same(kind, gauge, units, depth):
    """No partial sum has more bits than sums usually have."""
    form = FORMATS[USUAL[kind.dtype]]
    found = all(n <= 1 << max(0, depth + form.bits + unit) and unit >= lowest(form) for n, unit in zip(gauge, units))
    if kind.lattice and not found:
        raise ValueError(f"not every order gives the same: {max(gauge)} in units of 2^-{depth}")
    return found


def check(kind, largest, largest_gauge, operands):
    """What keeps infinities out of every order."""
    form, of_sums = FORMATS[real(kind.dtype)], FORMATS[USUAL[kind.dtype]]
    if operands.bits > form.bits or operands.top > form.most + 1:
        raise ValueError(f"{kind.dtype} has no such operands")
    if largest_gauge >= 1 << of_sums.most or largest >= 1 << form.most:
        raise ValueError("sums may overflow")


def question(operation, matrix, what, terms, operands, scaled=(), **arguments):
    """Arguments that are functions depend on the layout."""
    dense, sums = right(terms, [*matrix.elements(), *operands], scaled)
    return Question(operation, matrix, what, terms.kind, dense, sums, arguments)


def laid_out(asked, layout, index_dtype):
    """The case."""
    model = asked.matrix.model(asked.kind)
    arguments = {name: value(layout, index_dtype) if callable(value) else value for name, value in asked.arguments.items()}
    return case(asked.operation, model, layout, index_dtype, asked.kind.dtype,
                expectation(model, layout, asked.dense, sums=asked.sums), asked.what, arguments=arguments)


def second(kind, matrix):
    return lambda layout, index_dtype: matrix.model(kind).tensor(layout, index_dtype, kind.dtype)


# ---- Products --------------------------------------------------------------------------------------

def shape_of(rows, columns):
    """columns: 0 for a vector."""
    return [rows, columns] if columns else [rows]


def of_dense(kind, a, x, columns, factor=1):
    """The terms of a product, and the elements of x. x: rows of elements, of which the first are taken."""
    terms, width = Terms(kind, shape_of(a.size[0], columns), 2), max(columns, 1)
    for r, k, n in a.cells:
        for c in range(width):
            terms.add_product((r, c)[:len(terms.shape)], n, x[k][c], factor)
    return terms, [n for row in x for n in row[:width]]


def times_dense(kind, a, x, columns, what=""):
    terms, taken = of_dense(kind, a, x, columns)
    return question("matmat" if columns else "matvec", a, what, terms, taken,
                    x=member(kind, shape_of(a.size[1], columns), taken))


def added_to_dense(kind, a, x, columns, given, alpha, beta, what=""):
    """beta * given + alpha * (a x). given: rows of elements."""
    terms, taken = of_dense(kind, a, x, columns, alpha)
    for r in range(a.size[0]):
        for c in range(max(columns, 1)):
            terms.add((r, c)[:len(terms.shape)], given[r][c], beta)
    old = [n for row in given for n in row[:max(columns, 1)]]
    return question("addmm" if columns else "addmv", a, what, terms, [*taken, *old], (alpha, beta),
                    x=member(kind, shape_of(a.size[1], columns), taken), dense=member(kind, terms.shape, old),
                    alpha=alpha, beta=beta)


def times_sparse(kind, a, b, what=""):
    terms, rows = Terms(kind, [a.size[0], b.size[1]], 2), {}
    for k, c, n in b.cells:
        rows.setdefault(k, []).append((c, n))
    for r, k, n in a.cells:
        for c, m in rows.get(k, ()):
            terms.add_product((r, c), n, m)
    return question("matmul_sparse", a, what, terms, b.elements(), other=second(kind, b))


def sampled(kind, s, x, y, alpha, beta, what=""):
    """beta * s + alpha * (x y) where s stores something. x, y: rows of elements."""
    terms = Terms(kind, s.size, 2)
    for r, c, n in s.cells:
        terms.add((r, c), n, beta)
        for k, m in enumerate(x[r]):
            terms.add_product((r, c), m, y[k][c], alpha)
    first, other = [n for row in x for n in row], [n for row in y for n in row]
    return question("sampled_addmm", s, what, terms, [*first, *other], (alpha, beta),
                    x=member(kind, [len(x), len(y)], first), y=member(kind, [len(y), len(y[0])], other),
                    alpha=alpha, beta=beta)


def times_batches(kind, name, size, cells, x, index_dtype):
    """COO of three dimensions. cells: by place; x: rows of elements for each batch."""
    places, columns = sorted(cells), len(x[0][0])
    terms = Terms(kind, [size[0], size[1], columns], 2)
    for b, r, k in places:
        for c in range(columns):
            terms.add_product((b, r, c), cells[b, r, k], x[b][k][c])
    taken = [n for batch in x for row in batch for n in row]
    dense, sums = right(terms, [*cells.values(), *taken])
    flat = [place[d] for d in range(3) for place in places]
    return {"operation": "bmm", "name": f"coo/bmm/{name}/{kind.dtype}-{index_dtype}", "flags": ["coo-nd"],
            "tensor": {"spw": 1, "layout": "coo", "size": list(size), "indices": array(index_dtype, [3, len(places)], flat),
                       "values": member(kind, [len(places)], [cells[place] for place in places])},
            "arguments": {"x": member(kind, [size[0], size[2], columns], taken)},
            "expect": {"verdict": "valid", "dense": dense, "sums": sums}}


# ---- Sums ------------------------------------------------------------------------------------------

def total(kind, a, what=""):
    terms = Terms(kind, [], 1)
    for *_, n in a.cells:
        terms.add((), n)
    return question("sum", a, what, terms, ())


def total_of_each(kind, a, dim):
    terms = Terms(kind, [a.size[1 - dim]], 1)
    for r, c, n in a.cells:
        terms.add((c if dim == 0 else r,), n)
    return question("sum_dim", a, f"dim-{dim}", terms, (), dim=dim)


def of_cells(kind, a, factor=1):
    terms = Terms(kind, a.size, 1)
    for r, c, n in a.cells:
        terms.add((r, c), n, factor)
    return terms


def together(operation, kind, a):
    """a has places several times."""
    return question(operation, a, "", of_cells(kind, a), ())


def of_two(operation, kind, a, b):
    """Sums and differences, element by element."""
    terms = of_cells(kind, a)
    for r, c, n in b.cells:
        terms.add((r, c), n, -1 if operation == "sub" else 1)
    return question(operation, a, "", terms, b.elements(), other=second(kind, b))


def multiplied(kind, a, b):
    terms, others = Terms(kind, a.size, 2), {(r, c): n for r, c, n in b.cells}
    for r, c, n in a.cells:
        if (r, c) in others:
            terms.add_product((r, c), n, others[r, c])
    return question("mul", a, "", terms, b.elements(), other=second(kind, b))


def added_dense(kind, a, given):
    """given: rows of elements."""
    terms = of_cells(kind, a)
    for r, row in enumerate(given):
        for c, n in enumerate(row):
            terms.add((r, c), n)
    flat = [n for row in given for n in row]
    return question("add_dense", a, "", terms, flat, dense=member(kind, a.size, flat))


def scaled(kind, a, alpha):
    return question("scale", a, "", of_cells(kind, a, alpha), [(alpha << kind.grid,)], alpha=alpha)
