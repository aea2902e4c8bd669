# SPDX-License-Identifier: Apache-2.0
"""What is proved, and how: reads proofs/proved.txt and proofs/units.txt."""
import functools
import os
import re
from collections import namedtuple

PROOFS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT = os.path.dirname(PROOFS)


@functools.cache
def lines(name):
    """The lines of a list in proofs/, split into words; without comments."""
    with open(os.path.join(PROOFS, name), encoding="utf-8") as file:
        rows = [line.split("#", 1)[0].split() for line in file]
    return [row for row in rows if row]


@functools.cache
def values(kind):
    return [" ".join(row[1:]) for row in lines("proved.txt") if row[0] == kind]


LEMMAS = values("lemmas")
FOLDERS = values("folder") + LEMMAS
INSTANCES = values("instance")
Generic = namedtuple("Generic", "units templates instances types")
GENERIC = [Generic(*row.split()) for row in values("generic")]
SUFFIX = re.compile(r"(?:_(?:%s))+$" % "|".join(map(re.escape, INSTANCES)))


def of_units(kind):
    """unit -> the rest of its line, from units.txt."""
    return {row[1]: " ".join(row[2:]) for row in lines("units.txt") if row[0] == kind}


Assumed = namedtuple("Assumed", "kind file reason")


def assumed():
    """name -> how the contract of a function that nobody has proved is taken for given, where its body is, and why it is believed."""
    return {row[1]: Assumed(row[0], row[2], " ".join(row[3:])) for row in lines("assumed.txt") if len(row) > 3}


def assumed_problems(root=ROOT):
    """assumed.txt must speak of functions that are there, outside of what is proved, with a reason."""
    out = ["proofs/assumed.txt: %s -- effects or promise, a function, its file, and why it is believed" % " ".join(row)
           for row in lines("assumed.txt") if len(row) < 4 or row[0] not in ("effects", "promise")]
    for name, one in assumed().items():
        path = os.path.join(root, one.file)
        text = open(path, encoding="utf-8").read() if os.path.exists(path) else ""
        if is_proved(one.file) or not re.search(r"\b%s\([^;{}]*\)\s*\{" % re.escape(name), text):
            out.append("proofs/assumed.txt: %s has no body in %s, or that is proved" % (name, one.file))
    return out


def open_templates(root=ROOT):
    """Templates that are compiled for real value types and not proved, as units.txt says."""
    return sorted(file for file in of_units("open") if os.path.exists(os.path.join(root, file)) and is_proved(file))


def units_problems(root=ROOT):
    """units.txt must speak of units that are there, in words that are known."""
    known, there = {"plain": 2, "large": 3, "slow": 3, "void": 3, "open": 3}, {*units(root), *open_templates(root)}
    return ["proofs/units.txt: %s -- %s" % (" ".join(row), "no such unit, or no reason" if row[0] in known else "unknown")
            for row in lines("units.txt") if len(row) < known.get(row[0], 99) or row[1] not in there]


def is_proved(file):
    """Is this path, relative to the root, in a proved folder?"""
    return any(file.startswith(folder + "/") for folder in [*FOLDERS, *(g.templates for g in GENERIC)])


def units(root=ROOT):
    """The files whose proof is asked for: each is proved by itself, with the headers and templates it includes."""
    found = []
    for folder in [*FOLDERS, *(g.units for g in GENERIC)]:
        if not os.path.isdir(os.path.join(root, folder)):
            raise SystemExit("proofs/proved.txt: there is no folder %s" % folder)
        for where, _, files in os.walk(os.path.join(root, folder)):
            found += [os.path.relpath(os.path.join(where, f), root) for f in files if f.endswith(".c")]
    return sorted(found)


def template_name(function):
    """The name of a function in its template."""
    return SUFFIX.sub("", function)


def instance(function):
    m = SUFFIX.search(function)
    return m[0].strip("_") if m else ""
