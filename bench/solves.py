# SPDX-License-Identifier: Apache-2.0
"""How long it takes to solve a triangular system, beside SciPy's spsolve_triangular and PyTorch's triangular_solve, which is MKL's
where PyTorch was built with it (PEERS=torch).

The triangle holds small integers with powers of two on the diagonal, and so does the solution: every order of operations gives it
exactly, and all have to. SciPy and PyTorch make results of their own; ours asks for the room each time."""
import ctypes
import sys

import numpy as np
import scipy.sparse
from scipy.sparse.linalg import spsolve_triangular

from conversions import Matrix
from measure import medians
from peers import torch
from spw import I64, OK, Buffers, RawTensor, Room, Tensor

OPS = {"solve-lower": False, "solve-upper": True}
MATRICES = "stencil", "banded", "uniform"


class Triangle(ctypes.Structure):
    _fields_ = [(name, ctypes.c_bool) for name in ("upper", "transpose", "adjoint", "unit", "right")]


STRUCTURES = {"spw_triangle": Triangle}


class Ours:
    def __init__(self, library, a, b, upper, checked):
        suffix = "" if checked else "_unchecked"
        self.size, self.fill = (getattr(library, "spw_solve_triangular" + part + suffix) for part in ("_size", ""))
        self.wanted = Triangle(upper=upper)
        self.a = Tensor("csr", a.shape, compressed=a.indptr, plain=a.indices, values=a.data)
        self.b = Tensor("dense", b.shape, values=b)
        self.given = self.a.reference, self.b.reference, ctypes.byref(self.wanted)
        self.room, self.result = Room(), RawTensor()
        self.ask()
        self.buffers = Buffers(self.room, str(a.indices.dtype), str(b.dtype))

    def ask(self):
        if self.size(*self.given, ctypes.byref(self.room), None) != OK:
            raise ValueError("a triangular system is refused")

    def call(self):
        self.ask()
        if self.fill(*self.given, self.buffers.reference, ctypes.byref(self.result), None) != OK:
            raise ValueError("a triangular system is refused")
        return self.buffers.arrays[2][:self.result.values.array.length]


def triangle_of(m, upper):
    """The stored elements on one side, as 1, 2 and 3, and 1, 2 and 4 on the diagonal."""
    pattern = scipy.sparse.csr_array((np.ones(len(m.p), np.int8), m.p, m.c), m.size)
    side = (scipy.sparse.triu(pattern, 1) if upper else scipy.sparse.tril(pattern, -1)).tocsr()
    side.data = (1 + np.arange(side.nnz) % 3).astype(m.value)
    a = (side + scipy.sparse.diags_array((2.0 ** (np.arange(m.rows) % 3)).astype(m.value))).tocsr()
    a.sort_indices()
    a.indptr, a.indices = a.indptr.astype(m.index), a.indices.astype(m.index)
    return a


def torch_call(a, b, upper):
    given = torch.sparse_csr_tensor(torch.from_numpy(a.indptr), torch.from_numpy(a.indices), torch.from_numpy(a.data), a.shape)
    side = torch.from_numpy(b)[:, None]
    return lambda: torch.triangular_solve(side, given, upper=upper)[0].numpy()[:, 0]


def print_head():
    columns = "system", "matrix", "indices", "values", "elements", "ours, ms", "checked, x ours", "scipy, x ours", "torch, x ours", "before, x ours"
    print("| %s |\n|%s" % (" | ".join(columns), "---|" * len(columns)))


def bench_operation(op, case, m, libraries):
    upper = OPS[op]
    a = triangle_of(m, upper)
    x = (1 + np.arange(m.rows) % 3).astype(m.value)
    b = np.ascontiguousarray(a @ x)
    calls = {"unchecked": Ours(libraries.spw, a, b, upper, False).call, "checked": Ours(libraries.spw, a, b, upper, True).call,
             "scipy": lambda: spsolve_triangular(a, b, lower=not upper)}
    if torch:
        calls["torch"] = torch_call(a, b, upper)
    if libraries.before:
        calls["before"] = Ours(libraries.before, a, b, upper, False).call
    for name, call in calls.items():
        if call().tobytes() != x.tobytes():
            sys.exit(f"bench: {op} of {name} is not the solution")
    taken = medians(calls)
    own = taken["unchecked"]
    print("| %s | %s | %s | %s | %d | %.1f | %s |" % (
        op, case.name, m.index, m.value, a.nnz, 1e3 * own,
        " | ".join("%.2f" % (taken[name] / own) if name in taken else "" for name in ("checked", "scipy", "torch", "before"))))
    sys.stdout.flush()
    for impl, took in taken.items():
        yield {"op": op, "case": case.name, "index": m.index, "value": m.value, "threads": 1, "impl": impl, "seconds": took}


def bench_matrix(case, c, p, ops, types, libraries):
    if case.name.split("-")[0] not in MATRICES:
        return
    for index, value in types:
        if value.startswith("float"):
            m = Matrix(case, c, p, index, value)
            for op in OPS:
                if op in ops:
                    yield from bench_operation(op, case, m, libraries)
