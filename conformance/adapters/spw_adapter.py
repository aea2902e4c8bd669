#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""sparsewright: one `spw check --json -` or `spw convert - -` for each case. The variable SPW names the program."""
import json
import os
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import dense  # noqa: E402
from protocol import Rejected, Unsupported, serve

SPW = os.environ.get("SPW", "build/spw")
EXIT_CODES = {"valid": 0, "invalid": 1, "malformed": 3}
EXIT_IMPOSSIBLE = 2
ALL_DTYPES = ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32",
              "float64", "complex64", "complex128"]
LAYOUTS = ["coo", "csr", "csc", "bsr", "bsc"]
ALL = {"layouts": LAYOUTS, "dtypes": ALL_DTYPES}
# Whoever sorts combines what is there twice.
MANIFEST = {"operations": {"check": ALL, "to_dense": ALL, "from_dense": ALL, "transpose": ALL, "coalesce": ALL,
                           "convert": {**ALL, "to": {layout: LAYOUTS for layout in LAYOUTS}},
                           "sum_duplicates": ALL, "sort_indices": {**ALL, "lacks": ["duplicates"]},
                           "eliminate_zeros": ALL},
            "index_dtypes": ALL_DTYPES, "lacks": [], "names_rules": "all", "guards": []}
TURNED = {"coo": "coo", "csr": "csc", "csc": "csr", "bsr": "bsc", "bsc": "bsr"}


def spw(*arguments, tensor):
    done = subprocess.run([SPW, *arguments], input=json.dumps(tensor), text=True, capture_output=True, check=False)
    if done.returncode < 0:  # die as it died, so that the driver sees the crash
        signal.signal(-done.returncode, signal.SIG_DFL)
        os.kill(os.getpid(), -done.returncode)
    return done


def check(question):
    done = spw("check", "--json", "-", tensor=question["tensor"])
    line = json.loads(done.stdout)
    verdict = line["verdict"]
    if done.returncode != EXIT_CODES[verdict]:
        sys.exit(f"{verdict}, but exit code {done.returncode}")
    if verdict == "malformed":
        raise Unsupported(f"{line['error']['where']}: {line['error']['message']}")
    if verdict == "invalid":
        raise Rejected("; ".join(violation["message"] for violation in line["violations"]),
                       rules=[violation["rule"] for violation in line["violations"]])


def converted(tensor, layout, *options):
    """What the command writes, as a result."""
    done = spw("convert", "--to", layout, "--canonicalize", *options, "-", "-", tensor=tensor)
    if done.returncode in (EXIT_CODES["invalid"], EXIT_IMPOSSIBLE):
        raise Rejected(done.stderr.strip(), "use")
    if done.returncode:
        sys.exit(f"spw convert ended with {done.returncode}: {done.stderr}")
    written = json.loads(done.stdout)
    if layout != "dense":
        return {"tensor": written, "claims": {"sorted": True, "canonical": True}}
    values = written["values"]
    return {"dense": {"dtype": values["dtype"], "shape": values["shape"], "data": dense.elements(values)}}


def to_layout(question):
    tensor = question.get("tensor") or {"spw": 1, "layout": "dense", "values": question["dense"]}
    blocks = question["arguments"].get("blocksize")
    options = ["--blocksize", "x".join(map(str, blocks))] if blocks else []
    return converted(tensor, question["arguments"]["to"], *options)


def in_order(*options):
    return lambda question: converted(question["tensor"], question["tensor"]["layout"], *options)


def transpose(question):
    """The same arrays, read as those of the transposed tensor."""
    tensor = dict(question["tensor"])
    layout, first = tensor["layout"], len(tensor.get("compressed_indices", {"shape": [0]})["shape"]) - 1
    if "size" in tensor:
        tensor["size"] = swapped(tensor["size"], first)
    if layout == "coo":
        flat, nse = dense.elements(tensor["indices"]), tensor["indices"]["shape"][1]
        tensor["indices"] = {"dtype": tensor["indices"]["dtype"], "shape": tensor["indices"]["shape"],
                             "data": flat[nse:2 * nse] + flat[:nse] + flat[2 * nse:]}
        tensor.pop("coalesced", None)
    if layout in ("bsr", "bsc"):
        values = tensor["values"]
        strides = values.get("strides") or dense.row_major(values["shape"])
        tensor["values"] = {**values, "shape": swapped(values["shape"], first + 1),
                            "strides": swapped(strides, first + 1)}
    return converted({**tensor, "layout": TURNED[layout]}, layout)


def swapped(entries, first):
    return [*entries[:first], entries[first + 1], entries[first], *entries[first + 2:]]


def version():
    return subprocess.run([SPW, "--version"], text=True, stdout=subprocess.PIPE,
                          check=True).stdout.split()[-1]


if __name__ == "__main__":
    serve("sparsewright", version(), MANIFEST, {
        "check": check, "to_dense": lambda question: converted(question["tensor"], "dense"),
        "from_dense": to_layout, "convert": to_layout, "transpose": transpose,
        "eliminate_zeros": in_order("--prune"),
        **dict.fromkeys(("coalesce", "sum_duplicates", "sort_indices"), in_order())})
