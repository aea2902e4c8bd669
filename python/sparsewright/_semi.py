# SPDX-License-Identifier: Apache-2.0
"""2:4 semi-structured matrices."""
import sys

from . import _core
from ._tensor import Tensor, _dtype_name, _numpy, _torch_array

# torch's names of types that arrays of other libraries do not have: their elements are handed over as bytes.
_BYTES = ("float8_e4m3fn", "float8_e5m2")
_CUTLASS = "SparseSemiStructuredTensorCUTLASS"


class Semi:
    """A 2:4 matrix as its arrays.

    order       of the metadata: "plain", "cutlass", "marlin", "sm90-1" to "sm90-4"
    size        (rows, columns)
    dtype       the name of the elements' type; arrays of "float8_e4m3fn" and "float8_e5m2" may be arrays of uint8
    packed      the stored elements, (rows, columns / 2)
    metadata    words with a code of four bits for each group of four, or each pair of elements of four bytes"""

    __slots__ = ("order", "size", "dtype", "packed", "metadata")
    layout = "semi"

    def __init__(self, order, size, dtype, packed, metadata):
        self.order, self.size, self.dtype, self.packed, self.metadata = order, tuple(size), dtype, packed, metadata

    def to(self, out):
        """The same as another object: None, "numpy" (its arrays, in a Semi), or "torch": a SparseSemiStructuredTensor of CUTLASS."""
        if out is None:
            return self
        if out == "numpy":
            return Semi(self.order, self.size, self.dtype, _numpy(self.packed), _numpy(self.metadata))
        if out != "torch":
            raise ValueError("out of a 2:4 matrix is None, 'numpy' or 'torch', not %r" % (out,))
        return _to_torch(self)

    def __repr__(self):
        return "<Semi %dx%d, %s order, %s>" % (*self.size, self.order, self.dtype)


def _to_torch(s):
    if s.order != "cutlass":
        raise TypeError("torch has the order cutlass, not %s: convert(x, 'semi', order='cutlass')" % s.order)
    import torch
    from torch.sparse import SparseSemiStructuredTensorCUTLASS
    packed = _torch_array(torch, s.packed)
    if s.dtype in _BYTES:
        packed = packed.view(getattr(torch, s.dtype))
    return SparseSemiStructuredTensorCUTLASS(torch.Size(s.size), packed, _torch_array(torch, s.metadata), None, None, None)


def semi(packed, metadata, size=None, *, order="cutlass", dtype=None):
    """A 2:4 matrix of what is stored and its metadata; without a size, that of twice as many columns as `packed` has.

    dtype   the declared type, as "float8_e4m3fn" of an array of bytes; None: that of `packed`"""
    if size is None:
        rows, columns = packed.shape
        size = rows, 2 * columns
    return Semi(order, size, dtype or _dtype_name(packed), packed, metadata)


def _is_torch(x):
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(x, torch.Tensor)


def _as_bytes(x):
    """An array of float8 seen as bytes, and the name of its type; anything else as it is, and None."""
    name = _dtype_name(x)
    if name not in _BYTES:
        return x, None
    return x.view(sys.modules["torch"].uint8 if _is_torch(x) else "uint8"), name


def _foreign(x):
    """torch's class of 2:4 matrices, whose members have an order that is known only for CUTLASS."""
    if not _is_torch(x) or not type(x).__name__.startswith("SparseSemiStructuredTensor"):
        return None
    if type(x).__name__ != _CUTLASS:
        raise TypeError("cuSPARSELt does not say how it stores 2:4 matrices: only torch's %s is read" % _CUTLASS)
    if x.packed is None or x.meta is None:
        raise TypeError("torch's 2:4 matrix has no packed elements and metadata, only those of its transpose")
    return Semi("cutlass", x.shape, _dtype_name(x.packed), x.packed, x.meta)


def parts(x):
    """(order, rows, columns, type or None, packed, metadata) of a 2:4 matrix; None of anything else."""
    s = x if isinstance(x, Semi) else _foreign(x)
    if s is None:
        return None
    packed, _ = _as_bytes(s.packed)
    rows, columns = s.size
    return s.order, rows, columns, None if s.dtype == "?" else s.dtype, _operand(packed), _operand(s.metadata)


def _operand(array):
    return array if _is_torch(array) else Tensor("dense", None, None, None, array)


def _made(made):
    order, rows, columns, dtype, packed, metadata = made
    return Semi(order, (rows, columns), dtype, packed, metadata)


def to_semi(x, order, dtype, bits, prune_24, limit):
    """A Semi of a dense or sparse matrix; of a 2:4 matrix, in another order."""
    own = parts(x)
    if own is not None:
        if prune_24 or bits or dtype:
            raise ValueError("of a 2:4 matrix, only the order can be another one")
        return _made(_core._semi_reorder(own, order or own[0], limit))
    x, named = _as_bytes(x)
    return _made(_core._semi_encode(x, order or "plain", dtype or named, bits, prune_24, limit))


def from_semi(own, layout, index, limit):
    """The tensor of a 2:4 matrix: dense, or CSR, which other layouts are made of."""
    return Tensor(*_core._semi_decode(own, "dense" if layout == "dense" else "csr", index, limit))
