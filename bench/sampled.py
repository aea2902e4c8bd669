# SPDX-License-Identifier: Apache-2.0
"""How long A B takes at the stored positions of a sparse S, beside GraphBLAS (a product with a structural mask) and PyTorch
(`torch.sparse.sampled_addmm`) when asked: SciPy and Eigen have no such product. A and B are dense, in rows; GraphBLAS is given
B transposed, which suits it. The values are small integers, so that the bits have to be equal before anything is timed."""
import ctypes
import sys

import numpy as np

import others
from conversions import Matrix
from measure import medians
from peers import Peer, torch
from products import operand
from spw import OK, Buffers, Factors, RawTensor, Room, Tensor

OPS = "sampled",
MATRICES = "stencil-5M", "uniform-5M", "rmat-5M", "fem4-5M"
DEPTHS = 32, 128
BESIDE = "graphblas", "torch", "before"


def ours(library, m, x, y, checked):
    s, a, b, how = m.tensor(), Tensor("dense", x.shape, values=x), Tensor("dense", y.shape, values=y), Factors(threads=1)
    given = s.reference, a.reference, b.reference, ctypes.byref(how)
    room, result = Room(), RawTensor()
    assert library.spw_sampled_multiply_size_unchecked(*given, ctypes.byref(room), None) == OK
    buffers = Buffers(room, m.index, m.value)
    multiply = library.spw_sampled_multiply if checked else library.spw_sampled_multiply_unchecked

    def call():
        status = multiply(*given, buffers.reference, ctypes.byref(result), None)
        if status != OK:
            raise ValueError(f"a sampled product is refused: {status}")
    peer = Peer(call, lambda: buffers.arrays[2])
    peer.kept = s, a, b, how
    return peer


def torch_product(m, x, y):
    given, a, b, made = m.torch(), torch.from_numpy(x), torch.from_numpy(y), []

    def call():
        made[:] = [torch.sparse.sampled_addmm(given, a, b, beta=0)]
    return Peer(call, lambda: made[0].values().numpy(), made.clear)


def print_head():
    columns = ["product", "matrix", "indices", "values", "ours, ms", "GFLOP/s", "checked, x ours", *(f"{name}, x ours" for name in BESIDE)]
    print("| %s |\n|%s" % (" | ".join(columns), "---|" * len(columns)))


def bench_depth(case, m, depth, libraries):
    x, y = operand(m.value, m.rows, depth), operand(m.value, depth, m.columns)
    across = np.ascontiguousarray(y.T)
    of = {"unchecked": ours(libraries.spw, m, x, y, False), "checked": ours(libraries.spw, m, x, y, True)}
    beside = others.products(libraries, "sampled", m, len(m.p), x=x, y=across)
    of |= beside
    if torch:
        torch.set_num_threads(1)
        of["torch"] = torch_product(m, x, y)
    if libraries.before and hasattr(libraries.before, "spw_sampled_multiply"):
        of["before"] = ours(libraries.before, m, x, y, False)
    for name, peer in of.items():
        peer.call()
        same = others.is_same(peer.result(), (m.c, m.p, of["unchecked"].result())) if name in beside else \
            peer.result().tobytes() == of["unchecked"].result().tobytes()
        if not same:
            sys.exit(f"bench: a sampled product of {name} is not what we give")
    taken = medians({name: peer.call for name, peer in of.items()}, prepare={name: peer.prepare for name, peer in beside.items()})
    own = taken["unchecked"]
    print("| sampled %d | %s | %s | %s | %.1f | %.2f | %.2f | %s |" % (
        depth, case.name, m.index, m.value, 1e3 * own, 2e-9 * depth * len(m.p) / own, taken["checked"] / own,
        " | ".join("%.2f" % (taken[name] / own) if name in taken else "" for name in BESIDE)))
    sys.stdout.flush()
    for impl, took in taken.items():
        yield {"op": f"sampled {depth}", "case": case.name, "index": m.index, "value": m.value, "threads": 1, "impl": impl,
               "seconds": took}


def bench_matrix(case, c, p, types, libraries):
    if case.name not in MATRICES:
        return
    for index, value in types:
        m = Matrix(case, c, p, index, value)
        for depth in DEPTHS:
            yield from bench_depth(case, m, depth, libraries)
