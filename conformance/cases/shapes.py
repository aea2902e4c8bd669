# SPDX-License-Identifier: Apache-2.0
"""Operations where libraries have paths of their own: no batch at all, dense dimensions, values that
are spaced or shared, a dense operand, sums over one dimension. Each case is a dict, as in operations."""
from cases.model import Model, dense_vector, written
from cases.operations import (LAYOUTS, blocksize, case, expectation, numbered, scattered, small,
                              widened, widened_tensor)
from cases.tensors import BLOCKED, array, compressed_tensor

FLIPPED = {"csr": "csc", "csc": "csr", "bsr": "bsc", "bsc": "bsr"}
DTYPE = "float64"


def cases():
    for index_dtype in ("int32", "int64"):
        for layout in LAYOUTS[1:]:
            yield from no_batch(layout, index_dtype)
        for layout in LAYOUTS:
            for width in (2, 0):
                yield from hybrid(layout, index_dtype, width)
            yield from spaced(layout, index_dtype)
            yield from along_one_dimension(layout, index_dtype)
            yield from with_dense(layout, index_dtype)


def no_batch(layout, index_dtype):
    """A batch of size 0: nothing to do, and nothing to divide by."""
    tensor = compressed_tensor(layout, index_dtype, (3, 5), [], [], batch=(0,), dtype=DTYPE)
    _, rows, columns = tensor["size"]
    blocks = {"blocksize": [2, 3]} if layout in BLOCKED else {}
    for operation, size, arguments in (
            ("to_dense", [0, rows, columns], {}), ("transpose", [0, columns, rows], {}),
            ("convert", [0, rows, columns], {"to": FLIPPED[layout], **blocks})):
        more = {"layout": FLIPPED[layout]} if operation == "convert" else {}
        yield {"operation": operation, "name": f"{layout}/{operation}/no-batch/{DTYPE}-{index_dtype}",
               "tensor": tensor, "arguments": arguments, "flags": ["batched"],
               "expect": {"verdict": "valid", "dense": array(DTYPE, size, []), **more}}


def hybrid(layout, index_dtype, width):
    """Each element is a vector of `width`. The order of the elements is not that of the other layout."""
    model = Model(f"hybrid-{width}", (4, 9), numbered([(0, 7), (1, 2), (2, 0), (2, 4)]))
    flags = ["hybrid"] + ["empty-size"] * (width == 0)
    tensor = widened_tensor(model.tensor(layout, index_dtype, DTYPE), width)
    dense = widened(model.dense(DTYPE), width)
    turned = widened(model.transposed().dense(DTYPE), width)
    twice = {**dense, "data": [2 * n for n in dense["data"]]}
    asked = [("transpose", turned, {}, ""), ("add", twice, {}, "-same-object"),
             ("add", twice, {"other": tensor}, "-equal")]
    asked += [("convert", dense, {"to": to, **blocksize(model, to)}, f"-to-{to}") for to in LAYOUTS]
    if width:
        row = dense["data"][2 * 9 * width:3 * 9 * width]
        asked += [("scale", twice, {"alpha": 2}, "-by-2"), ("sum", array(DTYPE, [], [sum(dense["data"])]), {}, ""),
                  ("select", array(DTYPE, [9, width], row), {"dim": 0, "index": 2}, "-row"),
                  ("select", array(DTYPE, [4, 9], dense["data"][1::width]), {"dim": 2, "index": 1}, "-last")]
        other = widened(Model("", (4, 9), numbered([(0, 0), (1, 2), (3, 8)])).dense(DTYPE), width)
        both = [a + b for a, b in zip(dense["data"], other["data"])]
        asked.append(("add_dense", {**dense, "data": both}, {"dense": other}, ""))
    for operation, expected, arguments, what in asked:
        more = {"layout": arguments["to"]} if operation == "convert" else {}
        inner = ["inner-dimension"] * (arguments.get("dim", 0) > 0)
        yield {"operation": operation, "tensor": tensor, "arguments": arguments, "flags": flags + inner,
               "name": f"{layout}/{operation}/{model.name}{what}/{DTYPE}-{index_dtype}",
               "expect": {"verdict": "valid", "dense": expected, **more}}


def spaced(layout, index_dtype):
    """Every second element of the storage of values is none of the tensor's."""
    model = Model("values-spaced", (6, 12), numbered(scattered(6, 12, 17, 15)), (1, 1))
    x = [k % 3 + 1 for k in range(12)]
    product = array(DTYPE, [6], [row[0] for row in model.times([x], DTYPE)])
    total = array(DTYPE, [], [sum(n for _, _, n in model.entries)])
    for operation, dense, arguments in (
            ("to_dense", model.dense(DTYPE), {}), ("matvec", product, {"x": dense_vector(x, DTYPE)}),
            ("transpose", model.transposed().dense(DTYPE), {}), ("sum", total, {})):
        item = case(operation, model, layout, index_dtype, DTYPE,
                    expectation(model, layout, dense), arguments=arguments)
        yield {**item, "tensor": with_spaces(item["tensor"])}


def with_spaces(tensor):
    values = tensor["values"]
    data = [n for pair in zip(values["data"], [77] * len(values["data"])) for n in pair]
    inner = [1] * (len(values["shape"]) - 1)  # blocks of one element
    return {**tensor, "values": array(values["dtype"], values["shape"], data, strides=[2, *inner])}


def with_one_value(tensor, value):
    shape = tensor["values"]["shape"]
    return {**tensor, "values": {"dtype": DTYPE, "shape": shape, "strides": [0] * len(shape),
                                 "length": 1, "fill": value}}


def along_one_dimension(layout, index_dtype):
    """Sums of the columns (dim 0) and of the rows (dim 1)."""
    places = scattered(6, 12, 17, 16)
    for what, entries in {"scattered": numbered(places), "empty": [],
                          "values-spaced": numbered(places),
                          "values-shared": [(r, c, 3) for r, c in places]}.items():
        model = Model(what, (6, 12), entries, (1, 1) if what.startswith("values") else (2, 3))
        rows = model.grid(DTYPE)
        for dim, sums in enumerate(([sum(column) for column in zip(*rows)],
                                    [sum(row) for row in rows])):
            dense = array(DTYPE, [len(sums)], [written(n, DTYPE) for n in sums])
            item = case("sum_dim", model, layout, index_dtype, DTYPE,
                        expectation(model, layout, dense), f"dim-{dim}", arguments={"dim": dim})
            if what == "values-spaced":
                item["tensor"] = with_spaces(item["tensor"])
            if what == "values-shared":
                item["tensor"] = with_one_value(item["tensor"], 3)
            yield item


def with_dense(layout, index_dtype):
    """The dense operand in both orders of its storage."""
    model = Model("plain", (4, 9), numbered(scattered(4, 9, 11, 17)))
    other = Model("", (4, 9), [(r, c, small(r + c)) for r in range(4) for c in range(9)])
    both = Model("", (4, 9), model.entries + other.entries)
    for what, column_major in (("", False), ("column-major", True)):
        item = case("add_dense", model, layout, index_dtype, DTYPE,
                    expectation(model, layout, both.dense(DTYPE)), what,
                    arguments={"dense": other.dense(DTYPE, column_major)})
        yield {**item, "flags": sorted({*item["flags"], *["column-major"] * column_major})}
