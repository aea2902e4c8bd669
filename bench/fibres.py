# SPDX-License-Identifier: Apache-2.0
"""How long softmax and sums along a dimension of COO take, beside PyTorch on one thread when asked (PEERS=torch).

The tensor is claimed to be coalesced and has int64 indices, as PyTorch needs it. Ours asks for the room each time and writes to
buffers that lie ready; PyTorch makes a result of its own. Sums have to have our bits; softmax of PyTorch is not rounded once."""
import ctypes
import sys

import numpy as np

from conversions import Matrix, coo_of
from measure import medians
from peers import torch
from spw import CLAIM_YES, I64, OK, POINTER, Buffers, RawTensor, Room, Tensor

OPS = {"coo-softmax-rows": 1, "coo-softmax-columns": 0, "coo-sum-rows": 1, "coo-sum-columns": 0, "coo-norm": None}
MATRICES = "stencil", "uniform"
SUM, NORM_2 = 0, 11


class SoftmaxRequest(ctypes.Structure):
    _fields_ = [("dim", I64), ("logarithm", ctypes.c_bool)]


class DimsReduction(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int), ("dims", POINTER), ("count", I64), ("keepdim", ctypes.c_bool), ("sparse", ctypes.c_bool),
                ("dtype", ctypes.c_int)]


STRUCTURES = {"spw_softmax_request": SoftmaxRequest, "spw_dims_reduction": DimsReduction}
NUMBERS = {"SPW_DIMS_SUM": SUM, "SPW_DIMS_NORM_2": NORM_2}


class Ours:
    def __init__(self, library, op, tensor, value, checked):
        name = "spw_softmax" if "softmax" in op else "spw_reduce_dims"
        suffix = "" if checked else "_unchecked"
        self.size, self.fill = getattr(library, f"{name}_size{suffix}"), getattr(library, name + suffix)
        self.tensor, self.dim = tensor, np.array([OPS[op] or 0], np.int64)
        if "softmax" in op:
            self.wanted = SoftmaxRequest(dim=OPS[op])
        elif op == "coo-norm":
            self.wanted = DimsReduction(kind=NORM_2)
        else:
            self.wanted = DimsReduction(kind=SUM, dims=self.dim.ctypes.data, count=1)
        self.given = tensor.reference, ctypes.byref(self.wanted)
        self.room, self.result = Room(), RawTensor()
        self.ask()
        self.buffers = Buffers(self.room, "int64", value)
        self.call()
        self.values = self.buffers.arrays[2][:self.result.values.array.length]

    def ask(self):
        status = self.size(*self.given, ctypes.byref(self.room), None)
        if status != OK:
            raise ValueError(f"a reduction is refused: {status}")

    def call(self):
        self.ask()
        status = self.fill(*self.given, self.buffers.reference, ctypes.byref(self.result), None)
        if status != OK:
            raise ValueError(f"a reduction is refused: {status}")


class Torch:
    def __init__(self, op, m, indices, values):
        given = torch.sparse_coo_tensor(torch.from_numpy(indices), torch.from_numpy(values), m.size, is_coalesced=True)
        if "softmax" in op:
            self.call = lambda: torch.sparse.softmax(given, OPS[op])
        elif op == "coo-norm":
            self.call = lambda: torch.norm(given)
        else:
            self.call = lambda: torch.sparse.sum(given, OPS[op])
        made = self.call()
        self.values = made.coalesce().values().numpy() if made.is_sparse else made.numpy()


class Read:
    """The roof of a norm."""

    def __init__(self, values):
        self.call = values.max


def print_head():
    columns = "operation", "matrix", "values", "elements", "ours, ms", "checked, x ours", "read, x ours", "torch, x ours", "before, x ours"
    print("| %s |\n|%s" % (" | ".join(columns), "---|" * len(columns)))


def bench_operation(op, case, m, tensor, indices, values, libraries):
    of = {"unchecked": Ours(libraries.spw, op, tensor, m.value, False), "checked": Ours(libraries.spw, op, tensor, m.value, True),
          "read": Read(values)}
    if torch:
        of["torch"] = Torch(op, m, indices, values)
    if libraries.before:
        of["before"] = Ours(libraries.before, op, tensor, m.value, False)
    if torch and "sum" in op and of["torch"].values.tobytes() != of["unchecked"].values.tobytes():
        sys.exit(f"bench: {op} of torch is not what we give")
    taken = medians({name: peer.call for name, peer in of.items()})
    own = taken["unchecked"]
    print("| %s | %s | %s | %d | %.1f | %s |" % (
        op, case.name, m.value, len(values), 1e3 * own,
        " | ".join("%.2f" % (taken[name] / own) if name in taken else "" for name in ("checked", "read", "torch", "before"))))
    sys.stdout.flush()
    for impl, took in taken.items():
        yield {"op": op, "case": case.name, "index": "int64", "value": m.value, "threads": 1, "impl": impl, "seconds": took}


def bench_matrix(case, c, p, ops, types, libraries):
    if case.name.split("-")[0] not in MATRICES:
        return
    for value in sorted({value for _, value in types if value.startswith("float")}):
        m = Matrix(case, c, p, "int64", value)
        i, j, v = coo_of(m, "claimed")
        indices = np.stack([i, j])
        tensor = Tensor("coo", m.size, plain=indices, values=v, claim=CLAIM_YES)
        for op in OPS:
            if op in ops:
                yield from bench_operation(op, case, m, tensor, indices, v, libraries)
