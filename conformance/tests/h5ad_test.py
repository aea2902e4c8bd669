#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The cases' .h5ad files from a second source: h5py reads them, and the proven checker (SPW) judges what
it read. Every whole file must be valid and mean what its case says, and in every damaged one
something must be found wrong. Needs h5py."""
import base64
import io
import sys
from pathlib import Path

import h5py

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from judging import dense  # noqa: E402
from cases import store  # noqa: E402
from judging.control import Control, find  # noqa: E402

LAYOUTS = {"csr_matrix": "csr", "csc_matrix": "csc", "array": "array"}
VERSIONS = {"csr": "0.1.0", "csc": "0.1.0", "array": "0.2.0"}
NAME_OF_NAMES = "_index"
ORDER = "5.6"


class Damaged(Exception):
    """No matrix can be read from the file."""


def member(dataset, dtype=None):
    if dataset.dtype.kind not in "iuf":
        raise Damaged(f"{dataset.name} is not numeric")
    return {"dtype": dtype or dataset.dtype.newbyteorder("=").name, "shape": list(dataset.shape),
            "data": dataset[()].ravel().tolist()}


def matrix_of(data):
    """A tensor, or a dense array member."""
    with h5py.File(io.BytesIO(data)) as file:
        x = file["X"]
        layout = LAYOUTS[x.attrs["encoding-type"].decode()]
        if x.attrs["encoding-version"].decode() != VERSIONS[layout]:
            raise Damaged("unknown version")
        size = list(x.shape) if layout == "array" else x.attrs["shape"].tolist()
        if [len(file[table][NAME_OF_NAMES]) for table in ("obs", "var")] != size:
            raise Damaged("names of rows and columns do not fit the size")
        if layout == "array":
            return member(x)
        widest = max(x["indptr"].dtype, x["indices"].dtype).newbyteorder("=").name
        return {"spw": 1, "layout": layout, "size": size, "values": member(x["data"]),
                "compressed_indices": member(x["indptr"], widest),
                "plain_indices": member(x["indices"], widest)}


def problem_of(case, control):
    permitted = {ORDER} if {"unsorted", "duplicates"} & set(case["flags"]) else set()
    try:
        found = matrix_of(base64.b64decode(case["file"]["base64"]))
    except (Damaged, OSError, KeyError) as error:
        return f"not readable: {error}"
    if "layout" in found:
        line = control.lines([found])[0]
        rules = {violation["rule"] for violation in line.get("violations", ())}
        if line["verdict"] != ("invalid" if permitted else "valid") or rules != permitted:
            return f"{line['verdict']} {sorted(rules)}"
        found = dense.dense_of(found)
    return dense.difference(case["expect"]["dense"], found, exact=True) if "dense" in case["expect"] \
        else None


def main():
    cases = [case for case in store.kept().cases() if case.get("file", {}).get("format") == "h5ad"]
    control, wrong = Control(find()), 0
    for case in cases:
        problem = problem_of(case, control)
        if (problem is None) != (case["expect"]["verdict"] == "valid"):
            print(f"{case['id']}: {problem or 'nothing is wrong with it'}")
            wrong += 1
    print(f"h5ad: {len(cases)} files read with h5py {h5py.__version__}, {wrong} of them wrong")
    return 1 if wrong or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
