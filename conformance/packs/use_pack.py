#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""use_pack.py PACK: asks a library the cases of a pack without any driver. Here the library is is_csr() and
matvec() below: put yours in their place. Exit code 1 if something is wrong, or if nothing was asked."""
import gzip
import hashlib
import json
import sys
from pathlib import Path


def is_csr(rows, columns, offsets, indices):
    if len(offsets) != rows + 1 or offsets[0] != 0 or offsets[-1] != len(indices):
        return False
    lines = [indices[a:b] for a, b in zip(offsets, offsets[1:])]
    return (all(0 <= b - a <= columns for a, b in zip(offsets, offsets[1:]))
            and all(0 <= k < columns for k in indices)
            and all(a < b for line in lines for a, b in zip(line, line[1:])))


def matvec(offsets, indices, values, x):
    return [sum(values[k] * x[indices[k]] for k in range(a, b)) for a, b in zip(offsets, offsets[1:])]


def is_for_us(case):
    """CSR matrices, and nothing that needs more than arrays that fit each other; sums that every order gives."""
    plain = {"explicit-zeros", "no-elements", "empty-size", "tall", "unsorted", "duplicates"}
    return (case.get("tensor", {}).get("layout") == "csr" and set(case["flags"]) <= plain
            and case["group"] in ("valid", "structure", "canonical", "matvec")
            and case["tensor"]["values"]["dtype"] in ("float32", "float64")
            and case["expect"].get("sums", {"lattice": True})["lattice"])


def is_right(case):
    tensor = case["tensor"]
    offsets, indices, values = (tensor[name]["data"] for name in (
        "compressed_indices", "plain_indices", "values"))
    if case["operation"] == "check":
        return is_csr(*tensor["size"], offsets, indices) == (case["expect"]["verdict"] == "valid")
    return matvec(offsets, indices, values, case["arguments"]["x"]["data"]) == case["expect"]["dense"]["data"]


def main(folder):
    pack = json.loads((folder / "pack.json").read_text(encoding="utf-8"))
    texts = {name: (folder / name).read_bytes() for name in ("cases/check.jsonl.gz", "cases/matvec.jsonl.gz")}
    for name, text in texts.items():
        if hashlib.sha256(text).hexdigest() != pack["sha256"][name]:
            sys.exit(f"{name} is not what pack.json says")
    lines = [line for text in texts.values() for line in gzip.decompress(text).splitlines()]
    cases = [case for case in map(json.loads, lines) if is_for_us(case)]
    wrong = [case["id"] for case in cases if not is_right(case)]
    print(*wrong, f"suite {pack['suite']}: {len(cases)} of {pack['cases']} asked, {len(wrong)} wrong", sep="\n")
    return 1 if wrong or not cases else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
