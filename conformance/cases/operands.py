# SPDX-License-Identifier: Apache-2.0
"""Operands of any number of dimensions, in every state in which programs hand them over. An operand is a list of cells in
the order of storage: each has a place, and a number for each position of its block and of its dense dimensions. What it
means, `numbers`, follows from the cells alone."""
from itertools import product
from math import prod

from cases.model import number, written
from cases.tensors import BLOCKED, array

STATES = ("claimed", "unclaimed", "unsorted", "duplicates", "zeros", "values-strided", "indices-placed", "live", "same-object")
# Elements that are none of the tensor's.
OUTSIDE = 77


class Form:
    """Dimensions: of batches, sparse ones, dense ones; rows and columns of a block. full: most cells are stored, not a few."""

    def __init__(self, batch=(), sparse=(4, 6), dense=(), block=(2, 2), full=False):
        self.batch, self.sparse, self.dense, self.block, self.full = tuple(batch), tuple(sparse), tuple(dense), tuple(block), full
        self.size = (*self.batch, *self.sparse, *self.dense)

    def with_sparse(self, sparse, block=None):
        return Form(self.batch, sparse, self.dense, block or self.block, self.full)


class Operand:
    """cells: for each batch a list of (place, numbers); the place is that of a block where the layout has blocks."""

    def __init__(self, layout, form, dtype, seed, state="unclaimed", cells=None, alike=False):
        """alike: every batch has its cells at the same places."""
        self.layout, self.form, self.dtype, self.state = layout, form, dtype, state
        self.block = form.block if layout in BLOCKED else (1,) * len(form.sparse)
        self.grid = tuple(extent // part for extent, part in zip(form.sparse, self.block))
        self.cells = cells
        if cells is None:
            self.cells = [self.of_batch(seed if alike else seed + 5 * b, seed + b) for b in range(prod(form.batch))]

    # ---- Cells ----

    def of_batch(self, where, seed):
        places = most_of(self.grid, where) if self.form.full else places_in(self.grid, where)
        cells = [(place, self.elements(seed + k, self.state == "zeros" and k == 1)) for k, place in enumerate(sorted(places))]
        if self.state == "duplicates" and cells:
            again = max(place for place, _ in cells)
            cells.insert(len(cells) - 1, (again, self.elements(seed + 11, False)))
        return cells[::-1] if self.state == "unsorted" else cells

    def elements(self, seed, zero):
        count = prod(self.block) * prod(self.form.dense)
        found = [0 if zero else 1 + (seed + 2 * k) % 3 for k in range(count)]
        signed = [-n if (seed + k) % 4 == 1 and self.dtype != "uint8" else n for k, n in enumerate(found)]
        return [number(n, self.dtype) for n in signed]

    # ---- What it means ----

    def entries(self):
        """Place, of all dimensions, and number, one after the other."""
        for batch, cells in zip(places_of(self.form.batch), self.cells):
            for place, numbers in cells:
                inner = product(places_of(self.block), places_of(self.form.dense))
                for (within, tail), n in zip(inner, numbers):
                    yield (*batch, *(p * b + w for p, b, w in zip(place, self.block, within)), *tail), n

    def numbers(self):
        found = {}
        for place, n in self.entries():
            found[place] = added(found.get(place, 0), n, self.dtype)
        return found

    def flags(self):
        form, state = self.form, self.state if any(self.cells) else ""
        return {*["batched"] * bool(form.batch), *["hybrid"] * bool(form.dense),
                *{"unsorted": ["unsorted"], "duplicates": ["duplicates"], "zeros": ["explicit-zeros"]}.get(state, ())}

    def stored(self):
        """How many elements or blocks, in each batch, and at how many places."""
        cells = self.cells[0] if self.cells else []
        return len(cells), len({place for place, _ in cells})

    # ---- As a file ----

    def tensor(self, index_dtype):
        found = self.coo(index_dtype) if self.layout == "coo" else self.compressed(index_dtype)
        if self.layout == "coo" and self.state == "claimed":
            found["coalesced"] = True
        if self.state == "values-strided":
            found["values"] = spaced(found["values"])
        if self.state == "indices-placed":
            found.update({name: by_column(member) if name == "indices" else later(member)
                          for name, member in found.items() if name.endswith("indices")})
        return found

    def values(self, shape):
        data = [written(n, self.dtype) for cells in self.cells for _, numbers in cells for n in numbers]
        return array(self.dtype, [*shape, *self.form.dense], data)

    def coo(self, index_dtype):
        (cells,) = self.cells
        flat = [place[d] for d in range(len(self.form.sparse)) for place, _ in cells]
        return {"spw": 1, "layout": "coo", "size": list(self.form.size),
                "indices": array(index_dtype, [len(self.form.sparse), len(cells)], flat), "values": self.values([len(cells)])}

    def compressed(self, index_dtype):
        major = 0 if self.layout in ("csr", "bsr") else 1
        by_line = [sorted(cells, key=lambda cell: cell[0][major]) for cells in self.cells]
        lines, nse, batch = self.grid[major], self.stored()[0], list(self.form.batch)
        offsets = [sum(place[major] < line for place, _ in cells) for cells in by_line for line in range(lines + 1)]
        plain = [place[1 - major] for cells in by_line for place, _ in cells]
        blocks = list(self.block) if self.layout in BLOCKED else []
        if major and self.state not in ("unsorted", "duplicates"):
            by_line = [sorted(cells, key=lambda cell: cell[0][::-1]) for cells in self.cells]
            plain = [place[0] for cells in by_line for place, _ in cells]
        laid = Operand(self.layout, self.form, self.dtype, 0, cells=by_line)
        return {"spw": 1, "layout": self.layout, "size": list(self.form.size),
                "compressed_indices": array(index_dtype, [*batch, lines + 1], offsets),
                "plain_indices": array(index_dtype, [*batch, nse], plain), "values": laid.values([*batch, nse, *blocks])}


def places_in(grid, seed):
    """Two in a row and two in a column, and one apart; of other than two dimensions, five that are spread."""
    if len(grid) != 2:
        total = prod(grid)
        return {place_of((seed * 7 + k * 5) % total, grid) for k in range(min(5, total))} if total else set()
    rows, columns = grid
    shape = [(0, 0), (0, 1), (1, 0), (1, 2)]
    return {((r + seed) % rows, (c + seed // 2) % columns) for r, c in shape} if rows and columns else set()


def most_of(grid, seed):
    """Nine cells of ten."""
    return {place for k, place in enumerate(places_of(grid)) if (k + seed) % 10}


def place_of(flat, size):
    found = []
    for extent in reversed(size):
        found.insert(0, flat % extent)
        flat //= extent
    return tuple(found)


def places_of(size):
    return list(product(*map(range, size)))


def added(a, b, dtype):
    return a | b if dtype == "bool" else a + b


# ---- Where arrays lie in their storage -----------------------------------------------------------

def spaced(member):
    """Every second element of the storage, from the third one on."""
    strides, step = [], 2
    for extent in member["shape"][::-1]:
        strides.insert(0, step)
        step *= max(extent, 1)
    other = [OUTSIDE, OUTSIDE] if member["dtype"].startswith("complex") else 1 if member["dtype"] == "bool" else OUTSIDE
    return {**member, "strides": strides, "offset": 2, "data": [other, other, *(n for pair in member["data"] for n in (pair, other))]}


def by_column(member):
    """Indices of COO, those of an element side by side."""
    dims, nse = member["shape"]
    turned = [member["data"][d * nse + k] for k in range(nse) for d in range(dims)]
    return {**member, "strides": [1, dims], "data": turned}


def later(member):
    """Behind zeros, which are indices as well."""
    return {**member, "offset": 2, "data": [0, 0, *member["data"], 0]}
