#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What spw_read_npz accepts means the same to every reader. Archives are made, mutated and given to it; each one that
it accepts is read again by NumPy, by libzip, by a reader that believes the local headers only and by one that believes
the first end record: the same members, and the same tensor, bit for bit.

    npz_differential.py LIBRARIES [--rounds N | --seconds S] [--seed N]

LIBRARIES is the folder of libsparsewright_io.so.
"""
import argparse
import base64
import ctypes
import ctypes.util
import io
import json
import os
import random
import struct
import sys
import time
import warnings
import zipfile
import zlib

import numpy as np

STORED, DEFLATED = 0, 8
DESCRIPTOR = 1 << 3


# ---- The library ----------------------------------------------------------------------------------------------------

class Library:
    """The readers, and spw_write_json to see what they have read."""

    def __init__(self, folder):
        ctypes.CDLL(os.path.join(folder, "libsparsewright.so"), ctypes.RTLD_GLOBAL)
        self.io = ctypes.CDLL(os.path.join(folder, "libsparsewright_io.so"))
        self.io.spw_owned_tensor.restype = ctypes.c_void_p
        self.io.spw_owned_tensor.argtypes = self.io.spw_owned_free.argtypes = [ctypes.c_void_p]
        for reader in (self.io.spw_read_npz, self.io.spw_read_mtx, self.io.spw_read_json, self.io.spw_read_npy):
            reader.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_void_p]
        for writer in (self.io.spw_write_json, self.io.spw_write_npy):
            writer.argtypes = [ctypes.c_void_p] * 4
        self.free = ctypes.CDLL(None).free
        self.free.argtypes = [ctypes.c_void_p]

    def rewrite(self, file, reader, writer):
        """What the writer makes of what the reader reads: (bytes, None), (None, None) where the writer refuses, (None, message) where the reader does."""
        owned, written, size = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_size_t()
        error = ctypes.create_string_buffer(96 + 256)
        if getattr(self.io, reader)(file, len(file), 0, ctypes.byref(owned), error):
            return None, error.raw[:96].split(b"\0")[0].decode() + ": " + error.raw[96:].split(b"\0")[0].decode()
        status = getattr(self.io, writer)(self.io.spw_owned_tensor(owned), ctypes.byref(written), ctypes.byref(size), error)
        self.io.spw_owned_free(owned)
        if status:
            return None, None
        data = ctypes.string_at(written, size.value)
        self.free(written)
        return data, None

    def read(self, archive, reader="spw_read_npz"):
        """(tensor as JSON, None) or (None, message). The tensor is {} when JSON cannot express it: a bool that is neither 0 nor 1."""
        text, why = self.rewrite(archive, reader, "spw_write_json")
        if why:
            return None, why
        return json.loads(text) if text else {}, None


# ---- Other readers: name -> bytes -----------------------------------------------------------------------------------

def read_by_directory(archive):
    """Python's zipfile, which NumPy uses."""
    with zipfile.ZipFile(io.BytesIO(archive)) as z:
        return {name: z.read(name) for name in z.namelist()}


class Libzip:
    """libzip, which believes what Python does not: names in extra fields, the first of two end records."""

    def __init__(self):
        self.zip = ctypes.CDLL(ctypes.util.find_library("zip"))
        self.zip.zip_source_buffer_create.restype = self.zip.zip_open_from_source.restype = ctypes.c_void_p
        self.zip.zip_source_buffer_create.argtypes = [ctypes.c_char_p, ctypes.c_uint64, ctypes.c_int, ctypes.c_void_p]
        self.zip.zip_open_from_source.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p]
        self.zip.zip_get_num_entries.restype = self.zip.zip_fread.restype = ctypes.c_int64
        self.zip.zip_get_num_entries.argtypes = [ctypes.c_void_p, ctypes.c_uint32]
        self.zip.zip_get_name.restype = ctypes.c_char_p
        self.zip.zip_get_name.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint32]
        self.zip.zip_fopen_index.restype = ctypes.c_void_p
        self.zip.zip_fopen_index.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint32]
        self.zip.zip_fread.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint64]
        self.zip.zip_fclose.argtypes = self.zip.zip_discard.argtypes = self.zip.zip_source_free.argtypes = [ctypes.c_void_p]

    def read_member(self, archive, i):
        member, chunks = self.zip.zip_fopen_index(archive, i, 0), []
        if not member:
            raise ValueError("libzip opens no member")
        room = ctypes.create_string_buffer(1 << 16)
        while (got := self.zip.zip_fread(member, room, len(room))) > 0:
            chunks.append(room.raw[:got])
        self.zip.zip_fclose(member)
        if got < 0:
            raise ValueError("libzip finds damage")
        return b"".join(chunks)

    def __call__(self, archive):
        source = self.zip.zip_source_buffer_create(archive, len(archive), 0, None)
        opened = self.zip.zip_open_from_source(source, 16, None)  # ZIP_RDONLY
        if not opened:
            self.zip.zip_source_free(source)
            raise ValueError("libzip does not open it")
        try:
            members = {}
            for i in range(self.zip.zip_get_num_entries(opened, 0)):
                members.setdefault(self.zip.zip_get_name(opened, i, 0).decode(errors="replace"), self.read_member(opened, i))
            return members
        finally:
            self.zip.zip_discard(opened)


def end_of_stream(archive, at):
    """The data of a deflated member without sizes, and where they end."""
    inflater = zlib.decompressobj(-15)
    data = inflater.decompress(archive[at:])
    if not inflater.eof:
        raise ValueError("the deflated data do not end")
    return data, len(archive) - len(inflater.unused_data)


def end_by_descriptor(archive, at, wide):
    """The same of a stored member: up to the first descriptor that fits."""
    end = at - 1
    while (end := archive.find(b"PK\7\x08", end + 1)) >= 0:
        size = struct.unpack_from("<Q" if wide else "<L", archive.ljust(end + 24, b"\0"), end + 8)[0]
        if size == end - at:
            return archive[at:end], end
    raise ValueError("no descriptor")


def read_by_headers(archive):
    """From the first byte to the last, as from a pipe: the directory is never looked at."""
    members, at = {}, 0
    while archive[at:at + 4] == b"PK\3\4":
        flags, method = struct.unpack_from("<HH", archive, at + 6)
        packed, _, name, extra = struct.unpack_from("<LLHH", archive, at + 18)
        fields, wide = archive[at + 30 + name:at + 30 + name + extra], False
        name, at = archive[at + 30:at + 30 + name].decode("cp437"), at + 30 + name + extra
        while len(fields) >= 4:
            tag, size = struct.unpack_from("<HH", fields)
            wide = wide or tag == 1
            if tag == 1 and packed == 0xffffffff:
                packed = struct.unpack_from("<Q", fields, 12)[0]
            fields = fields[4 + size:]
        if flags & DESCRIPTOR:
            start, (data, at) = at, end_of_stream(archive, at) if method == DEFLATED else end_by_descriptor(archive, at, wide)
            expected = struct.pack("<4sLQQ" if wide else "<4sLLL", b"PK\7\x08", zlib.crc32(data), at - start, len(data))
            if archive[at:at + len(expected)] != expected:
                raise ValueError("another descriptor")
            at += len(expected)
        else:
            data, at = archive[at:at + packed], at + packed
            data = zlib.decompress(data, -15) if method == DEFLATED else data
        members.setdefault(name, data)
    if archive[at:at + 4] != b"PK\1\2":
        raise ValueError("no directory behind the members")
    return members


def read_by_first_end(archive):
    """By the directory of the first end record that has one, searched from the front."""
    at = -1
    while (at := archive.find(b"PK\5\6", at + 1)) >= 0:
        members = attempt(read_by_directory, archive[:at + 20] + b"\0\0")
        if not isinstance(members, str):
            return members
    raise ValueError("no end record with a directory")


def attempt(read, archive):
    try:
        return read(archive)
    except Exception as why:  # whatever a reader makes of a mutated archive  # pylint: disable=broad-exception-caught
        return f"{type(why).__name__}: {why}"


# ---- The same tensor ------------------------------------------------------------------------------------------------

def decode_float(element, dtype):
    bits = np.dtype(f"u{dtype.itemsize}")
    if not isinstance(element, str):
        return np.array(element, np.float64).astype(dtype)
    if element.startswith("bits:"):
        return np.array(int(element[5:], 16), bits).view(dtype)
    if element == "nan":  # positive and quiet, with no payload
        return np.array(np.array(np.inf, dtype).view(bits) | bits.type(1 << (np.finfo(dtype).nmant - 1)), bits).view(dtype)
    return np.array(float(element), dtype)


def decode_array(member):
    """The array of a member of a JSON tensor file."""
    dtype, data = np.dtype(member["dtype"]), member.get("data")
    if data is None:
        data = [member["fill"]] * member["length"]
    if dtype.kind == "c":
        part = np.dtype(f"f{dtype.itemsize // 2}")
        storage = np.array([decode_float(x, part) for pair in data for x in pair], part).view(dtype)
    elif dtype.kind == "f":
        storage = np.array([decode_float(x, dtype) for x in data], dtype)
    else:
        storage = np.array(data, dtype)
    shape, strides = tuple(member["shape"]), member.get("strides")
    if strides is None or not storage.size:
        return storage.reshape(shape)
    return np.lib.stride_tricks.as_strided(storage, shape, tuple(s * dtype.itemsize for s in strides))


def same_array(member, expected):
    array = decode_array(member)
    native = expected.astype(expected.dtype.newbyteorder("="))
    return array.dtype == native.dtype and array.shape == native.shape and array.tobytes() == native.tobytes()


def layout_of(loaded):
    layout = loaded["format"].item()
    return layout.decode() if isinstance(layout, bytes) else layout


def difference(tensor, loaded):
    """What of the tensor is not what NumPy has loaded; None when nothing is."""
    layout = layout_of(loaded)
    if tensor["layout"] != layout or tensor["size"] != loaded["shape"].tolist():
        return "layout or size"
    if "_is_array" in loaded and not isinstance(bool(loaded["_is_array"]), bool):
        return "_is_array"
    pairs = {"values": "data", "compressed_indices": "indptr", "plain_indices": "indices", "indices": "coords"}
    for ours, theirs in pairs.items():
        if ours not in tensor:
            continue
        if theirs == "coords" and "coords" not in loaded:
            expected = np.stack([loaded["row"], loaded["col"]])
        else:
            expected = loaded[theirs]
        if not same_array(tensor[ours], expected):
            return theirs
    return None


def load(archive):
    """What scipy.sparse.load_npz asks NumPy for; other members may be anything."""
    with np.load(io.BytesIO(archive), allow_pickle=False) as z:
        if layout_of(z) != "coo":
            places = ("indices", "indptr")
        else:
            places = ("coords",) if "coords" in z else ("row", "col")
        return {name: z[name] for name in ("format", "shape", "data", "_is_array", *places) if name in z}


# ---- Archives, in pieces --------------------------------------------------------------------------------------------

class Member:
    """A member and its two headers, `c` in the directory and `l` before the data: fields that may lie."""

    def __init__(self, name, content, method=STORED, descriptor=False, wide=False, bits=0):
        self.content, self.method, self.has_descriptor, self.wide = content, method, descriptor, wide
        self.pack()
        flags = bits | (DESCRIPTOR if descriptor else 0)
        header = {"needed": 45 if wide else 20, "flags": flags, "method": method, "crc": zlib.crc32(content), "packed": len(self.data),
                  "size": len(content), "name": name, "extra": b"", "comment": b""}
        self.c, self.l = dict(header), dict(header)
        self.gap, self.lie = b"", {}  # the descriptor's
        if descriptor:
            self.l.update(crc=0, packed=0, size=0)
        if wide:
            self.l["extra"] = struct.pack("<HHQQ", 1, 16, self.l["size"], self.l["packed"])
            if wide != "twice":  # as Python up to 3.11.3 writes them
                self.l.update(packed=0xffffffff, size=0xffffffff)

    def pack(self):
        packer = zlib.compressobj(6, zlib.DEFLATED, -15)
        self.data = packer.compress(self.content) + packer.flush() if self.method == DEFLATED else self.content

    def descriptor(self):
        if not self.has_descriptor:
            return b""
        says = {**self.c, **self.lie}
        return struct.pack("<4sLQQ" if self.wide else "<4sLLL", says.get("signature", b"PK\7\x08"), says["crc"], says["packed"], says["size"])

    def before(self):
        h = self.l
        return struct.pack("<4sHHHHHLLLHH", b"PK\3\4", h["needed"], h["flags"], h["method"], 0, 33, h["crc"], h["packed"], h["size"],
                           len(h["name"]), len(h["extra"])) + h["name"] + h["extra"]

    def entry(self, offset):
        h = self.c
        return struct.pack("<4sHHHHHHLLLHHHHHLL", b"PK\1\2", 20, h["needed"], h["flags"], h["method"], 0, 33, h["crc"], h["packed"], h["size"], len(h["name"]),
                           len(h["extra"]), len(h["comment"]), h.get("disk", 0), 0, 0, h.get("offset", offset) & 0xffffffff
                           ) + h["name"] + h["extra"] + h["comment"]

    def set_content(self, content):
        again = Member(self.c["name"], content, self.method, self.has_descriptor, self.wide, self.c["flags"] & ~DESCRIPTOR)
        again.l["name"] = self.l["name"]
        self.__dict__ = again.__dict__


class Archive:
    def __init__(self, members):
        self.members, self.prefix, self.comment, self.trailing = members, b"", b"", b""
        self.base, self.behind = 0, b""  # where the archive begins in its file; between the directory and the end records
        self.end, self.end64, self.order = {}, None, None

    def find(self, name):
        return next(m for m in self.members if m.c["name"] in (name, name + b".npy"))

    def bytes(self):
        out, offsets = bytearray(self.prefix), []
        for m in self.members:
            offsets.append(len(out) + self.base)
            out += m.before() + m.data + m.descriptor() + m.gap
        start = len(out)
        for i in self.order or range(len(self.members)):
            out += self.members[i].entry(offsets[i])
        end = {"disk": 0, "first": 0, "here": len(self.members), "all": len(self.members), "size": len(out) - start, "start": start + self.base}
        out += self.behind
        if self.end64 is not None:
            wide, at = {**end, **self.end64}, len(out)
            out += struct.pack("<4sQHHLLQQQQ", b"PK\6\6", wide.get("length", 44), 45, 45, wide["disk"], wide["first"], wide["here"], wide["all"],
                               wide["size"], wide["start"])
            out += struct.pack("<4sLQL", b"PK\6\7", 0, wide.get("at", at), wide.get("disks", 1))
        end.update(self.end)
        out += struct.pack("<4sHHHHLLH", b"PK\5\6", end["disk"], end["first"], end["here"], end["all"], end["size"], end["start"],
                           end.get("comment", len(self.comment)))
        return bytes(out + self.comment + self.trailing)


def npy(array, **options):
    out = io.BytesIO()
    np.lib.format.write_array(out, np.asanyarray(array), **options)
    return out.getvalue()


CSR = {"indices": np.array([2, 0, 1], np.int32), "indptr": np.array([0, 1, 3], np.int32), "format": np.array(b"csr"), "shape": np.array([2, 3]),
       "data": np.array([1.5, -0.0, np.nan])}
COO = {"row": np.array([0, 1, 1]), "col": np.array([2, 0, 1]), "format": np.array(b"coo"), "shape": np.array([2, 3]), "data": np.array([True, False, True])}
BSR = {**CSR, "format": np.array("bsr"), "shape": np.array([4, 3], ">i4"), "data": np.asfortranarray(np.arange(6, dtype=np.complex64).reshape(3, 2, 1))}
CUBE = {"coords": np.array([[0, 1], [1, 2], [0, 3]], np.int64), "format": np.array(b"coo"), "shape": np.array([2, 3, 4]), "data": np.array([1, -7], ">f4"),
        "_is_array": np.array(True)}
CSC = {**CSR, "format": np.array(b"csc"), "shape": np.array([3, 2], np.int16), "data": np.array([3, 4, 5], np.float16)}
TENSORS = (CSR, COO, BSR, CUBE, CSC)


def build(tensor, suffix=b".npy", **options):
    return Archive([Member(name.encode() + suffix, npy(array), **options) for name, array in tensor.items()])


def random_archive(dice):
    return build(dice.choice(TENSORS), dice.choice((b".npy", b".npy", b".npy", b"")), method=dice.choice((STORED, DEFLATED)), descriptor=dice.random() < 0.3,
                 wide=dice.choice((False, False, False, True, "twice")), bits=dice.choice((0, 0, 0, 2, 1 << 11)))


class Pipe(io.RawIOBase):
    """A file that cannot be sought: zipfile then writes data descriptors."""

    def __init__(self):
        super().__init__()
        self.bytes = bytearray()

    def writable(self):
        return True

    def write(self, data):
        self.bytes += bytes(data)
        return len(data)


def written_by_numpy():
    """What users have: whatever NumPy and zipfile write must be read."""
    for tensor in TENSORS:
        for save in (np.savez, np.savez_compressed):
            file, pipe = io.BytesIO(), Pipe()
            save(file, **tensor)
            save(pipe, **tensor)
            yield f"{save.__name__}", file.getvalue()
            yield f"{save.__name__} to a pipe", bytes(pipe.bytes)
        for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            for file in (io.BytesIO(), Pipe()):
                with zipfile.ZipFile(file, "w", method) as z:
                    for name, array in tensor.items():
                        z.writestr(name, npy(array))
                yield "zipfile, bare names", bytes(file.bytes) if isinstance(file, Pipe) else file.getvalue()
    for name, array in (("fortran", np.asfortranarray(np.ones((1, 2)))), ("long header", np.ones((1,) * 30)), ("empty", np.ones((0, 7))),
                        ("scalar", np.ones(()))):
        yield name, build({**CSR, "data": array}).bytes()
    archive = build(CSR)
    archive.find(b"data").set_content(npy(CSR["data"], version=(3, 0)))
    archive.end64 = {}
    yield ".npy version 3, zip64 end record", archive.bytes()


# ---- Mutations ------------------------------------------------------------------------------------------------------

OTHER = npy(np.array([0, 0, 0], np.int32))
NAMES = (b"indices.npy", b"indices", b"Indices.npy", b"indices.NPY", b"indices.npy.npy", b"indices.npy\0x", b"./indices.npy", b"indices.npy/", b"\\indices.npy",
         b"ignored.npy", b"data.npy", b"data", b"shape", b"row", b"coords.npy", b"", b"indices.npy ", b"_is_array.npy", "ındices.npy".encode())


def unicode_path(old, new):
    """The Info-ZIP field that gives a member another name."""
    return struct.pack("<HHBL", 0x7075, 5 + len(new), 1, zlib.crc32(old)) + new


def any_header(dice, member):
    return dice.choice((member.c, member.l))


def change_number(dice, number, most=0xffffffff):
    return dice.choice((0, 1, number + 1, number - 1, number ^ (1 << dice.randrange(32)), 8, 0xffff, most, dice.randrange(most + 1))) % (most + 1)


def mutate_text(dice, a):
    """The header of a .npy file, or the elements, under a CRC that is right."""
    m = dice.choice(a.members)
    content = bytearray(m.content)
    end = 10 + content[8] + 256 * content[9]
    at = dice.randrange(6, min(end, len(content)) if dice.random() < 0.9 else len(content))
    new = dice.choice((b"", b" ", b"'", b"0", b"1", b"3", b",", b"(", b")", b"-", b"L", b"_", b"#", b"\n", b"\r", b"\t", b"\f", b"\\", b"True", b"<", b">",
                       b"=", b"|", b"u", b"'a':1,",
                       bytes([dice.randrange(256)])))
    content[at:at + dice.choice((0, 1, 1, 1, len(new)))] = new
    if dice.random() < 0.8:  # mend the length, or take from the padding
        if dice.random() < 0.5:
            grown = (len(content) - len(m.content) + content[8] + 256 * content[9]) % 65536
            content[8:10] = struct.pack("<H", grown)
        elif len(content) > len(m.content):
            pad = content.find(b"   ")
            del content[pad:pad + len(content) - len(m.content)]
    m.set_content(bytes(content))


SHAPES = {"(3,)": 3, "()": 1, "(1, 3)": 3, "(3, 1)": 3, "(3,1,)": 3, "(3 ,)": 3, "(0,)": 0, "(3,0)": 0,
          "(0, 1152921504606846975)": 0, "(0, 4611686018427387904)": 0, "(" + "1," * 40 + "3)": 3, "(" + "1," * 64 + "3)": 3,
          "(2, 3)": 6, "(3)": 3, "(03,)": 3, "(-3,)": 3, "(True,)": 1,
          "(3L,)": 3, "[3]": 3, "(9223372036854775807, 0)": 0}
WIDTHS = {"<i4": 4, ">i4": 4, "<i8": 8, ">f8": 8, "<f8": 8, "|b1": 1, "<b1": 1, ">u1": 1, "<f2": 2, ">c8": 8, "<c16": 16, "<i2": 2, "|i4": 4, "<u2": 2,
          "|S3": 3, "<U3": 12, ">U3": 12,
          "|S0": 0, "|V4": 4, "<m8": 8, "|O": 8, "i4": 4}
FORMS = ("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }",
         "{'descr': '%s',\n'fortran_order': %s,\r 'shape': %s}", "{'descr':\t'%s','fortran_order':%s,'shape':%s}",
         "{'descr': '%s', 'fortran_order': %s, 'shape': %s, 'shape': (3,)}", " {'descr': '%s', 'fortran_order': %s, 'shape': %s}",
         "\n {'descr': '%s', 'fortran_order': %s, 'shape': %s}",
         "{'descr': '%s', 'fortran_order': %s, 'shape': %s}#", "({'descr': '%s', 'fortran_order': %s, 'shape': %s})")


def mutate_header_whole(dice, a):
    """A .npy file of another type, shape, order, version or spelling."""
    m = dice.choice(a.members)
    usual = dice.random() < 0.7
    descr = dice.choice(list(WIDTHS)[:12 if usual else None])
    shape = dice.choice(list(SHAPES)[:11 if usual else None])
    order = dice.choice(("False", "True") if usual else ("False", "0", "None"))
    text = (dice.choice(FORMS[:3 if usual else None]) % (descr, order, shape)).encode()
    padding = (b"", b" " * 20, b"\n", b" \r\n \t", b"\n  \n ", b" " * (9999 - len(text)), b"\0", b" " * (10000 - len(text)))
    text += dice.choice(padding[:6 if usual else None]) + b"\n"
    version = dice.choice((1, 1, 2, 3))
    data = bytes(dice.choice((0, 1, 2, 65, 255)) for _ in range(WIDTHS[descr] * SHAPES[shape]))
    m.set_content(b"\x93NUMPY" + bytes([version, 0]) + struct.pack("<H" if version == 1 else "<L", len(text)) + text + data)


def mutate_add(dice, a):
    """One more member, whose name may be another's to some reader."""
    m = Member(dice.choice(NAMES), OTHER, dice.choice((STORED, DEFLATED)))
    if dice.random() < 0.3:
        m.l["name"] = dice.choice(NAMES)
    if dice.random() < 0.3:
        add_path(dice, m)
    a.members.insert(dice.randrange(len(a.members) + 1), m)


def add_path(dice, m):
    new = dice.choice(NAMES)
    for h in dice.choice(((m.c,), (m.l,), (m.c, m.l))):
        h["extra"] += unicode_path(m.c["name"], new)


def mutate_name(dice, a):
    m, name = dice.choice(a.members), dice.choice(NAMES)
    for h in dice.choice(((m.c,), (m.l,), (m.c, m.l))):
        h["name"] = name


def mutate_extra(dice, a):
    m = dice.choice(a.members)
    if dice.random() < 0.4:
        add_path(dice, m)
        return
    size = dice.choice((0, 1, 5, 8, 16, 24))
    extra = struct.pack("<HH", dice.choice((1, 0x5455, 0x7875, 0x6375, 0xcafe, 0x000a, 0x9901)), size)
    extra += struct.pack("<QQQ", len(m.content), len(m.data), 0)[:size]
    for h in dice.choice(((m.c,), (m.l,), (m.c, m.l))):
        h["extra"] += extra + dice.choice((b"", b"", b"\0"))


def mutate_field(dice, a):
    m = dice.choice(a.members)
    key = dice.choice(("needed", "flags", "method", "crc", "packed", "size"))
    new = change_number(dice, m.c[key], 0xffff if key in ("needed", "flags", "method") else 0xffffffff)
    for h in dice.choice(((m.c,), (m.l,), (m.c, m.l))):
        h[key] = new


def mutate_length(dice, a):
    """Data that are longer or shorter than what they should give, with sizes that may know of it."""
    m = dice.choice(a.members)
    change = dice.choice((b"x", b"PK\3\4", bytes(8)))
    if m.method == DEFLATED and dice.random() < 0.3:  # the sizes are right, and more comes out
        size, crc = len(m.content), dice.choice((None, m.c["crc"]))
        m.set_content(m.content + change)
        for h in (m.c,) if m.has_descriptor or m.wide else (m.c, m.l):
            h.update(size=size, crc=crc or h["crc"])
        m.l["extra"] = m.l["extra"].replace(struct.pack("<Q", size + len(change)), struct.pack("<Q", size))
        return
    if dice.random() < 0.5:
        m.set_content(m.content + change if dice.random() < 0.7 else m.content[:-1])
    m.data = m.data + change if dice.random() < 0.7 else m.data[:-1]
    for h in dice.choice(((), (m.c,), (m.c, m.l))):
        h["packed"] = len(m.data)
    if dice.random() < 0.3:
        size = len(m.content) + dice.choice((-1, 1, 8))
        for h in (m.c, m.l):
            h["size"] = size


def mutate_gap(dice, a):
    junk = dice.choice((b"x", bytes(22), build(CSR).bytes(), b"PK\5\6" + bytes(18), Member(b"indices.npy", OTHER).before() + OTHER))
    where = dice.randrange(5)
    if where == 0:
        a.prefix = junk
        if dice.random() < 0.5:
            for m in a.members:
                m.c["offset"] = 0
    elif where == 1:
        dice.choice(a.members).gap = junk
    elif where == 2:
        a.comment = junk
        if dice.random() < 0.4:
            a.end["comment"] = change_number(dice, len(junk), 0xffff)
    elif where == 3:
        a.trailing = junk
    else:
        a.behind = junk


def mutate_end(dice, a):
    end = a.end
    if dice.random() < 0.5:
        a.end64 = a.end64 or {}
        end = dice.choice((a.end, a.end64))
        if dice.random() < 0.5:
            a.end.update(dice.choice(({"here": 0xffff, "all": 0xffff}, {"size": 0xffffffff, "start": 0xffffffff}, {"disk": 0xffff, "first": 0xffff})))
    for _ in range(dice.randrange(3)):
        key = dice.choice(("disk", "first", "here", "all", "size", "start", "at", "length", "disks"))
        end[key] = change_number(dice, end.get(key, len(a.members)), 0xffff if end is a.end and key in ("disk", "first", "here", "all") else 0xffffffff)


def mutate_order(dice, a):
    a.order = dice.sample(range(len(a.members)), len(a.members))
    if dice.random() < 0.3:
        a.order[0] = a.order[-1]


def mutate_offset(dice, a):
    m, other = dice.choice(a.members), dice.choice(a.members)
    m.c["offset"] = a.bytes().find(other.before())
    if dice.random() < 0.5:
        m.c.update({k: v for k, v in other.c.items() if k not in ("name", "offset")})


def mutate_descriptor(dice, a):
    m = dice.choice(a.members)
    m.set_content(m.content)
    if m.has_descriptor and dice.random() < 0.5:
        m.lie = dice.choice(({"crc": 0}, {"size": 1}, {"packed": 1}, {"signature": b"PK\7\7"}))
        return
    if dice.random() < 0.5:
        m.has_descriptor = not m.has_descriptor
        if dice.random() < 0.7:
            for h in (m.c, m.l):
                h["flags"] ^= DESCRIPTOR
    else:
        m.wide = not m.wide
    if dice.random() < 0.5:
        m.l.update(dice.choice(({"crc": 0, "packed": 0, "size": 0}, {"packed": 0}, {"crc": m.c["crc"]})))


def mutate_nest(dice, a):
    """A stored member whose bytes hold an end of it, and another member."""
    m = Member(b"ignored.npy", b"", STORED, True)
    if dice.random() < 0.3:  # an archive in the archive, of which all offsets are right
        archive = random_archive(dice)
        archive.base = len(m.before())
        archive.end["comment"] = dice.choice((0, 1000, 0xffff))
        a.members.insert(0, Member(m.c["name"], archive.bytes(), STORED))
        return
    inner = b"x" * dice.randrange(9)
    fake = inner + struct.pack("<4sLLL", b"PK\7\x08", zlib.crc32(inner), len(inner), len(inner)) + Member(b"indices.npy", OTHER).before() + OTHER
    content = dice.choice((fake, build(CSR).bytes(), npy(np.frombuffer(fake, np.uint8))))
    a.members.insert(dice.randrange(len(a.members) + 1), Member(m.c["name"], content, STORED, dice.random() < 0.7))


def mutate_comment(dice, a):
    dice.choice(a.members).c["comment"] = dice.choice((b"x", b"PK\6\7" + bytes(16)))


MUTATIONS = (mutate_text, mutate_text, mutate_header_whole, mutate_header_whole, mutate_add, mutate_name, mutate_extra, mutate_field, mutate_length,
             mutate_gap, mutate_end,
             mutate_order, mutate_offset, mutate_descriptor, mutate_nest, mutate_comment)


def mutated(dice):
    archive, done = random_archive(dice), []
    for _ in range(dice.choice((1, 1, 1, 2, 3))):
        change = dice.choice(MUTATIONS)
        change(dice, archive)
        done.append(change.__name__)
    data = archive.bytes()
    if dice.random() < 0.1:
        at = dice.randrange(len(data))
        data = data[:at] + bytes([data[at] ^ 1 << dice.randrange(8)]) + data[at + 1:]
        done.append("flip")
    return data, " ".join(done)


# ---- Judging --------------------------------------------------------------------------------------------------------

class Differential:
    def __init__(self, folder):
        self.library = Library(folder)
        self.others = {"libzip": Libzip(), "the reader of local headers": read_by_headers, "the reader of the first end": read_by_first_end}
        self.accepted = self.refused = self.ambiguous = 0

    def fail(self, archive, what, why):
        print(f"npz_differential: {what}: {why}\n{base64.b64encode(archive).decode()}", file=sys.stderr)
        sys.exit(1)

    def expect_agreement(self, archive, tensor, what):
        by_directory = attempt(read_by_directory, archive)
        for name, read in self.others.items():
            members = attempt(read, archive)
            if isinstance(by_directory, str) or members != by_directory:
                self.fail(archive, what, f"accepted, though {name} reads {members} and zipfile {by_directory}")
        loaded = attempt(load, archive)
        if isinstance(loaded, str):
            self.fail(archive, what, f"accepted, though NumPy says {loaded}")
        wrong = attempt(lambda _: difference(tensor, loaded), archive) if tensor else None
        if wrong:
            self.fail(archive, what, f"accepted, though NumPy loads another tensor: {wrong}")

    def judge(self, archive, what):
        tensor, _ = self.library.read(archive)
        if tensor is not None:
            self.accepted += 1
            self.expect_agreement(archive, tensor, what)
            return
        self.refused += 1
        views = [attempt(read, archive) for read in (read_by_directory, *self.others.values())]
        views = [v for v in views if not isinstance(v, str)]
        self.ambiguous += any(v != views[0] for v in views[1:])

    def expect_read(self, archive, what):
        tensor, why = self.library.read(archive)
        if tensor is None:
            self.fail(archive, what, f"refused: {why}")
        self.judge(archive, what)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("libraries")
    options.add_argument("--rounds", type=int, default=3000)
    options.add_argument("--seconds", type=float)
    options.add_argument("--seed", type=int, default=1)
    wanted = options.parse_args()
    warnings.simplefilter("ignore")
    differential, dice, start, rounds = Differential(wanted.libraries), random.Random(wanted.seed), time.monotonic(), 0
    for what, archive in written_by_numpy():
        differential.expect_read(archive, what)
    while time.monotonic() - start < wanted.seconds if wanted.seconds else rounds < wanted.rounds:
        archive, what = mutated(dice)
        differential.judge(archive, what)
        rounds += 1
    d = differential
    print(f"npz_differential: {d.accepted} archives accepted, and read alike by five readers; "
          f"{d.refused} refused, {d.ambiguous} of which readers take for different ones")
    if rounds >= 1000 and min(d.accepted, d.refused, d.ambiguous) < rounds // 50:
        sys.exit("npz_differential: the mutations are too weak or too strong to show anything")


if __name__ == "__main__":
    main()
