# SPDX-License-Identifier: Apache-2.0
"""Writes small HDF5 files: groups, attributes and contiguous arrays of numbers and text, the same bytes
every time. The oldest form of the superblock and of object headers is used, which has no checksums."""
import struct
from math import prod

SIGNATURE = b"\x89HDF\r\n\x1a\n"
SUPERBLOCK = 96  # bytes
UNDEFINED = 2**64 - 1
# The numbers of messages in an object header.
DATASPACE, LINK_INFO, DATATYPE, FILL_VALUE, LINK, LAYOUT, ATTRIBUTE = 1, 2, 3, 5, 6, 8, 12
# Of floating-point numbers: letter, exponent's place and bits, mantissa's place and bits, bias.
FLOATS = {"float32": ("f", 23, 8, 0, 23, 127), "float64": ("d", 52, 11, 0, 52, 1023)}
INTEGERS = {"uint8": "B", "int8": "b", "int16": "h", "int32": "i", "int64": "q"}


class Array:
    """Of numbers, or of text of one width. big_endian: the order of bytes."""

    def __init__(self, dtype, shape, data, attributes=None, big_endian=False):
        self.dtype, self.shape, self.attributes = dtype, list(shape), attributes or {}
        self.data, self.big_endian = list(data), big_endian

    def width(self):
        return max([1, *map(len, map(str.encode, self.data))]) if self.dtype == "text" else \
            struct.calcsize(letter(self.dtype))

    def datatype(self):
        if self.dtype == "text":  # UTF-8, filled up with zeros
            return struct.pack("<BBBBI", 0x13, 0x11, 0, 0, self.width())
        bits = 8 * self.width()
        if self.dtype in INTEGERS:
            flags = self.big_endian | 8 * (self.dtype != "uint8")
            return struct.pack("<BBBBIHH", 0x10, flags, 0, 0, bits // 8, 0, bits)
        _, *places, bias = FLOATS[self.dtype]  # the leading bit of the mantissa is not stored
        return struct.pack("<BBBBIHHBBBBI", 0x11, 0x20 | self.big_endian, bits - 1, 0, bits // 8, 0,
                           bits, *places, bias)

    def dataspace(self):
        return struct.pack(f"<BBB5x{len(self.shape)}Q", 1, len(self.shape), 0, *self.shape)

    def bytes(self):
        if self.dtype == "text":
            return b"".join(item.encode().ljust(self.width(), b"\0") for item in self.data)
        return struct.pack(f"{'>' if self.big_endian else '<'}{len(self.data)}{letter(self.dtype)}",
                           *self.data)


def letter(dtype):
    return INTEGERS[dtype] if dtype in INTEGERS else FLOATS[dtype][0]


def text(value):
    return Array("text", [], [value])


class Group:
    def __init__(self, members, attributes=None):
        self.members, self.attributes = members, attributes or {}


class _File:
    def __init__(self):
        self.bytes = bytearray(SUPERBLOCK)

    def place(self, content):
        """The address of the content, which is a multiple of 8."""
        address = len(self.bytes)
        self.bytes += aligned(content)
        return address

    def header(self, messages, attributes):
        messages = [*messages, *((ATTRIBUTE, attribute(name, value))
                                 for name, value in attributes.items())]
        written = b"".join(struct.pack("<HHB3x", kind, len(aligned(content)), 0) + aligned(content)
                           for kind, content in messages)
        return self.place(struct.pack("<BxHII4x", 1, len(messages), 1, len(written)) + written)

    def group(self, group):
        links = [(name, self.object(member)) for name, member in group.members.items()]
        return self.header([(LINK_INFO, struct.pack("<BBQQ", 0, 0, UNDEFINED, UNDEFINED)),
                            *((LINK, link(name, address)) for name, address in links)],
                           group.attributes)

    def object(self, member):
        if isinstance(member, Group):
            return self.group(member)
        content = member.bytes()
        layout = struct.pack("<BBQQ", 3, 1, self.place(content) if content else UNDEFINED,
                             prod(member.shape) * member.width())
        return self.header([(DATASPACE, member.dataspace()), (DATATYPE, member.datatype()),
                            (FILL_VALUE, bytes((2, 2, 2, 0))), (LAYOUT, layout)],
                           member.attributes)


def aligned(content):
    return content + bytes(-len(content) % 8)


def link(name, address):
    return struct.pack("<BBB", 1, 0, len(name)) + name.encode() + struct.pack("<Q", address)


def attribute(name, value):
    parts = value.datatype(), value.dataspace()
    return (struct.pack("<BBHHHB", 3, 0, len(name) + 1, *map(len, parts), 0) + name.encode() + b"\0"
            + b"".join(parts) + value.bytes())


def hdf5(root):
    """The bytes of a file with that group as its root."""
    file = _File()
    address = file.group(root)
    file.bytes[:SUPERBLOCK] = SIGNATURE + struct.pack(
        "<8BHHI4Q2QII16x", 0, 0, 0, 0, 0, 8, 8, 0, 4, 16, 0, 0, UNDEFINED, len(file.bytes),
        UNDEFINED, 0, address, 0, 0)
    return bytes(file.bytes)
