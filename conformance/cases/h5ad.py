# SPDX-License-Identifier: Apache-2.0
"""Files of annotated matrices (.h5ad: HDF5 with a sparse matrix X, and a name for each of its rows and
columns), whole and damaged. What X means is written beside it by hand."""
from cases.hdf5 import Array, Group, hdf5, text
from cases.tensors import array

SMALL = array("float64", [2, 3], [0, 1.5, 0, 0, 0, -2])


def encoding(kind, version, **more):
    return {"encoding-type": text(kind), "encoding-version": text(version), **more}


def names_of(count, letter):
    """Names of rows or columns: a table without other columns."""
    names = Array("text", [count], [f"{letter}{k}" for k in range(count)],
                  encoding("string-array", "0.2.0"))
    return Group({"_index": names}, encoding("dataframe", "0.2.0", _index=text("_index"),
                                             **{"column-order": Array("float64", [0], [])}))


def annotated(x, rows, columns):
    return hdf5(Group({"X": x, "obs": names_of(rows, "o"), "var": names_of(columns, "v")},
                      encoding("anndata", "0.1.0")))


def member(dtype, data, **options):
    return Array(dtype, [len(data)], data, **options)


def small_members(index_dtype="int32", dtype="float64", **options):
    return {"data": member(dtype, [1.5, -2] if dtype.startswith("float") else [15, 100], **options),
            "indices": member(index_dtype, [1, 2], **options),
            "indptr": member(index_dtype, [0, 1, 2], **options)}


def sparse(members, kind="csr_matrix", shape=(2, 3), version="0.1.0", shape_dtype="int64"):
    return Group(members, encoding(kind, version, shape=member(shape_dtype, list(shape))))


def small_file(members=None, rows=2, columns=3, **options):
    return annotated(sparse({**small_members(), **(members or {})}, **options), rows, columns)


def whole():
    """Name, bytes, meaning and flags."""
    yield "csr", small_file(), SMALL, []
    yield "csc", annotated(sparse(small_members(), "csc_matrix", (3, 2)), 3, 2), \
        array("float64", [3, 2], [0, 0, 1.5, 0, 0, -2]), []
    yield "csr-int64-indices", small_file(small_members("int64")), SMALL, []
    yield "csr-wide-pointers", small_file({"indptr": member("int64", [0, 1, 2])}), SMALL, []
    yield "csr-big-endian", small_file(small_members(big_endian=True)), SMALL, []
    yield "csr-shape-int32", small_file(shape_dtype="int32"), SMALL, []
    yield "csr-float32", small_file(small_members(dtype="float32")), {**SMALL, "dtype": "float32"}, []
    for dtype in ("uint8", "int8", "int16", "int32", "int64"):
        yield f"csr-{dtype}", small_file(small_members(dtype=dtype)), \
            array(dtype, [2, 3], [0, 15, 0, 0, 0, 100]), []
    yield "csr-int64-53-bits", small_file({"data": member("int64", [2**53 + 1, -2**63])}), \
        array("int64", [2, 3], [0, 2**53 + 1, 0, 0, 0, -2**63]), []
    yield "csr-explicit-zero", small_file({"data": member("float64", [0, -2])}), \
        array("float64", [2, 3], [0, 0, 0, 0, 0, -2]), ["explicit-zeros"]
    yield "csr-not-in-order", small_file({"indices": member("int32", [2, 0]),
                                          "indptr": member("int32", [0, 0, 2])}), \
        array("float64", [2, 3], [0, 0, 0, -2, 0, 1.5]), ["unsorted"]
    yield "csr-duplicates", small_file({"indices": member("int32", [2, 2]),
                                        "indptr": member("int32", [0, 0, 2])}), \
        array("float64", [2, 3], [0, 0, 0, 0, 0, -0.5]), ["duplicates"]
    for what, rows, columns in (("no-elements", 2, 3), ("no-rows", 0, 3), ("no-columns", 2, 0)):
        nothing = {"data": member("float64", []), "indices": member("int32", []),
                   "indptr": member("int32", [0] * (rows + 1))}
        yield f"csr-{what}", small_file(nothing, rows, columns, shape=(rows, columns)), \
            array("float64", [rows, columns], [0] * (rows * columns)), \
            ["no-elements"] + ["empty-size"] * (0 in (rows, columns))
    yield "dense", annotated(Array("float64", [2, 3], SMALL["data"], encoding("array", "0.2.0")), 2, 3), \
        SMALL, []


def damaged():
    """Name, bytes and what is wrong."""
    yield "empty-file", b"", "nothing at all"
    yield "no-signature", b"\0" * 8 + small_file()[8:], "no HDF5 file"
    yield "half", small_file()[:len(small_file()) // 2], "cut off"
    for name, members in ((name, small_members()) for name in small_members()):
        del members[name]
        yield f"without-{name}", annotated(sparse(members), 2, 3), f"{name} is missing"
    yield "without-shape", annotated(Group(small_members(), encoding("csr_matrix", "0.1.0")), 2, 3), \
        "shape is missing"
    yield "other-encoding", small_file(kind="xyz_matrix"), "no such encoding"
    yield "other-version", small_file(version="9.9.9"), "no such version of the encoding"
    yield "negative-shape", small_file(shape=(-2, 3)), "a negative size"
    yield "shape-of-one", small_file(shape=(2,)), "one size"
    yield "shape-of-three", small_file(shape=(2, 3, 4)), "three sizes"
    yield "names-of-rows-short", small_file(rows=1), "one name, two rows"
    yield "names-of-columns-long", small_file(columns=4), "four names, three columns"
    for what, members, why in (
            ("data-short", {"data": member("float64", [1.5])}, "one value, two indices"),
            ("data-long", {"data": member("float64", [1.5, -2, 3])}, "three values, two indices"),
            ("data-of-two-dimensions", {"data": Array("float64", [1, 2], [1.5, -2])}, "values in a matrix"),
            ("data-text", {"data": member("text", ["1.5", "-2"])}, "text for values"),
            ("indices-fractions", {"indices": member("float64", [1.5, 2])}, "column 1.5"),
            ("index-negative", {"indices": member("int32", [-1, 2])}, "column -1"),
            ("index-large", {"indices": member("int32", [1, 3])}, "column 3 of 3"),
            ("index-very-large", {"indices": member("int64", [2**32 + 1, 2])}, "2^32 + 1 looks like 1"),
            ("pointers-short", {"indptr": member("int32", [0, 2])}, "two pointers, two rows"),
            ("pointers-long", {"indptr": member("int32", [0, 1, 2, 2])}, "four pointers, two rows"),
            ("pointers-start-at-1", {"indptr": member("int32", [1, 1, 2])}, "the first pointer is 1"),
            ("pointers-fall", {"indptr": member("int32", [0, 3, 2])}, "3, then 2"),
            ("pointers-negative", {"indptr": member("int32", [0, -1, 2])}, "a pointer is -1"),
            ("pointers-beyond", {"indptr": member("int32", [0, 1, 3])}, "the last pointer is 3 of 2")):
        yield what, small_file(members), why
