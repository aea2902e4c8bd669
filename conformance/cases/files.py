# SPDX-License-Identifier: Apache-2.0
"""Files for readers: Matrix Market texts, SciPy's .npz archives and .h5ad, whole and damaged. What a file
means is written beside it by hand."""
import base64
import io
import struct
import zipfile

from cases import h5ad
from cases.tensors import array

GENERAL = "%%MatrixMarket matrix coordinate real general\n"


def cases():
    for what, text, dense, flags in matrix_market():
        yield read("mtx", what, text.encode(), dense, flags)
    for what, text, why in damaged_matrix_market():
        yield read("mtx", f"damaged-{what}", text.encode(), None, [], why)
    for what, data, dense, flags in archives():
        yield read("npz", what, data, dense, flags)
    for what, data, why in damaged_archives():
        yield read("npz", f"damaged-{what}", data, None, [], why)
    for what, data, dense, flags in h5ad.whole():
        yield read("h5ad", what, data, dense, flags)
    for what, data, why in h5ad.damaged():
        yield read("h5ad", f"damaged-{what}", data, None, [], why)


def read(form, what, data, dense, flags, comment=None):
    expect = {"verdict": "valid", "dense": dense} if dense else {"verdict": "invalid"}
    return {"operation": "read", "name": f"{form}/read/{what}",
            "file": {"format": form, "base64": base64.b64encode(data).decode()},
            "expect": expect, "flags": flags, **({"comment": comment} if comment else {})}


def rows(dtype, *lines):
    """A dense matrix from its rows."""
    return array(dtype, [len(lines), len(lines[0])], [n for line in lines for n in line])


# ---- Matrix Market ------------------------------------------------------------------------------

def header(form="coordinate", field="real", symmetry="general"):
    return f"%%MatrixMarket matrix {form} {field} {symmetry}\n"


def matrix_market():
    small = rows("float64", [0, 1.5, 0], [0, 0, -2])
    entries = "2 3 2\n1 2 1.5\n2 3 -2\n"
    yield "general", GENERAL + entries, small, []
    yield "comments", GENERAL + "% one\n%\n%% two\n" + entries, small, []
    yield "blank-lines", GENERAL + "\n% one\n\n" + entries, small, []
    yield "blank-line-and-comment", GENERAL + "\n% one\n" + entries, small, []
    yield "blank-lines-at-the-end", GENERAL + entries + "\n\n", small, []
    yield "no-newline-at-the-end", GENERAL + entries.rstrip("\n"), small, []
    yield "crlf", (GENERAL + entries).replace("\n", "\r\n"), small, []
    yield "tabs-and-spaces", GENERAL + " 2\t3  2 \n  1\t2   1.5\n2 3\t\t-2 \n", small, []
    yield "upper-case-banner", GENERAL.replace("matrix coordinate real general",
                                               "MATRIX Coordinate REAL General") + entries, small, []
    yield "not-in-order", GENERAL + "2 3 2\n2 3 -2\n1 2 1.5\n", small, []
    yield "last-place", GENERAL + "2 3 1\n2 3 7\n", rows("float64", [0, 0, 0], [0, 0, 7]), []
    for what, text, number in (("plus", "+1.5", 1.5), ("exponent", "15e-1", 1.5),
                               ("capital-exponent", "1.5E2", 150), ("no-zero-first", "-.5", -0.5),
                               ("point-last", "4.", 4), ("whole", "7", 7)):
        yield f"number-{what}", GENERAL + f"1 2 1\n1 2 {text}\n", rows("float64", [0, number]), []
    yield "leading-zeros", GENERAL + "02 003 2\n01 02 01.5\n2 3 -02\n", small, []
    yield "no-entries", GENERAL + "2 3 0\n", rows("float64", [0, 0, 0], [0, 0, 0]), ["no-elements"]
    yield "no-rows", GENERAL + "0 3 0\n", array("float64", [0, 3], []), ["empty-size", "no-elements"]
    yield "no-columns", GENERAL + "2 0 0\n", array("float64", [2, 0], []), ["empty-size", "no-elements"]
    yield "explicit-zero", GENERAL + "2 3 2\n1 2 0\n2 3 -2\n", \
        rows("float64", [0, 0, 0], [0, 0, -2]), ["explicit-zeros"]
    yield "integer", header(field="integer") + "2 3 2\n1 2 15\n2 3 -2\n", \
        rows("int64", [0, 15, 0], [0, 0, -2]), []
    yield "integer-53-bits", header(field="integer") + "1 2 1\n1 2 9007199254740993\n", \
        rows("int64", [0, 9007199254740993]), []
    yield "integer-max", header(field="integer") + "1 2 2\n1 1 9223372036854775807\n1 2 -9223372036854775808\n", \
        rows("int64", [2**63 - 1, -2**63]), []
    yield "pattern", header(field="pattern") + "2 3 2\n1 2\n2 3\n", \
        rows("float64", [0, 1, 0], [0, 0, 1]), []
    yield "complex", header(field="complex") + "2 3 2\n1 2 1.5 -1\n2 3 0 2\n", \
        array("complex128", [2, 3], [[0, 0], [1.5, -1], [0, 0], [0, 0], [0, 0], [0, 2]]), []
    yield from matrix_market_symmetries()
    yield from matrix_market_arrays()


def matrix_market_symmetries():
    yield "symmetric", header(symmetry="symmetric") + "3 3 3\n1 1 4\n3 1 5\n3 2 -6\n", \
        rows("float64", [4, 0, 5], [0, 0, -6], [5, -6, 0]), []
    yield "skew-symmetric", header(symmetry="skew-symmetric") + "3 3 2\n3 1 5\n3 2 -6\n", \
        rows("float64", [0, 0, -5], [0, 0, 6], [5, -6, 0]), []
    yield "skew-symmetric-integer", header(field="integer", symmetry="skew-symmetric") + "3 3 1\n2 1 5\n", \
        rows("int64", [0, -5, 0], [5, 0, 0], [0, 0, 0]), []
    yield "hermitian", header(field="complex", symmetry="hermitian") + "3 3 2\n1 1 4 0\n3 1 5 2\n", \
        array("complex128", [3, 3], [[4, 0], [0, 0], [5, -2], [0, 0], [0, 0], [0, 0], [5, 2], [0, 0], [0, 0]]), []
    yield "symmetric-complex", header(field="complex", symmetry="symmetric") + "2 2 1\n2 1 5 2\n", \
        array("complex128", [2, 2], [[0, 0], [5, 2], [5, 2], [0, 0]]), []
    yield "skew-symmetric-complex", header(field="complex", symmetry="skew-symmetric") + "2 2 1\n2 1 5 2\n", \
        array("complex128", [2, 2], [[0, 0], [-5, -2], [5, 2], [0, 0]]), []
    yield "symmetric-pattern", header(field="pattern", symmetry="symmetric") + "3 3 2\n2 1\n3 3\n", \
        rows("float64", [0, 1, 0], [1, 0, 0], [0, 0, 1]), []


def matrix_market_arrays():
    yield "array", header("array") + "2 3\n1\n4\n2\n5\n3\n6\n", \
        rows("float64", [1, 2, 3], [4, 5, 6]), []
    yield "array-integer", header("array", "integer") + "2 3\n1\n4\n2\n5\n3\n6\n", \
        rows("int64", [1, 2, 3], [4, 5, 6]), []
    yield "array-complex", header("array", "complex") + "1 2\n1 4\n2 -5\n", \
        array("complex128", [1, 2], [[1, 4], [2, -5]]), []
    yield "array-symmetric", header("array", symmetry="symmetric") + "3 3\n1\n2\n3\n4\n5\n6\n", \
        rows("float64", [1, 2, 3], [2, 4, 5], [3, 5, 6]), []
    yield "array-skew-symmetric", header("array", symmetry="skew-symmetric") + "3 3\n2\n3\n5\n", \
        rows("float64", [0, -2, -3], [2, 0, -5], [3, 5, 0]), []
    yield "array-hermitian", header("array", "complex", "hermitian") + "2 2\n1 0\n2 3\n4 0\n", \
        array("complex128", [2, 2], [[1, 0], [2, -3], [2, 3], [4, 0]]), []
    yield "array-of-no-rows", header("array") + "0 3\n", array("float64", [0, 3], []), []
    yield "array-blank-lines", header("array") + "% one\n2 3\n1\n\n4\n2\n5\n3\n\n6\n", \
        rows("float64", [1, 2, 3], [4, 5, 6]), []


def damaged_matrix_market():
    entries = "2 3 2\n1 2 1.5\n2 3 -2\n"
    yield "empty-file", "", "nothing at all"
    yield "no-banner", entries, "no banner"
    yield "banner-only", GENERAL, "no size"
    yield "one-percent", GENERAL[1:] + entries, "the banner begins with one %"
    yield "other-object", GENERAL.replace("matrix", "tensor", 1) + entries, "not a matrix"
    for what, word, other in (("format", "coordinate", "coordinates"), ("field", "real", "quaternion"),
                              ("symmetry", "general", "antisymmetric")):
        yield f"other-{what}", GENERAL.replace(word, other) + entries, f"no such {what}"
    yield "banner-short", "%%MatrixMarket matrix coordinate real\n" + entries, "a word is missing"
    yield "size-short", GENERAL + "2 3\n1 2 1.5\n2 3 -2\n", "nse is missing"
    yield "size-negative", GENERAL + "-2 3 2\n1 2 1.5\n2 3 -2\n", "negative number of rows"
    yield "nse-negative", GENERAL + "2 3 -2\n1 2 1.5\n2 3 -2\n", "negative nse"
    yield "size-not-whole", GENERAL + "2.5 3 2\n1 2 1.5\n2 3 -2\n", "2.5 rows"
    yield "size-no-number", GENERAL + "two 3 2\n1 2 1.5\n2 3 -2\n", "no number"
    yield "size-beyond-int64", GENERAL + "99999999999999999999 3 1\n1 2 1.5\n", "beyond every integer"
    yield "nse-beyond-int64", GENERAL + "2 3 99999999999999999999\n1 2 1.5\n", "beyond every integer"
    yield "nse-huge", GENERAL + "2 3 4611686018427387904\n1 2 1.5\n", "no memory holds that"
    yield "entries-missing", GENERAL + "2 3 3\n1 2 1.5\n2 3 -2\n", "fewer entries than promised"
    yield "entries-none", GENERAL + "2 3 2\n", "no entries"
    yield "entries-too-many", GENERAL + "2 3 1\n1 2 1.5\n2 3 -2\n", "more entries than promised"
    yield "row-0", GENERAL + "2 3 2\n0 2 1.5\n2 3 -2\n", "indices begin with 1"
    yield "column-0", GENERAL + "2 3 2\n1 0 1.5\n2 3 -2\n", "indices begin with 1"
    yield "row-negative", GENERAL + "2 3 2\n-1 2 1.5\n2 3 -2\n", "negative row"
    yield "row-large", GENERAL + "2 3 2\n1 2 1.5\n3 3 -2\n", "row 3 of 2"
    yield "column-large", GENERAL + "2 3 2\n1 4 1.5\n2 3 -2\n", "column 4 of 3"
    yield "row-very-large", GENERAL + "2 3 2\n1 2 1.5\n4294967298 3 -2\n", "2^32 + 2 looks like 2"
    yield "row-beyond-int64", GENERAL + "2 3 2\n1 2 1.5\n18446744073709551618 3 -2\n", "2^64 + 2"
    yield "row-not-whole", GENERAL + "2 3 2\n1.5 2 1.5\n2 3 -2\n", "row 1.5"
    yield "row-no-number", GENERAL + "2 3 2\nx 2 1.5\n2 3 -2\n", "no number"
    yield "value-missing", GENERAL + "2 3 2\n1 2\n2 3 -2\n", "an entry without a value"
    yield "value-no-number", GENERAL + "2 3 2\n1 2 x\n2 3 -2\n", "no number"
    yield "value-then-text", GENERAL + "2 3 2\n1 2 1.5x\n2 3 -2\n", "text behind a number"
    yield "value-and-more", GENERAL + "2 3 2\n1 2 1.5 7\n2 3 -2\n", "two values of a real entry"
    yield "complex-half", header(field="complex") + "2 3 1\n1 2 1.5\n", "no imaginary part"
    yield "integer-fraction", header(field="integer") + "2 3 1\n1 2 1.5\n", "1.5 is no integer"
    yield "integer-beyond-int64", header(field="integer") + "1 2 1\n1 2 9223372036854775808\n", "beyond int64"
    yield "zero-byte", GENERAL + "2 3 2\n1 2 1.5\n2\x003 -2\n", "a zero byte"
    yield "zero-byte-behind-value", GENERAL + "2 3 2\n1 2 1.5\x00\n2 3 -2\n", "a zero byte"
    yield "symmetric-not-square", header(symmetry="symmetric") + "2 3 1\n2 1 5\n", "2 x 3 is not square"
    yield "skew-symmetric-not-square", header(symmetry="skew-symmetric") + "2 3 1\n2 1 5\n", "not square"
    yield "skew-symmetric-diagonal", header(symmetry="skew-symmetric") + "3 3 1\n2 2 5\n", \
        "the diagonal of a skew-symmetric matrix is zero and not stored"
    yield "hermitian-real", header(symmetry="hermitian") + "2 2 1\n2 1 5\n", "hermitian needs complex"
    yield "array-pattern", header("array", "pattern") + "2 3\n", "an array has values"
    yield "array-short", header("array") + "2 3\n1\n4\n2\n5\n3\n", "five values of six"
    yield "array-long", header("array") + "2 3\n1\n4\n2\n5\n3\n6\n7\n", "seven values of six"
    yield "array-of-no-rows-long", header("array") + "0 3\n1\n", "one value of none"


# ---- .npz -----------------------------------------------------------------------------------------

DESCRIPTIONS = {"float64": ("<f8", "d"), "int32": ("<i4", "i"), "int64": ("<i8", "q"),
                "float32": ("<f4", "f")}


def npy(dtype, shape, data, version=1, fortran=False, big_endian=False):
    description, letter = DESCRIPTIONS[dtype]
    if big_endian:
        description = ">" + description[1:]
    text = (f"{{'descr': '{description}', 'fortran_order': {fortran}, "
            f"'shape': ({''.join(f'{n}, ' for n in shape)}), }}")
    return npy_head(text, version) + struct.pack(f"{'>' if big_endian else '<'}{len(data)}{letter}", *data)


def npy_head(text, version=1):
    width = 2 if version == 1 else 4
    length = -(-(6 + 2 + width + len(text) + 1) // 64) * 64 - 8 - width
    size = length.to_bytes(width, "little")
    return b"\x93NUMPY" + bytes([version, 0]) + size + text.ljust(length - 1).encode() + b"\n"


def format_member(name):
    return npy_head(f"{{'descr': '|S{len(name)}', 'fortran_order': False, 'shape': (), }}") + name.encode()


def archive(members, deflated=True):
    """The same bytes every time: no times, no permissions."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED if deflated else zipfile.ZIP_STORED) as file:
        for name, content in members.items():
            info = zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0))
            file.writestr(info, content, info.compress_type if not deflated else zipfile.ZIP_DEFLATED)
    return data.getvalue()


def csr_members(index_dtype="int32", form="csr", shape=(2, 3), **options):
    return {"indices": npy(index_dtype, [2], [1, 2], **options),
            "indptr": npy(index_dtype, [3], [0, 1, 2], **options),
            "format": format_member(form), "shape": npy("int64", [2], shape, **options),
            "data": npy("float64", [2], [1.5, -2], **options)}


def archives():
    small = rows("float64", [0, 1.5, 0], [0, 0, -2])
    yield "csr", archive(csr_members()), small, []
    yield "csr-stored", archive(csr_members(), deflated=False), small, []
    yield "csr-int64", archive(csr_members("int64")), small, []
    yield "csr-npy-2", archive(csr_members(version=2)), small, []
    yield "csr-big-endian", archive(csr_members(big_endian=True)), small, []
    yield "csr-other-order", archive(dict(reversed(csr_members().items()))), small, []
    yield "csc", archive({**csr_members(form="csc", shape=(3, 2))}), \
        rows("float64", [0, 0], [1.5, 0], [0, -2]), []
    coo = {"row": npy("int32", [2], [0, 1]), "col": npy("int32", [2], [1, 2]),
           "format": format_member("coo"), "shape": npy("int64", [2], [2, 3]),
           "data": npy("float64", [2], [1.5, -2])}
    yield "coo", archive(coo), small, []
    blocks = {"indices": npy("int32", [2], [1, 0]), "indptr": npy("int32", [3], [0, 1, 2]),
              "format": format_member("bsr"), "shape": npy("int64", [2], [2, 4])}
    dense = rows("float64", [0, 0, 1, 2], [3, 4, 0, 0])
    yield "bsr", archive({**blocks, "data": npy("float64", [2, 1, 2], [1, 2, 3, 4])}), dense, []
    yield "bsr-fortran-order", archive({**blocks, "data": npy("float64", [2, 1, 2], [1, 3, 2, 4], fortran=True)}), \
        dense, []
    empty = {**csr_members(), "indices": npy("int32", [0], []), "data": npy("float64", [0], []),
             "indptr": npy("int32", [3], [0, 0, 0])}
    yield "csr-no-elements", archive(empty), rows("float64", [0, 0, 0], [0, 0, 0]), ["no-elements"]


def damaged_archives():
    whole = csr_members()
    yield "empty-file", b"", "nothing at all"
    yield "no-archive", b"PK" + b"\0" * 60, "no archive"
    yield "half", archive(whole)[:300], "cut off"
    for name in whole:
        yield f"without-{name}", archive({key: whole[key] for key in whole if key != name}), \
            f"{name} is missing"
    yield "other-format", archive({**whole, "format": format_member("xyz")}), "no such format"
    yield "data-cut-off", archive({**whole, "data": whole["data"][:-3]}), "half an element"
    yield "data-one-less", archive({**whole, "data": whole["data"][:-8]}), "shape (2,), one element"
    yield "header-no-dict", archive({**whole, "data": npy_head("[1, 2]") + bytes(16)}), "no header"
    yield "negative-shape", archive({**whole, "shape": npy("int64", [2], [-2, 3])}), "negative size"
    yield "shape-of-three", archive({**whole, "shape": npy("int64", [3], [2, 3, 4])}), "three sizes"
    yield "data-short", archive({**whole, "data": npy("float64", [1], [1.5])}), "one value, two indices"
    yield "object-array", archive({**whole, "data": npy_head(
        "{'descr': '|O', 'fortran_order': False, 'shape': (2,), }") + b"\x80\x04N."}), "pickled objects"
