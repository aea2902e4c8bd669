# SPDX-License-Identifier: Apache-2.0
"""The provers' verdicts of the last full run, as one file. A line `unit FILE digest goals smoke-tests` for
each unit that passed, and a line `hash prover verdict seconds` for each goal.

WP names a verdict by a hash of the goal. Only verdicts are kept, no proofs: replaying them is quick but
is not a proof, which is why `prove` without --cached never reads them. A unit whose annotated program is
the one that passed needs no goals to be made and looked up."""
import hashlib
import os
import re

COMMITTED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "verdicts.txt")
HEADER = "# Verdicts of proofs/prove --update, replayed by proofs/prove --cached: units, then goals.\n"


def digest(program, *setting):
    """Names the annotated program of a unit, and what else decides whether it passes."""
    return hashlib.sha256("\0".join([program, *setting]).encode()).hexdigest()


def units(path):
    """file -> (digest, goals, smoke tests) of the units that passed."""
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        rows = [line.split() for line in file if line.startswith("unit ")]
    return {file: (name, int(goals), int(smoke)) for _, file, name, goals, smoke in rows}


def pack(path, cache, passed, keep):
    """Writes the verdicts of a cache directory and of units; `keep` adds to those of the other units."""
    lines, rows = {}, {}
    if keep and os.path.exists(path):
        rows = units(path)
        with open(path, encoding="utf-8") as file:
            lines = {line.split()[0]: line for line in file.read().splitlines() if not line.startswith(("#", "unit "))}
    rows.update(passed)
    for entry in os.listdir(cache):
        with open(os.path.join(cache, entry), encoding="utf-8") as file:
            v = dict(re.findall(r'"(\w+)": "?([^",}]*[^",} ])', file.read()))   # "time": 1. is not JSON
        key = entry.removesuffix(".json")
        lines[key] = "%s %s %s %s" % (key, v["prover"], v["verdict"], v.get("time", "0."))
    with open(path, "w", encoding="utf-8") as file:
        file.write(HEADER + "".join("unit %s %s %d %d\n" % (u, *rows[u]) for u in sorted(rows)) +
                   "".join(lines[k] + "\n" for k in sorted(lines)))


def unpack(path, cache):
    """Fills a cache directory for WP."""
    os.makedirs(cache, exist_ok=True)
    if not os.path.exists(path):
        return
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith(("#", "unit ")):
                continue
            key, prover, verdict, seconds = line.split()
            with open(os.path.join(cache, key + ".json"), "w", encoding="utf-8") as entry:
                entry.write('{ "prover": "%s", "verdict": "%s", "time": %s }\n' % (prover, verdict, seconds))
