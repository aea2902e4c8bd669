# SPDX-License-Identifier: Apache-2.0
"""How long A + B and A * B, element by element, take of two sparse matrices, beside SciPy's kernels without the Python around them,
and of A + B beside GraphBLAS and oneMKL when asked, which make a result of their own.

B is A transposed, and of matrices whose pattern is symmetric also A with its rows moved up by one. Ours counts the elements
and fills arrays that lie ready; "by bound" it fills arrays that would hold all elements of both, without counting them, as SciPy's
kernels do, which look whether both operands are canonical. Their bits have to be ours before anything is timed. The call by two threads tells the time that passed."""
import ctypes
import sys

import numpy as np
from scipy.sparse import _sparsetools as kernels

import others
from conversions import Matrix
from measure import medians
from spw import OK, Buffers, Elementwise, RawTensor, Room

OPS = {"plus": 0, "times": 2}
KERNELS = {"plus": kernels.csr_plus_csr, "times": kernels.csr_elmul_csr}
MATRICES = "stencil", "banded", "uniform", "rmat"
SYMMETRIC = "stencil", "banded"
THREADS = {"2 threads": 2}
BESIDE = *others.NAMES, "before"


def transposed(m):
    c, p, v = np.empty(m.columns + 1, m.index), np.empty_like(m.p), np.empty_like(m.v)
    kernels.csr_tocsc(m.rows, m.columns, m.c, m.p, m.v, c, p, v)
    return Matrix(m, c, p, m.index, m.value)


def moved(m):
    first = m.c[1]
    c = np.append(m.c[1:] - first, m.c[-1])
    return Matrix(m, c, np.roll(m.p, -first), m.index, m.value)


class Ours:
    def __init__(self, library, op, a, b, checked, threads=1, by_bound=False):
        self.wanted = Elementwise(kind=OPS[op], threads=threads, upper_bound=by_bound)
        self.kept = a.tensor(), b.tensor()
        self.given = *(t.reference for t in self.kept), ctypes.byref(self.wanted)
        self.size = library.spw_elementwise_size_unchecked
        self.fill = library.spw_elementwise if checked else library.spw_elementwise_unchecked
        self.room, self.result = Room(), RawTensor()
        self.count()
        self.buffers = Buffers(self.room, a.index, a.value)
        self.call()

    def count(self):
        status = self.size(*self.given, ctypes.byref(self.room), None)
        if status != OK:
            raise ValueError(f"a sum is refused: {status}")

    def call(self):
        if not self.wanted.upper_bound:
            self.count()
        status = self.fill(*self.given, self.buffers.reference, ctypes.byref(self.result), None)
        if status != OK:
            raise ValueError(f"a sum is refused: {status}")


class SciPy:
    def __init__(self, op, a, b):
        most = len(a.p) + len(b.p)
        arrays = np.ones(a.rows + 1, a.index), np.ones(most, a.index), np.ones(most, a.value)
        self.arrays = arrays
        self.call = lambda: KERNELS[op](a.rows, a.columns, a.c, a.p, a.v, b.c, b.p, b.v, *arrays)
        self.call()


def print_head():
    columns = ["operation", "matrix", "second", "indices", "values", "elements", "ours, ms", "checked, x ours",
               *(name + ", x ours" for name in THREADS), "by bound, x ours", "scipy, x ours", "scipy, x by bound", *(f"{name}, x ours" for name in BESIDE)]
    print("| %s |\n|%s" % (" | ".join(columns), "---|" * len(columns)))


def bench_pair(op, case, second, a, b, libraries):
    of = {"unchecked": Ours(libraries.spw, op, a, b, False), "checked": Ours(libraries.spw, op, a, b, True), "scipy": SciPy(op, a, b)}
    of["by bound"] = Ours(libraries.spw, op, a, b, False, by_bound=True)
    of |= {name: Ours(libraries.spw, op, a, b, False, threads) for name, threads in THREADS.items()}
    if libraries.before:
        of["before"] = Ours(libraries.before, op, a, b, False)
    nse = of["unchecked"].room.nse
    for name, peer in of.items():
        arrays = peer.arrays if name == "scipy" else peer.buffers.arrays
        for theirs, own in zip(arrays, of["unchecked"].buffers.arrays):
            if theirs[:len(own)].tobytes() != own.tobytes():
                sys.exit(f"bench: {op} of {name} is not what we give")
    beside = others.products(libraries, op, a, nse, b=b) if op == "plus" else {}
    for name, peer in beside.items():
        peer.call()
        if not others.is_same(peer.result(), of["unchecked"].buffers.arrays):
            sys.exit(f"bench: {op} of {name} is not what we give")
        of[name] = peer
    taken = medians({name: peer.call for name, peer in of.items()}, THREADS, {name: peer.prepare for name, peer in beside.items()})
    own = taken["unchecked"]
    ratios = [taken[name] / own for name in ("checked", *THREADS, "by bound", "scipy")] + [taken["scipy"] / taken["by bound"]]
    ratios += [taken[name] / own if name in taken else None for name in BESIDE]
    print("| %s | %s | %s | %s | %s | %d | %.1f | %s |" % (
        op, case.name, second, a.index, a.value, nse, 1e3 * own,
        " | ".join("%.2f" % ratio if ratio else "" for ratio in ratios)))
    sys.stdout.flush()
    for impl, took in taken.items():
        yield {"op": op, "case": case.name, "second": second, "index": a.index, "value": a.value,
               "threads": THREADS.get(impl, 1), "impl": impl, "seconds": took}


def bench_matrix(case, c, p, ops, types, libraries):
    name = case.name.split("-")[0]
    if name not in MATRICES:
        return
    for index, value in types:
        a = Matrix(case, c, p, index, value)
        seconds_of = {"transposed": transposed(a)}
        if name in SYMMETRIC:
            seconds_of["moved"] = moved(a)
        for second, b in seconds_of.items():
            for op in OPS:
                if op in ops:
                    yield from bench_pair(op, case, second, a, b, libraries)
