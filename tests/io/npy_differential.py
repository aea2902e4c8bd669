#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What spw_read_npy accepts, NumPy loads as the same array, bit for bit; what NumPy saves of a type that the rules know is
accepted; and what spw_write_npy writes, NumPy loads. Files are made, mutated and given to both.

    npy_differential.py LIBRARIES [--rounds N | --seconds S] [--seed N]

LIBRARIES is the folder of libsparsewright_io.so.
"""
import argparse
import base64
import io
import random
import struct
import sys
import time
import warnings

import numpy as np
from npz_differential import FORMS, WIDTHS, Library, attempt, npy, same_array

TYPES = ("?", "u1", "i1", "i2", "i4", "i8", "f2", "f4", "f8", "c8", "c16")
SHAPES = ((), (1,), (6,), (0,), (2, 3), (3, 0, 2), (1, 2, 1, 3), (2, 1, 2, 1, 2), (1,) * 32, (1,) * 64, (0, 1 << 40))
# Why a file that NumPy loads may be refused: it has more than one array, a type that is not read, or a spelling that NumPy does not write.
KNOWN_REFUSALS = ("bytes follow", "is not supported", "a structured dtype", "a header is a dict", "duplicate key", "expected ',' or ')' in the shape",
                  "expected a string", "shape must be a tuple", "True or False", "expected an integer", "negative shape", "integer with a leading zero",
                  "this character is not allowed", "expected ':'", "expected ',' or '}'", "trailing garbage after")


def fail(file, what, why):
    sys.exit(f"npy_differential: {what}: {why}\n{base64.b64encode(file).decode()}")


def load(file):
    """The array, and whether the file ends where it does."""
    stream = io.BytesIO(file)
    array = np.lib.format.read_array(stream, allow_pickle=False)
    return array, stream.read(1) == b""


def random_array(dice, dtype, shape):
    """Any bits, but bools of 0 and 1, which JSON can say."""
    dtype = np.dtype(dtype).newbyteorder(dice.choice("<>"))
    count = int(np.prod(shape, dtype=object))
    data = bytes(dice.randrange(2 if dtype.kind == "b" else 256) for _ in range(count * dtype.itemsize))
    return np.frombuffer(data, dtype).reshape(shape, order=dice.choice("CF"))


class Differential:
    def __init__(self, folder):
        self.library = Library(folder)
        self.accepted = self.refused = self.written = 0

    def expect_the_same(self, file, tensor, what):
        loaded = attempt(load, file)
        if isinstance(loaded, str):
            fail(file, what, f"accepted, though NumPy says {loaded}")
        array, is_whole = loaded
        if not is_whole:
            fail(file, what, "accepted, though NumPy leaves bytes")
        if tensor == {}:  # a bool that is neither 0 nor 1, which JSON cannot say
            return
        if tensor["layout"] != "dense" or "size" in tensor or not same_array(tensor["values"], array):
            fail(file, what, "accepted, though NumPy loads another array")

    def judge(self, file, what, must=False):
        tensor, why = self.library.read(file, "spw_read_npy")
        if tensor is not None:
            self.accepted += 1
            self.expect_the_same(file, tensor, what)
            return
        if must:
            fail(file, what, f"refused: {why}")
        self.refused += 1
        if not isinstance(attempt(load, file), str) and not any(known in why for known in KNOWN_REFUSALS):
            fail(file, what, f"NumPy loads it, and it is refused for no known reason: {why}")

    def judge_written(self, file, array, what):
        """What the writer makes of what was read: NumPy loads it, in C order, with the same bits."""
        written, _ = self.library.rewrite(file, "spw_read_npy", "spw_write_npy")
        stream = io.BytesIO(written)
        again = np.load(stream, allow_pickle=False)
        native = array.astype(array.dtype.newbyteorder("="))
        if again.dtype != native.dtype or again.shape != native.shape or again.tobytes() != native.tobytes() or stream.read(1):
            fail(file, what, "what is written of it, NumPy loads as another array")
        if written[6:8] != b"\1\0" or not again.flags.c_contiguous or (len(written) - again.nbytes) % 64:
            fail(file, what, "what is written of it is not version 1.0, in C order, aligned")
        self.written += 1


def saved_by_numpy(dice):
    """All must be read."""
    for dtype in TYPES:
        for shape in SHAPES:
            array = random_array(dice, dtype, shape)
            for version in ((1, 0), (2, 0), (3, 0)):
                file = io.BytesIO()
                np.lib.format.write_array(file, array, version, allow_pickle=False)
                yield f"{array.dtype} {shape} version {version[0]}", file.getvalue(), array


def by_spelling(dice):
    """A header of any type, shape, order, version and spelling, before some bytes: often as many as it says."""
    usual = dice.random() < 0.6
    descr, shape = dice.choice(list(WIDTHS)[:12 if usual else None]), dice.choice(SHAPES[:8])
    text = repr(shape) if usual else dice.choice((repr(shape)[:-1] + ",)", repr(shape).replace(",", " ,"), "[3]", "(3L,)", "(-1,)", "(1, 2", "(9223372036854775807, 0)"))
    order = dice.choice(("True", "False") if usual else ("True", "False", "0"))
    header = (dice.choice(FORMS[:3 if usual else None]) % (descr, order, text)).encode()
    header += dice.choice((b"", b" ", b" " * 30, b"\t", b" " * (9999 - len(header)), b" " * (10000 - len(header)), b"\0")[:5 if usual else None]) + b"\n"
    version, count = dice.choice((1, 1, 2, 3) if usual else (1, 2, 3, 4)), int(np.prod(shape, dtype=object))
    size = max(0, WIDTHS[descr] * count + (dice.random() < 0.2) * dice.choice((1, -1, 8)))
    data = bytes(dice.choice((0, 1)) for _ in range(size))
    return b"\x93NUMPY" + bytes([version, 0]) + struct.pack("<H" if version == 1 else "<L", len(header)) + header + data


PIECES = (b"", b" ", b"'", b'"', b"0", b"1", b"9", b",", b"(", b")", b"-", b"_", b"L", b"\n", b"\r", b"\f", b"\\", b"True", b"False", b"<", b">", b"=", b"|", b"u2",
          b"'a':1,", b"#", b"\0", b"[", b"{", b"}")


def mutated(dice):
    """A file that NumPy has saved, with some bytes of its header changed, and the length mended or not."""
    file = npy(random_array(dice, dice.choice(TYPES), dice.choice(SHAPES)))
    end = 10 + file[8] + 256 * file[9]
    header = bytearray(file[10:end].rstrip(b" \n"))
    for _ in range(dice.choice((1, 1, 2, 3))):
        at = dice.randrange(len(header) + 1)
        header[at:at + dice.choice((0, 0, 1))] = dice.choice(PIECES)
    mended = bytes(header) + b" " * (end - 11 - len(header)) + b"\n"
    length = len(mended) if dice.random() < 0.9 else dice.choice((end - 10, len(header), len(mended) - 1, len(mended) + 8, 65535))
    return file[:8] + struct.pack("<H", length) + mended + file[end:]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("libraries")
    options.add_argument("--rounds", type=int, default=6000)
    options.add_argument("--seconds", type=float)
    options.add_argument("--seed", type=int, default=1)
    wanted = options.parse_args()
    warnings.simplefilter("ignore")
    d, dice, start, rounds = Differential(wanted.libraries), random.Random(wanted.seed), time.monotonic(), 0
    for what, file, array in saved_by_numpy(dice):
        d.judge(file, what, must=True)
        d.judge_written(file, array, what)
    while time.monotonic() - start < wanted.seconds if wanted.seconds else rounds < wanted.rounds:
        d.judge(mutated(dice) if rounds % 2 else by_spelling(dice), f"round {rounds}")
        rounds += 1
    print(f"npy_differential: {d.accepted} files accepted, which NumPy loads as the same arrays; {d.refused} refused; "
          f"{d.written} written, which NumPy loads")
    if rounds >= 1000 and min(d.accepted - d.written, d.refused) < rounds // 10:
        sys.exit("npy_differential: the mutations are too weak or too strong to show anything")


if __name__ == "__main__":
    main()
