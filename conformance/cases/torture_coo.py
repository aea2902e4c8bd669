# SPDX-License-Identifier: Apache-2.0
"""COO tensors of 0 to 6 sparse dimensions that are hard on validators: every index of every dimension wrong, by one
and by so much that a narrower type wraps; places that only their numbers in row-major order give right; claims broken
in each dimension; sizes without a place for elements; strides that share, turn and wrap. Each case is
(what, tensor, rules, flags)."""
from itertools import combinations, product

from cases.compressed import with_member, with_size, with_types, without_size
from cases.tensors import INT_MAX, INT_MIN, array, coo_tensor, filled, values_array

# Of each size some places in order, the first and last ones near the corners.
PLACES = {(7,): [(0,), (2,), (3,), (6,)],
          (3, 5): [(0, 1), (0, 4), (1, 2), (2, 0)],
          (3, 5, 2): [(0, 1, 1), (0, 4, 0), (1, 2, 0), (1, 2, 1), (2, 0, 1)],
          (2, 3, 5, 4): [(0, 0, 4, 3), (0, 2, 0, 1), (0, 2, 1, 0), (1, 0, 0, 0), (1, 2, 4, 3)],
          (2, 3, 1, 4, 2, 5): [(0, 0, 0, 3, 1, 4), (0, 2, 0, 0, 0, 1), (0, 2, 0, 0, 1, 0), (1, 0, 0, 3, 0, 2),
                               (1, 2, 0, 3, 1, 4)]}
HYBRID = {(7,): (2, 4), (3, 5, 2): (7,), (2, 3, 5, 4): (0,)}
# 2^63 - 1 is their product.
FACTORS = (49, 9271, 337, 92737, 649657)


def cases(index_dtype):
    maker = Maker(index_dtype)
    for part in (bounds, truncations, numbers, claimed_bounds, orders, repeats, hybrids, wrapped_numbers, limits,
                 empties, products, ranges, negatives, turned, reaches, shared, without_dimensions, shapes, sizeless,
                 pairs, in_every_type):
        for what, tensor, rules, *flags in part(maker):
            yield what, tensor, rules, flags


class Maker:
    def __init__(self, index_dtype):
        self.index_dtype = index_dtype
        self.max, self.min = INT_MAX[index_dtype], INT_MIN[index_dtype]

    def tensor(self, size, places, **options):
        """Without a place the sparse dimensions are those of the size."""
        rows = [[place[d] for place in places] for d in range(len(size))]
        return coo_tensor(self.index_dtype, size, rows, **options)


def grids():
    for size, places in PLACES.items():
        yield f"{len(size)}d", size, places


def with_index(places, k, d, index):
    changed = [list(place) for place in places]
    changed[k][d] = index
    return [tuple(place) for place in changed]


def with_order(rule, places):
    """What a tensor violates that claims to be coalesced besides."""
    return [rule] if all(a < b for a, b in zip(places, places[1:])) else [rule, "6.7"]


def middle(places):
    return len(places) // 2


# ---- Indices ------------------------------------------------------------------------------------

def bounds(m):
    """One index outside, in every dimension and at three places."""
    for name, size, places in grids():
        for d, extent in enumerate(size):
            wrongs = {"by-1": -1, "by-a-page": -4096, "min": m.min, "equal": extent,
                      "by-2-to-the-20": extent + (1 << 20), "max": m.max}
            for where, k in {"first": 0, "middle": middle(places), "last": len(places) - 1}.items():
                for what, index in wrongs.items():
                    tensor = m.tensor(size, with_index(places, k, d, index))
                    yield f"{name}-dim-{d}-{where}-{what}", tensor, ["6.5" if index < 0 else "6.6"]


def truncations(m):
    """Right in the lower half of its bits."""
    step = 2**32 if m.index_dtype == "int64" else 2**16
    for name, size, places in grids():
        k = middle(places)
        for d in range(len(size)):
            for what, far, rule in (("above", step, "6.6"), ("below", -step, "6.5")):
                changed = with_index(places, k, d, places[k][d] + far)
                yield f"{name}-dim-{d}-half-{what}", m.tensor(size, changed), [rule]


def numbers(m):
    """Two indices are wrong, or one, and the number of the place in row-major order is not."""
    for name, size, places in grids():
        for d in range(1, len(size)):
            for what, carry in (("carried", 1), ("borrowed", -1)):
                k = next((k for k, place in enumerate(places) if 0 <= place[d - 1] - carry < size[d - 1]), None)
                if k is None:
                    continue
                changed = with_index(places, k, d, places[k][d] + carry * size[d])
                changed = with_index(changed, k, d - 1, places[k][d - 1] - carry)
                yield f"{name}-{what}-into-dim-{d}", m.tensor(size, changed), ["6.6" if carry > 0 else "6.5"]
        if len(size) > 1:
            there = with_index(places, 0, len(size) - 1, size[-1] * 2)
            yield f"{name}-two-lines-further", m.tensor(size, there), ["6.6"]
        negated = [tuple(-1 - index for index in place) for place in places]
        yield f"{name}-all-negative", m.tensor(size, negated), ["6.5"]
        beyond_all = [tuple(extent + index for extent, index in zip(size, place)) for place in places]
        yield f"{name}-all-beyond", m.tensor(size, beyond_all), ["6.6"]


def claimed_bounds(m):
    """The same, where the order is to be looked at as well."""
    for name, size, places in grids():
        for d, extent in enumerate(size):
            for where, k, index, rule in (("first", 0, -1, "6.5"), ("last", len(places) - 1, extent, "6.6"),
                                          ("first", 0, m.max, "6.6"), ("last", len(places) - 1, m.min, "6.5")):
                changed = with_index(places, k, d, index)
                what = {-1: "by-1", extent: "equal", m.max: "max", m.min: "min"}[index]
                yield (f"{name}-claim-dim-{d}-{where}-{what}", m.tensor(size, changed, coalesced=True),
                       with_order(rule, changed))


# ---- Claims -------------------------------------------------------------------------------------

def orders(m):
    """Two neighbours that agree up to a dimension, fall there and rise behind it; and the other way round, which is
    in order."""
    for name, size, _ in grids():
        every = list(product(*map(range, size)))
        for d, extent in enumerate(size):
            if extent < 2:
                continue
            same = tuple((n - 1) // 2 for n in size[:d])
            low = (*same, (extent - 2) // 2, *(n - 1 for n in size[d + 1:]))
            high = (*same, (extent - 2) // 2 + 1, *(0 for _ in size[d + 1:]))
            before = [place for place in every if place < low][:2]
            after = [place for place in every if place > high][-2:]
            for where, front, back in (("first", [], after), ("middle", before, after), ("last", before, [])):
                tensor = m.tensor(size, [*front, high, low, *back], coalesced=True)
                yield f"{name}-falls-in-dim-{d}-{where}", tensor, ["6.7"], "unsorted"
            yield f"{name}-falls-behind-dim-{d}", m.tensor(size, [*before, low, high, *after], coalesced=True), []
            yield f"{name}-no-claim-dim-{d}", m.tensor(size, [*before, high, low, *after]), []


def repeats(m):
    for name, size, places in grids():
        for where, k in {"first": 0, "middle": middle(places), "last": len(places) - 1}.items():
            twice = [*places[:k], places[k], *places[k:]]
            yield f"{name}-twice-{where}", m.tensor(size, twice, coalesced=True), ["6.7"], "duplicates"
        apart = [*places, places[0]]
        yield f"{name}-twice-apart", m.tensor(size, apart, coalesced=True), ["6.7"], "duplicates", "unsorted"
        yield f"{name}-all-the-same", m.tensor(size, places[:1] * 5, coalesced=True), ["6.7"], "duplicates"
        yield f"{name}-backwards", m.tensor(size, places[::-1], coalesced=True), ["6.7"], "unsorted"
        yield f"{name}-claim", m.tensor(size, places, coalesced=True), []
        yield f"{name}-all-the-same-no-claim", m.tensor(size, places[:1] * 5), []
        yield f"{name}-twice-claim-denied", m.tensor(size, apart, coalesced=False), []
        inward = sorted(places, key=lambda place: place[::-1])
        if inward != places:
            yield f"{name}-last-dimension-first", m.tensor(size, inward, coalesced=True), ["6.7"], "unsorted"


def hybrids(m):
    """Dense dimensions behind them, one of which may be empty."""
    for size, dense in HYBRID.items():
        name, places = f"{len(size)}d-dense-{'x'.join(map(str, dense))}", PLACES[size]
        yield name, m.tensor(size, places, dense=dense, coalesced=True), [], "hybrid"
        for d, extent in enumerate(size):
            for what, index, rule in (("equal", extent, "6.6"), ("negative", -1, "6.5")):
                changed = with_index(places, middle(places), d, index)
                yield f"{name}-dim-{d}-{what}", m.tensor(size, changed, dense=dense), [rule], "hybrid"
        twice = [places[0], *places]
        yield f"{name}-twice", m.tensor(size, twice, dense=dense, coalesced=True), ["6.7"], "hybrid", "duplicates"
        yield f"{name}-backwards", m.tensor(size, places[::-1], dense=dense, coalesced=True), ["6.7"], "hybrid", "unsorted"
        for what, wrong in {"longer": (*dense, 3), "shorter": dense[:-1]}.items():
            values = values_array("float32", [len(places), *wrong])
            yield f"{name}-{what}", {**m.tensor(size, places, dense=dense), "values": values}, ["6.3"], "hybrid"
        for d, extent in enumerate(dense):
            values = values_array("float32", [len(places), *dense[:d], extent + 1, *dense[d + 1:]])
            tensor = {**m.tensor(size, places, dense=dense), "values": values}
            yield f"{name}-dense-dim-{d}", tensor, ["6.4"], "hybrid"


def wrapped_numbers(m):
    """The numbers of places in row-major order do not hold in 32 bits, and their lower halves say otherwise."""
    size = (65536, 65537, 3)
    rising = [(0, 5, 1), (20000, 1, 0), (40000, 2, 2), (65535, 65536, 2)]
    yield "large-numbers", m.tensor(size, rising, coalesced=True), []
    falling = [(21846, 0, 0), (2, 0, 0)]
    yield "large-numbers-rise-when-cut", m.tensor(size, falling, coalesced=True), ["6.7"], "unsorted"
    equal = [(0, 0, 0, 0), (1, 0, 0, 0), (2, 0, 0, 0)]
    yield "large-numbers-are-equal-when-cut", m.tensor((4, 65536, 1, 65536), equal, coalesced=True), []
    if m.index_dtype == "int64":
        size = (2, 2**33, 5)
        yield "large-indices", m.tensor(size, [(0, 1, 0), (0, 2**32, 0), (1, 0, 4)], coalesced=True), []
        falling = [(0, 2**32, 0), (0, 1, 0)]
        yield "large-indices-rise-when-cut", m.tensor(size, falling, coalesced=True), ["6.7"], "unsorted"
        equal = [(0, 1, 0), (0, 2**32 + 1, 0)]
        yield "large-indices-are-equal-when-cut", m.tensor(size, equal, coalesced=True), []


# ---- Sizes --------------------------------------------------------------------------------------

def limits(m):
    """A dimension as large as its type allows, and the indices around its end."""
    # Neighbours must differ, and no other size than 1 fits beside the largest int64.
    sizes = {"int32": ((-1,), (-1, 3, 2), (3, -1, 2), (3, 2, -1), (-1, 1, 2, 1), (3, 1, -1, 2), (2, 1, 2, -1)),
             "int64": ((-1,), (-1, 1), (1, -1), (1, -1, 1))}
    for size in sizes[m.index_dtype]:
        d, n = size.index(-1), len(size)
        size = [m.max if extent < 0 else extent for extent in size]
        first, name = (0,) * n, f"{n}d-largest-dim-{d}"
        last, outside, least = ((*first[:d], index, *first[d + 1:]) for index in (m.max - 1, m.max, m.min))
        yield name, m.tensor(size, [first, last], coalesced=True), []
        yield f"{name}-equal", m.tensor(size, [first, outside]), ["6.6"]
        yield f"{name}-min", m.tensor(size, [first, least]), ["6.5"]
        yield f"{name}-twice", m.tensor(size, [last, last], coalesced=True), ["6.7"], "duplicates"


def empties(m):
    """A dimension without an index, and elements all the same."""
    for name, size, places in grids():
        for d in range(len(size)):
            empty = (*size[:d], 0, *size[d + 1:])
            zeros = [(*place[:d], 0, *place[d + 1:]) for place in places]
            what = f"{name}-dim-{d}-empty"
            yield what, m.tensor(empty, zeros), ["6.6"]
            yield f"{what}-one-element", m.tensor(empty, zeros[-1:]), ["6.6"]
            yield f"{what}-negative", m.tensor(empty, with_index(zeros[:1], 0, d, -1)), ["6.5"]
            yield f"{what}-no-elements", m.tensor(empty, [], coalesced=True), []
        none = (0,) * len(size)
        yield f"{name}-all-empty", m.tensor(none, places), ["6.6"]
        yield f"{name}-all-empty-no-elements", m.tensor(none, []), []
        yield f"{name}-no-elements", m.tensor(size, [], coalesced=True), []
        values = values_array("float32", [1])
        yield f"{name}-all-empty-one-value", {**m.tensor(none, []), "values": values}, ["6.2"]
    hollow = m.tensor((3, 0, 2), [(2, 0, 1)], dense=(0,))
    yield "3d-dim-1-empty-dense-empty", hollow, ["6.6"], "hybrid"


def products(m):
    last = tuple(factor - 1 for factor in FACTORS)
    yield "largest-product", m.tensor(FACTORS, [(0,) * 5, last], coalesced=True), []
    yield "largest-product-outside", m.tensor(FACTORS, [(*last[:4], FACTORS[4])]), ["6.6"]
    yield "largest-product-dense", m.tensor(FACTORS[:4], [], dense=FACTORS[4:]), [], "hybrid"
    beyond = {"2-to-the-63": (2**20, 2**21, 2**22), "2-to-the-64": (2**20, 2**23, 2**21),
              "wraps-to-2-to-the-32": (2**30, 4, 641, 6700417), "of-largest": (m.max, 3, m.max),
              "just-beyond": (2, *FACTORS)}
    for what, size in beyond.items():
        places = [(0,) * len(size), tuple(min(extent - 1, 5) for extent in size)]
        yield f"product-{what}", m.tensor(size, places, coalesced=True), ["3.11"], "huge-size"
        yield f"product-{what}-no-elements", m.tensor(size, []), ["3.11"], "huge-size"
        for d in {0, len(size) // 2, len(size) - 1}:
            empty = (*size[:d], 0, *size[d + 1:])
            yield f"product-{what}-dim-{d}-empty", m.tensor(empty, []), []
        yield f"product-{what}-dense-empty", m.tensor(size, [], dense=(0,)), [], "hybrid"
        yield f"product-{what}-dense-empty-elements", m.tensor(size, places, dense=(0,)), [], "hybrid"
    dense = m.tensor((2**30, 3, 2**20), [], dense=(2**14,))
    yield "product-with-dense", dense, ["3.11"], "hybrid", "huge-size"
    hollow = m.tensor((2**30, 0, 2**20), [], dense=(2**40,))
    yield "product-with-dense-dim-1-empty", hollow, [], "hybrid"


def ranges(m):
    """Sizes that int32 cannot hold. Dense ones need not."""
    if m.index_dtype == "int64":
        return
    for n in (1, 3, 4):
        for d in range(n):
            size = [*(3, 5, 2, 4)[:d], 2**31, *(3, 5, 2, 4)[d + 1:n]]
            places = [(0,) * n, (1,) * n]
            yield f"{n}d-dim-{d}-beyond", m.tensor(size, places), ["1.6"], "index-range"
            yield f"{n}d-dim-{d}-beyond-no-elements", m.tensor(size, []), ["1.6"], "index-range"
    yield "dense-beyond", m.tensor((3, 5, 2), [], dense=(2**31,)), [], "hybrid"
    many = with_member(m.tensor((3, 5, 2), [(0, 0, 0)]), "indices", shape=[3, 2**31], strides=[0, 0], data=[0])
    many["values"] = filled("float32", [2**31], 1, 1, strides=[0])
    yield "nse-beyond", many, ["1.6"], "huge-array"


def negatives(m):
    for name, size, places in grids():
        for d, extent in enumerate(size):
            for what, wrong in {"negative": -extent, "minus-1": -1}.items():
                changed = [*size[:d], wrong, *size[d + 1:]]
                yield f"{name}-dim-{d}-{what}", with_size(m.tensor(size, places), changed), ["3.12"]
            least = [*size[:d], -(2**63), *size[d + 1:]]  # 1.6 is about sizes that are too large
            yield f"{name}-dim-{d}-min", with_size(m.tensor(size, places), least), ["3.12"]
            yield f"{name}-dim-{d}-negative-no-elements", with_size(
                m.tensor(size, []), [*size[:d], -extent, *size[d + 1:]]), ["3.12"]
        if len(size) > 1:
            twice = with_size(m.tensor(size, places), [-size[0], *size[1:-1], -size[-1]])
            yield f"{name}-two-negative", twice, ["3.12"]


# ---- Storage ------------------------------------------------------------------------------------

def turned(m):
    """Element after element, as lists of coordinates have it."""
    for name, size, places in grids():
        if len(size) == 1:
            continue

        def stored(found, **options):
            tensor = m.tensor(size, found, **options)
            return with_member(tensor, "indices", strides=[1, len(size)], data=[i for place in found for i in place])
        yield f"{name}-turned", stored(places, coalesced=True), []
        for d, extent in enumerate(size):
            wrong = with_index(places, len(places) - 1, d, extent)
            yield f"{name}-turned-dim-{d}-equal", stored(wrong), ["6.6"]
            wrong = with_index(places, 0, d, -1)
            yield f"{name}-turned-dim-{d}-negative", stored(wrong), ["6.5"]
        yield f"{name}-turned-backwards", stored(places[::-1], coalesced=True), ["6.7"], "unsorted"
        swapped = [*places[:-2], places[-1], places[-2]]
        yield f"{name}-turned-last-swapped", stored(swapped, coalesced=True), ["6.7"], "unsorted"
        # The shape turned and not the strides: as many dimensions as elements, and the other way round.
        shape = [len(places), len(size)]
        if shape[0] != shape[1]:
            rules = ["6.2", "6.3"]
            yield f"{name}-shape-turned", with_member(m.tensor(size, places), "indices", shape=shape), rules


def reaches(m):
    """Strides and offsets, to the last element of the storage and one further."""
    for name, size, places in grids():
        n, nse = len(size), len(places)
        base = m.tensor(size, places)
        data = base["indices"]["data"]
        spaced = [index for row in range(n) for k in range(nse) for index in (data[row * nse + k], -7)]
        yield f"{name}-spaced", with_member(base, "indices", strides=[2 * nse, 2], data=spaced[:-1]), []
        yield f"{name}-spaced-short", with_member(
            base, "indices", strides=[2 * nse, 2], data=spaced[:-2]), ["3.14"], "out-of-storage"
        yield f"{name}-offset", with_member(base, "indices", offset=3, data=[-1, m.max, m.min, *data, -1]), []
        yield f"{name}-offset-short", with_member(
            base, "indices", offset=3, data=[0, 0, *data]), ["3.14"], "out-of-storage"
        yield f"{name}-offset-negative", with_member(
            base, "indices", offset=-1, data=[*data, 0]), ["3.14"], "out-of-storage"
        yield f"{name}-offset-wraps", with_member(base, "indices", offset=2**63 - 1), ["3.14"], "out-of-storage"
        backwards = [i for row in range(n) for i in data[row * nse:(row + 1) * nse][::-1]]
        yield f"{name}-backwards-stride", with_member(
            base, "indices", strides=[nse, -1], offset=nse - 1, data=backwards), ["3.14"], "negative-stride"
        if n > 1:
            rows = [i for row in range(n)[::-1] for i in data[row * nse:(row + 1) * nse]]
            yield f"{name}-rows-backwards", with_member(
                base, "indices", strides=[-nse, 1], offset=(n - 1) * nse, data=rows), ["3.14"], "negative-stride"
            # The sum of both reaches is 2^64, a multiple of it, or a little less.
            yield f"{name}-strides-wrap", with_member(
                base, "indices", strides=[(2**63 - 1) // (n - 1), (2**63 - 1) // (nse - 1)]), ["3.14"], "out-of-storage"
            yield f"{name}-strides-max", with_member(
                base, "indices", strides=[2**63 - 1, 2**63 - 1]), ["3.14"], "out-of-storage"
        nothing = m.tensor(size, [])
        yield f"{name}-no-elements-offset", with_member(nothing, "indices", offset=5, strides=[4, 2]), []
        yield f"{name}-no-elements-offset-negative", with_member(nothing, "indices", offset=-1), ["3.14"], "out-of-storage"
        short = {**base, "values": array("float32", [nse], [1] * (nse - 1))}
        yield f"{name}-values-short", short, ["3.14"], "out-of-storage"
        far = {**base, "values": array("float32", [nse], [1] * (2 * nse - 1), strides=[2])}
        yield f"{name}-values-spaced", far, []


def shared(m):
    """One storage for more than one row, or for all elements."""
    size = (5, 4, 7)
    for what, row, rules, flags in (("rising", [0, 2, 3], [], []), ("outside-one", [0, 2, 4], ["6.6"], []),
                                    ("falling", [2, 0, 3], ["6.7"], ["unsorted"]),
                                    ("negative", [-1, 0, 3], ["6.5"], [])):
        tensor = m.tensor(size, [(i, i, i) for i in row], coalesced=True)
        yield f"3d-rows-shared-{what}", with_member(tensor, "indices", strides=[0, 1], data=row), rules, *flags
    same = with_member(m.tensor(size, [(1, 2, 3)] * 4), "indices", strides=[1, 0], data=[1, 2, 3])
    yield "3d-elements-shared", same, []
    yield "3d-elements-shared-claim", {**same, "coalesced": True}, ["6.7"], "duplicates"
    # Row d + 1 starts one element after row d.
    sliding = m.tensor((4, 5, 7), [(0, 1, 2), (1, 2, 3), (2, 3, 4)], coalesced=True)
    yield "3d-rows-overlap", with_member(sliding, "indices", strides=[1, 1], data=[0, 1, 2, 3, 4]), []
    outside = with_member(m.tensor((4, 5, 7), [(0, 1, 2), (1, 2, 3), (2, 3, 7)]), "indices", strides=[1, 1],
                          data=[0, 1, 2, 3, 7])
    yield "3d-rows-overlap-outside", outside, ["6.6"]


# ---- Shapes, sizes that are not given, several faults ---------------------------------------------

def without_dimensions(m):
    """No sparse dimension: every element is at the same place."""
    for nse in (0, 1, 3):
        for dense in ((), (4,)):
            tensor = m.tensor((), [], nse=nse, dense=dense)
            flags = ["sparse-dim-0", *["hybrid"] * len(dense)]
            name = f"0d-nse-{nse}{'-dense' * len(dense)}"
            yield name, tensor, [], *flags
            rules = ["6.7"] if nse > 1 else []
            yield f"{name}-claim", {**tensor, "coalesced": True}, rules, *flags, *["duplicates"] * (nse > 1)
            yield f"{name}-size-longer", with_size(tensor, [5, *dense]), ["6.3"], *flags
            values = values_array("float32", [nse + 1, *dense])
            yield f"{name}-values-longer", {**tensor, "values": values}, ["6.2"], *flags


def shapes(m):
    for name, size, places in grids():
        n, nse = len(size), len(places)
        base = m.tensor(size, places)
        for what, shape in {"1d": [n * nse], "3d": [1, n, nse], "0d": []}.items():
            yield f"{name}-indices-{what}", with_member(base, "indices", shape=shape), ["6.1"], "indices-not-2d"
        more = m.tensor((*size, 9), [(*place, 0) for place in places])
        yield f"{name}-row-more", with_size(more, size), ["6.3"]
        yield f"{name}-row-less", with_member(
            base, "indices", shape=[n - 1, nse], data=base["indices"]["data"][:(n - 1) * nse]), ["6.3"]
        # As many rows as sizes in all, one of which is a dense one.
        yield f"{name}-row-for-dense", {
            **m.tensor((*size, 9), [(*place, 0) for place in places]),
            "values": values_array("float32", [nse, 9])}, ["6.3"], "hybrid"
        for what, count in {"short": nse - 1, "long": nse + 1, "none": 0}.items():
            yield f"{name}-values-{what}", {**base, "values": values_array("float32", [count])}, ["6.2"]
        yield f"{name}-values-turned", {**base, "values": values_array("float32", [1, nse])}, ["6.2", "6.3"]
        negative = with_member(base, "indices", shape=[n, -1])
        yield f"{name}-negative-nse", with_member(negative, "values", shape=[-1]), ["3.12"]
        yield f"{name}-negative-rows", with_member(base, "indices", shape=[-n, nse]), ["3.12", "6.3"]


def sizeless(m):
    for name, size, places in grids():
        yield f"{name}-no-size", without_size(m.tensor(size, places, coalesced=True)), []
        for d in range(len(size)):
            wrong = with_index(places, middle(places), d, -1)
            yield f"{name}-no-size-dim-{d}-negative", without_size(m.tensor(size, wrong)), ["6.5"]
        twice = m.tensor(size, [places[0], *places], coalesced=True)
        yield f"{name}-no-size-twice", without_size(twice), ["6.7"], "duplicates"
        if m.index_dtype == "int32":
            for d in range(len(size)):
                wrong = with_index(places, middle(places), d, m.max)
                yield f"{name}-no-size-dim-{d}-max", without_size(m.tensor(size, wrong)), ["1.6"], "index-range"


def pairs(m):
    """Every two faults that do not hide each other."""
    size, places = (3, 5, 2), PLACES[3, 5, 2]
    faults = {"1.3": [narrow, "narrow-index-dtype"], "6.2": [one_value_less], "6.4": [other_dense],
              "3.14": [beyond, "out-of-storage"], "6.5": [negative], "6.6": [large], "6.7": [swapped, "unsorted"]}
    for (rule, (spoil, *flags)), (rule_2, (spoil_2, *flags_2)) in combinations(faults.items(), 2):
        tensor = m.tensor(size, places, dense=(7,), coalesced=True)
        spoil(tensor)
        spoil_2(tensor)
        yield f"3d-dense-with-{rule_2}", tensor, [rule, rule_2], "hybrid", *flags, *flags_2


def narrow(tensor):
    tensor["indices"]["dtype"] = "int16"


def one_value_less(tensor):
    tensor["values"] = values_array("float32", [4, *tensor["values"]["shape"][1:]])


def other_dense(tensor):
    tensor["values"] = values_array("float32", [tensor["values"]["shape"][0], 6])


def beyond(tensor):
    tensor["values"]["offset"] = 1


def negative(tensor):
    tensor["indices"]["data"][0] = -1


def large(tensor):
    tensor["indices"]["data"][-1] = 2


def swapped(tensor):
    data = tensor["indices"]["data"]
    for k in (2, 7, 12):
        data[k], data[k + 1] = data[k + 1], data[k]


def in_every_type(m):
    size, places = (3, 5, 2), PLACES[3, 5, 2]
    for d, (extent, rule) in enumerate(zip(size, ("6.5", "6.6", "6.6"))):
        wrong = with_index(places, len(places) - 1, d, -1 if rule == "6.5" else extent)
        for what, *rest in with_types(m.tensor(size, wrong), [rule], []):
            yield f"3d-dim-{d}-{what}", *rest
    backwards = m.tensor(size, places[::-1], coalesced=True)
    for what, *rest in with_types(backwards, ["6.7"], ["unsorted"]):
        yield f"3d-{what}", *rest
