#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""store.py SPW    prints the path of the file of all cases, which the proven checker and a second source agree to

Cases as a file, with an index beside it that says where each stands: who asks a few reads a few. The file of all
cases is made once for each version of their makers, and kept in the user's cache."""
import glob
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import zlib
from collections import Counter

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from judging import judge, lint  # noqa: E402
from judging.rules import phases  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
VERSIONS = 2  # that are kept besides a new one
# What decides what the cases are.
MAKERS = (os.path.join(HERE, "*.py"), os.path.join(HERE, "..", "judging", "*.py"), os.path.join(HERE, "..", "schemas", "*.json"))


class Book:
    """The cases of a file. entries: (id, group, place, length) of each; kinds: see judge.kind_of."""

    def __init__(self, path):
        """ValueError names every problem of a file without an index."""
        self.path = path
        found = index_of(path)
        if found is None:
            problems = lint.problems_of_file(path)
            if problems:
                raise ValueError("\n".join(problems))
            found = make_index(path)
        self.entries, self.kinds = found["entries"], Counter({tuple(kind): count for kind, count in found["kinds"]})

    def read(self, entries):
        with open(self.path, "rb") as file:
            for _, _, place, length in entries:
                file.seek(place)
                yield json.loads(file.read(length))

    def cases(self, wanted=lambda name, group: True):
        """Those whose id and group are wanted; the others are not read."""
        return self.read(entry for entry in self.entries if wanted(*entry[:2]))


def index_of(path):
    """What stands beside a file of cases, if it is about this one, else None."""
    try:
        with open(path + ".index", encoding="utf-8") as file:
            found = json.load(file)
        return found if found["bytes"] == os.path.getsize(path) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def make_index(path):
    entries, kinds, place = [], Counter(), 0
    with open(path, "rb") as file:
        for line in file:
            case = json.loads(line)
            entries.append((case["id"], case["group"], place, len(line)))
            kinds[judge.kind_of(case)] += 1
            place += len(line)
    return {"bytes": place, "entries": entries, "kinds": list(kinds.items())}


def identity():
    """Changes with the cases. Some are compressed, as the machine's zlib does it."""
    found = hashlib.sha256(repr((sys.version, zlib.ZLIB_RUNTIME_VERSION, list(phases().items()))).encode())
    for path in sorted(path for pattern in MAKERS for path in glob.glob(pattern)):
        with open(path, "rb") as file:
            found.update(os.path.basename(path).encode() + file.read())
    return found.hexdigest()[:16]


def kept(say=lambda text: None):
    """The book of all cases. say: is told when they have to be made, which takes a while."""
    for folder in (os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "sparsewright"),
                   os.path.join(tempfile.gettempdir(), f"sparsewright-{os.getuid()}")):
        try:
            os.makedirs(folder, mode=0o700, exist_ok=True)
            if os.stat(folder).st_uid == os.getuid() and os.access(folder, os.W_OK):
                return book_in(folder, say)
        except OSError:
            continue
    raise OSError("there is no folder to keep the cases in: neither a cache nor a temporary one can be written")


def book_in(folder, say):
    path = os.path.join(folder, f"cases-{identity()}.jsonl")
    if index_of(path) is None:
        say("the cases are made, once for this version: about 20 s")
        make(folder, path)
    return Book(path)


def make(folder, path):
    """The index comes last: without it the file counts for nothing."""
    from cases import generate
    with tempfile.NamedTemporaryFile("w", dir=folder, delete=False, encoding="utf-8") as file:
        file.writelines(json.dumps(case) + "\n" for case in generate.all_cases())
    for old in sorted(glob.glob(os.path.join(folder, "cases-*.jsonl")), key=os.path.getmtime)[:-VERSIONS]:
        for name in glob.glob(old + "*"):
            os.unlink(name)
    with open(file.name + ".index", "w", encoding="utf-8") as index:
        json.dump(make_index(file.name), index)
    os.replace(file.name, path)
    os.replace(file.name + ".index", path + ".index")


def check(path, spw):
    """The exit code of the checks of all cases, which are made once for each file and each program."""
    with open(spw, "rb") as file:
        stamp = f"{path}.checked-{hashlib.sha256(file.read()).hexdigest()[:16]}"
    if os.path.exists(stamp):
        return 0
    for words in (["generate.py", "--lint", path], ["cross_check.py", spw, path]):
        done = subprocess.run([sys.executable, "-B", os.path.join(HERE, words[0]), *words[1:]], stdout=sys.stderr, check=False)
        if done.returncode:
            return done.returncode
    with open(stamp, "w", encoding="utf-8"):
        return 0


def main(spw):
    book = kept(lambda what: print(what, file=sys.stderr, flush=True))
    print(book.path)
    return check(book.path, spw)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
