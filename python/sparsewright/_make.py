# SPDX-License-Identifier: Apache-2.0
"""Constructors, copies, slices, diagonals, triangles and Kronecker products."""
import struct

from . import _core
from ._tensor import CODES as _CODES, Tensor


def _made(kind, objects, *, layout="coo", blocksize=None, batch_dims=0, dense_dims=0, dtype="float32", index="int64", size=(),
          offsets=(), dim=0, start=0, length=0, step=1, diagonal=0, sparse_dims=0, value=b"", limit=0, out=None):
    rows, columns = blocksize or (0, 0)
    return Tensor(*_core._make(kind, objects, layout, rows, columns, batch_dims, dense_dims, dtype, index, size, offsets, dim, start,
                               length, step, diagonal, sparse_dims, value, limit)).to(out)


def _bfloat16(value):
    """The nearest, ties to even."""
    (near,) = struct.unpack("<I", struct.pack("<f", value))
    if value != value:
        return struct.pack("<H", 0x7fc0)
    few = [bits for bits in (near >> 16, (near >> 16) + 1) if bits & 0x7fff <= 0x7f80]
    return struct.pack("<H", min(few, key=lambda bits: (abs(struct.unpack("<f", struct.pack("<I", bits << 16))[0] - value), bits & 1)))


def _bytes_of(value, dtype):
    """The bits of a number as a value of a type."""
    if dtype == "bfloat16":
        return _bfloat16(value)
    code = _CODES[dtype]
    parts = (complex(value).real, complex(value).imag) if len(code) == 2 else (value,)
    return struct.pack("<" + code, *parts)


def zeros(size, *, layout="coo", blocksize=None, batch_dims=0, dense_dims=0, dtype="float32", index="int64", limit=0, out=None):
    """A tensor of a size that stores nothing. The first batch_dims and the last dense_dims dimensions are batch and dense ones.

    blocksize   (rows, columns) of BSR and BSC
    limit, out  as of convert"""
    return _made("zeros", (), size=size, layout=layout, blocksize=blocksize, batch_dims=batch_dims, dense_dims=dense_dims,
                 dtype=dtype, index=index, limit=limit, out=out)


def eye(rows, columns=None, *, layout="coo", blocksize=None, dtype="float32", index="int64", limit=0, out=None):
    """Ones on the main diagonal of a matrix, which is square without columns."""
    return _made("spdiags", (), size=(rows, rows if columns is None else columns), offsets=(0,), layout=layout, blocksize=blocksize,
                 dtype=dtype, index=index, limit=limit, out=out)


def spdiags(diagonals, offsets, size, *, layout="coo", blocksize=None, index="int64", limit=0, out=None):
    """The matrix with entry [i, j] of the dense array at (j - offsets[i], j)."""
    return _made("spdiags", (diagonals,), size=size, offsets=offsets, layout=layout, blocksize=blocksize, index=index, limit=limit,
                 out=out)


def clone(x, *, limit=0, out=None):
    """A copy with the order, the claim and the duplicates of x."""
    return _made("clone", (x,), limit=limit, out=out)


def fill_specified(x, value, *, limit=0, out=None):
    """A copy in which every stored scalar is a number."""
    copy = clone(x, limit=limit)
    return _made("fill_specified", (copy,), value=_bytes_of(value, copy.dtype), limit=limit, out=out)


def slice(x, dim, start, length, step=1, *, limit=0, out=None):
    """length indices of a dimension: start, start + step, ... A negative step goes backwards."""
    if step == 0:
        raise ValueError("the step is 0")
    return _made("slice", (x,), dim=dim, start=start, length=length, step=step, limit=limit, out=out)


def diag(x, diagonal=0, *, limit=0, out=None):
    """A diagonal of each matrix, or a matrix with a COO vector on a diagonal: COO."""
    return _made("diag", (x,), diagonal=diagonal, limit=limit, out=out)


def tril(x, diagonal=0, *, limit=0, out=None):
    """What x stores on and below a diagonal."""
    return _made("tril", (x,), diagonal=diagonal, limit=limit, out=out)


def triu(x, diagonal=0, *, limit=0, out=None):
    """What x stores on and above a diagonal."""
    return _made("triu", (x,), diagonal=diagonal, limit=limit, out=out)


def kron(a, b, *, limit=0, out=None):
    """The Kronecker product, in the layout of a."""
    return _made("kron", (a, b), limit=limit, out=out)


def resplit(x, sparse_dims, *, limit=0, out=None):
    """COO with another number of sparse dimensions; cells that compare == 0 are left out."""
    return _made("resplit", (x,), sparse_dims=sparse_dims, limit=limit, out=out)
