# SPDX-License-Identifier: Apache-2.0
"""How long it takes to map the values of a CSR matrix, beside a copy of its arrays and NumPy's function of its values.

Our calls ask for the room each time, and copy the index arrays. Bits of neg, abs, relu and casts have to be NumPy's."""
import ctypes
import sys

import numpy as np

from conversions import Matrix
from measure import medians
from spw import DTYPE, OK, Buffers, RawTensor, Room, UnaryRequest

NUMPY = {"neg": np.negative, "abs": np.abs, "relu": lambda v, out: np.maximum(v, 0, out=out), "sin": np.sin, "tanh": np.tanh}
OPS = {**dict.fromkeys(NUMPY), "erf": None, "cast": "float32"}
MATRICES = "stencil", "uniform"


class Ours:
    def __init__(self, library, op, a, checked):
        function = library.spw_unary_from_name(op.encode())
        to = OPS[op] or a.value
        self.wanted, self.tensor = UnaryRequest(function=function, dtype=DTYPE[to]), a.tensor()
        self.given = self.tensor.reference, ctypes.byref(self.wanted)
        self.size = library.spw_unary_size if checked else library.spw_unary_size_unchecked
        self.fill = library.spw_unary if checked else library.spw_unary_unchecked
        self.room, self.result = Room(), RawTensor()
        self.ask()
        self.buffers = Buffers(self.room, a.index, to)
        self.call()
        self.values = self.buffers.arrays[2]

    def ask(self):
        status = self.size(*self.given, ctypes.byref(self.room), None)
        if status != OK:
            raise ValueError(f"a function is refused: {status}")

    def call(self):
        self.ask()
        status = self.fill(*self.given, self.buffers.reference, ctypes.byref(self.result), None)
        if status != OK:
            raise ValueError(f"a function is refused: {status}")


class Copy:
    def __init__(self, a):
        pairs = [(np.empty_like(array), array) for array in (a.c, a.p, a.v)]
        self.call = lambda: [np.copyto(to, array) for to, array in pairs]


class NumPy:
    def __init__(self, op, a):
        self.values = np.ones(len(a.v), OPS[op] or a.value)
        self.call = lambda: NUMPY[op](a.v, out=self.values) if op in NUMPY else np.copyto(self.values, a.v, casting="unsafe")
        self.call()


def print_head():
    columns = ("function", "matrix", "indices", "values", "elements", "ours, ms", "checked, x ours", "a copy, x ours", "numpy, x ours",
               "before, x ours")
    print("| %s |\n|%s" % (" | ".join(columns), "---|" * len(columns)))


def bench_operation(op, case, a, libraries):
    of = {"unchecked": Ours(libraries.spw, op, a, False), "checked": Ours(libraries.spw, op, a, True), "copy": Copy(a)}
    if op != "erf":
        of["numpy"] = NumPy(op, a)
    if libraries.before:
        of["before"] = Ours(libraries.before, op, a, False)
    if op in ("neg", "abs", "relu", "cast") and of["numpy"].values.tobytes() != of["unchecked"].values.tobytes():
        sys.exit(f"bench: {op} of numpy is not what we give")
    taken = medians({name: peer.call for name, peer in of.items()})
    own = taken["unchecked"]
    print("| %s | %s | %s | %s | %d | %.1f | %s |" % (
        op, case.name, a.index, a.value, len(a.p), 1e3 * own,
        " | ".join("%.2f" % (taken[name] / own) if name in taken else "" for name in ("checked", "copy", "numpy", "before"))))
    sys.stdout.flush()
    for impl, took in taken.items():
        yield {"op": op, "case": case.name, "index": a.index, "value": a.value, "threads": 1, "impl": impl, "seconds": took}


def bench_matrix(case, c, p, ops, types, libraries):
    if case.name.split("-")[0] not in MATRICES:
        return
    for index, value in types:
        if value.startswith("float"):
            a = Matrix(case, c, p, index, value)
            for op in OPS:
                if op in ops:
                    yield from bench_operation(op, case, a, libraries)
