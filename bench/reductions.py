# SPDX-License-Identifier: Apache-2.0
"""How long it takes to reduce the rows or the columns of a CSR matrix, beside SciPy's kernels without the Python around them.

SciPy sums rows and columns as products with ones, which gives the bits that we give; rows reduce to their largest element by
NumPy's reduceat where each has one. Our calls ask for the room each time. Bits have to be equal before anything is timed."""
import ctypes
import sys

import numpy as np
from scipy.sparse import _sparsetools as kernels

from conversions import Matrix
from measure import medians
from spw import OK, Buffers, RawTensor, Reduction, Room

SUM, AMAX = 0, 2
OPS = {"row-sums": (SUM, 0), "column-sums": (SUM, 1), "row-amax": (AMAX, 0)}
MATRICES = "stencil", "banded", "uniform", "rmat", "fem"


class Ours:
    def __init__(self, library, op, a, checked):
        kind, span = OPS[op]
        self.wanted, self.tensor = Reduction(kind=kind, span=span), a.tensor()
        self.given = self.tensor.reference, None, ctypes.byref(self.wanted)
        self.size = library.spw_reduce_size if checked else library.spw_reduce_size_unchecked
        self.fill = library.spw_reduce if checked else library.spw_reduce_unchecked
        self.room, self.result = Room(), RawTensor()
        self.ask(library.spw_reduce_size_unchecked)
        self.buffers = Buffers(self.room, a.index, a.value)
        self.call()
        self.numbers = self.buffers.arrays[2]

    def ask(self, size):
        status = size(*self.given, ctypes.byref(self.room), None)
        if status != OK:
            raise ValueError(f"a reduction is refused: {status}")

    def call(self):
        self.ask(self.size)
        status = self.fill(*self.given, self.buffers.reference, ctypes.byref(self.result), None)
        if status != OK:
            raise ValueError(f"a reduction is refused: {status}")


class SciPy:
    def __init__(self, op, a):
        lines = a.columns if op == "column-sums" else a.rows
        ones = np.ones(a.rows if op == "column-sums" else a.columns, a.value)
        self.numbers = np.ones(lines, a.value)
        self.call = {"row-sums": lambda: self.product(kernels.csr_matvec, a.rows, a.columns, a, ones),
                     "column-sums": lambda: self.product(kernels.csc_matvec, a.columns, a.rows, a, ones),
                     "row-amax": lambda: np.maximum.reduceat(a.v, a.c[:-1], out=self.numbers)}[op]
        self.call()

    def product(self, kernel, lines, terms, a, ones):
        self.numbers[:] = 0
        kernel(lines, terms, a.c, a.p, a.v, ones, self.numbers)


def print_head():
    columns = "operation", "matrix", "indices", "values", "elements", "ours, ms", "checked, x ours", "scipy, x ours", "before, x ours"
    print("| %s |\n|%s" % (" | ".join(columns), "---|" * len(columns)))


def bench_operation(op, case, a, libraries):
    of = {"unchecked": Ours(libraries.spw, op, a, False), "checked": Ours(libraries.spw, op, a, True)}
    if op != "row-amax" or np.diff(a.c).min() > 0:
        of["scipy"] = SciPy(op, a)
    if libraries.before:
        of["before"] = Ours(libraries.before, op, a, False)
    for name, peer in of.items():
        if peer.numbers.tobytes() != of["unchecked"].numbers.tobytes():
            sys.exit(f"bench: {op} of {name} is not what we give")
    taken = medians({name: peer.call for name, peer in of.items()})
    own = taken["unchecked"]
    print("| %s | %s | %s | %s | %d | %.1f | %s |" % (
        op, case.name, a.index, a.value, len(a.p), 1e3 * own,
        " | ".join("%.2f" % (taken[name] / own) if name in taken else "" for name in ("checked", "scipy", "before"))))
    sys.stdout.flush()
    for impl, took in taken.items():
        yield {"op": op, "case": case.name, "index": a.index, "value": a.value, "threads": 1, "impl": impl, "seconds": took}


def bench_matrix(case, c, p, ops, types, libraries):
    if case.name.split("-")[0] not in MATRICES:
        return
    for index, value in types:
        a = Matrix(case, c, p, index, value)
        for op in OPS:
            if op in ops:
                yield from bench_operation(op, case, a, libraries)
