# SPDX-License-Identifier: Apache-2.0
"""Products, sums and stacks that are made of other operations."""
from . import _core
from ._tensor import Tensor


def _composed(kind, objects, alpha=None, beta=None, duplicates="sum", limit=0, out=None):
    return Tensor(*_core._compose(kind, objects, alpha, beta, duplicates, limit)).to(out)


def matmul(a, b, *, limit=0, out=None):
    """a @ b as NumPy's matmul, one of them sparse: vectors, matrices and batches, which are broadcast."""
    return _composed("matmul", (a, b), limit=limit, out=out)


def linear(x, weight, bias=None, *, limit=0, out=None):
    """x @ weight.T, and a dense vector that is added to each row; x or the weight is sparse."""
    return _composed("linear", (x, weight) if bias is None else (x, weight, bias), limit=limit, out=out)


def hspmm(a, b, *, limit=0, out=None):
    """The product of a sparse and a dense matrix as hybrid COO: its rows that have an element."""
    return _composed("hspmm", (a, b), limit=limit, out=out)


def smm(a, b, *, limit=0, out=None):
    """The same rows as COO of elements."""
    return _composed("smm", (a, b), limit=limit, out=out)


def sspaddmm(c, a, b, *, alpha=1, beta=1, limit=0, out=None):
    """beta * c + alpha * smm(a, b) as COO, of a sparse c."""
    return _composed("sspaddmm", (c, a, b), alpha, beta, limit=limit, out=out)


def addmm_sparse(c, a, b, *, alpha=1, beta=1, limit=0, out=None):
    """beta * c + alpha * (a @ b) of three CSR or three CSC matrices."""
    return _composed("addmm_sparse", (c, a, b), alpha, beta, limit=limit, out=out)


def addmm(c, a, b, *, alpha=1, beta=1, limit=0, out=None):
    """beta * c + alpha * (a @ b) of a dense c; one of a and b is sparse. If beta is 0, c is not read."""
    return _composed("addmm", (c, a, b), alpha, beta, limit=limit, out=out)


def sampled_addmm(s, a, b, *, alpha=1, beta=1, limit=0, out=None):
    """beta * s + alpha * (a @ b) of two dense a and b, at the positions that s stores and nowhere else."""
    return _composed("sampled_addmm", (s, a, b), alpha, beta, limit=limit, out=out)


def vstack(tensors, *, limit=0, out=None):
    """NumPy's vstack of sparse tensors."""
    return Tensor(*_core._stack("vstack", tuple(tensors), limit)).to(out)


def hstack(tensors, *, limit=0, out=None):
    """NumPy's hstack of sparse tensors."""
    return Tensor(*_core._stack("hstack", tuple(tensors), limit)).to(out)


def dstack(tensors, *, limit=0, out=None):
    """NumPy's dstack of sparse tensors."""
    return Tensor(*_core._stack("dstack", tuple(tensors), limit)).to(out)
