# SPDX-License-Identifier: Apache-2.0
"""Libraries that multiply beside us when asked, by the functions of bench/peers/peer.h: GraphBLAS, librsb, oneMKL.

Each takes over the matrix in a form of its own before anything is measured, as a handle of ours does."""
import ctypes
import os

import numpy as np

from spw import I64, POINTER

NAMES = "graphblas", "librsb", "mkl"
OPERATION = {"mv": 0, "mm": 1, "square": 2, "plus": 3, "sampled": 4}


class Csr(ctypes.Structure):
    _fields_ = [("compressed", POINTER), ("plain", POINTER), ("values", POINTER)]


class Request(ctypes.Structure):
    _fields_ = [("rows", I64), ("columns", I64), ("nse", I64), ("width", I64), ("nse_b", I64), ("a", Csr), ("b", Csr),
                ("x", POINTER), ("y", POINTER), ("operation", ctypes.c_int32), ("index_bytes", ctypes.c_int32),
                ("value_bytes", ctypes.c_int32), ("threads", ctypes.c_int32)]


STRUCTURES = {"peer_csr": Csr, "peer_request": Request}


# MKL asks these when it is loaded; with the threads of another compiler, idle ones of both would wait for each other's work.
os.environ |= {"MKL_INTERFACE_LAYER": "LP64", "MKL_THREADING_LAYER": "GNU"}


def load(path):
    library = ctypes.CDLL(path)
    library.peer_begin.restype, library.peer_result.restype = POINTER, I64
    return library


def csr(m):
    return Csr(*(array.ctypes.data for array in (m.c, m.p, m.v))) if m else Csr()


class Product:
    """A peer of bench/peers.py. `room` is the shape of a dense result, or how many elements a sparse one has at most."""

    product = None

    def __init__(self, library, op, a, room, threads=1, b=None, x=None, y=None):
        self.library, self.kept, self.rows = library, (a, b, x, y), a.rows
        self.room, self.value = room, a.value
        width = x.shape[1] if x is not None and x.ndim == 2 else 1
        request = Request(rows=a.rows, columns=a.columns, nse=len(a.p), width=width, nse_b=len(b.p) if b else 0, a=csr(a), b=csr(b),
                          x=x.ctypes.data if x is not None else None, y=y.ctypes.data if y is not None else None,
                          operation=OPERATION[op], index_bytes=a.c.itemsize, value_bytes=a.v.itemsize, threads=threads)
        self.product = library.peer_begin(ctypes.byref(request))

    def prepare(self):
        self.library.peer_clear(POINTER(self.product))

    def call(self):
        if self.library.peer_run(POINTER(self.product)) != 0:
            raise ValueError("a product of another library failed")

    def ask(self, most, c, p, v):
        n = self.library.peer_result(POINTER(self.product), I64(most), *(POINTER(a.ctypes.data) for a in (c, p, v)))
        if n < 0:
            raise ValueError("the result of another library is not to be had")
        return n

    def result(self):
        """A dense array, or (compressed, plain, values) of a sparse one, int64."""
        if isinstance(self.room, tuple):
            values = np.full(self.room, np.nan, self.value)
            none = np.empty(0)
            self.ask(values.size, none, none, values)
            return values
        c, p, v = np.empty(self.rows + 1, np.int64), np.empty(self.room + 1, np.int64), np.empty(self.room + 1, self.value)
        n = self.ask(self.room + 1, c, p, v)
        return c, p[:n], v[:n]

    def __del__(self):
        if self.product:
            self.library.peer_end(POINTER(self.product))


def is_same(theirs, ours):
    """The values bit for bit, and the indices whatever their types are."""
    return all(np.array_equal(a, b) for a, b in zip(theirs[:2], ours)) and theirs[2].tobytes() == ours[2].tobytes()


def products(libraries, *given, **more):
    """{name: product}, of those that have it."""
    made = {name: Product(library, *given, **more) for name, library in libraries.others.items()}
    return {name: product for name, product in made.items() if product.product}
