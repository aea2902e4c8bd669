# SPDX-License-Identifier: Apache-2.0
"""Cases for COO. Each is (what, tensor, rules, flags); see generate.case."""
from cases.compressed import ALL_DTYPES, with_member, with_size, with_types, without_size
from cases.tensors import INT_MAX, INT_MIN, coo_tensor, filled, values_array

SIZE = (3, 5)
INDICES = [[0, 0, 2, 2], [1, 4, 0, 3]]


def cases(index_dtype):
    maker = Maker(index_dtype)
    yield from valid_forms(maker)
    yield from valid_storage(maker)
    for what, tensor, rules, *flags in invalid_cases(maker):
        yield what, tensor, rules, flags


def invalid_cases(maker):
    for part in (element_types, sizes, shapes, storages, index_bounds, claims, sizeless_faults,
                 pairs, in_every_type):
        yield from part(maker)


class Maker:
    def __init__(self, index_dtype):
        self.index_dtype = index_dtype
        self.max = INT_MAX[index_dtype]
        self.min = INT_MIN[index_dtype]

    def tensor(self, size, indices, **options):
        return coo_tensor(self.index_dtype, size, indices, **options)

    def base(self, indices=None, **options):
        return self.tensor(SIZE, indices or INDICES, **options)


def valid_forms(m):
    forms = {
        "base": m.base(),
        "unsorted": m.base([[2, 0, 2, 0], [0, 4, 3, 1]]),
        "duplicates": m.base([[0, 2, 0], [1, 3, 1]]),
        "claim": m.base(coalesced=True),
        "claim-no-elements": m.base([[], []], coalesced=True),
        "claim-denied": m.base(coalesced=False),
        "claim-denied-duplicates": m.base([[0, 2, 0], [1, 3, 1]], coalesced=False),
        "1d": m.tensor((5,), [[0, 3, 4]]),
        "3d": m.tensor((3, 5, 2), [[0, 2, 2], [4, 0, 3], [1, 1, 0]]),
        "no-rows": m.tensor((0, 5), [[], []]),
        "no-columns": m.tensor((3, 0), [[], []]),
        "no-elements": m.base([[], []]),
        "declared": {**m.base(), "index_dtype": m.index_dtype, "dtype": "float32"},
        "no-size": without_size(m.base()),
        "no-size-no-elements": without_size(m.base([[], []])),
        "largest-size": m.tensor((1, m.max), [[0, 0], [0, m.max - 1]]),
        "zero-times-huge": m.tensor((2**30, 0, 2**30 + 1, 2**29), [[], [], [], []]),
    }
    for what, tensor in forms.items():
        yield what, tensor, [], []
    for dtype in ALL_DTYPES:
        yield f"values-{dtype}", m.base(dtype=dtype), [], []
    for what, dense in {"7": (7,), "2x4": (2, 4), "0": (0,)}.items():
        yield f"hybrid-{what}", m.base(dense=dense), [], ["hybrid"]
    dense_only = m.tensor((), [], nse=2, dense=(5,))
    yield "sparse-dim-0", dense_only, [], ["hybrid", "sparse-dim-0"]


def in_every_type(m):
    yield from with_types(m.base([[0, 0, 2, 2], [1, 4, -1, 3]]), ["6.5"], [])
    yield from with_types(m.base([[0, 0, 3, 2], [1, 4, 0, 3]]), ["6.6"], [])
    yield from with_types({**m.base(), "values": values_array("float32", [3])}, ["6.2"], [])
    unsorted = m.base([[2, 0, 2], [1, 3, 4]], coalesced=True)
    yield from with_types(unsorted, ["6.7"], ["unsorted"])


def valid_storage(m):
    by_column = [index for column in zip(*INDICES) for index in column]
    turned = with_member(m.base(), "indices", strides=[1, 2], data=by_column)
    yield "indices-by-column", turned, [], []
    shared = with_member(m.base([[0, 2, 1], [0, 2, 1]]), "indices", strides=[0, 1], data=[0, 2, 1])
    yield "indices-shared-rows", shared, [], []
    offset = with_member(m.base(), "indices", offset=2, data=[99, -1, *INDICES[0], *INDICES[1], 98])
    yield "indices-offset", offset, [], []
    shared = filled("float32", [4], 1, 3, strides=[0])
    yield "values-shared", {**m.base(), "values": shared}, [], []


def element_types(m):
    for dtype in ("int8", "int16", "uint8"):
        yield dtype, with_member(m.base(), "indices", dtype=dtype), ["1.3"], "narrow-index-dtype"
    for dtype in ("float32", "float64"):
        yield dtype, with_member(m.base(), "indices", dtype=dtype), ["1.3"], "float-index-dtype"
    yield "declared-int16", {**m.base(), "index_dtype": "int16"}, ["1.3"]
    yield "declared-float64", {**m.base(), "dtype": "float64"}, ["1.4"]


def sizes(m):
    if m.index_dtype == "int32":
        yield "size-0", m.tensor((2**31, 5), [[0, 7], [1, 4]]), ["1.6"], "index-range"
        yield "size-1", m.tensor((3, 2**31), [[0, 2], [1, 4]]), ["1.6"], "index-range"
        yield "product", m.tensor((2**30, 2**30 + 1, 8), [[0], [1], [2]]), ["3.11"], "huge-size"
    else:
        yield "product", m.tensor((2**31, 2**32 + 1), [[0], [1]]), ["3.11"], "huge-size"
        yield "product-wraps-to-0", m.tensor((2**33, 2**31), [[], []]), ["3.11"], "huge-size"
    yield "negative-first", with_size(m.base(), [-3, 5]), ["3.12"]
    yield "negative-last", with_size(m.base(), [3, -5]), ["3.12"]
    yield "negative-both", with_size(m.base(), [-3, -5]), ["3.12"]
    counts = with_member(m.base(), "indices", shape=[2, -1])
    yield "negative-nse", with_member(counts, "values", shape=[-1]), ["3.12"]
    yield "size-short", with_size(m.base(), [3]), ["6.3"]
    yield "size-long", with_size(m.base(), [3, 5, 2]), ["6.3"]
    yield "size-empty", with_size(m.base(), []), ["6.3"]
    yield "dense-missing", with_size(m.base(dense=(7,)), SIZE), ["6.3"], "hybrid"


def shapes(m):
    for what, shape in {"0d": [], "1d": [8], "3d": [2, 2, 2]}.items():
        reshaped = with_member(m.base(), "indices", shape=shape)
        yield f"indices-{what}", reshaped, ["6.1"], "indices-not-2d"
    for what, count in {"short": 3, "long": 5, "none": 0}.items():
        yield f"values-{what}", {**m.base(), "values": values_array("float32", [count])}, ["6.2"]
    yield "values-0d", {**m.base(), "values": values_array("float32", [])}, ["6.2"]
    one = {**m.base([[2], [3]]), "values": values_array("float32", [])}
    yield "values-0d-one-element", one, ["6.2"]
    dense = {**m.base(dense=(7,)), "values": values_array("float32", [4, 6])}
    yield "dense-differs", dense, ["6.4"], "hybrid"
    swapped = {**m.base(dense=(2, 4)), "values": values_array("float32", [4, 4, 2])}
    yield "dense-swapped", swapped, ["6.4"], "hybrid"


def storages(m):
    for member in ("indices", "values"):
        data = m.base()[member]["data"]
        short = with_member(m.base(), member, data=data[:-1])
        yield f"{member}-short", short, ["3.14"], "out-of-storage"
        for what, offset in {"1": 1, "negative": -1, "max": 2**63 - 1}.items():
            moved = with_member(m.base(), member, offset=offset)
            yield f"{member}-offset-{what}", moved, ["3.14"], "out-of-storage"
    # 3 steps of (2^64 + 2) / 3 wrap to 2.
    wrapped = with_member(m.base(), "indices", strides=[4, (2**64 + 2) // 3])
    yield "indices-stride-wraps", wrapped, ["3.14"], "out-of-storage"
    backwards = [*INDICES[0][::-1], *INDICES[1][::-1]]
    turned = with_member(m.base(), "indices", strides=[4, -1], offset=3, data=backwards)
    yield "indices-backwards", turned, ["3.14"], "negative-stride"


def index_bounds(m):
    for what, d, k in (("first", 0, 0), ("inner", 0, 3), ("outer", 1, 0), ("last", 1, 3)):
        for index, rule, size in ((-1, "6.5", "1"), (m.min, "6.5", "min"),
                                  (SIZE[d], "6.6", "1"), (m.max, "6.6", "max")):
            indices = [list(row) for row in INDICES]
            indices[d][k] = index
            yield f"{what}-{size}", m.base(indices), [rule]
    yield "no-rows", m.tensor((0, 5), [[0], [2]]), ["6.6"]
    yield "no-columns", m.tensor((3, 0), [[2], [0]]), ["6.6"]
    yield "other-dimension", m.tensor((3, 5), [[4], [2]]), ["6.6"]


def claims(m):
    broken = {"unsorted-inner": [[0, 0, 2], [4, 1, 3]], "unsorted-outer": [[2, 0, 2], [1, 3, 4]],
              "duplicates": [[0, 2, 2], [1, 3, 3]]}
    for what, indices in broken.items():
        flag = "duplicates" if what == "duplicates" else "unsorted"
        yield what, m.base(indices, coalesced=True), ["6.7"], flag
    columns = m.tensor((), [], nse=2, dense=(5,), coalesced=True)
    yield "sparse-dim-0", columns, ["6.7"], "hybrid", "sparse-dim-0", "duplicates"


def sizeless_faults(m):
    yield "no-size", without_size(m.base([[0, -1, 2], [1, 4, 0]])), ["6.5"]
    claimed = m.base([[0, 2, 2], [1, 3, 3]], coalesced=True)
    yield "no-size", without_size(claimed), ["6.7"], "duplicates"
    if m.index_dtype == "int32":
        yield "no-size", without_size(m.base([[0, 2], [1, m.max]])), ["1.6"], "index-range"


def pairs(m):
    yield "negative-and-large", m.base([[0, 3], [-1, 4]]), ["6.5", "6.6"]
    values = values_array("float32", [3])
    negative = m.base([[0, 0, -2, 2], [1, 4, 0, 3]])
    yield "values-short-and-negative", {**negative, "values": values}, ["6.2", "6.5"]
    yield "large-and-unsorted", m.base([[3, 0], [1, 4]], coalesced=True), ["6.6", "6.7"]
