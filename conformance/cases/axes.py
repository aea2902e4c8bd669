#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The axes on which real programs differ: for each operation and layout every state of the operand in every form, and every
pair of these with types, arguments and the state of a second operand (covering.py). This module is the one description:
FORMS and TYPES say what there is, LINES what each operation takes and what comes out. An operation gets all axes by its
line. What is right follows from the entries (operands.py), and never from dense arrays."""
from collections import namedtuple
from cases import covering
from cases.model import number, written
from cases.operands import STATES, Form, Operand, added, places_of, spaced
from cases.tensors import BLOCKED, array

LAYOUTS = ("coo", "csr", "csc", "bsr", "bsc")
COMPRESSED = LAYOUTS[1:]
INDEX_DTYPES = ("int64", "int32")

# ---- What there is: each form in three variants ----------------------------------------------------

SPARSE = [((6, 8), (2, 2)), ((3, 12), (1, 3)), ((8, 3), (2, 1))]
FORMS = {
    "plain": [Form((), sparse, (), block) for sparse, block in SPARSE],
    "batch-1": [Form(batch, SPARSE[k][0], (), SPARSE[k][1]) for k, batch in enumerate([(3,), (1,), (0,)])],
    "batch-2": [Form(batch, SPARSE[k][0], (), SPARSE[k][1]) for k, batch in enumerate([(1, 3), (3, 1), (3, 0)])],
    "hybrid-1": [Form((), SPARSE[k][0], tail, SPARSE[k][1]) for k, tail in enumerate([(3,), (1,), (0,)])],
    "hybrid-2": [Form((), SPARSE[k][0], tail, SPARSE[k][1]) for k, tail in enumerate([(3, 2), (1, 3), (2, 0)])],
    "batch-hybrid": [Form(batch, SPARSE[k][0], tail, SPARSE[k][1])
                     for k, (batch, tail) in enumerate([((3,), (2,)), ((1,), (3, 1)), ((0, 3), (1,))])],
    "nd": [Form((), sparse) for sparse in ((3, 4, 5), (7,), (2, 1, 3, 4))],
    "nd-hybrid": [Form((), (3, 4, 5), (2,)), Form((), (7,), (3,)), Form((), (2, 3, 1), (2, 3))]}
OF_COO, OF_COMPRESSED = ("plain", "hybrid-1", "hybrid-2", "nd", "nd-hybrid"), tuple(FORMS)[:6]
# Classes of types; their members take turns.
TYPES = {"double": ("float64", "float32"), "int": ("int64", "int32"), "complex": ("complex128", "complex64"),
         "half": ("float16", "bfloat16"), "narrow": ("int8", "uint8", "int16"), "bool": ("bool",)}
FLOATING = ("float64", "float32", "float16", "bfloat16", "complex128", "complex64")
EVERY, NUMBERS, REAL, FLOAT = (*TYPES,), (*TYPES,)[:5], ("double", "int", "half", "narrow"), ("double", "half")
SECOND = ("claimed", "unsorted", "duplicates", "zeros")
# A part of a row with duplicates may have more elements than columns, and which of the same places a mask means nobody says.
ONCE = tuple(state for state in STATES if state != "duplicates")

Line = namedtuple("Line", "ask forms ways types states two")


def line(ask, forms=tuple(FORMS), ways=("",), types=EVERY, states=STATES, two=False):
    """ask: from a Call to (arguments, size, numbers, more of expect). two: has a second operand of the same kind."""
    return Line(ask, forms, ways, types, states if two else tuple(s for s in states if s != "same-object"), two)


# ---- One question ----------------------------------------------------------------------------------

class Call:
    """What an operation's line sees: the operand, its size and numbers, which cells are stored, and what is asked."""

    def __init__(self, operation, layout, row, seed):
        self.operation, self.layout, self.row, self.seed = operation, layout, row, seed
        self.form, self.way, self.index_dtype = row.get("shape") or FORMS[row["form"]][row["variant"]], row["way"], row["index"]
        if operation == "triangular_solve" or row["state"] == "same-object" and operation == "matmul_sparse":
            self.form = self.form.with_sparse((36, 36) if self.form.full else (6, 6), (2, 2))
        members = TYPES[row["type"]]
        self.dtype, self.flags, self.steps = members[seed % len(members)], set(), []
        self.same, self.alike = row["state"] == "same-object", row["state"] == "live" or operation in ALIKE
        state = "unclaimed" if row["state"] in ("live", "same-object") else row["state"]
        self.first = self.operand(state, self.form, seed)
        self.numbers, self.places = self.first.numbers(), {place for place, _ in self.first.entries()}
        self.flags |= self.first.flags()
        if row["state"] == "live":
            self.bring_to_life()

    @property
    def size(self):
        return self.form.size

    def operand(self, state, form, seed):
        return Operand(self.layout, form, self.dtype, seed, state, alike=self.alike)

    def second(self, form=None):
        """The second operand, as an argument and what it means."""
        other = self.operand(self.row.get("second", "unclaimed"), form or self.form, self.seed + 3)
        self.flags |= other.flags()
        return other.tensor(self.index_dtype), other.numbers()

    def number(self, n):
        return number(n, self.dtype)

    def member(self, size, numbers):
        return array(self.dtype, size, [written(numbers.get(place, 0), self.dtype) for place in places_of(size)])

    def filled(self, size, seed=0):
        """A dense operand, no element of which is 0, as an argument and what it means; of every second question with gaps."""
        found = {place: self.number((1, 2, -1, 3, -2)[(seed + k) % 5]) for k, place in enumerate(places_of(size))}
        member = self.member(size, found)
        if self.seed % 2 and size:
            self.flags.add("strided")
            member = spaced(member)
        return member, found

    # ---- Live operands ----

    def bring_to_life(self):
        """What another operation of the library leaves is the operand."""
        ways = {"coo": ("add", "index_select", "transpose")}.get(self.layout, ("add", "convert"))
        if self.operation in KEEPS_FIRST:
            ways = ("scale",)
        elif self.layout != "coo" and self.operation in KEEPS_COUNT:
            ways = ("convert",) if self.dtype == "bool" else ("scale", "convert")
        getattr(self, "by_" + ways[self.seed % len(ways)])()

    def by_scale(self):
        self.steps.append({"operation": "scale", "arguments": {"alpha": 2}})
        self.numbers = {place: 2 * n for place, n in self.numbers.items()}

    def by_add(self):
        other = self.operand("unclaimed", self.form, self.seed + 4)
        self.steps.append({"operation": "add", "arguments": {"other": other.tensor(self.index_dtype)}})
        for place, n in other.entries():
            self.numbers[place] = added(self.numbers.get(place, 0), n, self.dtype)
        self.places |= {place for place, _ in other.entries()}

    def by_index_select(self):
        """Backwards along the first dimension."""
        extent = self.size[0]
        self.steps.append({"operation": "index_select", "arguments": {"dim": 0, "indices": list(range(extent))[::-1]}})
        self.renumber(lambda place: (extent - 1 - place[0], *place[1:]))

    def by_transpose(self):
        if len(self.form.sparse) < 2:
            self.by_index_select()
            return
        last = len(self.form.sparse) - 1
        turned = swapped(self.form.sparse, last - 1)
        self.first = self.operand("unclaimed", self.form.with_sparse(turned), self.seed)
        self.numbers, self.places = self.first.numbers(), {place for place, _ in self.first.entries()}
        self.steps.append({"operation": "transpose", "arguments": {}})
        self.renumber(lambda place: swapped(place, last - 1))

    def by_convert(self):
        """From the layout that is compressed along the other dimension."""
        other = {"csr": "csc", "csc": "csr", "bsr": "bsc", "bsc": "bsr"}[self.layout]
        self.first = Operand(other, self.form, self.dtype, self.seed, "unclaimed", alike=True)
        self.steps.append({"operation": "convert", "arguments": {"to": self.layout, **blocks(self.layout, self.form)}})

    def renumber(self, move):
        self.numbers = {move(place): n for place, n in self.numbers.items()}
        self.places = {move(place) for place in self.places}

    # ---- The case ----

    def case(self):
        arguments, size, numbers, *more = LINES[self.operation].ask(self)
        expect = {"verdict": "valid", "dense": self.member(size, numbers), **(more[0] if more else {})}
        if self.layout != "coo" and {"unsorted", "duplicates"} & self.flags:
            expect["rules"] = ["5.6"]
        tensor, name = self.first.tensor(self.index_dtype), self.operation
        if self.steps:
            steps = [*self.steps, {"operation": self.operation, "arguments": arguments}]
            return {"operation": "chain", "name": self.name(f"chain/x-{name}"), "tensor": tensor, "arguments": {"steps": steps},
                    "expect": {key: expect[key] for key in ("verdict", "dense", "rules") if key in expect}, "flags": sorted(self.flags)}
        return {"operation": name, "name": self.name(f"{name}/x"), "tensor": tensor, "arguments": arguments,
                "expect": expect, "flags": sorted(self.flags)}

    def name(self, what):
        row = self.row
        words = [what, row["state"], row["form"], str(row["variant"]), row["way"], row.get("second", "")]
        return f"{self.layout}/{'-'.join(word for word in words if word)}/{self.dtype}-{row['index']}"


def blocks(layout, form):
    return {"blocksize": list(form.block)} if layout in BLOCKED else {}


def swapped(place, first):
    return (*place[:first], place[first + 1], place[first], *place[first + 2:])


# ---- Operations: (arguments, size, numbers, more of expect) ------------------------------------------

def itself(q):
    return {}, q.size, q.numbers


def convert(q):
    return {"to": q.way, **blocks(q.way, q.form)}, q.size, q.numbers, {"layout": q.way}


def transpose(q):
    """The last two of the sparse dimensions."""
    first = len(q.form.batch) + len(q.form.sparse) - 2
    return {}, swapped(q.size, first), {swapped(place, first): n for place, n in q.numbers.items()}


def with_columns(q, columns):
    """x, and the product by places; columns: 0 for vectors."""
    batch, (rows, inner) = q.form.batch, q.form.sparse[-2:]
    if q.layout == "coo" and len(q.form.sparse) > 2:
        batch = q.form.sparse[:-2]
    tail = (columns,) if columns else ()
    x, meant = q.filled((*batch, inner, *tail), 1)
    found = {}
    for place, n in q.numbers.items():
        for end in places_of(tail):
            to = (*place[:-1], *end)
            found[to] = added(found.get(to, 0), n * meant[(*place[:-2], place[-1], *end)], q.dtype)
    return x, (*batch, rows, *tail), found


def multiply(columns):
    def ask(q):
        x, size, found = with_columns(q, columns and (17 if q.form.full else columns))
        return {"x": x}, size, found
    return ask


def factors(q):
    return [float(n) if "." in n else abs(int(n)) if q.dtype == "uint8" else int(n) for n in q.way.split("_")]


def add_product(columns):
    def ask(q):
        alpha, beta = factors(q)
        x, size, found = with_columns(q, columns and (17 if q.form.full else columns))
        c, given = q.filled(size, 2)
        return ({"x": x, "dense": c, "alpha": alpha, "beta": beta}, size,
                {place: alpha * found.get(place, 0) + beta * given[place] for place in places_of(size)})
    return ask


def sampled(q):
    alpha, beta = factors(q)
    batch, (rows, columns) = q.form.batch, q.form.sparse
    (x, left), (y, right) = q.filled((*batch, rows, 2), 1), q.filled((*batch, 2, columns), 3)
    return ({"x": x, "y": y, "alpha": alpha, "beta": beta}, q.size,
            {place: beta * q.numbers[place] + alpha * sum(left[(*place[:-1], k)] * right[(*place[:-2], k, place[-1])] for k in (0, 1))
             for place in q.places})


def total(q):
    return {}, (), {(): sum(q.numbers.values())}


# Which dimension: the first, rows, columns, the last.
DIMS = ("first", "row", "column", "last")


def dim_of(q):
    first = len(q.form.batch)
    found = {"first": 0, "row": first, "column": first + min(1, len(q.form.sparse) - 1), "last": len(q.size) - 1}[q.way.partition("-")[0]]
    q.flags |= {"inner-dimension"} if found or first else set()
    return found


def sum_dim(q):
    dim, kept = dim_of(q), q.way.endswith("kept")
    q.flags |= {"keepdim"} if kept else set()
    found = {}
    for place, n in q.numbers.items():
        to = (*place[:dim], *[0] * kept, *place[dim + 1:])
        found[to] = found.get(to, 0) + n
    return {"dim": dim, **({"keepdim": True} if kept else {})}, (*q.size[:dim], *[1] * kept, *q.size[dim + 1:]), found


# Which dimensions: of rows and columns, of the first and the last, or of all.
def sum_dims(q):
    which, _, more = q.way.partition("-")
    first = len(q.form.batch)
    dims = sorted({"both": {first, first + min(1, len(q.form.sparse) - 1)}, "ends": {0, len(q.size) - 1}, "all": {*range(len(q.size))}}[which])
    dims, to = dims[::-1] if more == "turned" else dims, "float64" if more == "double" and not q.dtype.startswith("complex") else None
    q.flags |= {"inner-dimension"} | ({"keepdim"} if more == "kept" else set()) | ({"sum-dtype"} if to else set())
    found = {}
    for place, n in q.numbers.items():
        at = tuple(0 if d in dims else k for d, k in enumerate(place) if more == "kept" or d not in dims)
        found[at] = found.get(at, 0) + n
    size = [1 if d in dims else extent for d, extent in enumerate(q.size) if more == "kept" or d not in dims]
    given = {"dims": dims, **({"keepdim": True} if more == "kept" else {}), **({"dtype": to} if to else {})}
    dtype = to or q.dtype
    return given, size, found, {"dense": array(dtype, size, [written(found.get(place, 0), dtype) for place in places_of(size)])}


def add_scaled(q):
    alpha = float(q.way) if q.dtype in FLOATING else int(float(q.way) * 2)
    tensor, other = q.second()
    return ({"other": tensor, "alpha": alpha}, q.size,
            {place: q.numbers.get(place, 0) + alpha * other.get(place, 0) for place in {*q.numbers, *other}})


def pairwise(function):
    def ask(q):
        arguments, other = {}, q.numbers
        if not q.same:
            tensor, other = q.second()
            arguments = {"other": tensor}
        return arguments, q.size, {place: function(q.numbers.get(place, 0), other.get(place, 0), q.dtype)
                                   for place in {*q.numbers, *other}}
    return ask


def add_dense(q):
    given, meant = q.filled(q.size, 2)
    return {"dense": given}, q.size, {place: q.numbers.get(place, 0) + n for place, n in meant.items()}


def multiply_sparse(q):
    """By a matrix of another width; a square one also by itself."""
    rows, inner = q.form.sparse
    arguments, other, width = {}, q.numbers, inner
    if not q.same:
        block = q.form.block[1]
        width = (5 if inner == 4 * block else 4) * block
        form = q.form.with_sparse((inner, width), (block, block))
        tensor, other = q.second(form)
        arguments = {"other": tensor}
    by_row, found = {}, {}
    for to, m in other.items():
        by_row.setdefault(to[:-1], []).append((to[-1], m))
    for place, n in q.numbers.items():
        for column, m in by_row.get((*place[:-2], place[-1]), ()):
            at = (*place[:-1], column)
            found[at] = added(found.get(at, 0), n * m, q.dtype)
    return arguments, (*q.form.batch, rows, width), found


def scale(q):
    (alpha,) = factors(q)
    return {"alpha": alpha}, q.size, {place: alpha * n for place, n in q.numbers.items()}


def divide(q):
    alpha = float(q.way)
    return {"alpha": alpha}, q.size, {place: n / alpha for place, n in q.numbers.items()}


def permute(q):
    batch, sparse = len(q.form.batch), len(q.form.batch) + len(q.form.sparse)
    groups = [range(batch), range(batch, sparse), range(sparse, len(q.size))]
    turn = {"same": list, "backwards": lambda group: list(group)[::-1], "rotated": lambda group: [*group[1:], *group[:1]]}[q.way]
    kept = groups[1] if q.layout != "coo" and len(q.size) > 2 else ()  # of compressed layouts only a matrix is turned
    dims = [d for group in groups for d in (group if group == kept else turn(group))]
    q.flags.add("inner-dimension")
    return {"dims": dims}, [q.size[d] for d in dims], {tuple(place[d] for d in dims): n for place, n in q.numbers.items()}


def chosen(q, dim, kept):
    """Slices along a dimension, in their order."""
    found = {(*place[:dim], new, *place[dim + 1:]): n for new, old in enumerate(kept) for place, n in q.numbers.items()
             if place[dim] == old}
    return (*q.size[:dim], len(kept), *q.size[dim + 1:]), found


def cuts(q, dim, kept, start=0):
    """Does it cut blocks, or begin within one?"""
    within = dim - len(q.form.batch)
    part = q.first.block[within] if 0 <= within < len(q.form.sparse) else 1
    whole = len(kept) % part == 0 and start % part == 0 and all(
        n == kept[k - k % part] + k % part and n % part == k % part for k, n in enumerate(kept))
    q.flags |= set() if whole else {"cut-blocks"}


def select(q):
    dim = dim_of(q)
    index = q.size[dim] - 1 if q.way.endswith("end") else 0
    size, found = chosen(q, dim, [index])
    return ({"dim": dim, "index": index}, (*size[:dim], *size[dim + 1:]),
            {(*place[:dim], *place[dim + 1:]): n for place, n in found.items()})


def narrow(q):
    dim = dim_of(q)
    extent = q.size[dim]
    start, length = (extent // 2, extent - extent // 2) if q.way.endswith("end") else (extent // 3, 0) if q.way.endswith("none") else (0, extent)
    kept = range(start, start + length)
    cuts(q, dim, [*kept], start)
    return {"dim": dim, "start": start, "length": length}, *chosen(q, dim, [*kept])


def index_select(q):
    dim = dim_of(q)
    extent = q.size[dim]
    kept = [] if q.way.endswith("none") or not extent else [extent - 1, 0, extent - 1] if q.way.endswith("twice") else [*range(extent)][::-1]
    cuts(q, dim, kept)
    return {"dim": dim, "indices": kept}, *chosen(q, dim, kept)


def joined(q, stacked):
    """With one of the same size behind it; and that again."""
    dim = dim_of(q)
    tensor, other = q.second()
    parts = [q.numbers, other, *[other] * q.way.endswith("three")]
    extent, found = 1 if stacked else q.size[dim], {}
    for k, part in enumerate(parts):
        for place, n in part.items():
            found[(*place[:dim], k, *place[dim:]) if stacked else (*place[:dim], k * extent + place[dim], *place[dim + 1:])] = n
    size = [*q.size[:dim], extent * len(parts), *q.size[dim + (not stacked):]]
    return {"dim": dim, "others": [tensor] * (len(parts) - 1)}, size, found


def in_order(order):
    def ask(q):
        stored, places = q.first.stored()
        return {}, q.size, q.numbers, {**kept(q), "order": order, "elements": stored if order == "sorted" else places}
    return ask


def kept(q):
    return {"layout": q.layout, **({"blocksize": list(q.form.block)} if q.layout in BLOCKED else {})}


def without_zeros(q):
    return {}, q.size, q.numbers, kept(q)


def mask(q):
    given, meant = q.filled(q.size, 2)
    return {"dense": given}, q.size, {place: meant[place] for place in q.places}, kept(q)


FUNCTIONS = {"neg": lambda n: -n, "abs": abs, "sign": lambda n: (n > 0) - (n < 0), "square": lambda n: n * n, "relu": lambda n: max(n, 0)}


def unary(q):
    name = "abs" if (q.dtype, q.way) == ("uint8", "neg") else q.way
    return {"function": name}, q.size, {place: FUNCTIONS[name](n) for place, n in q.numbers.items()}


# Of lines of the dense array; of what is stored of them; and the type of the result, if it is not that of the operand.
OF_LINES = {"max": max, "min": min, "argmax": lambda line: line.index(max(line)), "argmin": lambda line: line.index(min(line)),
            "any": lambda line: int(any(line)), "all": lambda line: int(all(line))}
OF_STORED = {"amax": max, "amin": min}
ANSWERS = {"argmax": "int64", "argmin": "int64", "any": "bool", "all": "bool"}


def reduce(q):
    dim, name = dim_of(q), q.way.partition("-")[2]
    size, extent = (*q.size[:dim], *q.size[dim + 1:]), q.size[dim]
    found = []
    for place in places_of(size):
        line = [(*place[:dim], k, *place[dim:]) for k in range(extent)]
        kept = [q.numbers.get(one, 0) for one in line if name in OF_LINES or one in q.places]
        found.append({**OF_LINES, **OF_STORED}[name](kept) if kept or name in ("any", "all") else 0)
    dtype = ANSWERS.get(name, q.dtype)
    return {"function": name, "dim": dim}, (), {}, {"dense": array(dtype, size, [written(n, dtype) for n in found])}


def nonzero(q):
    places = sorted(place for place, n in q.numbers.items() if n)
    return {}, (), {}, {"dense": array("int64", [len(places), len(q.size)], [k for place in places for k in place])}


def triangle(q):
    name, _, index = q.way.partition("_")
    first = len(q.form.batch) + len(q.form.sparse) - 2
    above = {place: place[first + 1] - place[first] - int(index) for place in q.numbers}
    return ({"function": name, "index": int(index)}, q.size,
            {place: n for place, n in q.numbers.items() if (above[place] <= 0 if name == "tril" else above[place] >= 0)})


def kron(q):
    """By one of few elements."""
    form = q.form.with_sparse((4, 5) if len(q.form.sparse) == 2 else (2, 3, 1, 2)[:len(q.form.sparse)], (1, 1))
    tensor, other = q.second(form)
    return ({"other": tensor}, [m * n for m, n in zip(q.size, form.size)],
            {tuple(k * n + j for k, n, j in zip(place, form.size, to)): m * n for place, m in q.numbers.items() for to, n in other.items()})


def linear(q):
    rows, columns = q.form.sparse
    (x, given), (bias, added_) = q.filled((3, columns), 1), q.filled((rows,), 2)
    found = {(k, r): added_[(r,)] for k in range(3) for r in range(rows)}
    for (r, c), n in q.numbers.items():
        for k in range(3):
            found[k, r] += given[k, c] * n
    return {"x": x, "dense": bias}, (3, rows), found


def solve(q):
    """With ones on the diagonal, whatever is stored there: the solution is known, and the right side follows from it."""
    upper, transposed = q.way.startswith("upper"), q.way.endswith("transposed")
    size = (*q.form.batch, q.form.sparse[0], 2)
    _, meant = q.filled(size, 1)
    right = dict(meant)
    for place, n in q.numbers.items():
        *batch, r, c = place
        if c > r if upper else c < r:
            r, c = (c, r) if transposed else (r, c)
            for k in (0, 1):
                right[(*batch, r, k)] += n * meant[(*batch, c, k)]
    q.flags.discard("strided")
    return {"x": q.member(size, right), "upper": upper, "transposed": transposed, "unit": True}, size, meant


def cast(q):
    found = {place: int(n != 0) if q.way == "bool" else n for place, n in q.numbers.items()}
    return {"dtype": q.way}, (), {}, {"dense": array(q.way, q.size, [written(found.get(place, 0), q.way) for place in places_of(q.size)])}


def of_booleans(function, of_bools):
    return lambda m, n, dtype: of_bools(m, n) if dtype == "bool" else function(m, n)


MATRICES = ("plain", "batch-1", "batch-2")
FACTORS = ("1_1", "2_-1", "0_1", "2_0")
SAME = ("same", "backwards", "rotated")
LINES = {
    "to_dense": line(itself), "convert": line(convert, ways=LAYOUTS), "transpose": line(transpose),
    "matvec": line(multiply(0), ("plain",), types=NUMBERS), "matmat": line(multiply(3), MATRICES, types=NUMBERS),
    "sum": line(total, types=NUMBERS),
    "sum_dim": line(sum_dim, ways=("row", "column", "last", "row-kept", "column-kept"), types=NUMBERS),
    "sum_dims": line(sum_dims, ways=("both", "ends", "all", "both-kept", "ends-turned", "both-double"), types=NUMBERS),
    "add_scaled": line(add_scaled, ways=("2", "-1", "0.5", "0"), types=("double", "int", "complex", "half"), states=STATES[:-1], two=True),
    "add": line(pairwise(of_booleans(lambda m, n: m + n, lambda m, n: m | n)), two=True),
    "add_dense": line(add_dense, types=NUMBERS),
    "sub": line(pairwise(lambda m, n, _: m - n), types=("double", "int", "complex", "half"), two=True),
    "mul": line(pairwise(lambda m, n, _: m * n), two=True),
    "matmul_sparse": line(multiply_sparse, MATRICES, types=NUMBERS, two=True),
    "scale": line(scale, ways=("2", "-1", "0"), types=NUMBERS), "divide": line(divide, ways=("2", "-4", "0.5"), types=FLOAT),
    "addmm": line(add_product(3), MATRICES, FACTORS, NUMBERS), "addmv": line(add_product(0), ("plain",), FACTORS, NUMBERS),
    "permute": line(permute, ways=SAME),
    "select": line(select, ways=("first", "row-end", "column", "last-end"), states=ONCE),
    "narrow": line(narrow, ways=("row", "first-end", "column-end", "last-none", "row-none"), states=ONCE),
    "index_select": line(index_select, ways=("first", "row-twice", "column", "last-none", "column-twice"), states=ONCE),
    "cat": line(lambda q: joined(q, False), ways=("first", "row-three", "column", "last"), states=ONCE[:-1], two=True),
    "stack": line(lambda q: joined(q, True), ways=("first", "first-three", "last"), states=ONCE[:-1], two=True),
    "coalesce": line(in_order("canonical")), "sum_duplicates": line(in_order("canonical")),
    "sort_indices": line(in_order("sorted")), "eliminate_zeros": line(without_zeros, states=ONCE),
    "bmm": line(multiply(2), ("nd",), types=NUMBERS), "sparse_mask": line(mask, states=ONCE),
    "sampled_addmm": line(sampled, MATRICES, FACTORS, NUMBERS, ONCE), "unary": line(unary, ways=(*FUNCTIONS,), types=REAL),
    "reduce": line(reduce, ways=("row-max", "column-amax", "row-argmin", "column-any", "last-all", "row-amin", "column-argmax", "last-min"),
                   types=REAL),
    "nonzero": line(nonzero), "triangle": line(triangle, ways=("tril_0", "triu_1", "tril_-1")), "cast": line(cast, ways=("float64", "float32", "int64", "bool"), types=(*REAL, "bool")),
    "kron": line(kron, ("plain", "batch-1", "batch-2", "nd"), types=NUMBERS, states=STATES[:-1], two=True),
    "linear": line(linear, ("plain",), types=NUMBERS),
    "triangular_solve": line(solve, MATRICES, ("lower", "upper", "lower-transposed", "upper-transposed"), ("double", "complex"))}
# All batches of a result must store as many elements.
ALIKE = ("add", "add_scaled", "sub", "mul", "matmul_sparse", "convert", "narrow", "index_select", "cat", "stack", "triangle", "kron")
# States of cells, and of numbers.
IN_CELLS, IN_NUMBERS = ("unsorted", "duplicates", "zeros", "values-strided", "indices-placed"), ("zeros", "values-strided")
# These ask which cells the first operand stores, or need a square one.
KEEPS_FIRST = ("sparse_mask", "sampled_addmm", "reduce", "triangular_solve")
# And these how many.
KEEPS_COUNT = ("cat", "stack", "eliminate_zeros")


# ---- Which questions make sense ----------------------------------------------------------------------

def forms_of(operation, layout):
    return [name for name in LINES[operation].forms if name in (OF_COO if layout == "coo" else OF_COMPRESSED)]


def states_of(operation, layout):
    """Only COO claims anything, and of its indices the order of storage is free."""
    known = LINES[operation]
    no = {"claimed"} if layout != "coo" else set()
    return [state for state in known.states if state not in no]


def fits(operation, layout):
    """May these values stand together?"""
    def test(row):
        if "form" not in row:
            return True
        variant = row.get("variant")
        forms = FORMS[row["form"]] if variant is None else [FORMS[row["form"]][variant]]
        return any(form_fits(operation, layout, form, row) for form in forms)
    return test


def form_fits(operation, layout, form, row):
    way = row.get("way")
    if row.get("state") in (IN_CELLS if 0 in form.batch else IN_NUMBERS if 0 in form.dense else ()):
        return False  # there is nothing to be in such a state
    if operation in KEEPS_FIRST and (row.get("state"), row.get("type")) == ("live", "bool"):
        return False  # nobody scales truth
    if operation == "convert" and layout == "coo" and way not in (None, "coo") and len(form.sparse) != 2:
        return False
    if operation in ("transpose", "triangle") and len(form.sparse) < 2 or operation == "bmm" and len(form.sparse) != 3:
        return False
    if operation in ("select", "narrow", "index_select", "sum_dim", "reduce", "cat", "stack") and way is not None:
        return dim_fits(operation, layout, form, way)
    return True


def dim_fits(operation, layout, form, way):
    """A slice needs a place, and a dimension of columns two sparse dimensions. Compressed layouts are sliced whole where they
    have batches, and stacked before rows. Joined along dense dimensions, both would have to store the same cells."""
    name, batch = way.partition("-")[0], len(form.batch)
    dim = {"first": 0, "row": batch, "column": batch + 1, "last": len(form.size) - 1}[name]
    if name == "column" and len(form.sparse) < 2:
        return False
    inner, tail = batch <= dim < batch + len(form.sparse), dim >= batch + len(form.sparse)
    if operation == "reduce" and not form.size[dim]:
        return way.endswith("all")  # there is no extreme of nothing
    if operation == "select":
        return form.size[dim] > 0 and not (inner and batch)
    if operation == "stack" and layout != "coo" and dim > batch or operation in ("cat", "stack") and tail:
        return False
    return True


def rows_of(operation, layout):
    known = LINES[operation]
    factors = {"state": states_of(operation, layout), "form": forms_of(operation, layout), "type": list(known.types)}
    if known.two:
        factors["second"] = [state for state in SECOND if (layout == "coo" or state != "claimed") and state in known.states]
    factors.update(variant=[0, 1, 2], way=list(known.ways), index=list(INDEX_DTYPES))
    if not factors["form"]:
        return []
    return covering.rows(factors, fits(operation, layout))


# Every way in which libraries let the same be written, besides the one that an adapter takes by itself.
SPELLINGS = ("function", "method", "in-place", "out", "reversed")
SPELLED = {"add": SPELLINGS, "sub": SPELLINGS, "mul": SPELLINGS, "scale": SPELLINGS, "divide": SPELLINGS[:4],
           "matvec": ("function", "method", "out", "reversed"), "matmat": ("function", "method", "out", "reversed"),
           "matmul_sparse": ("function", "method", "out")}


def spelled():
    """The same question in each spelling, of each state of the operand."""
    for operation, ways in SPELLED.items():
        known = LINES[operation]
        for layout in LAYOUTS:
            factors = {"spelling": ways, "state": [s for s in states_of(operation, layout) if s != "live"],
                       "type": [name for name in ("double", "int", "complex") if name in known.types],
                       **({"second": ["unclaimed", "unsorted", "duplicates"]} if known.two else {}),
                       "variant": [0, 1, 2], "way": list(known.ways), "index": list(INDEX_DTYPES)}
            for k, row in enumerate(covering.rows({name: list(values) for name, values in factors.items()})):
                call = Call(operation, layout, {**row, "form": "plain"}, k)
                item = call.case()
                yield {**item, "name": item["name"].replace("/x-", f"/x-{row['spelling']}-"), "spelling": row["spelling"]}


def cases():
    for operation in LINES:
        for layout in LAYOUTS:
            for k, row in enumerate(rows_of(operation, layout)):
                yield Call(operation, layout, row, k).case()
