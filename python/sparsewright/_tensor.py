# SPDX-License-Identifier: Apache-2.0
"""A sparse tensor as its arrays."""
import sys
from array import array

# Of array and memoryview, for lists of numbers.
_INTEGERS = "q"

# What struct calls the parts of a value; it has no bfloat16.
CODES = {"bool": "?", "uint8": "B", "int8": "b", "int16": "h", "int32": "i", "int64": "q", "float16": "e", "float32": "f",
         "float64": "d", "complex64": "ff", "complex128": "dd"}


def _as_array(x, code):
    """A buffer as it is; a list or tuple of numbers in memory of its own."""
    return array(code, x) if isinstance(x, (list, tuple)) else x


def _numpy(x):
    """An array of NumPy over the same memory."""
    import numpy
    return numpy.asarray(x)


class Tensor:
    """A sparse tensor as its arrays, or a dense one.

    layout                 "coo", "csr", "csc", "bsr", "bsc" or "dense"
    size                   tuple of integers, or None: to be inferred
    compressed, plain      arrays of indices; COO: plain is (dimensions, elements), and compressed is None
    values                 array of values
    coalesced              COO: the claim that it is in order and without duplicates; None: no claim
    Arrays are anything with the buffer protocol, and torch tensors."""

    __slots__ = ("layout", "size", "compressed", "plain", "values", "coalesced")

    def __init__(self, layout, size, compressed, plain, values, coalesced=None):
        self.layout, self.size = layout, None if size is None else tuple(size)
        self.compressed, self.plain, self.values, self.coalesced = compressed, plain, values, coalesced

    @property
    def dtype(self):
        """The name of the values' type, as "float32"."""
        return _dtype_name(self.values)

    def to(self, out):
        """The same as another object: None, "numpy" (the arrays, in a Tensor, or one array if it is dense), "scipy", "torch"."""
        if out is None:
            return self
        makers = {"numpy": _to_numpy, "scipy": _to_scipy, "torch": _to_torch}
        if out not in makers:
            raise ValueError("out is None, 'numpy', 'scipy' or 'torch', not %r" % (out,))
        return makers[out](self)

    def __matmul__(self, other):
        from . import multiply
        return multiply(self, other)

    def __rmatmul__(self, other):
        from . import multiply
        return multiply(other, self)

    def __repr__(self):
        size = "?" if self.size is None else "x".join(map(str, self.size))
        return "<Tensor %s %s, %s>" % (self.layout, size, self.dtype)


def _dtype_name(x):
    name = getattr(x, "dtype", None)
    if name is None:
        return {"q": "int64", "d": "float64", "i": "int32", "f": "float32"}.get(getattr(x, "typecode", ""), "?")
    return str(name).replace("torch.", "")


def _to_numpy(t):
    if t.dtype == "bfloat16":
        raise TypeError("NumPy has no bfloat16")
    if t.layout == "dense":
        return _numpy(t.values)
    return Tensor(t.layout, t.size, None if t.compressed is None else _numpy(t.compressed), _numpy(t.plain), _numpy(t.values), t.coalesced)


def _to_scipy(t):
    import scipy.sparse
    if t.layout == "dense":
        return _to_numpy(t)
    n = _to_numpy(t)
    if t.layout == "coo":
        if n.values.ndim > 1:
            raise TypeError("SciPy has no dense dimensions")
        return scipy.sparse.coo_array((n.values, tuple(n.plain)), shape=t.size)
    if t.layout == "bsc" or n.compressed.ndim > 1 or len(t.size) > 2:
        raise TypeError("SciPy has no %s" % ("bsc" if t.layout == "bsc" else "batches and no dense dimensions"))
    maker = getattr(scipy.sparse, t.layout + "_array")
    return maker((n.values, n.plain, n.compressed), shape=t.size)


def _torch_array(torch, x):
    if isinstance(x, torch.Tensor):
        return x
    if getattr(x, "dtype", None) == "bfloat16":
        return torch.from_numpy(_numpy(x).view("int16")).view(torch.bfloat16)
    return torch.from_numpy(_numpy(x))


def _to_torch(t):
    torch = sys.modules.get("torch")
    if torch is None:
        import torch
    values = _torch_array(torch, t.values)
    if t.layout == "dense":
        return values
    plain = _torch_array(torch, t.plain)
    if t.layout == "coo":
        made = torch.sparse_coo_tensor(plain, values, t.size, check_invariants=False)
        return made._coalesced_(True) if t.coalesced else made
    return torch.sparse_compressed_tensor(_torch_array(torch, t.compressed), plain, values, t.size,
                                          layout=getattr(torch, "sparse_" + t.layout), check_invariants=False)


def coo(indices, values, size=None, *, coalesced=None):
    """A COO tensor of indices (dimensions, elements) and values."""
    return Tensor("coo", size, None, indices, _as_array(values, "d"), coalesced)


def csr(crow, col, values, size=None):
    """A CSR tensor of row pointers, column indices and values. Lists become int64 and float64."""
    return _compressed("csr", crow, col, values, size)


def csc(ccol, row, values, size=None):
    """A CSC tensor of column pointers, row indices and values. Lists become int64 and float64."""
    return _compressed("csc", ccol, row, values, size)


def bsr(crow, col, values, size=None):
    """A BSR tensor; values are (blocks, rows of a block, columns of a block)."""
    return _compressed("bsr", crow, col, values, size)


def bsc(ccol, row, values, size=None):
    """A BSC tensor; values are (blocks, rows of a block, columns of a block)."""
    return _compressed("bsc", ccol, row, values, size)


def _compressed(layout, compressed, plain, values, size):
    return Tensor(layout, size, _as_array(compressed, _INTEGERS), _as_array(plain, _INTEGERS), _as_array(values, "d"))
