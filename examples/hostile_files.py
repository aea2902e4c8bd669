#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""hostile_files.py FOLDER [COUNT]: a server that opens files of strangers. It takes the files of a folder in turn, damages each in
another way, and opens it with a limit of memory: every answer is a valid tensor, a broken rule, or a reason. libhdf5 was not written
for such files, so theirs are opened in a child process, whose end would be one more answer."""
import collections
import multiprocessing
import os
import random
import sys
import tempfile

import sparsewright as spw

LIMIT = 1 << 26  # bytes for one file
OF_HDF5 = (".h5ad", ".h5")


def damaged(data, dice):
    """A byte changed, numbers overwritten, a piece dropped or repeated, or the end cut off; one of eight stays as it is."""
    data, at = bytearray(data), dice.randrange(len(data))
    how = dice.randrange(8)
    if how < 3:
        data[at] ^= 1 << dice.randrange(8)
    elif how == 3:
        data[at:at + 8] = dice.choice((0, 1, 2 ** 31, 2 ** 63 - 1, 2 ** 64 - 1)).to_bytes(8, "little")
    elif how == 4:
        del data[at:at + dice.randrange(1, 64)]
    elif how == 5:
        data[at:at] = data[at:at + dice.randrange(1, 64)]
    elif how == 6:
        del data[at:]
    return bytes(data)


def answer(path):
    """One word for a file, whatever is in it."""
    try:
        tensors = spw.read(path, max_bytes=LIMIT, limit=LIMIT)
    except (spw.FileError, MemoryError):
        return "refused"
    sparse = [tensor for tensor in tensors.values() if tensor.layout != "dense"]
    return "valid" if all(spw.check(tensor) for tensor in sparse) else "broken"


def child(path, pipe):
    pipe.send(answer(path))


def answer_in_a_child(path):
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.Process(target=child, args=(path, theirs))
    process.start()
    theirs.close()
    try:
        return ours.recv()
    except EOFError:
        return "died"
    finally:
        process.join()


def serve(folder, count):
    names = sorted(name for name in os.listdir(folder) if os.path.isfile(os.path.join(folder, name)))
    dice, counts = random.Random(1), collections.Counter()
    with tempfile.TemporaryDirectory() as upload:
        for i in range(count):
            name = names[i % len(names)]
            with open(os.path.join(folder, name), "rb") as file:
                data = file.read()
            path = os.path.join(upload, name)
            with open(path, "wb") as file:
                file.write(damaged(data, dice) if data else data)
            counts[answer_in_a_child(path) if name.endswith(OF_HDF5) else answer(path)] += 1
    return counts


if __name__ == "__main__":
    found = serve(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 10000)
    print(", ".join(f"{count} {word}" for word, count in sorted(found.items())))
    sys.exit("died" in found)
