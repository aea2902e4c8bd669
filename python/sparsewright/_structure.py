# SPDX-License-Identifier: Apache-2.0
"""Parts and unions of tensors, and dimensions in another order. Errors, duplicates, limit and out are as of convert."""
from . import _core
from ._tensor import Tensor


def _restructured(kind, tensors, *, dim=0, start=0, length=0, numbers=None, duplicates="sum", limit=0, out=None):
    return Tensor(*_core._restructure(kind, tensors, dim, start, length, numbers, duplicates, limit)).to(out)


def select(x, dim, index, *, duplicates="sum", limit=0, out=None):
    """Index `index` of dimension `dim`, which the result lacks. A negative index counts from the end."""
    return _restructured("select", (x,), dim=dim, start=index, duplicates=duplicates, limit=limit, out=out)


def narrow(x, dim, start, length, *, duplicates="sum", limit=0, out=None):
    """Indices start .. start + length - 1 of dimension `dim`; `slice` takes a step."""
    return _restructured("narrow", (x,), dim=dim, start=start, length=length, duplicates=duplicates, limit=limit, out=out)


def index_select(x, dim, indices, *, duplicates="sum", limit=0, out=None):
    """The given indices of dimension `dim`, in any order, repeated or not."""
    return _restructured("index_select", (x,), dim=dim, numbers=indices, duplicates=duplicates, limit=limit, out=out)


def cat(tensors, dim=0, *, duplicates="sum", limit=0, out=None):
    """The tensors one after the other along dimension `dim`."""
    return _restructured("cat", tensors, dim=dim, duplicates=duplicates, limit=limit, out=out)


def stack(tensors, dim=0, *, duplicates="sum", limit=0, out=None):
    """The tensors along a new dimension `dim`."""
    return _restructured("stack", tensors, dim=dim, duplicates=duplicates, limit=limit, out=out)


def unsqueeze(x, dim, *, duplicates="sum", limit=0, out=None):
    """A new dimension `dim` of size 1."""
    return _restructured("unsqueeze", (x,), dim=dim, duplicates=duplicates, limit=limit, out=out)


def broadcast(x, dim, length, *, duplicates="sum", limit=0, out=None):
    """Dimension `dim`, of size 1, repeated `length` times."""
    return _restructured("broadcast", (x,), dim=dim, length=length, duplicates=duplicates, limit=limit, out=out)


def resize(x, size, *, duplicates="sum", limit=0, out=None):
    """The same elements in another size, in which all of them lie."""
    return _restructured("resize", (x,), numbers=size, duplicates=duplicates, limit=limit, out=out)


def sparse_mask(x, mask, *, duplicates="sum", limit=0, out=None):
    """The values of x, which may be dense, at the positions of mask; layout and order are those of mask."""
    return _restructured("sparse_mask", (x, mask), duplicates=duplicates, limit=limit, out=out)


def transpose(x, *, limit=0, out=None):
    """Rows and columns swapped. CSR becomes CSC and the reverse, BSR becomes BSC; COO of two dimensions stays COO."""
    return Tensor(*_core._permute(x, None, limit)).to(out)


def permute(x, order, *, limit=0, out=None):
    """Dimension d of the result is dimension order[d] of x. Dimensions change places with those of their kind only: batch, dense,
    and the sparse ones of COO."""
    return Tensor(*_core._permute(x, order, limit)).to(out)
