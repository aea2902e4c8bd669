# SPDX-License-Identifier: Apache-2.0
"""How long it takes to encode, decode and check 2:4 matrices, beside a copy of the dense array, and reading the metadata.

PyTorch's converters, when asked, are beside ours on the CPU; they have the order of CUTLASS only. Packed elements and metadata
have to be its bits before anything is timed."""
import ctypes
import sys

import numpy as np

from measure import medians
from peers import torch
from spw import I64, OK, POINTER, Tensor, ValueArray

OPS = "semi-encode", "semi-decode", "semi-check"
SIZE = 8192, 8192
TIMES = 8   # as many rows are checked: their metadata are 64 MiB, and 128 of float32
ORDER = {"plain": 0, "cutlass": 1}
STRUCTURE = 2
# type -> its number, the dtype of the metadata, elements of a group, those that are kept, codes of a word
TYPES = {"float16": (7, np.int16, 4, 2, 4), "int8": (3, np.int32, 4, 2, 8), "float32": (9, np.int16, 2, 1, 4)}


class Semi(ctypes.Structure):
    _fields_ = [("order", ctypes.c_int), ("rows", I64), ("columns", I64), ("dtype", ctypes.c_int), ("packed", ValueArray),
                ("metadata", ValueArray)]


class View(ctypes.Structure):
    _fields_ = [("semi", Semi), ("numbers", I64 * 8)]


class Request(ctypes.Structure):
    _fields_ = [("order", ctypes.c_int), ("dtype", ctypes.c_int), ("bits", ctypes.c_bool)]


class Finding(ctypes.Structure):
    _fields_ = [("state", ctypes.c_int), ("count", I64), ("first", I64 * 8)]


class Report(ctypes.Structure):
    _fields_ = [("valid", ctypes.c_bool), ("findings", Finding * 6)]


STRUCTURES = {"spw_semi": Semi, "spw_semi_view": View, "spw_semi_request": Request, "spw_semi_report": Report}
NUMBERS = {"SPW_SEMI_PLAIN": 0, "SPW_SEMI_CUTLASS": 1, "SPW_STRUCTURE": STRUCTURE}


def matrix(value):
    """Every group, or pair, is full, with its elements at places that are drawn."""
    drawn = np.random.default_rng(1)
    _, _, group, kept, _ = TYPES[value]
    places = drawn.random((SIZE[0] * SIZE[1] // group, group)).argpartition(kept - 1, axis=1)[:, :kept] if group == 2 else \
        np.array([(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)])[drawn.integers(0, 6, SIZE[0] * SIZE[1] // group)]
    x = np.zeros((len(places), group), value)
    np.put_along_axis(x, places, drawn.integers(1, 100, places.shape).astype(value), axis=1)
    return x.reshape(SIZE)


class Ours:
    """A dense array, and room for what it becomes, every page touched."""

    def __init__(self, library, value, order, dense):
        number, words, group, _, codes = TYPES[value]
        self.library, self.dense, self.number = library, dense, number
        self.packed, self.metadata = np.ones((SIZE[0], SIZE[1] // 2), value), np.ones((SIZE[0], SIZE[1] // group // codes), words)
        self.back = np.ones_like(dense)
        self.tensor = Tensor("dense", SIZE, values=dense)
        self.request, self.view = Request(order=ORDER[order], dtype=0), View()
        library.spw_semi_of.restype = POINTER
        library.spw_semi_of(ctypes.byref(self.view), ORDER[order], I64(SIZE[0]), I64(SIZE[1]), number, POINTER(self.packed.ctypes.data),
                            POINTER(self.metadata.ctypes.data))

    def encode(self):
        status = self.library.spw_semi_encode(self.tensor.reference, ctypes.byref(self.request), POINTER(self.packed.ctypes.data),
                                              POINTER(self.metadata.ctypes.data), None)
        assert status == OK, status

    def decode(self):
        status = self.library.spw_semi_decode(ctypes.byref(self.view), POINTER(self.back.ctypes.data), None)
        assert status == OK, status

    def of_tall(self, metadata):
        """The call that checks as many words again and again, of a matrix whose packed elements nobody touches."""
        rows, report, view = len(metadata), Report(), View()
        packed = np.empty((rows, SIZE[1] // 2), self.packed.dtype)
        self.library.spw_semi_of(ctypes.byref(view), self.view.semi.order, I64(rows), I64(SIZE[1]), self.number, POINTER(packed.ctypes.data),
                                 POINTER(metadata.ctypes.data))

        def check():
            status = self.library.spw_semi_check(ctypes.byref(view), STRUCTURE, ctypes.byref(report))
            assert status == OK and report.valid and len(packed) == rows
        return check


def theirs(own, beside):
    """PyTorch's calls, whose results are ours."""
    from torch.sparse import _semi_structured_conversions as converters
    dense = torch.from_numpy(own.dense)
    packed, metadata = converters.sparse_semi_structured_from_dense_cutlass(dense)
    same = packed.numpy().tobytes() == own.packed.tobytes() and metadata.numpy().tobytes() == own.metadata.tobytes()
    if not same or converters.sparse_semi_structured_to_dense_cutlass(packed, metadata).numpy().tobytes() != own.dense.tobytes():
        sys.exit("bench: a 2:4 matrix of PyTorch is not what we give")
    beside["semi-encode"]["torch"] = lambda: converters.sparse_semi_structured_from_dense_cutlass(dense)
    beside["semi-decode"]["torch"] = lambda: converters.sparse_semi_structured_to_dense_cutlass(packed, metadata)


def print_head():
    columns = ("2:4", "order", "values", "ours, ms", "a copy of the dense array, x ours", "reading the metadata, x ours", "torch, x ours",
               "before, x ours")
    print("| %s |\n|%s" % (" | ".join(columns), "---|" * len(columns)))


def bench_type(value, order, ops, libraries):
    dense = matrix(value)
    own, copy = Ours(libraries.spw, value, order, dense), np.ones_like(dense)
    own.encode()
    own.decode()
    if own.back.tobytes() != dense.tobytes():
        sys.exit("bench: a 2:4 matrix is not decoded to what was encoded")
    tall = np.tile(own.metadata, (TIMES, 1))
    words = tall.reshape(-1).view(np.int32)
    read = lambda: libraries.cases.bench_read_i32(POINTER(words.ctypes.data), I64(len(words)), POINTER(words.ctypes.data), I64(0), 1)  # noqa: E731
    copies = {"copy": lambda: np.copyto(copy, dense)}
    beside = {"semi-encode": dict(copies), "semi-decode": dict(copies), "semi-check": {"read": read}}
    if torch and order == "cutlass":
        torch.set_num_threads(1)
        theirs(own, beside)
    if libraries.before and hasattr(libraries.before, "spw_semi_encode"):
        before = Ours(libraries.before, value, order, dense)
        before.encode()
        for op, call in zip(OPS, (before.encode, before.decode, before.of_tall(tall))):
            beside[op]["before"] = call
    for op, call in zip(OPS, (own.encode, own.decode, own.of_tall(tall))):
        if op not in ops:
            continue
        taken = medians({"ours": call, **beside[op]})
        print("| %s | %s | %s | %.1f | %s |" % (
            op, order, value, 1e3 * taken["ours"],
            " | ".join("%.2f" % (taken[name] / taken["ours"]) if name in taken else "" for name in ("copy", "read", "torch", "before"))))
        sys.stdout.flush()
        for impl, took in taken.items():
            yield {"op": op, "case": order, "index": str(own.metadata.dtype), "value": value, "threads": 1, "impl": impl, "seconds": took}


def bench_all(ops, libraries):
    for value in TYPES:
        for order in ORDER:
            yield from bench_type(value, order, ops, libraries)
