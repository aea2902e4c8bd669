# SPDX-License-Identifier: Apache-2.0
"""The provers' verdicts of the last full run, as one file: a line each, `hash prover verdict seconds`.

WP names a verdict by a hash of the goal. Only verdicts are kept, no proofs: replaying them is quick but
is not a proof, which is why `prove` without --cached never reads them."""
import os
import re

HEADER = "# Verdicts of proofs/prove --update, replayed by proofs/prove --cached: goal, prover, verdict, seconds.\n"


def pack(path, cache, keep):
    """Writes the verdicts of a cache directory; `keep` adds to those of the other units."""
    lines = {}
    if keep and os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            lines = {line.split()[0]: line for line in file.read().splitlines() if not line.startswith("#")}
    for entry in os.listdir(cache):
        with open(os.path.join(cache, entry), encoding="utf-8") as file:
            v = dict(re.findall(r'"(\w+)": "?([^",}]*[^",} ])', file.read()))   # "time": 1. is not JSON
        key = entry.removesuffix(".json")
        lines[key] = "%s %s %s %s" % (key, v["prover"], v["verdict"], v.get("time", "0."))
    with open(path, "w", encoding="utf-8") as file:
        file.write(HEADER + "".join(lines[k] + "\n" for k in sorted(lines)))


def unpack(path, cache):
    """Fills a cache directory for WP."""
    os.makedirs(cache, exist_ok=True)
    if not os.path.exists(path):
        return
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("#"):
                continue
            key, prover, verdict, seconds = line.split()
            with open(os.path.join(cache, key + ".json"), "w", encoding="utf-8") as entry:
                entry.write('{ "prover": "%s", "verdict": "%s", "time": %s }\n' % (prover, verdict, seconds))
