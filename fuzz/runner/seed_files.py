# SPDX-License-Identifier: Apache-2.0
"""Files that no writer writes: every kind of Matrix Market banner, and files of which a reader refuses each for
another reason. Seeds for the targets that take files."""
import gzip
import io
import itertools
import json
import struct
import zipfile

CSR = ('{"spw":1,"layout":"csr","size":[2,3],"compressed_indices":{"dtype":"int64","shape":[3],"data":[0,1,3]},'
       '"plain_indices":{"dtype":"int64","shape":[3],"data":[2,0,1]},"values":{"dtype":"float32","shape":[3],"strides":[1],"length":3,"fill":1}}')
# One change each.
JSON_CHANGES = (("", ""), ('"spw":1', '"spw":2'), ('"spw":1', '"spw":1.0'), ('"csr"', '"dia"'), ('"length":3', '"length":-3'), ('"strides":[1]', '"strides":[]'),
                ('"strides":[1]', '"strides":[1,1]'), ('"fill":1', '"fill":1,"data":[1,2,3]'), ('"fill":1', '"fill":100000000000000000000'), ('"size"', '"sizes"'), ('"size":[2,3]', '"size":[2,3.5]'),
                ('"data":[0,1,3]', '"data":[0,1,3],"more":0'), ('"data":[0,1,3]', '"data":[0,true,3]'), ('"data":[0,1,3]', '"data":[0,1,9223372036854775808]'),
                ('"int64","shape":[3],"data":[2', '"int32","shape":[3],"data":[2147483648'), ('"strides":[1]', '"offset":-1'), ("}}", "}} x"))


DENSE = '{"spw":1,"layout":"dense","size":[2,3],"dtype":"float32","values":{"dtype":"float32","shape":[2,3],"strides":[1,2],"data":[1,2,3,4,5,6]}}'
DENSE_CHANGES = (("", ""), ('"size":[2,3],', ""), ('"size":[2,3]', '"size":[3,2]'), ('"size":[2,3]', '"size":[2]'), ('"dtype":"float32",', '"dtype":"int8",'),
                 ('"dtype":"float32",', '"index_dtype":"int64",'), ('"dtype":"float32",', '"coalesced":true,'), (',"strides":[1,2]', ""), ('"data"', '"offset":1,"data"'),
                 ('"shape":[2,3]', '"shape":[-2,3]'), ('"strides":[1,2]', '"strides":[0,9223372036854775807]'))


def json_files():
    return [text.replace(old, new, 1).encode() for text, changes in ((CSR, JSON_CHANGES), (DENSE, DENSE_CHANGES)) for old, new in changes]


def mtx_files():
    words = {"real": " 1.5", "integer": " 7", "unsigned-integer": " 7", "complex": " 1.5 -2", "pattern": ""}
    for (field, value), symmetry in itertools.product(words.items(), ("general", "symmetric", "skew-symmetric", "hermitian")):
        lines = ("2 1", "3 3", "3 1") if symmetry != "skew-symmetric" else ("2 1", "3 2", "3 1")
        text = f"%%MatrixMarket matrix coordinate {field} {symmetry}\n% a comment\n3 3 3\n" + "".join(f"{line}{value}\n" for line in lines)
        yield text.encode()
        yield text.replace("3 3 3", "3 4 3").encode()
        count = {"general": 4, "symmetric": 3, "skew-symmetric": 1, "hermitian": 3}[symmetry]
        yield (f"%%MatrixMarket matrix array {field} {symmetry}\n2 2\n" + f"{value.strip()}\n" * count).encode()
        yield gzip.compress(text.encode(), mtime=0)
    plain = "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 1 1\n3 2 2\n"
    for old, new in (("3 3 2", "3 3 1"), ("3 3 2", "3 3 3"), ("3 3 2", "3 3 1000000000"), ("3 3 2", "3 3 -2"), ("1 1 1", "0 1 1"), ("3 2 2", "4 2 2"), ("3 2 2", "3 2"),
                     ("3 2 2", "3 2 2 2"), ("real", "double"), ("matrix", "vector"), ("2\n", "2x\n"), ("2\n", "2\r\n"), ("2\n", "2\r%\n")):
        yield plain.replace(old, new, 1).encode()


def npy(descr, shape, data, fortran=False, version=1):
    header = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}"
    size = struct.pack("<H" if version == 1 else "<I", (len(header) + 1 + 10 + 2 * (version > 1) + 63) // 64 * 64 - 10 - 2 * (version > 1))
    room = struct.unpack("<H" if version == 1 else "<I", size)[0]
    return b"\x93NUMPY" + bytes([version, 0]) + size + header.ljust(room - 1).encode() + b"\n" + data


class Pipe(io.RawIOBase):
    """A file that cannot be sought: zipfile then writes data descriptors."""

    def __init__(self):
        super().__init__()
        self.bytes = b""

    def writable(self):
        return True

    def write(self, data):
        self.bytes += bytes(data)
        return len(data)

    def getvalue(self):
        return self.bytes


def npz(members, method=zipfile.ZIP_STORED, suffix=".npy", file=io.BytesIO, zip64=False):
    out = file()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in members.items():
            entry = zipfile.ZipInfo(name + suffix)
            entry.compress_type = method
            with archive.open(entry, "w", force_zip64=zip64) as member:
                member.write(data)
    return out.getvalue()


def with_end64(archive):
    """The same with a zip64 end record."""
    end = archive[-22:]
    count, size, start = struct.unpack("<HLL", end[10:20])
    wide = b"PK\6\6" + struct.pack("<QHHLLQQQQ", 44, 45, 45, 0, 0, count, count, size, start)
    return archive[:-22] + wide + b"PK\6\7" + struct.pack("<LQL", 0, len(archive) - 22, 1) + end


def numbers(*values, of="<q"):
    return b"".join(struct.pack(of, v) for v in values)


def npz_files():
    csr = {"indices": npy("<i4", "(3,)", numbers(2, 0, 1, of="<i")), "indptr": npy("<i4", "(3,)", numbers(0, 1, 3, of="<i")),
           "format": npy("|S3", "()", b"csr"), "shape": npy("<i8", "(2,)", numbers(2, 3)), "data": npy("<f8", "(3,)", numbers(1, 2, 3, of="<d"))}
    coo = {**{k: csr[k] for k in ("shape", "data")}, "row": npy("<i4", "(3,)", numbers(0, 1, 1, of="<i")), "col": npy("<i4", "(3,)", numbers(2, 0, 1, of="<i")),
           "format": npy("|S3", "()", b"coo")}
    yield npz(csr)
    yield npz(csr, zipfile.ZIP_DEFLATED)
    yield npz(coo)
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        for zip64 in (False, True):
            yield npz(csr, method, file=Pipe, zip64=zip64)
    yield npz(csr, suffix="", zip64=True)
    yield npz({**csr, "indices.npy": csr["indices"]}, suffix="")
    yield with_end64(npz(coo))
    yield npz(csr) + b"x"
    yield npz(csr).replace(b"indptr.npy", b"indptr/npy")
    yield npz({**csr, "_is_array": npy("|b1", "()", b"\1"), "more": csr["data"]})
    yield npz({**csr, "_is_array": npy("|b1", "(1,)", b"\1")})
    yield npz({**csr, "format": npy("<U3", "()", "csr".encode("utf-32-le"))})
    yield npz({**csr, "format": npy("|S3", "()", b"csr", version=2)})
    yield npz({**csr, "format": npy("|S900", "()", b"csr".ljust(900, b"\0"))})
    yield npz({**csr, "indices": npy(">i4", "(3,)", numbers(2, 0, 1, of=">i"))})
    yield npz({**coo, "row": npy(">i8", "(3,)", numbers(0, 1, 1, of=">q")), "col": npy(">i8", "(3,)", numbers(2, 0, 1, of=">q"))})
    yield npz({**coo, "row": npy("<i4", "(2,)", numbers(0, 1, of="<i"))})
    yield npz({**coo, "col": npy("<i4", "(2,)", numbers(0, 1, of="<i"))})
    yield npz({**csr, "data": npy("<f8", "(2,)", numbers(1, 2, of="<d"))})
    yield npz({**csr, "data": npy("<f8", "(3,)", numbers(1, 2, of="<d"))})
    yield npz({**csr, "data": npy("<f8", "(2,)", numbers(1, 2, 3, of="<d"))})
    yield npz({**csr, "shape": npy("<i8", "(3,)", numbers(2, 3, 1))})
    yield npz({**csr, "shape": npy("<i8", "(2,)", numbers(-2, 3))})
    yield npz({**csr, "shape": npy("<i8", "(65,)", numbers(*[1] * 65))})
    for dims in (4, 8, 9, 33):
        yield npz({**csr, "indices": npy("<i4", "(" + "1," * dims + ")", numbers(2, of="<i"))})
        yield npz({**csr, "data": npy("<f8", "(" + "1," * dims + ")", numbers(2, of="<d"))})
    bsr = {**csr, "format": npy("|S3", "()", b"bsr"), "shape": npy("<i8", "(2,)", numbers(4, 3))}
    yield npz({**bsr, "data": npy("<f4", "(3, 2, 1)", numbers(1, 2, 3, 4, 5, 6, of="<f"))})
    yield npz({**bsr, "data": npy("<f4", "(3, 2, 1)", numbers(1, 2, 3, 4, 5, 6, of="<f"), fortran=True)})
    for name in csr:
        yield npz({k: v for k, v in csr.items() if k != name})
    yield npz({**coo, "col": npy("<i8", "(3,)", numbers(2, 0, 1))})
    for descr, of in (("<u2", "<H"), (">u4", ">I"), ("<u8", "<Q")):
        yield npz({**csr, "data": npy(descr, "(3,)", numbers(1, 2, 3, of=of))})
    dia = {"format": npy("|S3", "()", b"dia"), "shape": csr["shape"], "offsets": npy("<i4", "(2,)", numbers(0, -1, of="<i"))}
    for fortran in (False, True):
        yield npz({**dia, "data": npy("<f8", "(2, 3)", numbers(1, 0, 3, 4, -5, 6, of="<d"), fortran=fortran)})
    yield npz({**dia, "offsets": npy("<i8", "(2,)", numbers(2 ** 63 - 1, -2 ** 63)), "data": npy("<u2", "(2, 3)", numbers(1, 2, 3, 4, 5, 6, of="<H"))})
    yield npz({"format": csr["format"], **coo, "coords": npy("<i8", "(3, 2)", numbers(0, 1, 2, 3, 4, 5)), "shape": npy("<i8", "(3,)", numbers(5, 6, 7)),
               "data": npy("<f4", "(2,)", numbers(1, 2, of="<f"))})


def npy_files():
    widths = {"|b1": 1, "|u1": 1, "|i1": 1, "<i2": 2, "<i4": 4, "<i8": 8, "<f2": 2, "<f4": 4, "<f8": 8, "<c8": 8, "<c16": 16, "<u2": 2, "<V2": 2, "|O": 8, "<U1": 4}
    for version, (descr, width) in itertools.product((1, 2, 3), widths.items()):
        for order in {descr[0], ">"}:
            yield npy(order + descr[1:], "(2, 3)", bytes(range(1, 1 + 6 * width)), fortran=version == 2, version=version)
    for shape, count in (("()", 1), ("(0,)", 0), ("(2, 0, 3)", 0), ("(1,)", 1), ("(" + "1," * 64 + ")", 1), ("(" + "1," * 65 + ")", 1), ("(2, 1, 2, 1, 2)", 8),
                         ("(1152921504606846975, 0)", 0), ("(4294967296, 4294967296, 0)", 0), ("(6)", 6), ("(-6,)", 6), ("(06,)", 6), ("(3, 2,)", 6)):
        for fortran in (False, True):
            yield npy("<f8", shape, bytes(8 * count), fortran=fortran)
    yield npy("<f8", "(2,)", bytes(15))
    yield npy("<f8", "(2,)", bytes(17))
    yield npy("<f8", "(2,)", bytes(16), version=4)
    yield npy("<f8", "(2,)", bytes(16), fortran=0)
    yield npy("<f8", "(2,), 'more': 1", bytes(16))
    yield npy("<f8", "(2,), 'descr': '<f8'", bytes(16))


def text(string):
    return b"X" + struct.pack("<I", len(string)) + string.encode()


def integer(number):
    return b"\x8a\x08" + struct.pack("<q", number)


def name(module, function):
    return f"c{module}\n{function}\n".encode()


def sequence(*items):
    return b"(" + b"".join(items) + b"t"


def view(key, kind, count, offset, shape, strides, legacy=False):
    storage = sequence(text("storage"), name("torch", kind + "Storage"), text(key), text("cpu"), integer(count), b"N" * legacy) + b"Q"
    numbers = [sequence(*map(integer, n)) for n in (shape, strides)]
    return (name("torch._utils", "_rebuild_tensor_v2") +
            sequence(storage, integer(offset), *numbers, b"\x89", name("collections", "OrderedDict") + b")R") + b"R")


def sparse(layout, size, *parts):
    layout = name("torch.serialization", "_get_layout") + text("torch.sparse_" + layout) + b"\x85R"
    size = name("torch", "Size") + sequence(*map(integer, size)) + b"\x85R"
    return name("torch._utils", "_rebuild_sparse_tensor") + sequence(layout, sequence(*parts, size)) + b"R"


def torch_zip(pickle):
    pipe = io.BytesIO()
    with zipfile.ZipFile(pipe, "w") as archive:
        numbers = struct.pack("<8q", 0, 1, 2, 3, 0, 2, 1, 4)
        for member, content in (("data.pkl", pickle), ("byteorder", b"little"), ("version", b"3\n"), ("data/0", numbers),
                                ("data/1", numbers[:24]), ("data/2", numbers[:32])):
            archive.writestr(zipfile.ZipInfo("a/" + member, (1980, 1, 1, 0, 0, 0)), content)
    return pipe.getvalue()


def torch_legacy(pickle, *storages):
    magic = b"\x80\x02\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19.\x80\x02M\xe9\x03.\x80\x02}" + text("little_endian") + b"\x88s."
    keys = b"\x80\x02](" + b"".join(text(str(key)) for key in range(len(storages))) + b"e."
    return magic + b"\x80\x02" + pickle + b"." + keys + b"".join(struct.pack("<q%dq" % len(s), len(s), *s) for s in storages)


def pt_files():
    """Pickles alone, which the target puts into an archive, and whole files."""
    for legacy in (False, True):
        row = view("0", "Long", 8, 0, (4,), (1,), legacy)
        column = view("1", "Long", 3, 0, (3,), (1,), legacy)
        pair = view("0", "Long", 8, 1, (2, 3), (3, 1), legacy)
        csr = sparse("csr", (3, 4), row, column, column)
        whole = (csr, sparse("csc", (4, 3), row, column, column), sparse("bsr", (3, 4), row, column, view("0", "Long", 8, 0, (3, 1, 1), (1, 1, 1), legacy)),
                 sparse("coo", (5, 5), pair, column), b"](" + csr + b"K\x01" + column + b"e", b"}(" + text("a/b") + csr + text("c") + b"](" + csr + b"eu")
        for pickle in whole:
            if legacy:
                yield torch_legacy(pickle, range(8), (1, 2, 3)) if b"X\x01\0\0\x001" in pickle else torch_legacy(pickle, range(8))
            else:
                yield pickle
                yield torch_zip(b"\x80\x02" + pickle + b".")
    csr = sparse("csr", (3, 4), view("0", "Long", 8, 0, (4,), (1,)), view("1", "Long", 3, 0, (3,), (1,)), view("1", "Long", 3, 0, (3,), (1,)))
    parameter = name("torch._utils", "_rebuild_parameter") + sequence(csr, b"\x88", name("collections", "OrderedDict") + b")R") + b"R"
    yield parameter
    yield name("torch._tensor", "_rebuild_from_type_v2") + sequence(name("torch._utils", "_rebuild_parameter"), name("torch", "Tensor"),
                                                                   sequence(csr, b"\x88", name("collections", "OrderedDict") + b")R"), b"}") + b"R"
    yield name("collections", "OrderedDict") + b")R(" + text("w") + csr + b"u}" + text("_metadata") + b"]sb"
    yield b"]q\0(h\0" + csr + b"q\x01h\x01G" + struct.pack(">d", 1.5) + b"NM\x01\x02J\xff\xff\xff\xff\x88\x89)}e"
    yield name("posix", "system") + text("x") + b"\x85R"


def safetensors(tensors, metadata=None, gap=b""):
    """A file of {name: (type, shape, bytes)}."""
    header, elements = {} if metadata is None else {"__metadata__": metadata}, b""
    for key, (dtype, shape, data) in tensors.items():
        header[key] = {"dtype": dtype, "shape": shape, "data_offsets": [len(elements), len(elements) + len(data)]}
        elements += data + gap
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + elements


def safetensors_files():
    row, column, three = ("I64", [3], numbers(0, 1, 3)), ("I64", [3], numbers(2, 0, 1)), ("F32", [3], numbers(1, 2, 3, of="<f"))
    csr = {"crow_indices": row, "col_indices": column, "values": three}
    pair = ("I32", [2, 3], numbers(0, 1, 1, 2, 0, 1, of="<i"))
    blocks = ("BF16", [3, 2, 1], bytes(range(12)))
    yield safetensors(csr)
    yield safetensors(csr, {"sparse_format": "csr", "size": "[2, 3]"})
    yield safetensors({**csr, "size": ("I32", [2], numbers(2, 3, of="<i"))}, {"layout": "torch.sparse_csr"})
    yield safetensors({"a.b." + k: v for k, v in csr.items()} | {"c": three, "d.values": three, "d.indices": pair}, {"d.size": "[2,3]", "d.coalesced": "true"})
    yield safetensors({"ccol_indices": row, "row_indices": column, "values": blocks}, {"layout": "bsc", "size": "[6, 2]"})
    yield safetensors({"crow_indices": row, "col_indices": column, "values": blocks})
    yield safetensors({"x.indptr": ("U32", [3], numbers(0, 1, 3, of="<I")), "x.indices": ("U8", [3], b"\2\0\1"), "x.data": ("U16", [3], numbers(1, 2, 3, of="<H"))},
                      {"x.layout": "csc_matrix"})
    yield safetensors({"row": column, "col": ("I32", [3], numbers(1, 1, 1, of="<i")), "data": ("U64", [3], numbers(1, 2, -1)), "shape": ("U64", [2], numbers(3, 3))})
    yield safetensors(csr, gap=b"x")
    yield safetensors({**csr, "values": ("F8_E4M3", [3], b"123")})
    yield safetensors({**csr, "values": ("F32", [4], three[2])})
    text = json.dumps({"indices": {"dtype": "I64", "shape": [1, 2], "data_offsets": [0, 16]}, "values": {"dtype": "I8", "shape": [2], "data_offsets": [16, 18]}})
    yield text.encode() + b"\0" + numbers(1, 2) + b"ab"
    yield text.replace("[0, 16]", "[2, 18]").encode() + b"\0" + numbers(1, 2) + b"ab"
    yield text.replace("[1, 2]", "[-1, -2]").encode() + b"\0" + numbers(1, 2) + b"ab"


def binsparse(layout, shape, count, types, **more):
    """A header, and arrays of (type, elements)."""
    data_types = {name: said for name, (said, _, _) in types.items()}
    header = {"binsparse": {"version": "0.1", "format": layout, "shape": shape, "number_of_stored_values": count, "data_types": data_types, **more}}
    out = json.dumps(header).encode() + b"\0"
    for name in ("indices_0", "pointers_to_1", "indices_1", "values"):
        _, of, values = types.get(name, (0, 0, None))
        out += b"\0\xff" if values is None else bytes([BINSPARSE_TYPES.index(of), len(values)]) + numbers(*values, of="<" + of)
    return out


BINSPARSE_TYPES = "qiBHIQbhfd"


def binsparse_files():
    rows, pointers, columns = ("int64", "q", [1, 3]), ("int64", "q", [0, 2, 3]), ("int32", "i", [0, 1, 0])
    values, pairs = ("float64", "d", [1, 2, 3]), ("complex[float32]", "f", [1, 2, 3, 4, 5, 6])
    for layout, names in (("CSR", {"pointers_to_1": pointers, "indices_1": columns}), ("CSC", {"pointers_to_1": pointers, "indices_1": columns}),
                          ("DCSR", {"indices_0": rows, "pointers_to_1": pointers, "indices_1": columns}), ("DCSC", {"indices_0": rows, "pointers_to_1": pointers, "indices_1": columns}),
                          ("COO", {"indices_0": columns, "indices_1": columns}), ("COOC", {"indices_0": columns, "indices_1": ("uint16", "H", [0, 1, 1])})):
        for of in (values, pairs, ("iso[float64]", "d", [1]), ("bint8", "B", [0, 1, 1]), ("uint64", "Q", [1, 2, 2 ** 63])):
            yield binsparse(layout, [2 if "D" not in layout else 5, 5], 3, {**names, "values": of})
    csr = {"pointers_to_1": pointers, "indices_1": columns, "values": values}
    yield binsparse("CSR", [2, 2], 3, csr, fill=True)
    yield binsparse("CSR", [2, 2], 3, csr, structure="symmetric_lower")
    yield binsparse("CVEC", [2], 3, csr)
    yield binsparse("CSR", [2, 2], 4, csr)
    yield binsparse("CSR", [2, 2], 3, {**csr, "values": ("int64", "d", [1, 2, 3])})


# ---- HDF5: what tests/support/hdf5_tree.h says
HDF5_TYPES = "BHIQbhiqefdt?FDsv"


def hdf5_number(number):
    return bytes([number]) if 0 <= number < 248 else b"\xff" + struct.pack("<Q", number % 2 ** 64)


def hdf5_name(name):
    return bytes([64 | len(name)]) + name.encode()


def hdf5_data(of, shape, elements, storage=None):
    """Elements of a type by its letter: those of struct, t: bfloat16, F and D: complex, s and v: texts. Behind > it is big-endian."""
    big = of[0] == ">"
    letter = of[-1]
    raw = elements if isinstance(elements, bytes) else struct.pack(f"{of[0] if big else '<'}{len(elements)}{'f' if letter == 'F' else 'd' if letter == 'D' else letter}", *elements)
    kind = bytes([HDF5_TYPES.index(letter) | (64 if big else 0)])
    if letter == "s":
        kind = bytes([15 | 128, 1]) + hdf5_number(len(raw))
    space = bytes([len(shape)]) + b"".join(map(hdf5_number, shape))
    return kind + space + (storage or b"") + hdf5_number(len(raw)) + raw


def hdf5_text(name, text, of="s"):
    return b"\1" + hdf5_name(name) + hdf5_data(of, (), text.encode())


def hdf5_set(name, of, elements, shape=None, storage=b"\1"):
    return b"\2" + hdf5_name(name) + hdf5_data(of, shape or (len(elements),), elements, storage)


def hdf5_group(name, *items):
    return b"\3" + hdf5_name(name) + b"".join(items) + b"\0"


def hdf5_compressed(of="d", pointers="q", columns="i", storage=b"\1"):
    return (hdf5_set("indptr", pointers, [0, 1, 3], storage=storage), hdf5_set("indices", columns, [2, 0, 1]), hdf5_set("data", of, [1, 2, 3]))


def hdf5_files():
    csr = hdf5_text("encoding-type", "csr_matrix", "v")
    shape = b"\1" + hdf5_name("shape") + hdf5_data("q", (2,), [2, 3])
    for of in "BHIQbhiqefd":
        yield b"\0\0" + hdf5_group("X", csr, shape, *hdf5_compressed(of))
    for of in (">h", ">i", ">q", ">f", ">d"):
        yield b"\0\0" + hdf5_group("X", csr, shape, *hdf5_compressed(of, of if of in (">i", ">q") else "q"))
    yield b"\0\0" + hdf5_group("X", csr, shape, *hdf5_compressed()) + hdf5_group("layers", hdf5_group("a", hdf5_text("encoding-type", "csc_matrix"), *hdf5_compressed("f")))
    yield b"\0\0" + hdf5_group("matrix", hdf5_set("barcodes", "s", b"abc", (1,)), hdf5_set("shape", "q", [3, 2]), *hdf5_compressed("i"))
    yield b"\0\0" + hdf5_text("h5sparse_format", "csc") + b"\1" + hdf5_name("h5sparse_shape") + hdf5_data("i", (2,), [3, 2]) + b"".join(hdf5_compressed())
    yield b"\0\0" + hdf5_set("crow_indices", "q", [0, 1, 3]) + hdf5_set("col_indices", "q", [2, 0, 1]) + hdf5_set("values", "f", [1, 2, 3])
    yield b"\0\0" + hdf5_text("layout", "torch.sparse_bsc") + hdf5_set("ccol_indices", "q", [0, 1]) + hdf5_set("row_indices", "q", [0]) + hdf5_set("values", "f", [1, 2, 3, 4], (1, 2, 2))
    yield b"\0\0" + hdf5_set("row", "i", [0, 1]) + hdf5_set("col", "q", [1, 0]) + hdf5_set("data", "F", [1, 2, 3, 4], (2,)) + hdf5_set("size", "q", [2, 2])
    yield b"\0\0" + hdf5_set("row", "H", [0, 1]) + hdf5_set("col", "H", [1, 0]) + hdf5_set("data", "?", b"\0\1")
    yield b"\0\0" + hdf5_set("indices", "q", [0, 1, 1, 0], (2, 2)) + hdf5_set("values", "D", [1, 2, 3, 4], (2,)) + b"\4" + hdf5_name("again") + b"\1" + b"\5" + hdf5_name("soft") + b"\1"
    yield b"\0\0" + hdf5_group("X", csr, shape, *hdf5_compressed(storage=b"\x0a\1\2")) + b"\4" + hdf5_name("Y") + b"\1"
    yield b"\0\0" + hdf5_group("X", csr, shape, *hdf5_compressed(storage=b"\x09" + hdf5_number(32001)))
    yield b"\0\0" + hdf5_group("X", csr, *hdf5_compressed()) + b"\6" + hdf5_name("elsewhere")
    yield b"\0\0" + b"".join(b"\3" + hdf5_name("g") for _ in range(34))
    yield b"\0\0" + b"".join(b"\3\xfe" for _ in range(22))
    yield b"\0\0" + hdf5_group("a", b"\4" + hdf5_name("itself") + b"\1")
    yield b"\0\0" + hdf5_group("a", *hdf5_compressed()) + b"\5" + hdf5_name("indptr") + b"\2" + b"".join(hdf5_compressed()[1:]) + csr
    for of in (">F", ">D"):
        yield b"\0\0" + hdf5_set("row", ">i", [0, 1]) + hdf5_set("col", ">i", [1, 0]) + hdf5_set("data", of, [1, 2, 3, 4], (2,))
    for of, sizes in (("i", [-1, 3]), ("b", [2, -3]), ("h", [2, 3]), (">i", [2, 3]), ("Q", [2, 2 ** 63]), ("B", [2, 3])):
        yield b"\0\0" + hdf5_group("X", csr, b"\1" + hdf5_name("shape") + hdf5_data(of, (2,), sizes), *hdf5_compressed())
    for kind in (7, 10, 12, 14):
        for field in range(18):
            yield b"\0\0" + b"".join(hdf5_compressed()[:2]) + b"\2" + hdf5_name("data") + bytes([128 | kind, field, 1, 1, 3, 1, 0]) + csr
    for header, sets in (("CSR", (hdf5_set("pointers_to_1", "q", [0, 1, 3]),)), ("DCSR", (hdf5_set("indices_0", "q", [0, 1]), hdf5_set("pointers_to_1", "q", [0, 1, 3]))),
                         ("COO", (hdf5_set("indices_0", "q", [0, 1, 1]),))):
        types = {"pointers_to_1": "int64", "indices_0": "int64", "indices_1": "int32", "values": "float64"}
        text = json.dumps({"binsparse": {"version": "0.1", "format": header, "shape": [2, 3], "number_of_stored_values": 3, "data_types": types}})
        yield b"\0\0" + hdf5_text("binsparse", text) + b"".join(sets) + hdf5_set("indices_1", "i", [2, 0, 1]) + hdf5_set("values", "d", [1, 2, 3])
    for call in range(1, 160, 3):
        yield bytes([call, 0]) + hdf5_group("X", csr, shape, *hdf5_compressed(storage=b"\x0a\1\2"))
        yield bytes([call, 0]) + hdf5_text("layout", "coo") + hdf5_set("row", "i", [0, 1]) + hdf5_set("col", "i", [1, 0]) + hdf5_set("data", "F", [1, 2, 3, 4], (2,)) + hdf5_set("size", "q", [2, 2])


FILES = {"json": json_files, "mtx": mtx_files, "npz": npz_files, "npy": npy_files, "pt": pt_files, "safetensors": safetensors_files, "binsparse": binsparse_files, "hdf5": hdf5_files}
