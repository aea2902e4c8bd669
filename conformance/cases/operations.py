# SPDX-License-Identifier: Apache-2.0
"""Operations on valid matrices: to dense and back, between layouts, transposed, times a vector and
a matrix, summed and added. Each case is a dict without id, see generate.operation_case."""
from cases.model import Model, dense_matrix, dense_vector, of_rows, written
from cases.tensors import BLOCKED, array

LAYOUTS = ("coo", "csr", "csc", "bsr", "bsc")
ALL_DTYPES = ("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16",
              "float32", "float64", "complex64", "complex128")
INDEX_DTYPES = ("int32", "int64")
# Matrices that are asked about with both index types; the others take turns.
BOTH = ("no-rows", "no-elements", "dense-row", "scattered", "large")
FLOATS = ("float16", "bfloat16", "float32", "float64")
# NaN with a payload, in the type where it stands.
PAYLOAD = {"float16": "bits:7e2a", "bfloat16": "bits:7fd5", "float32": "bits:7fc12345",
           "float64": "bits:7ff8000012345678"}


def small(k):
    """Whole numbers of both signs, none of them 0, small enough for every type."""
    return (k * 5 % 7 + 1) * (-1 if k % 3 == 2 else 1)


def scattered(rows, columns, count, seed):
    """count different places, the same ones each time."""
    places, state = [], seed
    while len(places) < count:
        state = (state * 1103515245 + 12345) % 2**31
        place = (state >> 8) % (rows * columns)
        if place not in places:
            places.append(place)
    return [(place // columns, place % columns) for place in sorted(places)]


def numbered(places):
    return [(row, column, small(k)) for k, (row, column) in enumerate(places)]


def shape_classes():
    """Matrices that differ in what is empty, full, first or last. Block sizes divide them."""
    full = [(r, c) for r in range(2) for c in range(6)]
    yield Model("no-rows", (0, 6), [])
    yield Model("no-columns", (4, 0), [])
    yield Model("nothing", (0, 0), [])
    yield Model("no-elements", (4, 9), [])
    yield Model("one-row", (1, 6), numbered([(0, 1), (0, 4), (0, 5)]), (1, 3))
    yield Model("one-row-full", (1, 6), numbered([(0, c) for c in range(6)]), (1, 3))
    yield Model("one-row-empty", (1, 6), [], (1, 3))
    yield Model("one-column", (8, 1), numbered([(0, 0), (3, 0), (7, 0)]), (2, 1))
    yield Model("one-column-full", (4, 1), numbered([(r, 0) for r in range(4)]), (2, 1))
    yield Model("first-place", (4, 9), numbered([(0, 0)]))
    yield Model("last-place", (4, 9), numbered([(3, 8)]))
    yield Model("last-row-first-column", (4, 9), numbered([(3, 0)]))
    yield Model("full", (2, 6), numbered(full))
    yield Model("full-1x1-blocks", (2, 6), numbered(full), (1, 1))
    yield Model("one-block", (2, 3), numbered([(0, 2), (1, 0)]))
    yield Model("one-block-whole", (3, 5), numbered([(0, 4), (2, 1)]), (3, 5))
    yield Model("dense-row", (6, 9), numbered([(3, c) for c in range(9)]))
    yield Model("dense-column", (6, 9), numbered([(r, 4) for r in range(6)]))
    yield Model("diagonal", (4, 9), numbered([(k, k) for k in range(4)]))
    yield Model("antidiagonal", (6, 3), numbered([(k, 2 - k) for k in range(3)]))
    yield Model("ends-empty", (8, 9), numbered([(2, 3), (2, 8), (5, 0)]))
    yield Model("tall", (16, 3), numbered(scattered(16, 3, 11, 1)))
    yield Model("wide", (2, 33), numbered(scattered(2, 33, 13, 2)))
    yield Model("scattered", (6, 12), numbered(scattered(6, 12, 17, 3)))
    yield Model("flat-blocks", (6, 12), numbered(scattered(6, 12, 17, 4)), (1, 4))
    yield Model("tall-blocks", (6, 12), numbered(scattered(6, 12, 17, 5)), (3, 1))
    yield Model("large", (38, 51), numbered(scattered(38, 51, 190, 6)))
    yield Model("row-of-300", (2, 300), numbered(scattered(2, 300, 280, 7)))
    yield Model("one-number", (6, 12), [(r, c, 3) for r, c in scattered(6, 12, 17, 18)])


def special_classes():
    zeros = [(0, 1, 0), (1, 4, 5), (2, 0, 0), (3, 8, -2), (3, 7, 0)]
    yield Model("explicit-zeros", (4, 9), zeros, flags=["explicit-zeros"])
    all_zeros = [(row, column, 0) for row, column, _ in zeros]
    yield Model("all-zeros", (4, 9), all_zeros, flags=["explicit-zeros"])
    cancelling = [(0, 1, 4), (1, 4, 5), (0, 1, -4), (3, 8, 2), (3, 8, 3)]
    yield Model("duplicates-cancel", (4, 9), cancelling, flags=["duplicates", "unsorted"])
    many = [(1, 4, n) for n in (1, 2, 3, 4)] + [(3, 0, 7)]
    yield Model("duplicates-four", (4, 9), many, flags=["duplicates"])
    yield Model("backwards", (6, 12), numbered(scattered(6, 12, 17, 8)[::-1]), flags=["unsorted"])
    yield Model("shuffled", (6, 12), numbered(sorted(scattered(6, 12, 17, 9),
                                                     key=lambda p: (p[0] * 5 + p[1] * 7) % 11)),
                flags=["unsorted"])
    yield repeated()


def repeated():
    """The same place up to three times, and such as are in one block; one block is of a stored zero."""
    entries = [(5, 7, 2), (0, 1, 4), (4, 6, 3), (0, 1, 5), (5, 7, 1), (1, 2, 6), (5, 7, -3), (2, 14, 0), (0, 13, 7)]
    return Model("duplicates-in-blocks", (8, 15), entries, flags=["duplicates", "explicit-zeros", "unsorted"])


def special_values():
    """Numbers that only bits can tell apart. Moved, they stay what they are."""
    for text, flag in (("nan", "nan"), ("inf", "inf"), ("-inf", "inf"), ("-0.0", "negative-zero")):
        entries = [(0, 1, 3), (1, 4, text), (3, 0, text), (3, 8, 2)]
        yield Model(f"value-{text.replace('-', 'minus-')}", (4, 9), entries, flags=[flag])


# ---- Cases --------------------------------------------------------------------------------------

def cases():
    for k, model in enumerate(shape_classes()):
        for j, layout in enumerate(LAYOUTS):
            for index_dtype in INDEX_DTYPES if model.name in BOTH else [INDEX_DTYPES[(k + j) % 2]]:
                yield from all_operations(model, layout, index_dtype, "float64")
            yield from from_dense(model, layout, "float64")
    for model in special_classes():
        for layout in layouts_of(model):
            yield from all_operations(model, layout, "int64", "float64")
            yield from all_operations(model, layout, "int32", "float32")
    for dtype in ALL_DTYPES:
        model = Model("types", (4, 9), numbered(scattered(4, 9, 11, 10)))
        for layout in LAYOUTS:
            yield from all_operations(model, layout, "int64", dtype)
            yield from from_dense(model, layout, dtype)
    for model in special_values():
        for dtype in ("float32", "float64", "complex64"):
            for layout in LAYOUTS:
                yield from moves(model, layout, "int64", dtype)
                yield from from_dense(model, layout, dtype)
    yield from payloads()
    yield from strided_operands()
    yield from of_more_dimensions()


def layouts_of(model):
    """No row of blocks has room for one four times."""
    return LAYOUTS[:3] if model.name == "duplicates-four" else LAYOUTS


def all_operations(model, layout, index_dtype, dtype):
    yield from moves(model, layout, index_dtype, dtype)
    if dtype != "bool":
        yield from arithmetic(model, layout, index_dtype, dtype)


def expectation(model, operand, dense, **more):
    """In COO neither order nor duplicates are against a rule."""
    expect = {"verdict": "valid", "dense": dense, **more}
    if operand != "coo" and {"unsorted", "duplicates"} & model.flags:
        expect["rules"] = ["5.6"]
    return expect


def case(operation, model, layout, index_dtype, dtype, expect, what="", **more):
    name = f"{model.name}{'-' if what else ''}{what}"
    return {"operation": operation, "name": f"{layout}/{operation}/{name}/{dtype}-{index_dtype}",
            "tensor": model.tensor(layout, index_dtype, dtype), "expect": expect,
            "flags": sorted(model.flags), **more}


def moves(model, layout, index_dtype, dtype):
    """Operations that only move elements."""
    dense = model.dense(dtype)
    yield case("to_dense", model, layout, index_dtype, dtype, expectation(model, layout, dense))
    for to in LAYOUTS:
        arguments = {"to": to, **blocksize(model, to)}
        yield case("convert", model, layout, index_dtype, dtype,
                   expectation(model, layout, dense, layout=to), f"to-{to}", arguments=arguments)
    yield case("transpose", model, layout, index_dtype, dtype,
               expectation(model, layout, model.transposed().dense(dtype)))


def blocksize(model, to):
    return {"blocksize": list(model.block)} if to in BLOCKED else {}


def from_dense(model, to, dtype):
    """Nothing is kept of the sign of a zero: it is not stored."""
    arguments = {"to": to, **blocksize(model, to)}
    expect = {"verdict": "valid", "dense": model.dense(dtype), "layout": to}
    for what, column_major in (("", False), ("-column-major", True)):
        flags = [flag for flag in model.flags if flag != "negative-zero"]
        yield {"operation": "from_dense", "name": f"{to}/from_dense/{model.name}{what}/{dtype}",
               "dense": model.dense(dtype, column_major), "arguments": arguments, "expect": expect,
               "flags": sorted(flags + ["column-major"] * column_major)}


def arithmetic(model, layout, index_dtype, dtype):
    """Operations whose result is exact in every order: the numbers are small and whole."""
    rows, columns = model.size
    x = [k % 3 + 1 for k in range(columns)]
    product = [row[0] for row in model.times([x], dtype)]
    yield case("matvec", model, layout, index_dtype, dtype,
               expectation(model, layout, array(dtype, [rows], [written(n, dtype) for n in product])),
               arguments={"x": dense_vector(x, dtype)})
    for count in (1, 4):
        many = [[(k + c) % 3 - (k % 2) for k in range(columns)] for c in range(count)]
        if dtype == "uint8":
            many = [list(map(abs, column)) for column in many]
        product = of_rows(model.times(many, dtype), [rows, count], dtype)
        yield case("matmat", model, layout, index_dtype, dtype, expectation(model, layout, product),
                   f"{count}-columns", arguments={"x": dense_matrix(many, columns, dtype)})
    total = sum(sum(row) for row in model.grid(dtype))
    yield case("sum", model, layout, index_dtype, dtype,
               expectation(model, layout, array(dtype, [], [written(total, dtype)])))
    yield from additions(model, layout, index_dtype, dtype)


def additions(model, layout, index_dtype, dtype):
    """Every pair of operands for which a library may have a short cut is a case of its own: the very
    same object; an equal one; the same places with other numbers; no elements; other places."""
    tensor = model.tensor(layout, index_dtype, dtype)
    twice = Model(model.name, model.size, model.entries * 2, model.block)
    for what, arguments in (("same-object", {}), ("equal", {"other": tensor})):
        yield case("add", model, layout, index_dtype, dtype,
                   expectation(model, layout, twice.dense(dtype)), what, arguments=arguments)
    for other in others(model):
        both = Model("both", model.size, model.entries + other.entries, model.block)
        yield case("add", model, layout, index_dtype, dtype,
                   expectation(model, layout, both.dense(dtype)), other.name,
                   arguments={"other": other.tensor(layout, index_dtype, dtype)})


def others(model):
    """Second operands of the same size."""
    flags = model.flags & {"unsorted", "duplicates"}
    if model.entries:
        numbers = [small(k + 1) for k in range(len(model.entries))]
        yield Model("same-places", model.size, [
            (r, c, n) for (r, c, _), n in zip(model.entries, numbers)], model.block, flags)
        yield Model("nothing", model.size, [], model.block)
    rows, columns = model.size
    if rows * columns >= 12:
        places = scattered(rows, columns, min(rows * columns // 3, 40), 11)
        yield Model("other", model.size, [(r, c, small(k + 3)) for k, (r, c) in enumerate(places)],
                    model.block)


def payloads():
    """NaN is more than one value."""
    for dtype in FLOATS:
        entries = [(0, 1, 3), (1, 4, PAYLOAD[dtype]), (3, 8, 2)]
        model = Model("nan-payload", (4, 9), entries, flags=["nan"])
        for layout in LAYOUTS:
            yield from moves(model, layout, "int64", dtype)
            yield from from_dense(model, layout, dtype)


def strided_operands():
    """Operands that are not contiguous: a column-major right-hand side, shared and spaced values."""
    model = Model("strided", (6, 12), numbered(scattered(6, 12, 17, 12)))
    columns = [[(k * 2 + c) % 5 - 2 for k in range(12)] for c in range(3)]
    product = of_rows(model.times(columns, "float64"), [6, 3], "float64")
    for layout in LAYOUTS:
        item = case("matmat", model, layout, "int64", "float64",
                    expectation(model, layout, product), "column-major",
                    arguments={"x": dense_matrix(columns, 12, "float64", column_major=True)})
        yield {**item, "flags": sorted({*item["flags"], "column-major"})}
    same = Model("values-shared", (6, 12), [(r, c, 3) for r, c in scattered(6, 12, 17, 13)],
                 (1, 1), flags=["strided"])
    x = [k % 3 + 1 for k in range(12)]
    for layout in LAYOUTS:
        for operation, dense, arguments in (
                ("to_dense", same.dense("float64"), {}),
                ("matvec", array("float64", [6], [row[0] for row in same.times([x], "float64")]),
                 {"x": dense_vector(x, "float64")})):
            item = case(operation, same, layout, "int64", "float64",
                        expectation(same, layout, dense), arguments=arguments)
            shape = item["tensor"]["values"]["shape"]
            item["tensor"]["values"] = {"dtype": "float64", "shape": shape, "strides": [0] * len(shape),
                                        "length": 1, "fill": 3}
            yield item
    yield from indices_by_column()


def indices_by_column():
    """COO indices in column-major storage."""
    model = Model("indices-by-column", (6, 12), numbered(scattered(6, 12, 17, 14)), flags=["strided"])
    x = [k % 3 + 1 for k in range(12)]
    product = array("float64", [6], [row[0] for row in model.times([x], "float64")])
    for operation, dense, arguments in (
            ("to_dense", model.dense("float64"), {}), ("matvec", product, {"x": dense_vector(x, "float64")}),
            ("transpose", model.transposed().dense("float64"), {}),
            ("convert", model.dense("float64"), {"to": "csr"})):
        more = {"layout": "csr"} if operation == "convert" else {}
        item = case(operation, model, "coo", "int64", "float64",
                    expectation(model, "coo", dense, **more), arguments=arguments)
        flat, count = item["tensor"]["indices"]["data"], len(model.entries)
        turned = [flat[d * count + k] for k in range(count) for d in (0, 1)]
        item["tensor"]["indices"] = array("int64", [2, count], turned, strides=[1, 2])
        yield item


# ---- More than two dimensions -------------------------------------------------------------------

def of_more_dimensions():
    yield from batched()
    yield from hybrid()
    yield from coo_of_other_dimensions()


def batched():
    """Two matrices with the same number of elements, one after the other."""
    pair = [Model("batched", (4, 9), numbered(places)) for places in ([(0, 1), (1, 8), (2, 0)], [(0, 0), (2, 3), (3, 8)])]
    yield from of_batches(pair, LAYOUTS[1:])
    places = [(0, 1), (2, 0), (3, 1), (2, 5)], [(0, 2), (0, 5), (1, 4), (3, 0)]
    yield from of_batches([Model("batched-square", (4, 6), numbered(of_one), (2, 2)) for of_one in places], BLOCKED)


def of_batches(pair, layouts):
    name, dims = pair[0].name, list(pair[0].size)
    for layout in layouts:
        for index_dtype in ("int32", "int64"):
            tensors = [model.tensor(layout, index_dtype, "float64") for model in pair]
            if len({tensor["plain_indices"]["shape"][0] for tensor in tensors}) > 1:
                raise ValueError("batches must have the same number of elements")
            stacked = stack(tensors)
            dense = stack_arrays([model.dense("float64") for model in pair])
            turned = stack_arrays([model.transposed().dense("float64") for model in pair])
            swapped = stack([model.tensor(layout, index_dtype, "float64") for model in pair[::-1]])
            twice = {**dense, "data": [2 * n for n in dense["data"]]}
            other = stack_arrays([model.dense("float64") for model in pair[::-1]])
            both = {**dense, "data": [m + n for m, n in zip(dense["data"], other["data"])]}
            of_all = array("float64", [], [sum(dense["data"])])
            last = array("float64", dims, dense["data"][dims[0] * dims[1]:])
            for operation, what, expected, arguments in (
                    ("to_dense", "", dense, {}), ("transpose", "", turned, {}),
                    ("add", "-same-object", twice, {}), ("add", "-equal", twice, {"other": stacked}),
                    ("add", "-other", both, {"other": swapped}), ("scale", "-by-2", twice, {"alpha": 2}),
                    ("sum", "", of_all, {}), ("select", "-last", last, {"dim": 0, "index": 1})):
                inner = ["inner-dimension"] * (operation == "select")
                yield {"operation": operation, "tensor": stacked, "flags": ["batched", *inner],
                       "name": f"{layout}/{operation}/{name}{what}/float64-{index_dtype}",
                       "arguments": arguments, "expect": {"verdict": "valid", "dense": expected}}
            for to in LAYOUTS[1:]:
                yield {"operation": "convert", "flags": ["batched"], "tensor": stacked,
                       "name": f"{layout}/convert/{name}-to-{to}/float64-{index_dtype}",
                       "arguments": {"to": to, **blocksize(pair[0], to)},
                       "expect": {"verdict": "valid", "dense": dense, "layout": to}}


def stack(tensors):
    first = tensors[0]
    members = {name: stack_arrays([tensor[name] for tensor in tensors])
               for name in ("compressed_indices", "plain_indices", "values")}
    return {**first, "size": [len(tensors), *first["size"]], **members}


def stack_arrays(members):
    return array(members[0]["dtype"], [len(members), *members[0]["shape"]],
                 [element for member in members for element in member["data"]])


def hybrid():
    """Each element is a vector of two, or of nothing."""
    for width in (2, 0):
        model = Model(f"hybrid-{width}", (4, 9), numbered([(0, 1), (1, 8), (2, 0), (2, 4)]),
                      flags=["hybrid"] + ["empty-size"] * (width == 0))
        for layout in LAYOUTS:
            for index_dtype in ("int32", "int64"):
                tensor = widened_tensor(model.tensor(layout, index_dtype, "float64"), width)
                yield {"operation": "to_dense", "tensor": tensor, "flags": sorted(model.flags),
                       "name": f"{layout}/to_dense/hybrid-{width}/float64-{index_dtype}",
                       "expect": {"verdict": "valid",
                                  "dense": widened(model.dense("float64"), width)}}


def widened_tensor(tensor, width):
    return {**tensor, "size": [*tensor["size"], width], "values": widened(tensor["values"], width)}


def widened(member, width):
    """Each element n as (n, 10 n, ...)."""
    data = [n * 10**k for n in member["data"] for k in range(width)]
    return array(member["dtype"], [*member["shape"], width], data)


def coo_of_other_dimensions():
    for size, places in {(7,): [(0,), (3,), (6,)],
                         (2, 3, 5): [(0, 0, 4), (0, 2, 0), (1, 1, 1), (1, 2, 4)],
                         (2, 1, 3, 5): [(0, 0, 0, 4), (1, 0, 2, 0)]}.items():
        for index_dtype in ("int32", "int64"):
            data = {place: small(k) for k, place in enumerate(places)}
            flat = [index for d in range(len(size)) for index in (place[d] for place in places)]
            tensor = {"spw": 1, "layout": "coo", "size": list(size),
                      "indices": array(index_dtype, [len(size), len(places)], flat),
                      "values": array("float64", [len(places)], list(data.values()))}
            dense = array("float64", size, [data.get(place, 0) for place in all_places(size)])
            name = "x".join(map(str, size))
            twice = {**dense, "data": [2 * n for n in dense["data"]]}
            for operation, what, expected, arguments in (
                    ("to_dense", "", dense, {}),
                    ("sum", "", array("float64", [], [sum(data.values())]), {}),
                    ("add", "-same-object", twice, {}), ("add", "-equal", twice, {"other": tensor})):
                yield {"operation": operation, "tensor": tensor, "flags": ["coo-nd"],
                       "name": f"coo/{operation}/{name}{what}/float64-{index_dtype}",
                       "arguments": arguments, "expect": {"verdict": "valid", "dense": expected}}


def all_places(size):
    places = [()]
    for extent in size:
        places = [(*place, k) for place in places for k in range(extent)]
    return places
