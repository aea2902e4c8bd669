# SPDX-License-Identifier: Apache-2.0
"""Matrices as lists of entries, laid out in every layout, and as dense ones: what operations must
give follows from the entries alone, and not from any library's arithmetic."""
from cases.tensors import BLOCKED, array

PARTS = ("complex64", "complex128")
SPECIAL = ("nan", "inf", "-inf", "-0.0")


class Model:
    """entries: (row, column, number or special text), in the order in which they are stored."""

    def __init__(self, name, size, entries, block=(2, 3), flags=()):
        self.name, self.size, self.entries = name, tuple(size), list(entries)
        self.block, self.flags = block, set(flags)
        if 0 in size:
            self.flags.add("empty-size")
        if not self.entries:
            self.flags.add("no-elements")

    def transposed(self):
        turned = [(column, row, n) for row, column, n in self.entries]
        return Model(self.name, self.size[::-1], turned, self.block[::-1], self.flags)

    def grid(self, dtype):
        """What the entries mean: rows of numbers."""
        rows = [[0] * self.size[1] for _ in range(self.size[0])]
        for row, column, n in self.entries:
            value = number(n, dtype)
            rows[row][column] = value if isinstance(value, str) else together(rows[row][column], value, dtype)
        return rows

    def dense(self, dtype, column_major=False):
        rows = self.grid(dtype)
        if column_major:
            flat = [rows[r][c] for c in range(self.size[1]) for r in range(self.size[0])]
            return array(dtype, self.size, [written(n, dtype) for n in flat],
                         strides=[1, self.size[0]])
        return array(dtype, self.size, [written(n, dtype) for row in rows for n in row])

    def tensor(self, layout, index_dtype, dtype):
        if layout == "coo":
            return self.coo(index_dtype, dtype)
        if layout in BLOCKED:
            return self.blocked(layout, index_dtype, dtype)
        major = 0 if layout == "csr" else 1
        groups = [[] for _ in range(self.size[major])]
        for entry in self.entries:
            groups[entry[major]].append((entry[1 - major], entry[2]))
        if not {"unsorted", "duplicates"} & self.flags:
            groups = [sorted(group, key=lambda pair: pair[0]) for group in groups]
        values = [written(number(n, dtype), dtype) for group in groups for _, n in group]
        return self.compressed(layout, index_dtype, groups, array(dtype, [len(values)], values))

    def compressed(self, layout, index_dtype, groups, values):
        offsets = [0]
        for group in groups:
            offsets.append(offsets[-1] + len(group))
        plain = [pair[0] for group in groups for pair in group]
        return {"spw": 1, "layout": layout, "size": list(self.size),
                "compressed_indices": array(index_dtype, [len(offsets)], offsets),
                "plain_indices": array(index_dtype, [len(plain)], plain), "values": values}

    def blocked(self, layout, index_dtype, dtype):
        """The blocks that hold an entry; the rest of each is zero."""
        (b0, b1), major = self.block, 0 if layout == "bsr" else 1
        groups = [[] for _ in range(self.size[major] // self.block[major])]
        for place, elements in self.blocks():
            groups[place[major]].append((place[1 - major], elements))
        data = [written(number(elements.get((r, c), 0), dtype), dtype) for group in groups for _, elements in group
                for r in range(b0) for c in range(b1)]
        values = array(dtype, [sum(map(len, groups)), b0, b1], data)
        return self.compressed(layout, index_dtype, groups, values)

    def blocks(self):
        """The place of each, and what is in it by place within: in order, or where the model is not, as their first entries
        are. An entry that its block has already begins another at the same place."""
        found, last = [], {}
        for row, column, n in self.entries:
            place, within = (row // self.block[0], column // self.block[1]), (row % self.block[0], column % self.block[1])
            if within in last.get(place, {within}):
                last[place] = {}
                found.append((place, last[place]))
            last[place][within] = n
        return found if {"unsorted", "duplicates"} & self.flags else sorted(found, key=lambda block: block[0])

    def coo(self, index_dtype, dtype):
        entries = self.entries
        if not {"unsorted", "duplicates"} & self.flags:
            entries = sorted(entries, key=lambda entry: entry[:2])
        indices = [entry[d] for d in (0, 1) for entry in entries]
        values = [written(number(entry[2], dtype), dtype) for entry in entries]
        return {"spw": 1, "layout": "coo", "size": list(self.size),
                "indices": array(index_dtype, [2, len(entries)], indices),
                "values": array(dtype, [len(values)], values)}

    def times(self, columns, dtype):
        """The product with a dense matrix, columns of whole numbers, as rows."""
        rows = self.grid(dtype)
        return [[sum(a * number(x, dtype) for a, x in zip(row, column)) for column in columns]
                for row in rows]


def together(a, b, dtype):
    """Two elements of one place."""
    return a | b if dtype == "bool" else a + b


def number(n, dtype):
    """The number that n stands for in a type: with an imaginary part in a complex one."""
    if isinstance(n, (str, complex)):
        return n
    if dtype in PARTS:
        return complex(n, -n)
    if dtype == "bool":
        return int(n != 0)
    return abs(n) if dtype == "uint8" else n


def written(value, dtype):
    """A number as an element of a tensor file."""
    if dtype in PARTS:
        if isinstance(value, str):
            return [value, 1]
        return [shortest(complex(value).real), shortest(complex(value).imag)]
    return value


def shortest(part):
    return int(part) if part == int(part) else part


def dense_vector(numbers, dtype):
    return array(dtype, [len(numbers)], [written(number(n, dtype), dtype) for n in numbers])


def dense_matrix(columns, rows, dtype, column_major=False):
    """A matrix from its columns of whole numbers, each as long as rows."""
    shape = [rows, len(columns)]
    if column_major:
        flat = [n for column in columns for n in column]
        return array(dtype, shape, [written(number(n, dtype), dtype) for n in flat],
                     strides=[1, rows])
    flat = [column[r] for r in range(rows) for column in columns]
    return array(dtype, shape, [written(number(n, dtype), dtype) for n in flat])


def of_rows(rows, shape, dtype):
    return array(dtype, shape, [written(n, dtype) for row in rows for n in row])
