# SPDX-License-Identifier: Apache-2.0
"""Bugs that were reported against sparse libraries, as far as one tensor and one operation can say
them, each with its number: (layout, index type, what, tensor, rules, flags, source, comment)."""
from cases.compressed import with_member, with_size
from cases.model import Model, dense_matrix, dense_vector, of_rows, written
from cases.operations import blocksize, case, expectation, numbered, scattered
from cases.tensors import array, compressed_tensor, coo_tensor, values_array

FAR = -4702111234474983746


def checks():
    for index_dtype in ("int32", "int64"):
        for layout, what, tensor, rules, flags, source, comment in invalid(index_dtype):
            yield layout, index_dtype, what, tensor, rules, flags, source, comment


def invalid(index_dtype):
    def tensor(layout, grid, compressed, plain, **options):
        return compressed_tensor(layout, index_dtype, grid, compressed, plain, **options)

    def coo(size, indices, **options):
        return coo_tensor(index_dtype, size, indices, **options)

    def base(layout):
        return tensor(layout, (3, 5), [0, 2, 2, 4], [1, 4, 0, 3])

    # The checker itself.
    yield ("csr", "pytorch-115755", tensor("csr", (1, 3), [123, 0], []), ["5.1", "5.3"], [],
           "pytorch#115755", "the validator divided by nse 0 and accepted the offset")
    yield ("bsr", "pytorch-101179", tensor("bsr", (3, 5), [], [], batch=(0,)), [],
           ["batched"], "pytorch#101179", "a valid empty batch was refused")
    size = base("bsr")["size"]
    yield ("bsr", "pytorch-78264", with_size(base("bsr"), [size[0] + 1, size[1]]), ["3.1"], [],
           "pytorch#78264", "the block size was ignored")
    for what, offsets in {"less": [0, 2, 2, 3], "more": [0, 2, 2, 5]}.items():
        yield ("csr", f"pytorch-56856-{what}", tensor("csr", (3, 5), offsets, [1, 4, 0, 3]),
               ["5.2"], ["slack"] if what == "less" else [], "pytorch#56856",
               "the last offset was not compared with nse")
    yield ("csr", "pytorch-57211", with_size(base("csr"), [3, 5, 2]), ["3.1"], [],
           "pytorch#57211", "a CSR size of three was accepted")
    yield ("coo", "pytorch-5748", coo((3, 5), [[0, 7], [1, 2]]), ["6.6"], [], "pytorch#5748",
           "indices out of range were ignored")
    yield ("csc", "pytorch-114877", tensor("csc", (3, 5), [0, 2, 1, 4], [1, 4, 0, 3]), ["5.3"], [],
           "pytorch#114877", "an invalid CSC was noticed only when it was loaded")
    # What used to be read or written out of bounds later.
    yield ("csr", "pytorch-141004", tensor("csr", (3, 5), [0, 4096, 2, 4], [1, 4, 0, 3]), ["5.3"],
           [], "pytorch#141004", "the conversion to COO crashed")
    short = {**base("csr"), "values": values_array("float32", [2])}
    yield ("csr", "pytorch-124157", short, ["3.10"], [], "pytorch#124157",
           "values shorter than the column indices, and to_dense crashed")
    yield ("coo", "pytorch-124168", {**coo((3, 5), [[0, 2], [1, 4]]),
                                     "values": values_array("float32", [7])},
           ["6.2"], [], "pytorch#124168", "more values than indices")
    yield ("csr", "pytorch-190045", tensor("csr", (3, 0), [0, 1, 1, 1], [0]), ["5.5", "5.3"], [],
           "pytorch#190045", "no columns, but an element in column 0: mm followed a null pointer")
    for layout in ("csr", "csc", "bsc"):
        number = "190046" if layout == "csr" else "190047"
        yield (layout, f"pytorch-{number}", tensor(layout, (3, 5), [0, 300, 2, 4], [1, 4, 0, 3]),
               ["5.3"], [], f"pytorch#{number}", "to_dense wrote out of bounds")
    if index_dtype == "int64":
        yield ("coo", "pytorch-182662", coo((3, 5), [[0, FAR], [1, 2]]), ["6.5"], [],
               "pytorch#182662", "to_dense crashed")
        yield ("coo", "pytorch-57416", coo((2**33, 2**31), [[1, 5], [0, 3]]), ["3.11"],
               ["huge-size"], "pytorch#57416", "the flat index wrapped and became negative")
    yield ("coo", "pytorch-138068", coo((3, 5), [[0, 3000], [1, 2]]), ["6.6"], [],
           "pytorch#138068", "the conversion to CSR wrote beyond the offsets")
    yield ("coo", "pytorch-148276", coo((3, 5), [[0, -1], [1, 2]]), ["6.5"], [],
           "pytorch#148276", "the sum with a negative index crashed")
    yield ("coo", "pytorch-153329", coo((3, 5), [[0, 2], [1, -300]]), ["6.5"], [],
           "pytorch#153329", "coalesce succeeded, to_dense crashed")
    yield ("coo", "pytorch-114454", coo((3, 5), [[0, 2], [1, 4096]]), ["6.6"], [],
           "pytorch#114454, pytorch#4093", "to_dense crashed or corrupted the heap")
    yield ("coo", "cve-2025-62164", coo((3, 5), [[0, 2], [1, 1 << 20]]), ["6.6"], [],
           "CVE-2025-62164", "loaded without a check, to_dense wrote where an attacker chose")
    # Other libraries.
    yield ("csr", "scipy-23784", tensor("csr", (2, 5), [0, 1, 1], [0, 4, 4]), ["5.2"], ["slack"],
           "scipy#23784", "offsets that end before the data, and heap corruption later")
    yield ("csr", "onnxruntime-28227", tensor("csr", (2, 5), [1, 1, 2], [0, 4]), ["5.1"], [],
           "onnxruntime#28227", "a first offset other than 0 was accepted")
    yield ("csr", "cve-2021-41219", tensor("csr", (0, 5), [0], []), [], ["empty-size"],
           "CVE-2021-41219", "a dimension of 0 led to an undefined reference")
    stale = with_member(base("csr"), "plain_indices", data=[1, 4, 0, 1 << 20])
    yield ("csr", "onnxruntime-28397", stale, ["5.5"], [], "onnxruntime#28397",
           "arrays handed to Eigen unchecked were read out of bounds")


# ---- Operations on valid tensors ----------------------------------------------------------------

def operations():
    for item, source, comment in sources():
        layout, _, rest = item["name"].partition("/")
        slug = source.split(",")[0].replace("#", "-").replace("/", "-").lower()
        to = item.get("arguments", {}).get("to")
        slug += f"-to-{to}" if to else ""
        slug += "-same-object" if item["operation"] == "add" and not item["arguments"] else ""
        yield {**item, "name": f"{layout}/{item['operation']}/{slug}/{rest.split('/')[-1]}",
               "source": source, "comment": comment}


def sources():
    blocks = Model("blocks", (8, 12), numbered(scattered(8, 12, 29, 21)))
    yield (converted(blocks, "csr", "bsr"), "pytorch#90910",
           "block columns and values were not sorted")
    chain = Model("chain", (5, 7), numbered(scattered(5, 7, 13, 22)), (5, 7))
    for a, b in (("csr", "coo"), ("coo", "csc"), ("csc", "coo"), ("coo", "csr")):
        yield (converted(chain, a, b), "pytorch#95814", f"{a} to {b} in a chain changed the matrix")
    full = Model("2x3", (2, 3), [(r, c, 3 * r + c + 1) for r in range(2) for c in range(3)])
    yield (converted(full, "csc", "coo"), "pytorch#91010",
           "flagged as coalesced though not sorted")
    yield (turned(chain, "coo"), "pytorch#6219, pytorch#14617",
           "the transpose kept the coalesced flag, and products were wrong")
    twice = Model("twice", (4, 9), [(1, 4, 1), (1, 4, 2), (3, 0, 5)], flags=["duplicates"])
    for what in ("same-object", "equal"):
        yield (added(twice, "coo", what), "pytorch#3162",
               "the sum of uncoalesced ones was flagged coalesced")
    empty = Model("empty", (3, 5), [], (3, 5))
    for layout in ("csr", "csc", "coo"):
        yield summed(empty, layout), "pytorch#196214", "the sum of an empty CSR was an invalid CSR"
        yield times(empty, layout), "pytorch#16543, pytorch#19546", \
            "a product without elements was not written: NaN"
        no_inner = Model("no-inner", (3, 0), [], (3, 1))
        yield times(no_inner, layout), "pytorch#85169", "an empty inner dimension"
        no_rows = Model("no-rows", (0, 5), [], (1, 5))
        yield times(no_rows, layout), "cub#659", "no rows, and a read before the first element"
        yield (converted(no_rows, layout, "csc" if layout != "csc" else "csr"), "cupy#3919",
               "a conversion of size zero failed")
    trailing = Model("trailing", (9, 4), [(0, 1, 2), (1, 3, 4)], (3, 2))
    yield (converted(trailing, "coo", "csr"), "sprs#170",
           "empty rows at the end were left out of the offsets")
    yield dense_of(trailing, "csr"), "sprs#170", "empty rows at the end"
    unsorted = Model("unsorted", (4, 9), [(0, 8, 1), (0, 1, 2), (3, 4, 3), (3, 0, 4)],
                     flags=["unsorted"])
    yield dense_of(unsorted, "csr"), "pydata/sparse#602", "wrong where the indices are not sorted"
    column_major = Model("column-major", (4, 9), [(3, 0, 4), (0, 1, 2), (3, 4, 3), (0, 8, 1)],
                         flags=["unsorted"])
    yield vector(column_major, "coo"), "cupy#3620", "wrong where the order was by columns"


def converted(model, layout, to):
    return case("convert", model, layout, "int64", "float64",
                expectation(model, layout, model.dense("float64"), layout=to), f"to-{to}",
                arguments={"to": to, **blocksize(model, to)})


def turned(model, layout):
    return case("transpose", model, layout, "int64", "float64",
                expectation(model, layout, model.transposed().dense("float64")))


def added(model, layout, what):
    twice = Model(model.name, model.size, model.entries * 2, model.block)
    return case("add", model, layout, "int64", "float64",
                expectation(model, layout, twice.dense("float64")), what,
                arguments={} if what == "same-object" else {"other": model.tensor(layout, "int64", "float64")})


def summed(model, layout):
    total = sum(map(sum, model.grid("float64")))
    return case("sum", model, layout, "int64", "float64",
                expectation(model, layout, array("float64", [], [written(total, "float64")])))


def times(model, layout):
    columns = [[k + c for k in range(model.size[1])] for c in range(4)]
    product = of_rows(model.times(columns, "float64"), [model.size[0], 4], "float64")
    return case("matmat", model, layout, "int64", "float64", expectation(model, layout, product),
                arguments={"x": dense_matrix(columns, model.size[1], "float64")})


def vector(model, layout):
    x = [k % 3 + 1 for k in range(model.size[1])]
    product = [row[0] for row in model.times([x], "float64")]
    return case("matvec", model, layout, "int64", "float64",
                expectation(model, layout, array("float64", [model.size[0]], product)),
                arguments={"x": dense_vector(x, "float64")})


def dense_of(model, layout):
    return case("to_dense", model, layout, "int64", "float64",
                expectation(model, layout, model.dense("float64")))
