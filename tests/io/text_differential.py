#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What spw_read_json and spw_read_mtx accept means the same to Python's json and gzip: texts are mutated and given to both.

    text_differential.py LIBRARIES [--rounds N] [--seed N]

LIBRARIES is the folder of libsparsewright_io.so.
"""
import argparse
import gzip
import json
import random
import re
import sys

import numpy as np
from npz_differential import Library, decode_float

JSON = (b'{"spw":1,"layout":"csr","size":[2,3],"compressed_indices":{"dtype":"int64","shape":[3],"data":[0,1,3]},'
        b'"plain_indices":{"dtype":"int64","shape":[3],"data":[2,0,1]},"values":{"dtype":"float64","shape":[3],"strides":[1],"data":[1.5,-2e3,7]}}',
        b'{"spw":1,"layout":"coo","size":[2,3],"indices":{"dtype":"int32","shape":[2,1],"data":[0,1]},"values":{"dtype":"float32","shape":[1],"data":[0.1]}}')
PIECES = (b"1e5", b"1E+5", b"-0", b"-0.0", b"0.0", b"100000000000000000000", b"9223372036854775808", b"-9223372036854775809", b"1.0", b"NaN", b"Infinity",
          b'"nan"', b"\\u0061", b"\\ud800", b"\xc0\x80", b"\xff", b" ", b"\n", b"\x0c", b"\xc2\xa0", b"/**/", b",", b"[", b"]", b'"size":[1,1],', b"01", b"1.",
          b".5", b"0e0", b"123456789012345678901234567890", b'"0x1p3"', b"+1", b"\0", b"1e309", b"5e-324", b"0.1e-400", b"\xef\xbb\xbf", b"'")
MTX = b"%%MatrixMarket matrix coordinate real general\n3 3 2\n1 1 1\n3 2 2\n"


def fail(text, why):
    sys.exit(f"text_differential: accepted, though {why}:\n{text!r}")


def without_duplicates(pairs):
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a key twice")
    return dict(pairs)


def element(value, dtype):
    """The bits of an element."""
    if dtype.startswith("int"):
        return value
    if isinstance(value, str) and "0x" in value:
        value = float.fromhex(value)
    return decode_float(value, np.dtype(dtype)).tobytes()


def judge_json(library, text):
    ours, _ = library.read(text, "spw_read_json")
    if not ours:
        return False
    try:
        theirs = json.loads(text.decode(), object_pairs_hook=without_duplicates)
    except ValueError as why:
        fail(text, f"Python says {why}")
    if ours["layout"] != theirs["layout"] or ours.get("size") != theirs.get("size"):
        fail(text, "Python reads another layout or size")
    for name, member in theirs.items():
        if not isinstance(member, dict):
            continue
        dtype = member["dtype"]
        if dtype != ours[name]["dtype"] or member["shape"] != ours[name]["shape"]:
            fail(text, f"Python reads another type or shape of {name}")
        if [element(x, dtype) for x in member["data"]] != [element(x, dtype) for x in ours[name]["data"]]:
            fail(text, f"Python reads other elements of {name}")
    return True


def judge_gzip(library, packed):
    ours, _ = library.read(packed, "spw_read_mtx")
    if not ours:
        return False
    try:
        text = gzip.decompress(packed) if packed[:2] == b"\x1f\x8b" else packed
    except (OSError, EOFError, ValueError) as why:
        fail(packed, f"Python says {why}")
    if library.read(text, "spw_read_mtx")[0] != ours:
        fail(packed, "it is another matrix when Python inflates it")
    return True


def mutated_json(dice):
    text = bytearray(dice.choice(JSON))
    if dice.random() < 0.7:  # an element or another number becomes something else, or gets something beside it
        start, end = dice.choice([m.span() for m in re.finditer(rb"-?[0-9][0-9.e]*(?=[,\]])", text)])
        at = dice.choice((slice(start, end), slice(start, end), slice(start, start), slice(end, end)))
        text[at] = dice.choice(PIECES)
        return bytes(text)
    if dice.random() < 0.1:  # a key, perhaps once more
        at = dice.choice([m.end() for m in re.finditer(rb"\{", text)])
        text[at:at] = dice.choice((b'"size":[1,1],', b'"dtype":"int64",', b'"offset":0,', b'"layout":"coo",', b'"more":0,'))
    for _ in range(dice.choice((0, 1, 1, 2))):
        at = dice.randrange(len(text))
        text[at:at + dice.choice((0, 1, 1, 2))] = dice.choice(PIECES) if dice.random() < 0.8 else bytes([dice.randrange(256)])
    return bytes(text)


def mutated_gzip(dice):
    cut = dice.randrange(len(MTX))
    parts = (MTX[:cut], MTX[cut:]) if dice.random() < 0.5 else (MTX,)
    packed = bytearray(b"".join(gzip.compress(part, dice.choice((0, 6)), mtime=0) for part in parts))
    packed += dice.choice((b"", b"", bytes(9), b"x", b"\x1f\x8b"))
    for _ in range(dice.choice((0, 1, 1, 2))):
        at = dice.randrange(min(len(packed), 14) if dice.random() < 0.5 else len(packed))
        packed[at] ^= 1 << dice.randrange(8)
    return bytes(packed)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("libraries")
    options.add_argument("--rounds", type=int, default=20000)
    options.add_argument("--seed", type=int, default=1)
    wanted = options.parse_args()
    library, dice = Library(wanted.libraries), random.Random(wanted.seed)
    for what, mutate, judge in (("JSON", mutated_json, judge_json), ("gzip", mutated_gzip, judge_gzip)):
        accepted = sum(judge(library, mutate(dice)) for _ in range(wanted.rounds))
        print(f"text_differential: {accepted} of {wanted.rounds} {what} texts accepted, and read alike by Python")
        if not wanted.rounds // 50 < accepted < wanted.rounds // 2:
            sys.exit("text_differential: the mutations are too weak or too strong to show anything")


if __name__ == "__main__":
    main()
