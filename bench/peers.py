# SPDX-License-Identifier: Apache-2.0
"""Who converts beside us. A peer has .prepare(), not measured, .call(), measured, and .result(): compressed, plain and
values, None where the layout has no such array."""
import ctypes

import numpy as np
import scipy.sparse
from scipy.sparse import _sparsetools as kernels

from spw import DTYPE, I64, LAYOUT, OK, POINTER, Buffers, Conversion, RawTensor, Room

try:
    import torch
    torch.set_num_threads(1)
except ImportError:
    torch = None


class Peer:
    def __init__(self, call, result, prepare=lambda: None):
        self.call, self.result, self.prepare = call, result, prepare


NAME = {number: name for name, number in DTYPE.items()}


# ---- sparsewright ------------------------------------------------------------------------------------------

def written_to(buffers, result):
    lengths = (a.array.length if a.array.dtype else 0 for a in (result.compressed, result.plain, result.values))
    return tuple(array[:n] if n else None for array, n in zip(buffers.arrays, lengths))


def ours(library, source, wanted, checked, value, buffers=None):
    """Asks for the room, which every peer has to find out too, and converts; the buffers lie ready, or are given."""
    size = library.spw_convert_size_unchecked
    convert = library.spw_convert if checked else library.spw_convert_unchecked
    room, result = Room(), RawTensor()
    status = size(source.reference, ctypes.byref(wanted), ctypes.byref(room), None)
    assert status == OK, status
    buffers = buffers or Buffers(room, NAME[wanted.index_dtype], value)

    def call():
        if size(source.reference, ctypes.byref(wanted), ctypes.byref(room), None) != OK or \
           convert(source.reference, ctypes.byref(wanted), buffers.reference, ctypes.byref(result), None) != OK:
            raise ValueError("refused")

    peer = Peer(call, lambda: written_to(buffers, result))
    peer.buffers = buffers
    return peer


def ours_certified(library, source, wanted, value):
    """The call that certifies its result."""
    room, result = Room(), RawTensor()
    ask = lambda: library.spw_convert_certified_size(source.reference, ctypes.byref(wanted), ctypes.byref(room), None)
    assert ask() == OK
    buffers = Buffers(room, NAME[wanted.index_dtype], value)

    def call():
        if ask() != OK or library.spw_convert_certified(source.reference, ctypes.byref(wanted), buffers.reference,
                                                        ctypes.byref(result), None) != OK:
            raise ValueError("refused")
    return Peer(call, lambda: written_to(buffers, result))


def ours_by_threads(library, source, wanted, threads, value):
    """The checked call, by several threads."""
    room, result = Room(), RawTensor()
    ask = lambda: library.spw_convert_size_parallel(source.reference, ctypes.byref(wanted), threads, ctypes.byref(room), None)
    assert ask() == OK
    buffers = Buffers(room, NAME[wanted.index_dtype], value)

    def call():
        if ask() != OK or library.spw_convert_parallel(source.reference, ctypes.byref(wanted), threads, buffers.reference,
                                                       ctypes.byref(result), None) != OK:
            raise ValueError("refused")
    return Peer(call, lambda: written_to(buffers, result))


def conversion(to, index, block=(0, 0)):
    return Conversion(layout=LAYOUT[to], block_rows=block[0], block_columns=block[1], batch_dims=-1, dense_dims=-1,
                      index_dtype=DTYPE[index])


# ---- SciPy -------------------------------------------------------------------------------------------------

def zeros_like(*arrays):
    """Written to, unlike what np.zeros gives."""
    return [np.full(array.shape, 1, array.dtype) for array in arrays]


def scipy_csr_csc(m):
    c, p, v = np.ones(m.columns + 1, m.c.dtype), *zeros_like(m.p, m.v)
    return Peer(lambda: kernels.csr_tocsc(m.rows, m.columns, m.c, m.p, m.v, c, p, v), lambda: (c, p, v))


def scipy_coo_csr(m, i, j, v):
    """The way of coo_array.tocsr: sums duplicates, of rows that it has sorted where they were not."""
    c, p, values = np.ones(m.rows + 1, i.dtype), *zeros_like(j, v)

    def call():
        kernels.coo_tocsr(m.rows, m.columns, len(v), i, j, v, c, p, values)
        if not kernels.csr_has_sorted_indices(m.rows, c, p):
            kernels.csr_sort_indices(m.rows, c, p, values)
        kernels.csr_sum_duplicates(m.rows, m.columns, c, p, values)
    return Peer(call, lambda: (c, p[:c[-1]], values[:c[-1]]))


def scipy_csr_dense(m):
    out = np.ones(m.rows * m.columns, m.v.dtype)

    def call():
        out.fill(0)
        kernels.csr_todense(m.rows, m.columns, m.c, m.p, m.v, out)
    return Peer(call, lambda: (None, None, out))


def scipy_dense_csr(array, index):
    made = []

    def call():
        made[:] = [scipy.sparse.csr_array(array)]
    return Peer(call, lambda: (made[0].indptr.astype(index), made[0].indices.astype(index), made[0].data), made.clear)


def scipy_dense_bsr(array, index, size):
    """As bsr_array does with a dense array: through COO and CSR. Sorting its blocks is not timed."""
    made = []

    def call():
        made[:] = [scipy.sparse.bsr_array(array, blocksize=(size, size))]

    def ordered():
        made[0].sort_indices()
        return made[0].indptr.astype(index), made[0].indices.astype(index), made[0].data.ravel()
    return Peer(call, ordered, made.clear)


def scipy_csr_bsr(m, height, width):
    blocks = kernels.csr_count_blocks(m.rows, m.columns, height, width, m.c, m.p)
    c, p = np.ones(m.rows // height + 1, m.c.dtype), np.ones(blocks, m.p.dtype)
    v = np.ones(blocks * height * width, m.v.dtype)

    def call():
        assert kernels.csr_count_blocks(m.rows, m.columns, height, width, m.c, m.p) == blocks
        v.fill(0)
        kernels.csr_tobsr(m.rows, m.columns, height, width, m.c, m.p, m.v, c, p, v)

    def ordered():
        kernels.bsr_sort_indices(m.rows // height, m.columns // width, height, width, c, p, v)
        return c, p, v
    return Peer(call, ordered)


def scipy_bsr_csr(m, height, width, blocks):
    c, p, v = np.ones(m.rows + 1, m.c.dtype), np.ones(blocks[2].size, m.p.dtype), np.ones(blocks[2].size, m.v.dtype)
    return Peer(lambda: kernels.bsr_tocsr(m.rows // height, m.columns // width, height, width, *blocks, c, p, v),
                lambda: (c, p, v))


# ---- Eigen -------------------------------------------------------------------------------------------------

class EigenResult(ctypes.Structure):
    _fields_ = [("compressed", POINTER), ("plain", POINTER), ("values", POINTER), ("nse", I64), ("owner", POINTER),
                ("destroy", POINTER)]


def eigen(library, name, index, value, numbers, arrays, lines):
    function, out = getattr(library, f"eigen_{name}_{index}_{value}"), EigenResult()
    arguments = *map(I64, numbers), *(POINTER(array.ctypes.data) for array in arrays), ctypes.byref(out)

    def array_at(pointer, n, dtype):
        kind = np.ctypeslib.as_ctypes_type(np.dtype(dtype))
        return np.ctypeslib.as_array(ctypes.cast(pointer, ctypes.POINTER(kind)), (n,)) if pointer else None

    def result():
        return (array_at(out.compressed, lines + 1, index), array_at(out.plain, out.nse, index),
                array_at(out.values, out.nse, value))
    return Peer(lambda: function(*arguments), result, lambda: library.eigen_free(ctypes.byref(out)))


# ---- PyTorch -----------------------------------------------------------------------------------------------

def torch_peer(convert, parts):
    """convert() gives a tensor, parts(tensor) its arrays; it is freed before the next call."""
    made = []

    def call():
        made[:] = [convert()]
    return Peer(call, lambda: parts(made[0]), made.clear)
