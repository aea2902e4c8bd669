#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench.py BUILD [CASE ...]: how long checks, conversions and products take, beside others.

OPS names operations (default: all; conversions of 45 million elements only where the case is named), TYPES pairs of an
index and a value type ("int32/float64"), PEERS libraries besides SciPy and Eigen, BEFORE another libsparsewright.so. All
implementations run interleaved in this one process, in another order in every round, on the same arrays. Writes BUILD/bench.json: a list of
{"op", "case", "index", "threads", "impl", "seconds", "bytes"}; of checks "seconds" is the least of ROUNDS runs and
"ratio_to_read" is told, of conversions it is the median, beside "least", and "ratio_to_copy"."""
import ctypes
import json
import os
import platform
import sys
from types import SimpleNamespace

sys.dont_write_bytecode = True
import checks  # noqa: E402
import conversions  # noqa: E402
import others  # noqa: E402
import fibres  # noqa: E402
import functions  # noqa: E402
import halves  # noqa: E402
import products  # noqa: E402
import reductions  # noqa: E402
import sampled  # noqa: E402
import solves  # noqa: E402
import squares  # noqa: E402
import sums  # noqa: E402
from matrices import cases  # noqa: E402
from peers import torch  # noqa: E402
from spw import check_header  # noqa: E402

CONVERSIONS = ("csr-csc", "coo-csr", "coalesce", "coo-batches", "coo-bsr", "csr-bsr", "bsr-csr", "dense-csr", "dense-bsr",
               "csr-dense")


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        names = {line.partition(":")[2].strip() for line in file if line.startswith("model name")}
    return ", ".join(sorted(names)) or platform.processor()


def wanted_peers():
    wanted = os.environ.get("PEERS", "").split()
    unknown = set(wanted).difference((*others.NAMES, "torch"))
    if unknown:
        sys.exit(f"bench.py: no library {', '.join(sorted(unknown))}; there are {', '.join(others.NAMES)}, torch")
    if "torch" in wanted and not torch:
        sys.exit("bench.py: PyTorch cannot be imported, see conformance/peers/torch/install for what it needs")
    return wanted


def libraries_of(build):
    before = os.environ.get("BEFORE")
    eigen = os.path.join(build, "bench", "eigen.so")
    loaded = SimpleNamespace(spw=ctypes.CDLL(os.path.join(build, "openmp", "libsparsewright.so")),
                             cases=ctypes.CDLL(os.path.join(build, "bench", "cases.so")),
                             eigen=ctypes.CDLL(eigen) if os.path.exists(eigen) else None,
                             before=ctypes.CDLL(os.path.abspath(before)) if before else None)
    loaded.others = {name: others.load(os.path.join(build, "bench", f"{name}.so")) for name in wanted_peers() if name != "torch"}
    loaded.names = ["scipy"] + ["eigen"] * bool(loaded.eigen) + ["torch"] * bool(torch) + ["before"] * bool(before)
    return loaded


def bench_matrices(wanted, ops, types, libraries):
    asked = {op for op in ops if op in CONVERSIONS}
    for case in cases(libraries.cases):
        if wanted and case.name not in wanted:
            continue
        checked = "check" in ops and case.name.rpartition("-")[0] in checks.NAMES
        converted = asked and (wanted or not case.name.endswith("45M"))
        multiplied = not set(products.OPS).isdisjoint(ops) and (wanted or not case.name.endswith("45M"))
        squared = not set(squares.OPS).isdisjoint(ops) and case.name in squares.MATRICES
        if case.name.endswith("K"):
            checked = converted = multiplied = False
        at_places = not set(sampled.OPS).isdisjoint(ops) and case.name in sampled.MATRICES
        added = not set(sums.OPS).isdisjoint(ops) and (wanted or case.name.endswith("-5M"))
        reduced = not set(reductions.OPS).isdisjoint(ops) and (wanted or case.name.endswith("-5M"))
        along = not set(fibres.OPS).isdisjoint(ops) and (wanted or case.name.endswith("-5M"))
        mapped = not set(functions.OPS).isdisjoint(ops) and (wanted or case.name.endswith("-5M"))
        solved = not set(solves.OPS).isdisjoint(ops) and (wanted or case.name.endswith("-5M"))
        if not (checked or converted or multiplied or squared or at_places or added or reduced or along or mapped or solved):
            continue
        c, p = case.make()
        if checked:
            yield from checks.bench_check(case, c, p, libraries)
        if converted:
            yield from conversions.bench_matrix(case, c, p, asked, types, libraries)
        if multiplied:
            yield from products.bench_matrix(case, c, p, ops, types, libraries)
        if squared:
            yield from squares.bench_matrix(case, c, p, types, libraries)
        if at_places:
            yield from sampled.bench_matrix(case, c, p, types, libraries)
        if added:
            yield from sums.bench_matrix(case, c, p, ops, types, libraries)
        if reduced:
            yield from reductions.bench_matrix(case, c, p, ops, types, libraries)
        if along:
            yield from fibres.bench_matrix(case, c, p, ops, types, libraries)
        if mapped:
            yield from functions.bench_matrix(case, c, p, ops, types, libraries)
        if solved:
            yield from solves.bench_matrix(case, c, p, ops, types, libraries)


def bench_all(wanted, ops, types, libraries):
    if set(CONVERSIONS).intersection(ops):
        conversions.print_head(libraries)
    for module in products, squares, sampled, sums, reductions, fibres, functions, solves:
        if set(module.OPS).intersection(ops):
            module.print_head()
    yield from bench_matrices(wanted, ops, types, libraries)
    for percent in conversions.DENSE:
        name = f"dense-{percent}%"
        if not wanted or name in wanted:
            yield from conversions.bench_dense(name, percent, ops, types, libraries)
    if (not wanted or "semi" in wanted) and set(halves.OPS).intersection(ops):
        halves.print_head()
        yield from halves.bench_all(ops, libraries)
    if not wanted or "tiny" in wanted:
        if "check" in ops:
            yield from checks.bench_tiny(libraries)
        if "mv" in ops:
            yield from products.bench_tiny(libraries)


def main():
    build, wanted = sys.argv[1], sys.argv[2:]
    known = ["check", *CONVERSIONS, *products.OPS, *squares.OPS, *sampled.OPS, *sums.OPS, *reductions.OPS, *fibres.OPS, *functions.OPS, *halves.OPS,
             *solves.OPS]
    ops = os.environ.get("OPS", "").split() or known
    types = [pair.split("/") for pair in os.environ.get("TYPES", "").split() or conversions.TYPES]
    unknown = set(ops).difference(known)
    if unknown:
        sys.exit(f"bench.py: no operation {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    libraries = libraries_of(build)
    check_header(libraries.cases, others.STRUCTURES | fibres.STRUCTURES | halves.STRUCTURES | solves.STRUCTURES,
                 {f"PEER_{name.upper()}": n for name, n in others.OPERATION.items()} | fibres.NUMBERS | halves.NUMBERS)
    print(f"{processor()}, {os.cpu_count()} processors")
    rows = list(bench_all(wanted, ops, types, libraries))
    with open(os.path.join(build, "bench.json"), "w", encoding="utf-8") as file:
        json.dump(rows, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
