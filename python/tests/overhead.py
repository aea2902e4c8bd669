#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long a call from Python takes beside the work itself, what it copies, and what it keeps. `overhead.py` asks the libraries that are
installed, and says which are not; `overhead.py --valgrind` counts what is lost, with the interpreter under valgrind.

A time is the smallest of 20 rounds, divided by the calls of a round. A copy is what the peak of tracemalloc shows, which NumPy tells of
its arrays, and malloc of the library does not: that is looked at by valgrind."""
import gc
import importlib
import re
import subprocess
import sys
import time
import tracemalloc

import sparsewright as spw

ROUNDS, CALLS = 20, 2000


def library(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        print(f"{name} is not installed")
        return None


def microseconds(call, *arguments):
    best = float("inf")
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        for _ in range(CALLS):
            call(*arguments)
        best = min(best, time.perf_counter() - begin)
    return best / CALLS * 1e6


def objects():
    """(name, a CSR matrix of 10 x 20, the checker of its own library or None)"""
    rows, columns = list(range(0, 41, 4)), [3, 7, 12, 19] * 10
    yield "components (spw.csr)", spw.csr(rows, columns, [1.0] * 40, (10, 20)), None
    numpy, sparse, torch = library("numpy"), library("scipy.sparse"), library("torch")
    if numpy and sparse:
        x = sparse.csr_array((numpy.ones(40), numpy.array(columns), numpy.array(rows)), shape=(10, 20))
        yield "SciPy csr_array", x, lambda: x.check_format(full_check=True)
        yield "SciPy coo_array", x.tocoo(), None
    if torch:
        y = torch.sparse_csr_tensor(torch.tensor(rows), torch.tensor(columns), torch.ones(40), (10, 20), check_invariants=False)
        arrays = (y.crow_indices(), y.col_indices(), y.values())
        yield "torch sparse CSR", y, lambda: torch._validate_sparse_csr_tensor_args(*arrays, (10, 20))
        yield "torch sparse COO", y.to_sparse_coo().coalesce(), None


def large():
    """(name, a CSR matrix of 4 million elements, the bytes of its arrays)"""
    numpy, sparse, torch = library("numpy"), library("scipy.sparse"), library("torch")
    if not numpy:
        return
    rows, columns, values = numpy.arange(0, 4000001, 4), numpy.tile(numpy.array([3, 7, 12, 19]), 1000000), numpy.ones(4000000)
    size = rows.nbytes + columns.nbytes + values.nbytes
    if sparse:
        x = sparse.csr_array((values, columns, rows), shape=(1000000, 20))
        yield "SciPy csr_array", x, x.data.nbytes + x.indices.nbytes + x.indptr.nbytes
    if torch:
        yield "torch sparse CSR", torch.sparse_csr_tensor(torch.from_numpy(rows), torch.from_numpy(columns), torch.from_numpy(values),
                                                          (1000000, 20), check_invariants=False), size
    yield "components (spw.csr)", spw.csr(rows, columns, values, (1000000, 20)), size


def peak_of(call):
    gc.collect()
    tracemalloc.start()
    call()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def growth_of(call, times=2000):
    call()
    gc.collect()
    tracemalloc.start()
    for _ in range(10):
        call()
    gc.collect()
    before = tracemalloc.get_traced_memory()[0]
    for _ in range(times):
        call()
    gc.collect()
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    return grown


def broken():
    return spw.check(spw.csr([0, 2, 0], [], [], (2, 2)))


def table():
    print("| a check of a 10 x 20 CSR matrix | us | its own library, us |\n|---|---|---|")
    for name, x, own in list(objects()):
        assert spw.check(x)
        print(f"| {name} | {microseconds(spw.check, x):.2f} | {f'{microseconds(own):.2f}' if own else ''} |", flush=True)
    print("\n| a check of 4 million elements | bytes of the arrays | most that Python allocates meanwhile |\n|---|---|---|")
    for name, x, size in list(large()):
        assert spw.check(x)
        print(f"| {name} | {size} | {peak_of(lambda: spw.check(x))} |", flush=True)
    x = spw.csr([0, 1, 3], [2, 0, 1], [1.5, -2.0, 4.0], (2, 3))
    calls = (("check, valid", lambda: spw.check(x)), ("check, invalid", broken), ("convert", lambda: spw.convert(x, "coo")),
             ("elementwise", lambda: spw.elementwise("add", x, x)),
             ("reduce", lambda: spw.reduce("sum", x)), ("explain", lambda: spw.explain("5.3")))
    print("\n| 2000 calls | bytes kept |\n|---|---|")
    for name, call in calls:
        print(f"| {name} | {growth_of(call)} |", flush=True)


def work():
    """What valgrind looks at."""
    x = spw.csr([0, 1, 3], [2, 0, 1], [1.5, -2.0, 4.0], (2, 3))
    for _ in range(int(sys.argv[2])):
        spw.check(x)
        broken()
        spw.convert(x, "bsr", blocksize=(2, 3))
        spw.elementwise("add", x, x)
        spw.reduce("sum", x)
        try:
            spw.convert(x, "bsr", blocksize=(2, 2))
        except spw.Refused:
            pass


def lost(times):
    """Bytes that are lost for certain, or still there at the end, whose allocation the module asked for."""
    done = subprocess.run(["valgrind", "--leak-check=full", "--show-leak-kinds=definite,indirect", "--num-callers=40",
                           sys.executable, __file__, "--work", str(times)],
                          env={"PYTHONPATH": ":".join(sys.path), "PYTHONMALLOC": "malloc", "PATH": "/usr/bin:/bin"},
                          capture_output=True, text=True, check=False)
    found = re.findall(r"(definitely|indirectly) lost: ([\d,]+) bytes", done.stderr)
    errors = re.search(r"ERROR SUMMARY: (\d+) errors", done.stderr)
    if done.returncode or not errors:
        sys.exit(done.stderr[-2000:])
    ours = sum("_core.abi3.so" in record for record in done.stderr.split("\n=="))
    return sum(int(count.replace(",", "")) for _, count in found), ours


if __name__ == "__main__":
    if sys.argv[1:2] == ["--work"]:
        work()
    elif sys.argv[1:2] == ["--valgrind"]:
        few, many = lost(1), lost(201)
        print(f"lost for certain: {few[0]} bytes after 1 round, {many[0]} after 201; lines that name the module: {few[1]} and {many[1]}")
        sys.exit(many[0] > few[0])
    else:
        table()
