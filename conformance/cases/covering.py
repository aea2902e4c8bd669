# SPDX-License-Identifier: Apache-2.0
"""Covering arrays: few rows in which every pair of values of two factors stands together. Nothing is random: the same
description gives the same rows (the greedy way of AETG: D. Cohen et al., IEEE Trans. Software Eng. 23(7), 1997)."""
from itertools import combinations


def rows(factors, fits=lambda row: True):
    """Dicts, from factor to value. factors: from a name to its values, what differs most first. fits: may these values, of
    some or of all factors, stand together? A pair that never fits is left out."""
    names = list(factors)
    missing = {pair: None for one, other in combinations(names, 2) for pair in pairs_of(factors, one, other)
               if fits(dict(pair))}
    found = []
    while missing:
        row = completed(dict(next(iter(missing))), names, factors, fits, missing, len(found))
        first = next(iter(missing))
        if row is None:  # fits alone, and in no row
            del missing[first]
            continue
        found.append({name: row[name] for name in names})
        for pair in pairs_in(found[-1], names):
            missing.pop(pair, None)
    return found


def pairs_of(factors, one, other):
    return (((one, a), (other, b)) for a in factors[one] for b in factors[other])


def pairs_in(row, names):
    return combinations([(name, row[name]) for name in names if name in row], 2)


def completed(row, names, factors, fits, missing, number):
    """The row with a value for each other factor: that which brings most pairs that are missing, and of equal ones
    another each time. None if there is none that fits."""
    left = [name for name in names if name not in row]
    if not left:
        return row
    name, values = left[0], factors[left[0]]

    def gain(value):
        one = (name, value)
        return sum(pair in missing for other, got in row.items() for pair in (((other, got), one), (one, (other, got))))
    turned = [values[(k + number) % len(values)] for k in range(len(values))]
    for value in sorted(turned, key=gain, reverse=True):
        if fits({**row, name: value}):
            found = completed({**row, name: value}, names, factors, fits, missing, number)
            if found:
                return found
    return None
