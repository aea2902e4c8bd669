# SPDX-License-Identifier: Apache-2.0
"""How long A A takes of a sparse A, beside SciPy's kernels without the Python around them, and GraphBLAS and oneMKL when asked.

Ours and SciPy's count the elements of the result and fill arrays that lie ready. SciPy's kernel leaves rows out of order: the time to sort
them, which ours do not need, is told apart. The others make a result of their own, in order. All bits have to be ours before anything is timed."""
import ctypes
import sys

import numpy as np
from scipy.sparse import _sparsetools as kernels

import others
from conversions import Matrix
from measure import medians
from spw import I64, OK, POINTER, Buffers, RawTensor, Room

OPS = "square",
MATRICES = "stencil-5M", "rmat-500K"
BESIDE = *others.NAMES, "before"


class Ours:
    def __init__(self, library, m):
        self.library, self.source = library, m.tensor()
        self.pair = self.source.reference, self.source.reference
        self.work, self.multiplications, self.room = ctypes.c_size_t(), I64(), Room()
        assert library.spw_multiply_sparse_work(*self.pair, ctypes.byref(self.work), ctypes.byref(self.multiplications), None) == OK
        self.memory = np.ones(self.work.value // 8 + 1, np.uint64)
        self.count()
        self.buffers, self.result = Buffers(self.room, m.index, m.value), RawTensor()

    def count(self):
        status = self.library.spw_multiply_sparse_size_unchecked(
            *self.pair, POINTER(self.memory.ctypes.data), self.work, ctypes.byref(self.room), None)
        assert status == OK, status

    def call(self):
        self.count()
        status = self.library.spw_multiply_sparse_unchecked(*self.pair, self.buffers.reference, ctypes.byref(self.result), None)
        assert status == OK, status


class SciPy:
    def __init__(self, m, nse):
        self.m = m
        self.arrays = np.ones(m.rows + 1, m.index), np.ones(nse, m.index), np.ones(nse, m.value)

    def call(self):
        m = self.m
        kernels.csr_matmat_maxnnz(m.rows, m.columns, m.c, m.p, m.c, m.p)
        kernels.csr_matmat(m.rows, m.columns, m.c, m.p, m.v, m.c, m.p, m.v, *self.arrays)

    def sort(self):
        kernels.csr_sort_indices(self.m.rows, *self.arrays)

    def call_sorted(self):
        self.call()
        self.sort()


def print_head():
    columns = ["product", "matrix", "indices", "values", "multiplications", "elements", "ours, ms", "scipy, x ours",
               "scipy and sorted, x ours", *(f"{name}, x ours" for name in BESIDE)]
    print("| %s |\n|%s" % (" | ".join(columns), "---|" * len(columns)))


def bench_matrix(case, c, p, types, libraries):
    if case.name not in MATRICES:
        return
    for index, value in types:
        m = Matrix(case, c, p, index, value)
        ours = Ours(libraries.spw, m)
        theirs = SciPy(m, ours.room.nse)
        ours.call()
        theirs.call_sorted()
        if any(a.tobytes() != b.tobytes() for a, b in zip(ours.buffers.arrays, theirs.arrays)):
            sys.exit("bench: a square of scipy is not what we give")
        of = {"unchecked": ours.call, "scipy": theirs.call, "scipy and sorted": theirs.call_sorted}
        beside = others.products(libraries, "square", m, ours.room.nse)
        for name, peer in beside.items():
            peer.call()
            if not others.is_same(peer.result(), ours.buffers.arrays):
                sys.exit(f"bench: a square of {name} is not what we give")
            of[name] = peer.call
        prepare = {name: peer.prepare for name, peer in beside.items()}
        if libraries.before:
            of["before"] = Ours(libraries.before, m).call
        taken = medians(of, prepare=prepare)
        own = taken["unchecked"]
        print("| A A | %s | %s | %s | %d | %d | %.0f | %.2f | %.2f | %s |" % (
            case.name, index, value, ours.multiplications.value, ours.room.nse, 1e3 * own, taken["scipy"] / own,
            taken["scipy and sorted"] / own, " | ".join("%.2f" % (taken[name] / own) if name in taken else "" for name in BESIDE)))
        sys.stdout.flush()
        for impl, took in taken.items():
            yield {"op": "square", "case": case.name, "index": index, "value": value, "threads": 1, "impl": impl, "seconds": took}
