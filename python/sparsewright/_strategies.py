# SPDX-License-Identifier: Apache-2.0
"""Strategies of Hypothesis for sparse tensors, valid and broken. Their arrays are NumPy's."""
import numpy
from hypothesis import assume, strategies as st

from . import check
from ._tensor import Tensor

_COMPRESSED = ("csr", "csc", "bsr", "bsc")
_LAYOUTS = ("coo", *_COMPRESSED)
_MOST = 3  # entries of a batch, block or dense dimension


def _values(draw, dtype, shape):
    """Small integers that every type holds: sums of them are exact."""
    kind = numpy.dtype(dtype).kind
    least, most = (0, 1) if kind == "b" else (0, 4) if kind == "u" else (-4, 4)
    count = int(numpy.prod(shape, dtype="int64"))
    return numpy.array(draw(st.lists(st.integers(least, most), min_size=count, max_size=count)), dtype=dtype).reshape(shape)


def _shape(draw, count, least=0):
    dims = count if count is not None else draw(st.integers(0, 2))
    return tuple(draw(st.lists(st.integers(least, _MOST), min_size=dims, max_size=dims)))


def _places(draw, count, among):
    """`count` different numbers below `among`, in ascending order."""
    return sorted(draw(st.lists(st.integers(0, max(0, among - 1)), min_size=count, max_size=count, unique=True)))


def _compressed(draw, layout, dtype, index, sizes, batch_dims, dense_dims, least):
    batch, dense = _shape(draw, batch_dims, least), _shape(draw, dense_dims)
    blocks = (draw(st.integers(1, _MOST)), draw(st.integers(1, _MOST))) if layout in ("bsr", "bsc") else (1, 1)
    lines, across = draw(st.integers(2 * least, sizes[0])), draw(st.integers(2 * least, sizes[1]))
    nse = draw(st.integers(min(2 * least, lines * across), min(lines * across, 12)))
    batches = int(numpy.prod(batch, dtype="int64"))
    offsets, plain = [], []
    for _ in range(batches):
        places = _places(draw, nse, lines * across)
        offsets.append(numpy.searchsorted(places, numpy.arange(lines + 1) * max(1, across)))
        plain.append([place % max(1, across) for place in places])
    rows, columns = (lines, across) if layout in ("csr", "bsr") else (across, lines)
    cell = blocks if layout in ("bsr", "bsc") else ()
    return Tensor(layout, (*batch, rows * blocks[0], columns * blocks[1], *dense),
                  numpy.array(offsets, dtype=index).reshape(*batch, lines + 1), numpy.array(plain, dtype=index).reshape(*batch, nse),
                  _values(draw, dtype, (*batch, nse, *cell, *dense)))


def _coo(draw, dtype, index, sizes, dense_dims, least):
    """In order and without duplicates if it claims so, which every other one does."""
    dense = _shape(draw, dense_dims)
    size = tuple(draw(st.lists(st.integers(2 * least, max(sizes)), min_size=1, max_size=3)))
    among = int(numpy.prod(size, dtype="int64"))
    claims = True if least else draw(st.sampled_from((True, None)))
    nse = draw(st.integers(min(2 * least, among), min(among, 12)))
    places = _places(draw, nse, among) if claims else draw(st.lists(st.integers(0, max(0, among - 1)), min_size=nse, max_size=nse))
    indices = numpy.array(numpy.unravel_index(numpy.array(places, dtype="int64"), size) if nse else numpy.empty((len(size), 0)))
    return Tensor("coo", (*size, *dense), None, indices.astype(index).reshape(len(size), nse), _values(draw, dtype, (nse, *dense)), claims)


def _tensor(draw, layouts, dtype, index, sizes, batch_dims, dense_dims, least=0):
    layout = draw(st.sampled_from(layouts))
    index = index or draw(st.sampled_from(("int32", "int64")))
    sizes = sizes or (6, 6)
    if layout == "coo":
        return _coo(draw, dtype, index, sizes, dense_dims, least)
    return _compressed(draw, layout, dtype, index, sizes, batch_dims, dense_dims, least)


@st.composite
def valid(draw, layout, dtype, index, sizes, batch_dims, dense_dims):
    return _tensor(draw, (layout,) if layout else _LAYOUTS, dtype, index, sizes, batch_dims, dense_dims)


# ---- Broken -----------------------------------------------------------------------------------------

def _pick(draw, array):
    """A view of one batch of an index array."""
    flat = array.reshape(-1, array.shape[-1])
    return flat[draw(st.integers(0, flat.shape[0] - 1))]


def _first_offset(draw, t):
    offsets = _pick(draw, t.compressed)
    offsets[0] = draw(st.integers(-3, -1)) if offsets[1] == 0 else draw(st.integers(1, int(offsets[1])))


def _last_offset(draw, t):
    offsets = _pick(draw, t.compressed)
    offsets[-1] = draw(st.integers(int(offsets[-2]), int(offsets[-1]))) + (offsets[-2] == offsets[-1])


def _falling_offsets(draw, t):
    offsets = _pick(draw, t.compressed)
    offsets[draw(st.integers(1, len(offsets) - 2))] = offsets[-1] + draw(st.integers(1, 3))


def _negative(draw, t):
    plain = _pick(draw, t.plain)
    plain[draw(st.integers(0, len(plain) - 1))] = -draw(st.integers(1, 3))


def _too_large(draw, t):
    plain = _pick(draw, t.plain)
    bound = max(t.size) if t.layout == "coo" else max(t.size) + 1
    plain[draw(st.integers(0, len(plain) - 1))] = bound + draw(st.integers(0, 3))


def _out_of_order(draw, t):
    """An index again, or two in the other order, in a line that has two."""
    place = draw(st.integers(1, t.plain.shape[-1] - 1))
    flat = t.plain.reshape(-1, t.plain.shape[-1])
    line = draw(st.integers(0, flat.shape[0] - 1))
    if draw(st.booleans()):
        flat[line, place] = flat[line, place - 1]
    else:
        flat[line, [place - 1, place]] = flat[line, [place, place - 1]]


def _false_claim(draw, t):
    place = draw(st.integers(1, t.plain.shape[1] - 1))
    if draw(st.booleans()):
        t.plain[:, place] = t.plain[:, place - 1]
    else:
        t.plain[:, [place - 1, place]] = t.plain[:, [place, place - 1]]


def _short_offsets(draw, t):
    t.compressed = numpy.ascontiguousarray(t.compressed[..., :-1])


def _short_values(draw, t):
    """The last element lacks."""
    batch = 0 if t.layout == "coo" else t.compressed.ndim - 1
    t.values = numpy.ascontiguousarray(t.values[(slice(None),) * batch + (slice(None, -1),)])


_BREAKS = {"3.8": (_COMPRESSED, _short_offsets), "3.10": (_COMPRESSED, _short_values), "5.1": (_COMPRESSED, _first_offset),
           "5.2": (_COMPRESSED, _last_offset), "5.3": (_COMPRESSED, _falling_offsets), "5.4": (_COMPRESSED, _negative),
           "5.5": (_COMPRESSED, _too_large), "5.6": (_COMPRESSED, _out_of_order), "6.2": (("coo",), _short_values),
           "6.5": (("coo",), _negative), "6.6": (("coo",), _too_large), "6.7": (("coo",), _false_claim)}


@st.composite
def broken(draw, layout, rule, dtype, index, sizes, batch_dims, dense_dims):
    if rule is not None and rule not in _BREAKS:
        raise ValueError("no tensor is made that breaks %r: %s are" % (rule, ", ".join(_BREAKS)))
    able = [one for one in ([rule] if rule else _BREAKS) if layout is None or layout in _BREAKS[one][0]]
    if not able:
        raise ValueError("rule %s is not of %s" % (rule, layout))
    chosen = draw(st.sampled_from(able))
    layouts, spoil = _BREAKS[chosen]
    t = _tensor(draw, (layout,) if layout else layouts, dtype, index, sizes, batch_dims, dense_dims, least=1)
    spoil(draw, t)
    rules = tuple(v.rule for v in check(t).violations)
    assume(rules == (rule,) if rule else rules)
    return t, rules
