# SPDX-License-Identifier: Apache-2.0
"""How long a product with a dense vector or matrix takes, beside SciPy's kernels without the Python around them, Eigen, and
GraphBLAS, librsb, oneMKL and PyTorch when asked.

All multiply the same arrays, one after the other in one process, and write to arrays that lie ready. SciPy's kernels sum in
our order, so that their bits must be ours; others may add in another order, but the
values are integers, whose sums no order rounds, so that theirs must be equal, too. GraphBLAS, librsb and oneMKL keep the
matrix in a form of their own, made before anything is measured: they stand beside the prepared handle. The roof is
reading the matrix, and reading and writing the vectors, once. Ratios are those of medians."""
import ctypes
import math
import statistics
import sys

import numpy as np
from scipy.sparse import _sparsetools as kernels

import others
import peers
from conversions import BLOCKS, Matrix
from measure import ROUNDS, interleave, seconds
from peers import Peer, torch
from spw import I64, OK, POINTER, Factors, Output, Prepared, Tensor

OPS = "mv", "mm"
MATRICES = "stencil", "grid", "banded", "uniform", "rmat", "fem2", "fem4", "one", "full_row", "mostly_empty"
COLUMNS = 8, 32, 128
BESIDE = "blocks", "scipy", "eigen", *others.NAMES, "torch", "before"
THREADS = 1, 2
LARGEST_DENSE = 70_000_000  # elements of a dense operand, for each of ten implementations has a result of its own


def ours(library, source, x, y, checked, threads):
    """With the workspace that is asked for, in the measured time as in use."""
    dense, target = Tensor("dense", x.shape, values=x), Tensor("dense", y.shape, values=y)
    array = target.raw.values.array
    out = Output(array=array, data=y.ctypes.data)
    how, work = Factors(threads=threads), ctypes.c_size_t()
    given = source.reference, dense.reference, ctypes.byref(how), ctypes.byref(out)
    assert library.spw_multiply_size(*given, ctypes.byref(work), None) == OK
    room = np.ones((work.value + 7) // 8, np.uint64)
    multiply = library.spw_multiply if checked else library.spw_multiply_unchecked

    def call():
        status = multiply(*given, POINTER(room.ctypes.data), ctypes.c_size_t(work.value), None)
        if status != OK:
            raise ValueError(f"a product is refused: {status}")
    peer = Peer(call, lambda: y)
    peer.kept = source, dense, target, out, how, room
    return peer


class Handle:
    """A prepared operand; prepare() makes it again, in the memory that it has."""

    def __init__(self, library, source):
        size = ctypes.c_size_t()
        assert library.spw_prepare_size(source.reference, ctypes.byref(size), None) == OK
        self.room, self.made, self.source = np.ones((size.value + 7) // 8, np.uint64), Prepared(), source
        self.reference = ctypes.byref(self.made)
        self.arguments = source.reference, POINTER(self.room.ctypes.data), size, self.reference, None
        self.library = library
        self.prepare()

    def prepare(self):
        if self.library.spw_prepare(*self.arguments) != OK:
            raise ValueError("an operand is not prepared")


class Functions:
    """The calls for a handle, by the names of those for a tensor."""

    def __init__(self, library):
        self.spw_multiply_size = library.spw_multiply_prepared_size
        self.spw_multiply_unchecked = library.spw_multiply_prepared


def scipy_peer(m, x, y):
    def call():
        y.fill(0)
        if x.ndim == 1:
            kernels.csr_matvec(m.rows, m.columns, m.c, m.p, m.v, x, y)
        else:
            kernels.csr_matvecs(m.rows, m.columns, x.shape[1], m.c, m.p, m.v, x.ravel(), y.ravel())
    return Peer(call, lambda: y)


def eigen_peer(library, m, x, y):
    function = getattr(library, f"eigen_{'mv' if x.ndim == 1 else 'mm'}_{m.index}_{m.value}")
    numbers = (m.rows, m.columns) if x.ndim == 1 else (m.rows, m.columns, x.shape[1])
    arguments = *map(I64, numbers), *(POINTER(array.ctypes.data) for array in (m.c, m.p, m.v, x, y))
    return Peer(lambda: function(*arguments), lambda: y)


def torch_product(m, x):
    given, dense, made = m.torch(), torch.from_numpy(x), []

    def call():
        made[:] = [given @ dense]
    return Peer(call, lambda: made[0].numpy(), made.clear)


def blocks_of(m, size):
    made = peers.scipy_csr_bsr(m, size, size)
    made.call()
    c, p, v = made.result()
    return Tensor("bsr", m.size, c, p, v.reshape(-1, size, size))


def result_for(m, x):
    return np.ones((m.rows, *x.shape[1:]), m.value)


def libraries_beside(m, x, libraries, threads):
    """{name: peer} of all that are not ours."""
    of = {}
    if threads == 1:
        of["scipy"] = scipy_peer(m, x, result_for(m, x))
        if libraries.eigen:
            of["eigen"] = eigen_peer(libraries.eigen, m, x, result_for(m, x))
    of |= others.products(libraries, "mv" if x.ndim == 1 else "mm", m, (m.rows, *x.shape[1:]), threads=threads, x=x)
    if torch:
        torch.set_num_threads(threads)
        of["torch"] = torch_product(m, x)
    return of


def implementations(m, x, libraries, threads, blocks):
    """{name: peer}; each has a result of its own."""
    def fresh():
        return result_for(m, x)
    source = m.tensor()
    of = {"unchecked": ours(libraries.spw, source, x, fresh(), False, threads),
          "checked": ours(libraries.spw, source, x, fresh(), True, threads)}
    handle = Handle(libraries.spw, source)
    of["prepared"] = ours(Functions(libraries.spw), handle, x, fresh(), False, threads)
    if threads == 1 and x.ndim == 1:
        of["preparing"] = Peer(handle.prepare, None)
    if blocks:
        of["blocks"] = ours(libraries.spw, blocks_of(m, blocks), x, fresh(), False, threads)
    if libraries.before and hasattr(libraries.before, "spw_multiply"):
        of["before"] = ours(libraries.before, source, x, fresh(), False, threads)
    return of | libraries_beside(m, x, libraries, threads)


def measure(m, x, libraries, threads, blocks):
    of = implementations(m, x, libraries, threads, blocks)
    for name, peer in of.items():
        peer.call()
        if peer.result is not None and peer.result().tobytes() != of["unchecked"].result().tobytes():
            sys.exit(f"bench: a product of {name} is not what we give")
        peer.prepare()
    size = m.c.nbytes + m.p.nbytes + m.v.nbytes + x.nbytes + of["unchecked"].result().nbytes
    of["read"] = Peer(lambda: libraries.cases.bench_read_i64(
        POINTER(), I64(0), POINTER(read.ctypes.data), I64(len(read)), threads), None)
    read = np.ones(size // 8, np.int64)

    def maker(peer):
        peer.prepare()
        return peer.call
    taken = interleave({name: lambda peer=peer: maker(peer) for name, peer in of.items()},
                       lambda _, call: seconds(call, threads))
    return {name: statistics.median(t) for name, t in taken.items()}, size


def print_head():
    columns = ["product", "matrix", "indices", "values", "threads", "ours, ms", "checked, x ours", "prepared, x ours",
               "calls to break even", "ours, x read", *(f"{name}, x ours" for name in BESIDE)]
    print("| %s |\n|%s" % (" | ".join(columns), "---|" * len(columns)))


def bench_product(m, x, case, libraries, threads):
    name = case.name.split("-")[0]
    taken, size = measure(m, x, libraries, threads, BLOCKS[name][-1] if name == "fem4" else 0)
    own, op = taken["unchecked"], "mv" if x.ndim == 1 else f"mm {x.shape[1]}"
    saved = taken["checked"] - taken["prepared"]
    calls = ""
    if "preparing" in taken:
        calls = "%d" % math.ceil(taken["preparing"] / saved) if saved > 0 else "never"
    print("| %s | %s | %s | %s | %d | %.2f | %.2f | %.2f | %s | %.2f | %s |" % (
        op, case.name, m.index, m.value, threads, 1e3 * own, taken["checked"] / own, taken["prepared"] / own,
        calls, own / taken["read"],
        " | ".join("%.2f" % (taken[other] / own) if other in taken else "" for other in BESIDE)))
    sys.stdout.flush()
    for impl, took in taken.items():
        yield {"op": op, "case": case.name, "index": m.index, "value": m.value, "threads": threads, "impl": impl,
               "seconds": took, "bytes": size, "ratio_to_read": took / taken["read"]}


def bench_tiny(libraries):
    """10 x 20 with 50 entries times a vector: a loop of calls in C."""
    repeat = libraries.cases.bench_repeat_product
    repeat.restype = ctypes.c_double
    x, y = np.ones(20), np.ones(10)
    c, p = np.arange(0, 51, 5, np.int32), np.tile(np.arange(0, 20, 4, np.int32), 10)
    source, dense, target = Tensor("csr", (10, 20), c, p, np.ones(50)), Tensor("dense", (20,), values=x), Tensor("dense", (10,), values=y)
    out = Output(array=target.raw.values.array, data=y.ctypes.data)
    spw, handle, runs = libraries.spw, Handle(libraries.spw, source), {"checked": [], "unchecked": [], "prepared": []}
    for _ in range(ROUNDS):
        for impl, taken in runs.items():
            multiply = spw.spw_multiply if impl == "checked" else spw.spw_multiply_unchecked
            taken.append(repeat(multiply, spw.spw_multiply_prepared, source.reference, handle.reference if impl == "prepared" else None,
                                dense.reference, ctypes.byref(out), I64(100_000)))
    for impl, taken in runs.items():
        assert min(taken) > 0
        print("tiny mv: %-10s %.0f ns (median %.0f)" % (impl, 1e9 * min(taken), 1e9 * statistics.median(taken)))
        yield {"op": "mv", "case": "tiny-10x20", "index": "int32", "value": "float64", "threads": 1, "impl": impl,
               "seconds": statistics.median(taken), "bytes": c.nbytes + p.nbytes + 8 * 80, "ratio_to_read": None}


def operand(value, *shape):
    """Small integers: no sum of theirs with the matrix's is rounded."""
    return (np.arange(math.prod(shape)) % 7 + 1).astype(value).reshape(shape)


def bench_matrix(case, c, p, ops, types, libraries):
    if case.name.split("-")[0] not in MATRICES:
        return
    for index, value in types:
        m = Matrix(case, c, p, index, value)
        widths = [0] * ("mv" in ops) + [k for k in COLUMNS if "mm" in ops and k * case.rows <= LARGEST_DENSE]
        for columns in widths:
            for threads in THREADS:
                x = operand(value, *(m.columns, columns)[:1 + bool(columns)])
                yield from bench_product(m, x, case, libraries, threads)
