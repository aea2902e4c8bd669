#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""lock.py write    writes cases.lock: the version of the suite, and every case's id with a hash of its meaning
lock.py check    do the cases fit it? Exit code 1 if not

Whoever uses a pack or a list of known defects names cases by id. An id that vanishes, or that asks another
question than before, needs a new first number of the version (`suite` in vocabulary.json); without it,
`write` refuses. New cases need nothing but `write`."""
import base64
import hashlib
import io
import json
import sys
import zipfile
import zlib
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from cases import store  # noqa: E402
from schemas.vocabulary import SUITE  # noqa: E402

FILE = HERE / "cases.lock"
# What a case asks, and what is right; the rest says where it belongs and what it is about.
MEANING = ("operation", "tensor", "dense", "file", "arguments", "expect", "retype", "spelling")


def meaning(case):
    kept = {key: case[key] for key in MEANING if key in case}
    if "file" in kept:
        kept["file"] = unpacked(kept["file"])
    text = json.dumps(kept, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def unpacked(file):
    """What is in an archive: how it is compressed depends on the machine's zlib."""
    content = base64.b64decode(file["base64"])
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return [(item.filename, item.compress_type, archive.read(item).hex()) for item in archive.infolist()]
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError):
        return file


def current(cases):
    return {case["id"]: meaning(case) for case in cases}


def read(text):
    """The version, and the hashes by id. Ids stand below what they have in common."""
    first, *lines = text.splitlines()
    found, family = {}, ""
    for line in lines:
        if line.startswith(" "):
            digest, rest = line.split()
            found[family + rest] = digest
        else:
            family = line
    return first.split()[-1], found


def written(cases):
    lines, family = [f"suite {SUITE}"], None
    for name, digest in sorted(cases.items(), key=lambda item: (split(item[0]), item[0])):
        if split(name)[0] != family:
            family = split(name)[0]
            lines.append(family)
        lines.append(f" {digest} {split(name)[1]}")
    return "\n".join(lines) + "\n"


def split(name):
    layout, what, rest = name.split("/", 2)
    return f"{layout}/{what}/", rest


def broken(locked, cases):
    """What may not happen without a new version."""
    for name, digest in locked.items():
        if name not in cases:
            yield f"{name}: vanished"
        elif cases[name] != digest:
            yield f"{name}: means something else"


def problems(text, cases, version=SUITE):
    locked_version, locked = read(text)
    if locked_version.split(".")[0] == version.split(".")[0]:
        yield from broken(locked, cases)
    if (locked_version, locked) != (version, cases):
        yield "cases.lock is out of date: run conformance/cases/lock.py write"


def main(arguments):
    if arguments not in (["write"], ["check"]):
        print(__doc__, file=sys.stderr)
        return 2
    cases = current(store.kept().cases())
    text = FILE.read_text(encoding="utf-8") if FILE.exists() else "suite 0\n"
    found = list(problems(text, cases))
    if arguments == ["check"] or len(found) > 1:
        print("\n".join(found[:20]) or f"lock: {len(cases)} cases are those of suite {SUITE}")
        return 1 if found else 0
    FILE.write_text(written(cases), encoding="utf-8")
    print(f"written: cases.lock, suite {SUITE}, {len(cases)} cases")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
