# SPDX-License-Identifier: Apache-2.0
"""Cases for CSR, CSC, BSR and BSC. Each is (what, tensor, rules, flags); see generate.case.

The base tensor has C = 3 compressed and P = 5 plain rows, columns or blocks:
  row 0: 1 4    row 1: nothing    row 2: 0 3"""
from copy import deepcopy
from math import prod

from cases.tensors import BLOCKED, INT_MAX, INT_MIN, array, compressed_tensor, filled, values_array

GRID = (3, 5)
COMPRESSED = [0, 2, 2, 4]
PLAIN = [1, 4, 0, 3]
# A second batch on the same grid: row 0: 2    row 1: 0 1    row 2: 4
COMPRESSED_2 = [0, 1, 3, 4]
PLAIN_2 = [2, 0, 1, 4]
MEMBERS = ("compressed_indices", "plain_indices", "values")
ALL_DTYPES = ("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16",
              "float32", "float64", "complex64", "complex128")


def cases(layout, index_dtype):
    maker = Maker(layout, index_dtype)
    yield from valid_forms(maker)
    yield from valid_storage(maker)
    yield from valid_extremes(maker)
    yield from valid_batched_and_hybrid(maker)
    for what, tensor, rules, *flags in invalid_cases(maker):
        yield what, tensor, rules, flags


def invalid_cases(maker):
    for part in (element_types, index_ranges, sizes, dimensions, index_strides, shapes,
                 negative_sizes, block_sizes, storages, first_and_last, falls_and_rises, wraps,
                 plain_bounds, order, batched_faults, sizeless_faults, pairs, in_every_type):
        yield from part(maker)


class Maker:
    """Builds fresh tensors of one layout and index type, which a case may then spoil."""

    def __init__(self, layout, index_dtype):
        self.layout = layout
        self.index_dtype = index_dtype
        self.blocked = layout in BLOCKED
        self.max = INT_MAX[index_dtype]
        self.min = INT_MIN[index_dtype]
        self.other_index_dtype = "int64" if index_dtype == "int32" else "int32"

    def tensor(self, grid, compressed, plain, **options):
        return compressed_tensor(self.layout, self.index_dtype, grid, compressed, plain, **options)

    def base(self, compressed=None, plain=None, **options):
        return self.tensor(GRID, compressed or COMPRESSED, plain or PLAIN, **options)

    def batched(self, compressed=None, plain=None, **options):
        return self.tensor(GRID, compressed or COMPRESSED + COMPRESSED_2, plain or PLAIN + PLAIN_2,
                           batch=(2,), **options)

    def unblocked(self, grid, compressed, plain, **options):
        """Blocks of one element, where block sizes would multiply a size beyond int64."""
        return self.tensor(grid, compressed, plain, block=(1, 1), **options)


def without_size(tensor):
    del tensor["size"]
    return tensor


def with_size(tensor, size):
    return {**tensor, "size": list(size)}


def with_member(tensor, member, **changes):
    tensor = deepcopy(tensor)
    tensor[member].update(changes)
    return tensor


def with_offsets(tensor, data):
    return with_member(tensor, "compressed_indices", shape=[len(data)], data=data)


def with_dtypes(tensor, compressed, plain):
    tensor = with_member(tensor, "compressed_indices", dtype=compressed)
    return with_member(tensor, "plain_indices", dtype=plain)


# ---- Valid ------------------------------------------------------------------------------------

def valid_forms(m):
    forms = {
        "base": m.base(),
        "first-empty": m.base([0, 0, 1, 4], [2, 0, 3, 4]),
        "last-empty": m.base([0, 3, 4, 4], [0, 1, 4, 2]),
        "full": m.tensor((3, 4), [0, 4, 8, 12], [0, 1, 2, 3] * 3),
        "one-compressed": m.tensor((1, 5), [0, 3], [0, 2, 4]),
        "one-plain": m.tensor((4, 1), [0, 1, 1, 2, 3], [0, 0, 0]),
        "no-compressed": m.tensor((0, 5), [0], []),
        "no-plain": m.tensor((3, 0), [0, 0, 0, 0], []),
        "no-compressed-no-plain": m.tensor((0, 0), [0], []),
        "no-elements": m.tensor(GRID, [0, 0, 0, 0], []),
        "declared": {**m.base(), "index_dtype": m.index_dtype, "dtype": "float32"},
        "no-size": without_size(m.base()),
        "no-size-no-elements": without_size(m.tensor(GRID, [0, 0, 0, 0], [])),
        "no-size-no-compressed": without_size(m.tensor((0, 5), [0], [])),
    }
    for what, tensor in forms.items():
        yield what, tensor, [], []
    for dtype in ALL_DTYPES:
        yield f"values-{dtype}", m.base(dtype=dtype), [], []


def in_every_type(m):
    """The main faults with elements of each type: libraries have a function for each."""
    faults = {"5.1": m.base([1, 2, 2, 4]), "5.2": m.base([0, 2, 2, 5]), "5.3": m.base([0, 3, 2, 4]),
              "5.4": m.base(plain=[1, -1, 0, 3]), "5.5": m.base(plain=[1, 5, 0, 3]),
              "5.6": m.base(plain=[4, 1, 0, 3])}
    for rule, tensor in faults.items():
        yield from with_types(tensor, ["5.4", "5.6"] if rule == "5.4" else [rule],
                              ["unsorted"] * (rule in ("5.4", "5.6")))
    short = m.base()["values"]["shape"]
    yield from with_types({**m.base(), "values": values_array("float32", [3, *short[1:]])}, ["3.10"], [])


def with_types(tensor, rules, flags):
    for dtype in ALL_DTYPES:
        if dtype != "float32":
            values = values_array(dtype, tensor["values"]["shape"])
            yield f"values-{dtype}", {**tensor, "values": values}, rules, *flags


def valid_storage(m):
    longer = m.base()
    for member in MEMBERS:
        longer[member]["data"] = longer[member]["data"] + [99]
    yield "storage-longer", longer, [], []
    offset = m.base()
    for member in MEMBERS:
        offset[member]["data"] = [99, 98] + offset[member]["data"]
        offset[member]["offset"] = 2
    yield "storage-offset", offset, [], []
    shape = m.base()["values"]["shape"]
    shared = filled("float32", shape, 1, 3, strides=[0] * len(shape))
    yield "values-shared", {**m.base(), "values": shared}, [], []
    yield "values-spaced", {**m.base(), "values": spaced_values(shape)}, [], []
    if m.blocked:
        strides = [shape[1] * shape[2], 1, shape[1]]
        yield "values-transposed-blocks", with_member(m.base(), "values", strides=strides), [], []
    single = m.tensor((0, 5), [0], [])
    yield "one-offset-any-stride", with_member(single, "compressed_indices", strides=[7]), [], []
    single = m.tensor((1, 5), [0, 1], [3])
    yield "one-index-any-stride", with_member(single, "plain_indices", strides=[0]), [], []


def spaced_values(shape):
    """Every second element of the storage."""
    strides = [2 * prod(shape[d + 1:]) for d in range(len(shape))]
    return array("float32", shape, range(2 * prod(shape)), strides=strides)


def valid_extremes(m):
    yield "largest-plain-size", m.unblocked((1, m.max), [0, 2], [0, m.max - 1]), [], []
    yield "zero-times-huge", m.unblocked((0, 2**30), [0], [], dense=(2**62,)), [], ["hybrid"]


def valid_batched_and_hybrid(m):
    both = (COMPRESSED + COMPRESSED_2, PLAIN + PLAIN_2)
    yield "batched", m.batched(), [], ["batched"]
    yield "batched-2x4", m.tensor(GRID, both[0] * 4, both[1] * 4, batch=(2, 4)), [], ["batched"]
    yield "batched-one", m.base(batch=(1,)), [], ["batched"]
    yield "batched-none", m.tensor(GRID, [], [], batch=(0,)), [], ["batched"]
    yield "batched-no-size", without_size(m.batched()), [], ["batched"]
    shared = m.batched()
    shared["compressed_indices"].update(strides=[0, 1], data=COMPRESSED)
    shared["plain_indices"].update(strides=[0, 1], data=PLAIN)
    yield "batched-shared", shared, [], ["batched"]
    gaps = m.batched()
    gaps["plain_indices"].update(strides=[6, 1], data=PLAIN + [-1, 99] + PLAIN_2)
    yield "batched-gaps", gaps, [], ["batched"]
    yield "batched-hybrid", m.batched(dense=(7,)), [], ["batched", "hybrid"]
    for what, dense in {"7": (7,), "2x4": (2, 4), "0": (0,)}.items():
        yield f"hybrid-{what}", m.base(dense=dense), [], ["hybrid"]


# ---- Shape rules --------------------------------------------------------------------------------

def element_types(m):
    ours, other = m.index_dtype, m.other_index_dtype
    declared = {**m.base(), "index_dtype": ours}
    yield "declared-other", {**m.base(), "index_dtype": other}, ["1.1", "1.2"]
    yield "compressed-differs", with_dtypes(declared, other, ours), ["1.1"]
    yield "plain-differs", with_dtypes(declared, ours, other), ["1.2"]
    yield "mixed", with_dtypes(m.base(), ours, other), ["1.2"], "mixed-index-dtypes"
    for dtype in ("int8", "int16", "uint8"):
        yield dtype, with_dtypes(m.base(), dtype, dtype), ["1.3"], "narrow-index-dtype"
    for dtype in ("float32", "float64"):
        yield dtype, with_dtypes(m.base(), dtype, dtype), ["1.3"], "float-index-dtype"
    yield "declared-int16", {**m.base(), "index_dtype": "int16"}, ["1.3", "1.1", "1.2"]
    yield "declared-float64", {**m.base(), "dtype": "float64"}, ["1.4"]
    yield "declared-complex64", {**m.base(), "dtype": "complex64"}, ["1.4"]


def index_ranges(m):
    huge = 2**31 if m.index_dtype == "int32" else 2**62
    if m.index_dtype == "int32":
        yield "plain-size", m.unblocked((1, 2**31), [0, 1], [7]), ["1.6"], "index-range"
        yield "plain-size-no-rows", m.unblocked((0, 2**31), [0], []), ["1.6"], "index-range"
        many = with_member(m.base(), "plain_indices", shape=[2**31], strides=[0])
        many["values"] = filled("float32", [2**31, *many["values"]["shape"][1:]], 1, 1,
                                strides=[0] * len(many["values"]["shape"]))
        yield "nse", many, ["1.6", "3.6"], "huge-array"
        tall = m.unblocked((2**31, 5), [0], [])
        tall["compressed_indices"].update(shape=[2**31 + 1], strides=[0])
        yield "compressed-size", tall, ["1.6", "3.5"], "huge-array"
        return
    yield "product", m.unblocked((3, huge), [0, 1, 2, 2], [0, 5]), ["3.11"], "huge-size"
    yield "product-wraps-to-0", m.unblocked((4, huge), [0] * 5, []), ["3.11"], "huge-size"
    dense = m.unblocked((3, 2**30), [0] * 4, [], dense=(2**33,))
    yield "product-with-dense", dense, ["3.11"], "hybrid", "huge-size"


def sizes(m):
    size = m.base()["size"]
    yield "size-short", with_size(m.base(), size[:1]), ["3.1"]
    yield "size-long", with_size(m.base(), size + [7]), ["3.1"]
    yield "size-empty", with_size(m.base(), []), ["3.1"]
    yield "batch-differs", with_size(m.batched(), [4, *size]), ["3.1"], "batched"
    yield "batch-missing", with_size(m.batched(), size), ["3.1"], "batched"
    if m.blocked:
        yield "block-rows", with_size(m.base(), [size[0] + 1, size[1]]), ["3.1"]
        yield "block-columns", with_size(m.base(), [size[0], size[1] + 2]), ["3.1"]
        yield "block-columns-short", with_size(m.base(), [size[0], size[1] - 1]), ["3.1"]


def dimensions(m):
    flat = with_member(m.base(), "compressed_indices", shape=[], data=[0])
    yield "compressed-0d", flat, ["3.2", "3.3"]
    yield "both-0d", with_member(flat, "plain_indices", shape=[], data=[0]), ["3.2"]
    yield "plain-2d", with_member(m.base(), "plain_indices", shape=[1, 4]), ["3.3"]
    yield "plain-0d", with_member(m.base(), "plain_indices", shape=[], data=[0]), ["3.3"]
    yield "values-0d", {**m.base(), "values": values_array("float32", [])}, ["3.4"]
    if m.blocked:
        yield "values-1d", {**m.base(), "values": values_array("float32", [4])}, ["3.4"]
        yield "values-2d", {**m.base(), "values": values_array("float32", [4, 3])}, ["3.4"]


def index_strides(m):
    for member, rule in (("compressed_indices", "3.5"), ("plain_indices", "3.6")):
        data = m.base()[member]["data"]
        doubled = [index for index in data for _ in range(2)]
        spaced = with_member(m.base(), member, strides=[2], data=doubled)
        yield f"{member}-spaced", spaced, [rule], "strided-indices"
        nothing = m.tensor((3, 5), [0, 0, 0, 0], [])
        if member == "compressed_indices":
            still = with_member(nothing, member, strides=[0], data=[0])
            yield f"{member}-repeated", still, [rule], "strided-indices"
        backwards = with_member(m.base(), member, strides=[-1], offset=3, data=data[::-1])
        yield f"{member}-backwards", backwards, ["3.14", rule], "strided-indices", "negative-stride"
    columns = m.batched()
    pairs_of_offsets = [o for pair in zip(COMPRESSED, COMPRESSED_2) for o in pair]
    columns["compressed_indices"].update(strides=[1, 2], data=pairs_of_offsets)
    yield "batch-innermost", columns, ["3.5"], "batched", "strided-indices"


def shapes(m):
    for what, offsets in {"short": [0, 2, 4], "long": [0, 2, 2, 4, 4], "none": []}.items():
        yield what, with_offsets(m.base(), offsets), ["3.8"]
    no_rows = m.tensor((0, 5), [0], [])
    yield "none-no-compressed", with_offsets(no_rows, []), ["3.8"]
    yield "none-no-size", without_size(with_offsets(no_rows, [])), ["3.8"]
    more = with_member(m.batched(), "plain_indices", shape=[3, 4], data=PLAIN + PLAIN_2 + PLAIN)
    yield "plain-more-batches", more, ["3.9"], "batched"
    fewer = with_member(m.batched(), "plain_indices", shape=[1, 4], data=PLAIN)
    yield "plain-fewer-batches", fewer, ["3.9"], "batched"
    yield from value_shapes(m)


def value_shapes(m):
    shape = m.base()["values"]["shape"]
    for what, count in {"short": 3, "long": 5, "none": 0}.items():
        values = values_array("float32", [count, *shape[1:]])
        yield f"values-{what}", {**m.base(), "values": values}, ["3.10"]
    values = values_array("float32", [*shape, 6])
    yield "dense-differs", {**m.base(dense=(7,)), "values": values}, ["3.10"], "hybrid"
    values = values_array("float32", [*shape, 4, 2])
    yield "dense-swapped", {**m.base(dense=(2, 4)), "values": values}, ["3.10"], "hybrid"
    values = values_array("float32", [3, *shape])
    yield "values-more-batches", {**m.batched(), "values": values}, ["3.10"], "batched"


def negative_sizes(m):
    size = m.base()["size"]
    yield "rows", with_size(m.base(), [-size[0], size[1]]), ["3.12"]
    yield "columns", with_size(m.base(), [size[0], -size[1]]), ["3.12"]
    yield "both", with_size(m.base(), [-size[0], -size[1]]), ["3.12"]
    counts = with_member(m.base(), "plain_indices", shape=[-1])
    tail = m.base()["values"]["shape"][1:]
    yield "nse", with_member(counts, "values", shape=[-1, *tail]), ["3.12"]
    yield "offsets", with_member(m.base(), "compressed_indices", shape=[-1]), ["3.12", "3.8"]


def block_sizes(m):
    if not m.blocked:
        return
    for what, block in {"no-rows": (0, 3), "no-columns": (2, 0), "nothing": (0, 0)}.items():
        values = values_array("float32", [4, *block])
        yield f"block-{what}", {**m.base(), "values": values}, ["3.13"]
    nothing = with_size(m.tensor((0, 5), [0], []), [0, 0])
    nothing["values"] = values_array("float32", [0, 0, 3])
    yield "block-no-rows-empty", nothing, ["3.13"]
    yield "block-negative", with_member(m.base(), "values", shape=[4, -2, 3]), ["3.13", "3.12"]


def storages(m):
    for member in MEMBERS:
        base = m.base()[member]
        for what, data in {"short": base["data"][:-1], "none": []}.items():
            less = with_member(m.base(), member, data=data)
            yield f"{member}-{what}", less, ["3.14"], "out-of-storage"
        steps = [prod(base["shape"][d + 1:]) for d in range(len(base["shape"]))]
        for what, offset in {"1": 1, "negative": -1, "max": 2**63 - 1, "min": -(2**63)}.items():
            moved = with_member(m.base(), member, offset=offset)
            yield f"{member}-offset-{what}", moved, ["3.14"], "out-of-storage"
        # 3 steps of (2^64 + 2) / 3 wrap to 2.
        steps[0] = (2**64 + 2) // 3
        rule = {"compressed_indices": ["3.5"], "plain_indices": ["3.6"], "values": []}[member]
        wrapped = with_member(m.base(), member, strides=steps)
        yield f"{member}-stride-wraps", wrapped, ["3.14", *rule], "out-of-storage"
    steps = [-1, *([0] * (len(steps) - 1))]
    backwards = with_member(m.base(), "values", strides=steps, offset=3)
    yield "values-backwards", backwards, ["3.14"], "negative-stride"
    # 8 steps of 2^61 wrap to 0.
    many = m.tensor(GRID, COMPRESSED * 9, PLAIN * 9, batch=(9,))
    many["plain_indices"]["strides"] = [2**61, 1]
    yield "batch-stride-wraps", many, ["3.14"], "batched", "out-of-storage"


# ---- Structure and canonical rules --------------------------------------------------------------

def first_and_last(m):
    yield "1", m.base([1, 2, 2, 4]), ["5.1"]
    yield "negative", m.base([-1, 2, 2, 4]), ["5.1"]
    yield "min", m.base([m.min, 2, 2, 4]), ["5.1", "5.3"]
    yield "no-compressed", m.tensor((0, 5), [1], []), ["5.1", "5.2"]
    yield "no-compressed-one-element", m.tensor((0, 5), [1], [0]), ["5.1"]
    yield "no-compressed-one-element", m.tensor((0, 5), [0], [0]), ["5.2"], "slack"
    yield "no-elements", m.tensor(GRID, [1, 1, 1, 1], []), ["5.1", "5.2"]
    yield "less", m.base([0, 2, 2, 3]), ["5.2"], "slack"
    yield "nothing", m.base([0, 0, 0, 0]), ["5.2"], "slack"
    yield "more", m.base([0, 2, 2, 5]), ["5.2"]
    yield "more-no-elements", m.tensor(GRID, [0, 0, 0, 1], []), ["5.2"]
    yield "max", m.base([0, 2, 2, m.max]), ["5.2", "5.3"]
    yield "negative", m.base([0, 2, 2, -1]), ["5.2", "5.3"]


def falls_and_rises(m):
    yield "fall-first", m.base([0, -1, 2, 4]), ["5.3"]
    yield "fall-middle", m.base([0, 3, 2, 4]), ["5.3"]
    yield "fall-last", m.base([0, 2, 5, 4]), ["5.3"]
    yield "above-nse-and-back", m.tensor((2, 6), [0, 6, 4], [0, 1, 2, 3]), ["5.3"]
    yield "above-nse-0-and-back", m.tensor((2, 5), [0, 2, 0], []), ["5.3"]
    yield "below-0-and-back-nse-0", m.tensor((2, 5), [0, -2, 0], []), ["5.3"]
    first = m.tensor((2, 5), [0, 6, 6], [0, 1, 2, 3, 4, 4])
    yield "too-full", first, ["5.3", "5.6"], "duplicates"
    last = m.tensor((2, 4), [0, 1, 6], [2, 0, 1, 2, 3, 3])
    yield "too-full-last", last, ["5.3", "5.6"], "duplicates"
    yield "no-plain", m.tensor((2, 0), [0, 1, 0], []), ["5.3"]


def wraps(m):
    """Every difference that is taken in the index type, wrapping, is 0 or more."""
    steps = [0, m.max, m.min, -1, 3]
    yield "wraps-around", m.tensor((4, 5), steps, [0, 1, 2]), ["5.3"]
    if m.index_dtype == "int32":
        # P is so large that only the fall gives it away; in int64 such a size would be too large.
        yield "wraps-around-huge-plain", m.unblocked((4, m.max), steps, [0, 1, 2]), ["5.3"]
    yield "wraps-around-nse-0", m.tensor((4, 5), [0, m.max, m.min, -1, 0], []), ["5.3"]
    yield "min-inside", m.base([0, m.min, 2, 4]), ["5.3"]
    yield "max-inside", m.base([0, 2, m.max, 4]), ["5.3"]


def plain_bounds(m):
    for what, k in {"first": 0, "middle": 2, "last": 3}.items():
        for index, rule, size in ((-1, "5.4", "1"), (m.min, "5.4", "min"),
                                  (5, "5.5", "1"), (m.max, "5.5", "max")):
            plain = list(PLAIN)
            plain[k] = index
            yield f"{what}-{size}", m.base(plain=plain), [rule]
    yield "other-dimension", m.tensor((7, 5), [0] * 7 + [1], [6]), ["5.5"]
    yield "no-plain", m.tensor((2, 0), [0, 1, 1], [0]), ["5.5", "5.3"]


def order(m):
    yield "unsorted-first", m.base(plain=[4, 1, 0, 3]), ["5.6"], "unsorted"
    yield "unsorted-last", m.base(plain=[1, 4, 3, 0]), ["5.6"], "unsorted"
    yield "duplicate-first", m.base(plain=[4, 4, 0, 3]), ["5.6"], "duplicates"
    yield "duplicate-last", m.base(plain=[1, 4, 3, 3]), ["5.6"], "duplicates"
    backwards = m.tensor((2, 5), [0, 5, 5], [4, 3, 2, 1, 0])
    yield "backwards", backwards, ["5.6"], "unsorted"
    apart = m.tensor((2, 5), [0, 0, 3], [2, 4, 2])
    yield "duplicate-apart", apart, ["5.6"], "duplicates", "unsorted"


def batched_faults(m):
    """The first batch is right, the second has the fault."""
    faults = {"5.1": ([1, 1, 3, 4], PLAIN_2), "5.2": ([0, 1, 3, 3], PLAIN_2),
              "5.3": ([0, 3, 1, 4], PLAIN_2), "5.4": (COMPRESSED_2, [2, 0, -1, 4]),
              "5.5": (COMPRESSED_2, [2, 0, 1, 5]), "5.6": (COMPRESSED_2, [2, 1, 0, 4])}
    for rule, (compressed, plain) in faults.items():
        yield "second-batch", m.batched(COMPRESSED + compressed, PLAIN + plain), [rule], "batched"
    nothing = m.tensor((0, 5), [0, 1], [], batch=(2,))
    yield "second-batch-no-compressed", nothing, ["5.1", "5.2"], "batched"
    below = m.batched(COMPRESSED + [4, 5, 7, 8])
    yield "offsets-run-on", below, ["5.1", "5.2"], "batched"


def sizeless_faults(m):
    faults = {"5.1": ([1, 2, 2, 4], PLAIN), "5.2": ([0, 2, 2, 5], PLAIN),
              "5.3": ([0, 3, 2, 4], PLAIN), "5.4": (COMPRESSED, [1, 4, -1, 3]),
              "5.6": (COMPRESSED, [4, 4, 0, 3])}
    for rule, (compressed, plain) in faults.items():
        flags = ["duplicates"] if rule == "5.6" else []
        yield "no-size", without_size(m.base(compressed, plain)), [rule], *flags
    yield "no-size-fall", without_size(m.base([0, 3, 2, 4], [1, 4, -1, 3])), ["5.4", "5.3"]
    full = m.tensor((2, 5), [0, 6, 6], [0, 1, 2, 3, 4, 4])
    yield "no-size-too-full", without_size(full), ["5.3", "5.6"], "duplicates"
    if m.index_dtype == "int32":
        big = without_size(m.unblocked((1, 5), [0, 1], [m.max]))
        yield "no-size-plain-size", big, ["1.6"], "index-range"


def pairs(m):
    yield "first-and-plain-negative", m.base([1, 2, 2, 4], [1, -4, 0, 3]), ["5.1", "5.4"]
    yield "last-and-plain-large", m.base([0, 2, 2, 5], [1, 4, 0, 5]), ["5.2", "5.5"]
    yield "fall-and-plain-large", m.base([0, 3, 2, 4], [1, 9, 0, 3]), ["5.3", "5.5"]
    yield "plain-negative-and-large", m.base(plain=[-1, 4, 0, 5]), ["5.4", "5.5"]
    yield "no-compressed-plain-large", m.tensor((0, 5), [0], [5]), ["5.2", "5.5"], "bad-slack"
    yield "plain-large-and-unsorted", m.base(plain=[5, 1, 0, 3]), ["5.5", "5.6"]
    values = values_array("float32", [3, *m.base()["values"]["shape"][1:]])
    yield "values-short-and-first", {**m.base([1, 2, 2, 4]), "values": values}, ["3.10", "5.1"]
    short = with_offsets(m.base(), [0, 2, 4])
    yield "both-short", {**short, "values": values}, ["3.8", "3.10"]
