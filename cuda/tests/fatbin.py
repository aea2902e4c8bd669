#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""fatbin.py LIBRARY: the code for devices in a library that nvcc made, a line for each source: "elf 80, elf 90, ptx 90"."""
import struct
import sys

MAGIC, KINDS = b"\x50\xed\x55\xba", {1: "ptx", 2: "elf"}


def containers(data):
    """(begin, end) of the entries of each."""
    at = data.find(MAGIC)
    while at >= 0:
        _, _, head, size = struct.unpack_from("<IHHQ", data, at)
        if head != 16 or at + head + size > len(data):
            sys.exit(f"fatbin.py: what is at {at} has another form than is known here")
        yield at + head, at + head + size
        at = data.find(MAGIC, at + head + size)


def entries(data, begin, end):
    while begin < end:
        kind, _, head, size = struct.unpack_from("<HHIQ", data, begin)
        architecture, = struct.unpack_from("<I", data, begin + 28)
        yield f"{KINDS.get(kind, kind)} {architecture}"
        if head < 32:
            sys.exit(f"fatbin.py: the entry at {begin} has another form than is known here")
        begin += head + size


def main():
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    for begin, end in containers(data):
        print(", ".join(sorted(entries(data, begin, end))))


if __name__ == "__main__":
    main()
