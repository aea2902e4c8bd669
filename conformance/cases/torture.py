# SPDX-License-Identifier: Apache-2.0
"""Tensors that are hard on validators: compressed indices that leave [0, nse] and come back, by
little and by so much that arithmetic wraps, at every place; faults in every batch; empty grids with
elements. Each case is (what, tensor, rules, flags)."""
from math import prod

from cases.tensors import BLOCKED, INT_MAX, INT_MIN, compressed_tensor, values_array

BASE_BATCH = ([0, 2, 2, 4], [1, 4, 0, 3])


def cases(layout, index_dtype):
    maker = Maker(layout, index_dtype)
    yield from excursions(maker)
    yield from wraps(maker)
    yield from positions(maker)
    yield from every_batch(maker)
    yield from empty_grids(maker)
    yield from empty_blocks(maker)


class Maker:
    def __init__(self, layout, index_dtype):
        self.layout, self.index_dtype = layout, index_dtype
        self.max, self.min = INT_MAX[index_dtype], INT_MIN[index_dtype]

    def tensor(self, grid, compressed, plain, **options):
        return compressed_tensor(self.layout, self.index_dtype, grid, compressed, plain, **options)


def excursions(m):
    """Out of [0, nse] and back. The largest would overflow a sum, the middle ones an address."""
    for nse, columns in ((0, 7), (3, 1000)):
        plain = [0, 2, 5][:nse]
        for what, far in {"by-1": 1, "by-100": 100, "by-a-page": 4096, "by-2-to-the-20": 1 << 20,
                          "by-max": m.max - nse}.items():
            for where, row in {"first": 1, "middle": 2, "last": 3}.items():
                name = f"{where}-{what}-nse-{nse}-columns-{columns}"
                # Up to the last row everything is empty, then all elements come at once.
                up = [0, 0, 0, 0, nse]
                up[row] = nse + far
                yield f"above-{name}", m.tensor((4, columns), up, plain), ["5.3"], []
                down = [0, 0, 0, 0, nse]
                down[row] = -far
                yield f"below-{name}", m.tensor((4, columns), down, plain), ["5.3"], []


def wraps(m):
    """Differences and sums that look right when they wrap."""
    half = m.max // 2 + 1  # two of these are min
    steps = {"quarters": [0, half, m.min, -half, 2], "to-and-fro": [0, m.max, m.min, m.max, 2],
             "min-twice": [0, m.min, m.min, 2, 2], "minus-one": [0, -1, -1, -1, 2],
             "power-of-two": [0, half, half, half, 2]}
    for what, offsets in steps.items():
        yield f"wraps-{what}", m.tensor((4, 7), offsets, [0, 2]), ["5.3"], []
    first = {"first-max": [m.max, 1, 1, 2, 2], "first-half": [half, 1, 1, 2, 2]}
    for what, offsets in first.items():
        yield what, m.tensor((4, 7), offsets, [0, 2]), ["5.1", "5.3"], []
    last = {"last-max": [0, 1, 1, 2, m.max], "last-min": [0, 1, 1, 2, m.min]}
    for what, offsets in last.items():
        yield what, m.tensor((4, 7), offsets, [0, 2]), ["5.2", "5.3"], []
    near = {"negative-min": m.min, "large-max": m.max, "large-by-2-to-the-20": 7 + (1 << 20),
            "negative-page": -4096}
    for what, index in near.items():
        rule = "5.4" if index < 0 else "5.5"
        yield f"index-{what}", m.tensor((4, 7), [0, 1, 1, 2, 3], [0, index, 5]), [rule], []


def positions(m):
    """One fault at every row and every element of a matrix with rows of different length."""
    offsets, plain = [0, 2, 2, 3, 6], [1, 4, 5, 0, 2, 3]
    for row in (1, 2, 3):
        fallen = list(offsets)
        fallen[row] = offsets[row + 1] + 1
        # The last row may hold that many only if P is large enough: it is 7.
        yield f"falls-after-{row}", m.tensor((4, 7), fallen, plain), ["5.3"], []
    for k in range(6):
        for what, index, rule in (("negative", -1, "5.4"), ("large", 7, "5.5")):
            wrong = list(plain)
            wrong[k] = index
            yield f"{what}-at-{k}", m.tensor((4, 7), offsets, wrong), with_order(rule, wrong, offsets), []
    for row, (a, b) in {0: (0, 1), 3: (4, 5)}.items():
        wrong = list(plain)
        wrong[a], wrong[b] = wrong[b], wrong[a]
        yield f"swapped-in-{row}", m.tensor((4, 7), offsets, wrong), ["5.6"], ["unsorted"]
        wrong[a] = wrong[b]
        yield f"twice-in-{row}", m.tensor((4, 7), offsets, wrong), ["5.6"], ["duplicates"]


def with_order(rule, plain, offsets):
    """A wrong index can also stand in the wrong order."""
    rows = [plain[a:b] for a, b in zip(offsets, offsets[1:])]
    ordered = all(a < b for row in rows for a, b in zip(row, row[1:]))
    return [rule] if ordered else [rule, "5.6"]


def every_batch(m):
    """Several batches, one of which is wrong."""
    compressed, plain = BASE_BATCH
    faults = {"5.1": ([1, 2, 2, 4], plain), "5.2": ([0, 2, 2, 5], plain),
              "5.3": ([0, 3, 2, 4], plain), "5.4": (compressed, [-1, 4, 0, 3]),
              "5.5": (compressed, [1, 4, 0, 5]), "5.6": (compressed, [4, 1, 0, 3])}
    for rule, (wrong_compressed, wrong_plain) in faults.items():
        flags = ["batched"] + ["unsorted"] * (rule == "5.6")
        for batch, wrongs in (((4,), (0, 1, 3)), ((2, 4), (3, 4, 7)), ((1, 2), (0, 1))):
            count = prod(batch)
            for wrong in wrongs:
                all_compressed, all_plain = [], []
                for k in range(count):
                    all_compressed += wrong_compressed if k == wrong else compressed
                    all_plain += wrong_plain if k == wrong else plain
                name = f"batch-{wrong}-of-{'x'.join(map(str, batch))}"
                yield name, m.tensor((3, 5), all_compressed, all_plain, batch=batch), [rule], flags


def empty_grids(m):
    """Elements where there is no place for any."""
    yield "elements-without-grid", m.tensor((0, 0), [0], [0]), ["5.2", "5.5"], ["bad-slack"]
    yield "elements-without-rows", m.tensor((0, 5), [3], [0, 1, 2]), ["5.1"], []
    yield "elements-without-columns", m.tensor((3, 0), [0, 1, 2, 2], [0, 0]), ["5.5", "5.3"], []
    yield "offsets-without-columns", m.tensor((3, 0), [0, 1, 1, 0], []), ["5.3"], []
    yield "offset-without-rows", m.tensor((0, 5), [m.max], []), ["5.1", "5.2"], []
    yield "negative-offset-without-rows", m.tensor((0, 5), [-1], []), ["5.1", "5.2"], []
    for value in (1, m.max, m.min):
        offsets = [value] * 4
        name = {1: "1", m.max: "max", m.min: "min"}[value]
        yield f"all-{name}-nse-0", m.tensor((3, 5), offsets, []), ["5.1", "5.2"], []
    yield "all-1-one-row-nse-0", m.tensor((1, 5), [1, 1], []), ["5.1", "5.2"], []
    yield "123-and-0", m.tensor((1, 5), [123, 0], []), ["5.1", "5.3"], []


def empty_blocks(m):
    """Blocks of no elements, with indices that may or may not be right."""
    if m.layout not in BLOCKED:
        return
    for what, block in {"0x3": (0, 3), "2x0": (2, 0), "0x0": (0, 0)}.items():
        for nse in (0, 2):
            tensor = m.tensor((2, 5), [0, 0, nse], [1, 3][:nse])
            tensor["values"] = values_array("float32", [nse, *block])
            yield f"blocks-{what}-nse-{nse}", tensor, ["3.13"], []
            far = {**tensor, "size": [0, 0]}
            # Where the block size of the compressed dimension is known, so is C: 0, not 2.
            known = ["3.8"] if block[0 if m.layout == "bsr" else 1] else []
            yield f"blocks-{what}-nse-{nse}-size-0x0", far, ["3.13", *known], []
