# SPDX-License-Identifier: Apache-2.0
"""Is this sparse tensor valid? If not: which rule, where, by which two numbers.

    >>> import sparsewright as spw
    >>> x = spw.csr([0, 2, 0], [], [], (2, 2))
    >>> report = spw.check(x)
    >>> bool(report), report.violations[0].rule
    (False, '5.3')

`check`, `convert`, `multiply`, `elementwise`, `reduce`, `unary` and `cast` take torch sparse tensors, scipy.sparse arrays and matrices, JAX BCOO
and BCSR, pyarrow sparse tensors, pydata/sparse arrays, h5py and anndata groups, and what `coo`, `csr`, `csc`, `bsr` and `bsc`
make. `check` and `convert` take 2:4 matrices besides, of torch and those that `semi` makes. Nothing is imported that the
caller has not imported, and nothing is copied without a word here."""
import os

from . import _core
from ._adapt import adapt as _adapt
from ._core import check
from ._compose import _composed, addmm, addmm_sparse, dstack, hspmm, hstack, linear, matmul, sampled_addmm, smm, sspaddmm, vstack
from ._errors import FileError, InvalidTensor, Refused
from ._gradient import Adagrad, SGD, SparseAdam, gradient
from ._make import clone, diag, eye, fill_specified, kron, resplit, slice, spdiags, tril, triu, zeros
from ._report import Report, Violation
from ._semi import Semi, _made as _of_parts, from_semi as _from_semi, parts as _semi_parts, semi, to_semi as _to_semi
from ._structure import broadcast, cat, index_select, narrow, permute, resize, select, sparse_mask, stack, transpose, unsqueeze
from ._tensor import Tensor, bsc, bsr, coo, csc, csr

__all__ = ["Adagrad", "SGD", "SparseAdam", "gradient", "FileError", "InvalidTensor", "Refused", "Report", "Rule", "Semi", "Tensor", "Violation", "bsc", "bsr", "check", "convert", "coo",
           "csc", "csr", "elementwise", "explain", "multiply", "nonzero", "read", "reduce", "semi", "softmax",
           "spsolve", "triangular_solve",
           "broadcast", "cat", "index_select", "narrow", "permute", "resize", "select", "sparse_mask", "stack", "transpose", "unsqueeze",
           "clone", "diag", "eye", "fill_specified", "kron", "resplit", "slice", "spdiags", "tril", "triu", "zeros",
           "cast", "functions", "unary", "write",
           "addmm", "addmm_sparse", "dstack", "hspmm", "hstack", "linear", "matmul", "sampled_addmm", "smm", "sspaddmm", "vstack"]
__version__ = _core.__version__

_core._begin(_adapt, _semi_parts, Report, Report("", ()), InvalidTensor, Refused, FileError)


class Rule:
    """A rule: `id`, `formula`, `prose`, `why` and `fix` are texts."""

    __slots__ = ("id", "formula", "prose", "why", "fix")

    def __init__(self, id, formula, prose, why, fix):
        self.id, self.formula, self.prose, self.why, self.fix = id, formula, prose, why, fix

    def __repr__(self):
        return "Rule %s   %s\n\nSays  %s\nWhy   %s\nFix   %s" % (self.id, self.formula, self.prose, self.why, self.fix)


def explain(id):
    """The Rule with an id, as "5.3". KeyError if there is none."""
    return Rule(*_core._explain(id))


def convert(x, layout, *, blocksize=None, batch_dims=-1, dense_dims=-1, index=None, duplicates="sum", prune=False, bits=False,
            canonicalize=False, limit=0, out=None, order=None, prune_24=None, dtype=None):
    """x in another layout: "coo", "csr", "csc", "bsr", "bsc", "dense" or "semi", which is 2:4.

    x may be a NumPy array or a strided torch tensor, too, or a 2:4 matrix. Of a 2:4 matrix every stored element is specified.
    blocksize     (rows, columns) of BSR and BSC; without it, those that x has
    batch_dims    of a compressed result from COO or dense; -1: all but two sparse dimensions
    dense_dims    of a result from dense; -1: none
    index         "int32" or "int64"; None: as x has them
    duplicates    what elements of COO at one position become: "sum", "first", "last", or "error"
    prune         leave out elements that compare == 0
    bits          from dense: store what has any bit set, as -0.0
    order         of the metadata of a 2:4 result, as Semi has them; None: "plain", or that of a 2:4 x
    prune_24      of a 2:4 result: "largest" keeps the two largest of each four, "tiles" also in columns; None: x is 2:4
    dtype         of a 2:4 result from an array of uint8: another type of one byte, as "float8_e4m3fn"
    canonicalize  x may be unsorted or have duplicates in its rows
    limit         bytes of memory at most; 0: no limit
    out           None: a Tensor; "numpy": its arrays; "scipy", "torch": an object of that library

    Raises InvalidTensor if x breaks a rule, Refused with the numbers if there is no such result."""
    own = _semi_parts(x)
    if layout == "semi":
        return _to_semi(x, order, dtype, bits, prune_24, limit).to(out)
    if order or prune_24 or dtype:
        raise ValueError("order, prune_24 and dtype are of the layout semi, not of %s" % layout)
    if own is not None:
        x = _from_semi(own, layout, index, limit)
    rows, columns = blocksize or (0, 0)
    made = _core._convert(x, layout, rows, columns, batch_dims, dense_dims, index, duplicates, prune, bits, canonicalize, limit)
    return Tensor(*made).to(out)


def multiply(a, b, *, limit=0, out=None):
    """The product a @ b of sparse tensors, or of a sparse and a dense one: the same bits for every layout.

    Each element is a sum in ascending order of the inner index, rounded after each operation. Two sparse operands are both CSR
    or both CSC. Errors, limit and out as of convert."""
    return Tensor(*_core._multiply(a, b, limit)).to(out)


def elementwise(kind, a, b=None, *, scalar=None, duplicates="sum", limit=0, out=None):
    """"add", "subtract" or "multiply" of tensors of one type; one of them may be dense. "scale" or "divide" of a by scalar.

    Dimensions of size 1 are broadcast as by NumPy. A second sparse tensor gets the layout of the first. A sum with a dense
    array is dense. "add" and "subtract" multiply b by scalar first, if there is one."""
    if kind not in ("scale", "divide") if b is None else kind not in ("add", "subtract", "multiply"):
        raise ValueError("%r is not one of %s" % (kind, "scale and divide: there is no b" if b is None else "add, subtract and multiply"))
    if b is None and scalar is None:
        raise ValueError(kind + " needs a scalar")
    return _composed(kind, (a,) if b is None else (a, b), scalar, duplicates=duplicates, limit=limit, out=out)


def reduce(kind, x, b=None, *, each=None, dims=None, keepdim=False, sparse=False, dtype=None, limit=0, out=None):
    """"sum", "mean", "amax" or "amin" of each "row" (default), "column" or "matrix"; or over dims, a list of dimensions or "all".

    Over dims there are "argmax", "argmin" and "is_nonzero", and "mean_dense", "max", "min", "any" and "all" besides, for which
    unspecified elements are 0; and the norms "norm0", "norm1", "norm2" and "norm_inf", rounded once from their exact values.
    keepdim keeps the reduced dimensions with size 1. sparse: rows or columns of compressed layouts become COO. dtype: the type
    of the sum. With a dense b, the products of the elements of a row with the rows of b are reduced."""
    if b is not None:
        if each not in (None, "row") or dims is not None or keepdim or sparse or dtype or kind not in ("sum", "mean", "amax", "amin"):
            raise ValueError("with b there are sum, mean, amax and amin of each row")
        return _composed(kind, (x, b), limit=limit, out=out)
    if dims is None and each in (None, "row", "column", "matrix") and not (keepdim or sparse or dtype) \
            and kind in ("sum", "mean", "amax", "amin"):
        return Tensor(*_core._reduce(kind, x, each or "row", limit)).to(out)
    if dims is None:
        spans = {None: (-1,), "row": (-1,), "column": (-2,), "matrix": (-2, -1)}
        if each not in spans:
            raise ValueError("each is row, column or matrix, not %r" % (each,))
        dims = spans[each]
    elif each is not None:
        raise ValueError("each and dims are two answers to one question")
    return Tensor(*_core._reduce_dims(kind, x, None if dims == "all" else dims, keepdim, sparse, dtype, limit)).to(out)


def unary(function, x, scalar=None, *, nan=None, posinf=None, neginf=None, duplicates="sum", limit=0, out=None):
    """Every stored value of x mapped by a function, such as "sin", "abs" or "exp_specified": `functions()` lists them.

    Size, layout and indices stay. Elements of COO at one position are combined first.
    scalar               the exponent of "pow"; the divisor of "div", "div_floor" and "div_trunc"
    nan, posinf, neginf  what "nan_to_num" makes of these; None: 0, the largest and the lowest number

    Raises Refused for a function that makes another number of 0. Errors, limit and out as of convert."""
    return Tensor(*_core._unary(function, x, None, duplicates, limit, scalar, nan, posinf, neginf)).to(out)


def cast(x, dtype, *, duplicates="sum", limit=0, out=None):
    """x with values of another type, such as "float32".

    Floats are truncated to integers and rounded once to narrower floats; what is not 0 becomes true. Raises Refused with the
    position of a value that has no place in the type."""
    return Tensor(*_core._unary("cast", x, dtype, duplicates, limit, None, None, None, None)).to(out)


def functions():
    """The names of the functions that `unary` has."""
    return _core._functions()


def nonzero(x, *, limit=0, out=None):
    """The positions of the elements that are not 0, in lexicographic order: a dense matrix with a row for each."""
    return Tensor(*_core._nonzero(x, limit)).to(out)


def triangular_solve(a, b, *, upper=False, transpose=False, adjoint=False, unit=False, right=False, limit=0, out=None):
    """X with a X = b, or with right X a = b, for a sparse triangular matrix or batch of them, and a dense b.

    What lies on the other side of the diagonal is not read. transpose, adjoint: a transposed (and conjugated) instead of a. unit:
    the diagonal is taken to be 1. Every layout gives the same bits. Raises Refused with the row of a diagonal element that is
    not stored, or is 0."""
    return Tensor(*_core._solve_triangular(a, b, upper, transpose, adjoint, unit, right, limit)).to(out)


def spsolve(a, b, *, limit=0, out=None):
    """X with a X = b for any square sparse matrix, or batch of them, and a dense b.

    The factorisation is KLU's, which has to be installed (Debian 12: libklu1); without it NotImplementedError is raised. The
    solution is refined, and judged with exact residuals: its componentwise backward error is at most 4u, where u is 2^-53 for
    float64 and complex128, and 2^-24 for float32 and complex64. Raises Refused if the matrix is singular, a number is not finite,
    or the error stays larger."""
    return Tensor(*_core._solve(a, b, limit)).to(out)


def softmax(x, dim=-1, *, log=False, limit=0, out=None):
    """The softmax, or with log the log_softmax, of the specified elements along dim. Unspecified elements count as -inf."""
    return Tensor(*_core._softmax(x, dim, log, limit)).to(out)


def read(path, *, members=None, layout=None, size=None, max_bytes=None, limit=0):
    """The sparse tensors of a file, as a dict from their paths in it to Tensors; "" where the file is one tensor.

    .pt, .pth, .safetensors, .npz, .npy, .mtx, .mtx.gz; and .h5ad, .h5 and .bsp.h5 if there is a libhdf5. The contents decide
    before the name. Nothing in the file is executed, and no other package is needed.

    members  the names of the arrays that are the tensor, if their names tell nothing: (compressed, plain, values), or
             (indices, values) of COO. Of .safetensors and .npz files, and of HDF5 files by their paths
    layout   then: "csc", "bsr" or "bsc" instead of "csr"
    size     then: the name of an array that holds the size; None: what the file says, or no size

    Raises FileError for what is no such file, for arrays that are not there, for what names something else than tensors, and for
    archives that two readers may take differently. Tensors may be invalid: check them."""
    return _read_bytes(os.fsdecode(path), _whole(path, max_bytes), limit, _names(members, layout, size))


def write(path, x, *, format=None, level=None):
    """Write x, a sparse tensor or a dense array, to a file: whole, or the old file stays as it was.

    format  "npz", "npy", "mtx", "json", "jsonl", "safetensors" or "binsparse"; None: what the ending of the name says.
            binsparse needs a libhdf5
    level   of .npz: 0 stores the members, 1 to 9 deflate them; None: 6

    Nothing is checked: x may be invalid, as a test may need it. Raises Refused if the format has no place for x, OSError if the
    file cannot be written."""
    if level is not None and not 0 <= level <= 9:
        raise ValueError("level is a number from 0 to 9, not %r" % (level,))
    _core._write(path, x, format, -1 if level is None else level)


def _names(members, layout, size):
    if members is None:
        if layout is not None or size is not None:
            raise ValueError("layout and size go with members")
        return ()
    if isinstance(members, str) or len(members) not in (2, 3) or not all(isinstance(name, str) and name for name in members):
        raise ValueError("members are (compressed, plain, values) or (indices, values), by their names, not %r" % (members,))
    if layout is not None and layout not in (("csr", "csc", "bsr", "bsc") if len(members) == 3 else ("coo",)):
        raise ValueError("%d members are not those of %r" % (len(members), layout))
    return (layout, *((None,) * (3 - len(members))), *members, size)


def _whole(path, max_bytes):
    with open(path, "rb") as file:
        data = file.read() if max_bytes is None else file.read(max_bytes + 1)
    if max_bytes is not None and len(data) > max_bytes:
        raise FileError("the file has more than %d bytes" % max_bytes)
    return data


def _read_bytes(name, data, limit=0, names=()):
    found = {}

    def keep(path, members, is_semi):
        if path in found:
            raise FileError("two tensors have the path '%s'" % path)
        found[path] = _of_parts(members) if is_semi else Tensor(*members)
        return True
    _core._read(name, data, keep, limit, *names)
    return found
