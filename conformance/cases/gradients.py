# SPDX-License-Identifier: Apache-2.0
"""Gradients: for each differentiable operation and layout, with respect to each operand, the vector-Jacobian product. LINES says of
each operation what its Jacobian is: for a place of an operand, the places of the result that it enters, each with the factor.
What is right is then the sum of the upstream gradient at these places, times the conjugates of the factors: whole numbers."""
from collections import namedtuple
from math import prod

from cases import axes, covering
from cases.axes import Call, blocks, dim_of, factors, swapped
from cases.model import written
from cases.operands import places_of
from cases.tensors import array
from judging import dense

# ask: from a Call to (arguments, size of the result, from each operand to its Jacobian); or with the upstream gradient, and what is
# right instead of Jacobians. scale: by what the upstream gradient is multiplied, so that what is right is whole.
Line = namedtuple("Line", "ask forms ways types scale")
STATES = ("unclaimed", "unsorted", "duplicates", "zeros", "claimed")
FORMS = ("plain", "batch-1", "hybrid-1", "nd")
MATRICES = FORMS[:2]
TYPES = ("double", "complex")
# exp of what is as far below is 0 in every type, and float16 has room for six times as much.
FAR_APART = 4096


def line(ask, forms=FORMS, ways=("",), types=TYPES, scale=1):
    return Line(ask, forms, ways, types, scale)


# ---- Jacobians of what moves elements ----------------------------------------------------------------

def same(place):
    return [(place, 1)]


def by(move):
    """Each element goes to one place."""
    return lambda place: [(move(place), 1)]


def itself(q):
    return {}, q.size, {"tensor": same}


def convert(q):
    return {"to": q.way, **blocks(q.way, q.form)}, q.size, {"tensor": same}


def transpose(q):
    first = len(q.form.batch) + len(q.form.sparse) - 2
    return {}, swapped(q.size, first), {"tensor": by(lambda place: swapped(place, first))}


def permute(q):
    arguments, size, _ = axes.permute(q)
    return arguments, size, {"tensor": by(lambda place: tuple(place[d] for d in arguments["dims"]))}


def sliced(ask, kept):
    """kept: from the arguments to the slices that are chosen."""
    def line_of(q):
        arguments, size, _ = ask(q)
        dim, numbers = arguments["dim"], list(kept(arguments))
        alone = "index" in arguments
        return arguments, size, {"tensor": lambda place: [
            ((*place[:dim], *[new] * (not alone), *place[dim + 1:]), 1) for new, old in enumerate(numbers) if old == place[dim]]}
    return line_of


def joined(stacked):
    """With respect to the first of them."""
    def ask(q):
        arguments, size, _ = axes.joined(q, stacked)
        dim = arguments["dim"]
        return arguments, size, {"tensor": by(lambda place: (*place[:dim], *[0] * stacked, *place[dim:]))}
    return ask


def triangle(q):
    arguments, size, _ = axes.triangle(q)
    first, index = len(q.form.batch) + len(q.form.sparse) - 2, arguments["index"]
    below = arguments["function"] == "tril"
    return arguments, size, {"tensor": lambda place: same(place) if (
        place[first + 1] - place[first] <= index if below else place[first + 1] - place[first] >= index) else []}


def mask(q):
    given, _ = q.filled(q.size, 2)
    return {"dense": given}, q.size, {"dense": lambda place: same(place) if place in q.places else []}


# ---- Of sums and single elements -----------------------------------------------------------------------

def total(q):
    return {}, (), {"tensor": by(lambda place: ())}


def sum_dim(q):
    arguments, size, _ = axes.sum_dim(q)
    dim, kept = arguments["dim"], "keepdim" in arguments
    return arguments, size, {"tensor": by(lambda place: (*place[:dim], *[0] * kept, *place[dim + 1:]))}


def reduce(q):
    """An extreme that two attain has no derivative: there the upstream gradient is 0."""
    dim, name = dim_of(q), q.way.partition("-")[2]
    size, extent, found = (*q.size[:dim], *q.size[dim + 1:]), q.size[dim], {}
    for end in places_of(size):
        fibre = [(*end[:dim], k, *end[dim:]) for k in range(extent)]
        kept = [place for place in fibre if place in q.places or name in ("max", "min")]
        numbers = [q.numbers.get(place, 0) for place in kept]
        if name == "mean":
            found.update({place: (end, 1 / len(kept)) for place in kept})
        elif kept:
            extreme = (max if name in ("max", "amax") else min)(numbers)
            attained = [place for place, n in zip(kept, numbers) if n == extreme]
            if len(attained) == 1:
                found[attained[0]] = (end, 1)
    return ({"function": name, "dim": dim}, size, {"tensor": lambda place: [found[place]] if place in found and place in q.places else []},
            {end for end, _ in found.values()})


def added(sign):
    def ask(q):
        tensor, _ = q.second()
        return {"other": tensor}, q.size, {"tensor": same, "other": lambda place: [(place, sign)]}
    return ask


def multiplied(q):
    tensor, other = q.second()
    return {"other": tensor}, q.size, {"tensor": lambda place: [(place, other.get(place, 0))],
                                       "other": lambda place: [(place, q.numbers.get(place, 0))]}


def add_dense(q):
    given, _ = q.filled(q.size, 2)
    return {"dense": given}, q.size, {"tensor": same, "dense": same}


def scale(q):
    alpha = int(q.way)
    return {"alpha": alpha}, q.size, {"tensor": lambda place: [(place, alpha)]}


def divide(q):
    alpha = float(q.way)
    return {"alpha": alpha}, q.size, {"tensor": lambda place: [(place, 1 / alpha)]}


def sign(n):
    return (n > 0) - (n < 0)


DERIVATIVES = {"abs": sign, "sign": lambda n: 0, "square": lambda n: 2 * n, "relu": lambda n: int(n > 0),
               "pow-3": lambda n: 3 * n * n}


def unary(q):
    name, _, exponent = q.way.partition("-")
    more = {"alpha": int(exponent)} if exponent else {}
    return {"function": name, **more}, q.size, {"tensor": lambda place: [(place, DERIVATIVES[q.way](q.numbers.get(place, 0)))]}


# ---- Of products ---------------------------------------------------------------------------------------

def product(columns, fused=False):
    """columns: 0 for vectors. fused: alpha times it, and beta times a dense array."""
    def ask(q):
        batch, (rows, inner) = (q.form.batch or q.form.sparse[:-2]), q.form.sparse[-2:]
        tail, first = (columns,) if columns else (), len(batch)
        (x, meant), size = q.filled((*batch, inner, *tail), 1), (*batch, rows, *tail)
        alpha, beta = factors(q) if fused else (1, 0)
        found = {"tensor": lambda place: [((*place[:-1], *end), alpha * meant[(*place[:-2], place[-1], *end)]) for end in places_of(tail)],
                 "x": lambda place: [((*place[:first], row, *place[first + 1:]), alpha * q.numbers.get((*place[:first], row, place[first]), 0))
                                     for row in range(rows)]}
        if not fused:
            return {"x": x}, size, found
        return ({"x": x, "dense": q.filled(size, 2)[0], "alpha": alpha, "beta": beta}, size,
                {**found, "dense": lambda place: [(place, beta)]})
    return ask


def linear(q):
    rows, columns = q.form.sparse
    (x, given), (bias, _) = q.filled((3, columns), 1), q.filled((rows,), 2)
    return {"x": x, "dense": bias}, (3, rows), {
        "tensor": lambda place: [((k, place[0]), given[k, place[1]]) for k in range(3)],
        "x": lambda place: [((place[0], row), q.numbers.get((row, place[1]), 0)) for row in range(rows)],
        "dense": lambda place: [((k, place[0]), 1) for k in range(3)]}


def multiply_sparse(q):
    rows, inner = q.form.sparse
    block = q.form.block[1]
    width = (5 if inner == 4 * block else 4) * block
    tensor, other = q.second(q.form.with_sparse((inner, width), (block, block)))
    return {"other": tensor}, (*q.form.batch, rows, width), {
        "tensor": lambda place: [((*place[:-1], j), other.get((*place[:-2], place[-1], j), 0)) for j in range(width)],
        "other": lambda place: [((*place[:-2], i, place[-1]), q.numbers.get((*place[:-2], i, place[-2]), 0)) for i in range(rows)]}


def sampled(q):
    alpha, beta = factors(q)
    batch, (rows, columns) = q.form.batch, q.form.sparse
    (x, left), (y, right) = q.filled((*batch, rows, 2), 1), q.filled((*batch, 2, columns), 3)

    def at_stored(end, factor):
        return [(end, alpha * factor)] if end in q.places else []
    return {"x": x, "y": y, "alpha": alpha, "beta": beta}, q.size, {
        "tensor": lambda place: [(place, beta)] if place in q.places else [],
        "x": lambda place: [pair for c in range(columns) for pair in at_stored((*place[:-1], c), right[(*place[:-2], place[-1], c)])],
        "y": lambda place: [pair for r in range(rows) for pair in at_stored((*place[:-2], r, place[-1]), left[(*place[:-2], r, place[-2])])]}


def kron(q):
    form = q.form.with_sparse((4, 5) if len(q.form.sparse) == 2 else (2, 3, 1, 2)[:len(q.form.sparse)], (1, 1))
    tensor, other = q.second(form)

    def end(place, to):
        return tuple(k * n + j for k, n, j in zip(place, form.size, to))
    return {"other": tensor}, [m * n for m, n in zip(q.size, form.size)], {
        "tensor": lambda place: [(end(place, to), n) for to, n in other.items()],
        "other": lambda to: [(end(place, to), n) for place, n in q.numbers.items()]}


def softmax(q):
    """Two numbers so far apart that nothing is left of the smaller one's exponential: the m largest of a fibre are 1/m each, and the
    others 0. Where m is no power of two, the upstream gradient is 0."""
    q.first.cells = [[(place, [n % 2 * FAR_APART for n in numbers]) for place, numbers in cells] for cells in q.first.cells]
    q.numbers = q.first.numbers()
    dim, fibres = dim_of(q), {}
    for place in sorted(q.places):
        fibres.setdefault((*place[:dim], *place[dim + 1:]), []).append(place)
    shares, exact = {}, set()
    for fibre in fibres.values():
        largest = [place for place in fibre if q.numbers[place] == max(q.numbers[one] for one in fibre)]
        shares.update({place: 1 / len(largest) if place in largest else 0 for place in fibre})
        exact |= set(fibre if len(largest) in (1, 2, 4) else ())
    return {"dim": dim}, q.size, {"tensor": lambda place: [
        (end, shares[end] * ((end == place) - shares[place])) for end in fibres[(*place[:dim], *place[dim + 1:])]]
        if place in q.places else []}, exact


def solve(q):
    """What is right is chosen, of the right side S, and the upstream gradient follows: M^H S, M with ones on its diagonal."""
    arguments, size, meant = axes.solve(q)
    upper, transposed = arguments["upper"], arguments["transposed"]
    _, solution = q.filled(size, 4)
    upstream, found = dict(solution), {}
    for place in places_of(q.size):
        *batch, r, c = place
        if not (c > r if upper else c < r):
            continue
        row, column = (c, r) if transposed else (r, c)
        for k in (0, 1):
            upstream[(*batch, column, k)] += q.numbers.get(place, 0).conjugate() * solution[(*batch, row, k)]
        found[place] = -sum(solution[(*batch, row, k)] * meant[(*batch, column, k)].conjugate() for k in (0, 1))
    q.flags.discard("strided")
    return arguments, size, {"tensor": lambda place: found.get(place, 0), "x": solution.get}, upstream


LINES = {
    "to_dense": line(itself), "convert": line(convert, ways=axes.LAYOUTS), "transpose": line(transpose), "permute": line(permute, ways=axes.SAME),
    "coalesce": line(itself), "triangle": line(triangle, ways=("tril_0", "triu_1")),
    "select": line(sliced(axes.select, lambda a: [a["index"]]), ways=("first", "row-end", "column")),
    "narrow": line(sliced(axes.narrow, lambda a: range(a["start"], a["start"] + a["length"])), ways=("row", "first-end", "column-end")),
    "index_select": line(sliced(axes.index_select, lambda a: a["indices"]), ways=("first", "row-twice", "column")),
    "cat": line(joined(False), ways=("first", "row-three", "column")), "stack": line(joined(True), ways=("first", "first-three")),
    "sparse_mask": line(mask),
    "sum": line(total), "sum_dim": line(sum_dim, ways=("row", "column-kept", "last")),
    "reduce": line(reduce, ways=("row-max", "column-amax", "row-amin", "column-mean"), types=("double",), scale=60),
    "add": line(added(1)), "sub": line(added(-1), ("plain", "nd")), "mul": line(multiplied), "add_dense": line(add_dense),
    "scale": line(scale, ways=("2", "-3")), "divide": line(divide, ("plain", "nd"), ways=("-4", "0.5"), types=("double",), scale=4),
    "unary": line(unary, ways=(*DERIVATIVES,), types=("double",)),
    "matvec": line(product(0), ("plain",)), "matmat": line(product(3), MATRICES), "bmm": line(product(2), ("nd",)),
    "addmm": line(product(3, True), MATRICES, ("3_1", "2_-1")), "addmv": line(product(0, True), ("plain",), ("3_1", "2_-1")),
    "linear": line(linear, ("plain",)), "matmul_sparse": line(multiply_sparse, MATRICES),
    "sampled_addmm": line(sampled, MATRICES, ("3_1", "2_-1")), "kron": line(kron, ("plain", "batch-1", "nd")),
    "triangular_solve": line(solve, MATRICES, ("lower", "upper", "lower-transposed")),
    "softmax": line(softmax, ways=("row", "column", "last"), types=("double", "half"), scale=16)}
# These have the forms and states of another operation.
AS = {"softmax": "reduce"}
# Gradients in 16 bits: without operations that have no such types or need a scale, and states that concern no numbers.
IN_HALVES, MOST_OF_HALF = ("unclaimed", "duplicates", "zeros"), 256
NOT_IN_HALVES = ("reduce", "softmax", "triangular_solve")
# The second operand of these, too.
WRT = {"sparse_mask": ("dense",), "add_dense": ("tensor", "dense"), "linear": ("tensor", "values", "x", "dense"),
       **dict.fromkeys(("add", "sub", "mul", "matmul_sparse", "kron"), ("tensor", "values", "other")),
       **dict.fromkeys(("matvec", "matmat", "bmm", "triangular_solve"), ("tensor", "values", "x")),
       **dict.fromkeys(("addmm", "addmv"), ("tensor", "values", "x", "dense")), "sampled_addmm": ("tensor", "values", "x", "y")}
OTHERS = ("tensor", "values")


# ---- One question --------------------------------------------------------------------------------------

class Question:
    """A call of the forward operation (axes.py), and what is differentiated."""

    def __init__(self, operation, layout, row, seed):
        self.q = Call(operation, layout, {**row, "variant": 0, "index": axes.INDEX_DTYPES[seed % 2]}, seed)
        self.row, self.seed, self.line = row, seed, LINES[operation]
        self.arguments, self.size, self.jacobians, *more = self.line.ask(self.q)
        self.jacobian = self.jacobians["tensor" if row["wrt"] == "values" else row["wrt"]]
        self.is_given = operation == "triangular_solve"
        only = more[0] if operation in ("reduce", "softmax") else None
        self.upstream = more[0] if self.is_given else {
            place: self.q.number(self.line.scale * n) for place, n in zip(places_of(self.size), self.numbers())
            if only is None or place in only}

    def numbers(self):
        """No two neighbours are the same, and of the sparse gradient every third one is not there."""
        for k in range(prod(self.size)):
            yield 0 if self.row["upstream"] == "sparse" and k % 3 == 1 else (7 * k + self.seed) % 29 - 14 or 15

    def derivative(self, place):
        if self.is_given:
            return self.jacobian(place)
        found = sum(self.upstream.get(end, 0) * factor.conjugate() for end, factor in self.jacobian(place))
        return found if isinstance(found, complex) else round(found)

    def fits_half(self):
        """Is every number whole and exact in 8 bits, in whatever order it is summed?"""
        size = {"other": lambda: self.arguments["other"]["size"], "tensor": lambda: self.q.size, "values": lambda: self.q.size}.get(
            self.row["wrt"], lambda: self.arguments[self.row["wrt"]]["shape"])()
        return all(sum(abs(self.upstream.get(end, 0) * factor) for end, factor in self.jacobian(place)) <= MOST_OF_HALF
                   for place in places_of(size))

    def expected(self, tensor, other):
        wrt = self.row["wrt"]
        if wrt == "values":
            return self.of_values(tensor)
        size = {"tensor": lambda: tensor["size"], "other": lambda: other["size"]}.get(wrt, lambda: self.arguments[wrt]["shape"])()
        return self.q.member(size, {place: self.derivative(place) for place in places_of(size)})

    def of_values(self, tensor):
        """At each copy what there is at its place, in the order of storage."""
        places, size = dense.tensor_places(tensor)
        tail, every = prod(size[places.sparse_end:]), places_of(size)
        found = [self.derivative(every[places.position(place, k) * tail + j]) for place in places for k in range(places.area)
                 for j in range(tail)]
        return array(self.q.dtype, tensor["values"]["shape"], [written(n, self.q.dtype) for n in found])

    def sparse_upstream(self):
        kept = [place for place in places_of(self.size) if self.upstream.get(place, 0)]
        return {"spw": 1, "layout": "coo", "size": list(self.size),
                "indices": array(self.q.index_dtype, [len(self.size), len(kept)], [place[d] for d in range(len(self.size)) for place in kept]),
                "values": array(self.q.dtype, [len(kept)], [written(self.upstream[place], self.q.dtype) for place in kept])}

    def case(self):
        q, row = self.q, self.row
        tensor = q.first.tensor(q.index_dtype)
        given = {"upstream_sparse": self.sparse_upstream()} if row["upstream"] == "sparse" else {
            "upstream": q.member(self.size, self.upstream)}
        flags = {*q.flags, *["upstream-sparse"] * (row["upstream"] == "sparse")}
        expect = {"verdict": "valid", "dense": self.expected(tensor, self.arguments.get("other"))}
        if q.layout != "coo" and {"unsorted", "duplicates"} & flags:
            expect["rules"] = ["5.6"]
        words = [q.operation, "wrt", row["wrt"], row["upstream"], row["state"], row["form"], row["way"]]
        return {"operation": "vjp", "name": f"{q.layout}/vjp/{'-'.join(filter(None, words))}/{q.dtype}-{q.index_dtype}", "tensor": tensor,
                "arguments": {"of": {"operation": q.operation, "arguments": self.arguments}, "wrt": row["wrt"], **given},
                "expect": expect, "flags": sorted(flags)}


# ---- Which questions make sense --------------------------------------------------------------------------

def fits(operation, layout):
    forms = axes.fits(AS.get(operation, operation), layout)

    def test(row):
        out_of_order = row.get("state") in ("unsorted", "duplicates")
        if layout != "coo" and out_of_order and row.get("wrt") == "values":
            return False  # whoever puts compressed rows in order has other arrays of values
        if operation == "sum" and row.get("upstream") == "sparse":
            return False  # a sparse gradient without dimensions
        if operation in ("unary", "reduce") and row.get("state") == "zeros" and row.get("way") in ("relu", "sign", "row-max"):
            return False  # no derivative at 0
        return forms({**row, "variant": 0} if "form" in row else row)
    return test


def rows_of(operation, layout, halves=False):
    known, like = LINES[operation], AS.get(operation, operation)
    if operation == "coalesce" and layout != "coo":
        return []
    states = [state for state in (IN_HALVES if halves else STATES)
              if state in axes.LINES[like].states and (layout == "coo" or state != "claimed")]
    forms = [form for form in axes.forms_of(like, layout) if form in known.forms]
    wanted = {"state": states, "form": forms[:1] if halves else forms, "wrt": list(WRT.get(operation, OTHERS)),
              "upstream": ["dense", "sparse"], "type": ["half"] if halves else list(known.types), "way": list(known.ways)}
    return covering.rows(wanted, fits(operation, layout)) if forms else []


def cases():
    for operation in LINES:
        for layout in axes.LAYOUTS:
            for k, row in enumerate(rows_of(operation, layout)):
                yield Question(operation, layout, row, k).case()
    for operation in LINES:
        for layout in axes.LAYOUTS if operation not in NOT_IN_HALVES else ():
            for k, row in enumerate(rows_of(operation, layout, halves=True)):
                question = Question(operation, layout, row, k)
                if question.fits_half():
                    yield question.case()
