# SPDX-License-Identifier: Apache-2.0
"""For tests of sparse code: are two tensors the same, is a product right, and tensors to try it with.

    >>> import sparsewright.testing as testing
    >>> testing.assert_same(spw.csr([0, 1], [0], [1.0], (1, 2)), spw.coo([[0], [0]], [1.0], (1, 2)))

There is no tolerance: the same means the same bits. A product is right if it lies within a bound that holds for every order of
summation in the declared precision. `tensors` and `broken_tensors` are strategies of Hypothesis."""
import functools
import struct

from . import _core, check
from ._adapt import adapt as _adapt
from ._tensor import CODES as _CODES, Tensor, _dtype_name

__all__ = ["Difference", "Judgement", "assert_product", "assert_same", "assert_valid", "broken_tensors", "checked", "difference",
           "is_sparse", "judge_product", "tensors"]


# ---- The same ---------------------------------------------------------------------------------------

def _value(bits, dtype):
    """The number that the bits are, or None."""
    if bits is None:
        return None
    if dtype == "bfloat16":
        return struct.unpack("<f", b"\0\0" + bits)[0]
    numbers = struct.unpack("<" + _CODES[dtype], bits)
    return complex(*numbers) if len(numbers) == 2 else numbers[0]


class Difference:
    """Where two tensors differ first.

    kind      "size", "type" or "value"
    position  of the value, as a tuple; empty for the others
    a, b      the values there; None where the tensor specifies none"""

    __slots__ = ("kind", "position", "a", "b", "bits")

    def __init__(self, kind, position, a, b, bits):
        self.kind, self.position, self.a, self.b, self.bits = kind, position, a, b, bits

    def __str__(self):
        if self.kind != "value":
            return "their %ss differ: %s and %s" % (self.kind, self.a, self.b)
        said = ["unspecified" if one is None else repr(one) for one in (self.a, self.b)]
        if said[0] == said[1]:
            said = ["%s (bits %s)" % (text, bits[::-1].hex()) for text, bits in zip(said, self.bits)]
        return "they differ at %s: %s and %s" % (list(self.position), *said)

    def __repr__(self):
        return "<Difference: %s>" % self


def difference(a, b, *, as_dense=False, duplicates="sum", limit=0):
    """None if a and b mean the same: size, type of values, specified positions, and the bits of every value.

    Layouts and index types may differ. Otherwise the first Difference. With as_dense, or if one is a dense array, a position
    that one does not specify equals zero bits. Duplicates of COO are combined first. Raises InvalidTensor, Refused,
    MemoryError."""
    found = _core._difference(a, b, duplicates, as_dense, limit)
    if found is None:
        return None
    kind, position, *bits = found
    if kind == "size":
        return Difference(kind, (), _size_of(a), _size_of(b), (None, None))
    dtype = _dtype_of(a)
    if kind == "type":
        return Difference(kind, (), dtype, _dtype_of(b), (None, None))
    return Difference(kind, position, _value(bits[0], dtype), _value(bits[1], dtype), bits)


def _adapted(x):
    """The tuple of `_adapt`, for the objects that the core takes without it too."""
    if type(x).__module__.split(".")[0] == "torch":
        return (None, tuple(x.shape), None, None, x, None)
    if getattr(x, "format", None) in ("csr", "csc", "bsr"):
        return (x.format, tuple(x.shape), x.indptr, x.indices, x.data, None)
    return _adapt(x)


def _size_of(x):
    size = _adapted(x)[1]
    return "inferred" if size is None else "x".join(map(str, size)) or "scalar"


def _dtype_of(x):
    return _dtype_name(_adapted(x)[4])


def assert_same(a, b, *, as_dense=False, duplicates="sum"):
    """AssertionError with the first difference, unless `difference` finds none."""
    found = difference(a, b, as_dense=as_dense, duplicates=duplicates)
    if found is not None:
        raise AssertionError(str(found))


# ---- Validity ---------------------------------------------------------------------------------------

def assert_valid(x, level="canonical"):
    """AssertionError with every violated rule, unless x is valid. Gives x."""
    report = check(x, level)
    if not report:
        raise AssertionError("; ".join("rule %s: %s" % (v.rule, v.sentence) for v in report.violations))
    return x


def is_sparse(x):
    """Whether `check` takes x."""
    try:
        check(x, "shape")
    except TypeError:
        return False
    return True


def checked(function=None, *, level="canonical"):
    """A decorator: what the function returns is valid, if it is a sparse tensor, or a list, tuple or dict of them.

        @checked
        def normalize(x): ..."""
    if function is None:
        return functools.partial(checked, level=level)

    @functools.wraps(function)
    def call(*arguments, **keywords):
        return check_all(function(*arguments, **keywords), level)
    return call


def check_all(x, level="canonical"):
    """assert_valid of every sparse tensor in x, which may be a list, tuple or dict of them. Gives x."""
    if isinstance(x, (list, tuple)):
        for one in x:
            check_all(one, level)
    elif isinstance(x, dict):
        for one in x.values():
            check_all(one, level)
    elif is_sparse(x):
        assert_valid(x, level)
    return x


# ---- Products ---------------------------------------------------------------------------------------

class Judgement:
    """Whether a product is right.

    verdict   "exact", "within the bound", "special", "undecided" or "wrong"; false only if it is "wrong"
    fault     what is wrong, or "none"
    numbers   of the result; exact, bounded, special, undecided, wrong: of each verdict
    absent    elements with terms that a sparse result does not store; extra: those that it stores without a term
    place     (batch, row, column, part) of the first wrong number, or of the largest error
    found, sum, bound, ratio  the number there, the exact sum, the bound on its error, and the error over the bound"""

    __slots__ = ("verdict", "fault", "numbers", "exact", "bounded", "special", "undecided", "wrong", "absent", "extra", "place",
                 "found", "sum", "bound", "ratio")

    def __init__(self, verdict, fault, counts, place, numbers):
        self.verdict, self.fault, self.place = verdict, fault, place
        self.numbers, self.exact, self.bounded, self.special, self.undecided, self.wrong, self.absent, self.extra = counts
        self.found, self.sum, self.bound, self.ratio = numbers

    def __bool__(self):
        return self.verdict != "wrong"

    def __str__(self):
        if self:
            return "%s: %d numbers, %d as every order gives them, %d within the bound" % (
                self.verdict, self.numbers, self.exact, self.bounded)
        if self.fault in ("shape", "type"):
            return "wrong %s" % self.fault
        return "%d of %d numbers are wrong, first in batch %d, row %d, column %d%s: %r, and the exact sum is %r (bound %.3g)" % (
            self.wrong, self.numbers, *self.place[:3], ", imaginary part" if self.place[3] else "", self.found, self.sum, self.bound)

    def __repr__(self):
        return "<Judgement: %s>" % self


def judge_product(y, a, x, *, precision=None, limit=0):
    """Judges y as the product a @ x, whoever computed it and in whatever order.

    a is sparse, x dense or sparse, y dense or sparse. precision: "float64", "float32", "float32-ftz", "tf32", "bfloat16-in",
    "float16" or "bfloat16": what sums are rounded to; None: float32 for half types, otherwise the type itself.
    Raises InvalidTensor if an operand breaks a rule, Refused if nothing can be judged. O(n log n) of elements and terms."""
    return Judgement(*_core._judge_product(a, x, y, precision, limit))


def assert_product(y, a, x, *, precision=None):
    """AssertionError unless y is right as a @ x: the first wrong number, the exact sum and the bound."""
    judgement = judge_product(y, a, x, precision=precision)
    if not judgement:
        raise AssertionError(str(judgement))
    return judgement


# ---- Strategies of Hypothesis -----------------------------------------------------------------------

def tensors(layout=None, *, dtype="float64", index=None, sizes=None, batch_dims=None, dense_dims=None, out=None):
    """A strategy of Hypothesis: valid sparse tensors, small ones first.

    layout      "coo", "csr", "csc", "bsr", "bsc"; None: any
    dtype       of the values, which are small integers that every type but bool can hold; index: "int32", "int64", None: any
    sizes       (rows, columns) of the two sparse dimensions at most; None: (6, 6)
    batch_dims, dense_dims  how many; None: 0 to 2. COO has no batches
    out         "numpy", "scipy" or "torch"; None: a Tensor of NumPy's arrays"""
    from ._strategies import valid
    return valid(layout, dtype, index, sizes, batch_dims, dense_dims).map(lambda t: t.to(out))


def broken_tensors(layout=None, *, rule=None, dtype="float64", index=None, sizes=None, batch_dims=None, dense_dims=None):
    """A strategy of Hypothesis: pairs of a Tensor that breaks rules and the ids of all that it breaks, as `check` tells them.

    rule: only tensors that break this one and no other, of "3.8", "3.10", "5.1" to "5.6", "6.2" and "6.5" to "6.7"; the others as
    of `tensors`."""
    from ._strategies import broken
    return broken(layout, rule, dtype, index, sizes, batch_dims, dense_dims)
