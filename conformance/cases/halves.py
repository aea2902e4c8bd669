# SPDX-License-Identifier: Apache-2.0
"""Matrices that a library stores as 2:4 and gives back: of each four neighbours in a row at most two are not 0, of elements of
four bytes at most one of two. And matrices that are not so, which a library refuses or gives back whole."""
from itertools import combinations

from cases.model import Model
from cases.more import asked

SIZE = (32, 128)  # which every library can store that is known to
TYPES = {"float16": 65504, "bfloat16": 255, "int8": 127, "float32": 16777215}
LEAST = {"int8": -128}


def group_of(dtype):
    return (2, 1) if dtype == "float32" else (4, 2)


def patterns(dtype):
    """Which places of a group are not 0."""
    places, most = group_of(dtype)
    return [chosen for count in range(most + 1) for chosen in combinations(range(places), count)]


def numbers(dtype):
    largest = TYPES[dtype]
    return [1, -1, 2, largest, LEAST.get(dtype, -largest), 3, -7]


def entries(dtype, chosen_of):
    """chosen_of: the places of group k of row r."""
    places, _ = group_of(dtype)
    found, values = [], numbers(dtype)
    for r in range(SIZE[0]):
        for k in range(SIZE[1] // places):
            for place in chosen_of(r, k):
                found.append((r, k * places + place, values[len(found) % len(values)]))
    return found


def models(dtype):
    every = patterns(dtype)
    places, most = group_of(dtype)
    full = every[-1]
    yield Model("every-pattern", SIZE, entries(dtype, lambda r, k: every[(5 * r + k) % len(every)])), ()
    yield Model("full-groups", SIZE, entries(dtype, lambda r, k: full)), ()
    yield Model("one-row", SIZE, entries(dtype, lambda r, k: full if r == 17 else ())), ()
    yield Model("nothing", SIZE, []), ()
    for name, row, group in (("first", 0, 0), ("last", SIZE[0] - 1, SIZE[1] // places - 1), ("middle", 9, 5)):
        yield Model(f"too-full-{name}", SIZE, entries(
            dtype, lambda r, k, at=(row, group): range(most + 1) if (r, k) == at else every[(r + k) % len(every)])), ("not-24",)


def cases():
    for dtype in TYPES:
        for model, flags in models(dtype):
            yield asked("through_24", model, "csr", "int32", dtype, model.dense(dtype), "", {}, flags)
