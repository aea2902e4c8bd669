#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench.py BUILD [CASE ...]: how long a check takes, beside the time it takes to read the indices.

All implementations run interleaved in this one process, the order turned in every round, on the
same arrays. Counted is the fastest of ROUNDS runs, since other work on the machine only adds to it;
the median is printed beside it. With one thread the seconds are those that the thread ran, with more
those that passed, so that only a machine without other work gives figures for more than one.
Reading is compared at the same number of threads. Writes BUILD/bench.json: a list of {"op", "case",
"layout", "index", "threads", "impl", "seconds", "bytes", "ratio_to_read"}."""
import ctypes
import json
import os
import statistics
import sys
import time

import numpy as np
import scipy.sparse

try:
    import torch
except ImportError:
    torch = None

ROUNDS = int(os.environ.get("ROUNDS", "9"))
THREADS = 1, 2
OK, CSR, CANONICAL, CLAIM_NONE, INT8 = 0, 1, 3, -1, 3
DTYPE = {"int32": 5, "int64": 6}  # spw_dtype
POINTER = ctypes.c_void_p
I64 = ctypes.c_int64


class Array(ctypes.Structure):
    _fields_ = [("dtype", ctypes.c_int), ("ndim", I64), ("shape", POINTER), ("strides", POINTER),
                ("offset", I64), ("length", I64)]


class IndexArray(ctypes.Structure):
    _fields_ = [("array", Array), ("i32", POINTER), ("i64", POINTER), ("raw", POINTER)]


class ValueArray(ctypes.Structure):
    _fields_ = [("array", Array), ("data", POINTER)]


class Tensor(ctypes.Structure):
    _fields_ = [("layout", ctypes.c_int), ("has_size", ctypes.c_bool), ("ndim", I64), ("size", POINTER),
                ("index_dtype", ctypes.c_int), ("dtype", ctypes.c_int), ("coalesced", ctypes.c_int),
                ("compressed", IndexArray), ("plain", IndexArray), ("values", ValueArray)]


class Fact(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("number", I64)]


def facts_of_header(lib):
    """What the compiler of bench/cases.c says of the public header: {name: number}."""
    facts = {}
    for fact in (Fact * 1000).in_dll(lib, "bench_facts"):
        if fact.name is None:
            return facts
        facts[fact.name.decode()] = fact.number
    raise ValueError("bench_facts does not end")


def check_header(lib):
    """The structures above are those of the compiler, or every figure would be about something else."""
    ours = {"SPW_OK": OK, "SPW_CSR": CSR, "SPW_CANONICAL": CANONICAL, "SPW_CLAIM_NONE": CLAIM_NONE, "SPW_INT8": INT8,
            "SPW_INT32": DTYPE["int32"], "SPW_INT64": DTYPE["int64"]}
    for name, structure in ("spw_array", Array), ("spw_index_array", IndexArray), ("spw_value_array", ValueArray), \
            ("spw_tensor", Tensor):
        ours[name] = ctypes.sizeof(structure)
        ours |= {f"{name}.{field}": getattr(structure, field).offset for field, _ in structure._fields_}
    theirs = facts_of_header(lib)
    differences = sorted(name for name in ours.keys() | theirs.keys() if ours.get(name) != theirs.get(name))
    if differences:
        sys.exit("bench.py: not as the compiler has it: "
                 + ", ".join(f"{name} {ours.get(name)}, compiled {theirs.get(name)}" for name in differences))


class Csr:
    """A CSR matrix of spw_* for the arrays c and p; keeps what it points to."""

    def __init__(self, c, p, columns):
        self.arrays = [c, p]
        self.tensor = t = Tensor()
        t.layout, t.has_size, t.ndim, t.coalesced = CSR, True, 2, CLAIM_NONE
        t.size = self.numbers(len(c) - 1, columns)
        for member, data in (t.compressed, c), (t.plain, p):
            self.describe(member.array, DTYPE[str(data.dtype)], len(data))
            setattr(member, "i32" if data.dtype == np.int32 else "i64", data.ctypes.data)
        self.describe(t.values.array, INT8, len(p))
        t.values.data = p.ctypes.data  # the checker never reads the values

    def numbers(self, *entries):
        self.arrays.append(np.array(entries, np.int64))
        return self.arrays[-1].ctypes.data

    def describe(self, array, dtype, length):
        array.dtype, array.ndim, array.offset, array.length = dtype, 1, 0, length
        array.shape, array.strides = self.numbers(length), self.numbers(1)


class Case:
    """Makes one matrix: name, rows, columns, room for entries, and a generator of bench/cases.c."""

    def __init__(self, name, rows, columns, room, generate):
        self.name, self.rows, self.columns, self.room, self.generate = name, rows, columns, room, generate

    def make(self):
        c, p = np.empty(self.rows + 1, np.int32), np.empty(self.room, np.int32)
        nse = self.generate(c.ctypes.data, p.ctypes.data)
        return c, p[:nse].copy() if nse < self.room else p


def cases(lib):
    def call(name, *numbers):
        function = getattr(lib, name)
        function.restype = I64
        return lambda c, p: function(*map(I64, numbers), POINTER(c), POINTER(p))

    for name, n in ("stencil-5M", 58), ("stencil-45M", 120):
        yield Case(name, n ** 3, n ** 3, (3 * n - 2) ** 3, call("bench_stencil", n))
    for name, rows in ("uniform-5M", 312_500), ("uniform-45M", 2_812_500):
        yield Case(name, rows, rows, 16 * rows, call("bench_uniform", rows, rows, 16))
    for name, scale, edges in ("rmat-5M", 19, 5_600_000), ("rmat-45M", 22, 48_000_000):
        yield Case(name, 1 << scale, 1 << scale, edges, call("bench_rmat", scale, edges))
    for size, rows in ("5M", 5_000_000), ("45M", 45_000_000):
        yield Case("one-a-row-" + size, rows, rows, rows, call("bench_uniform", rows, rows, 1))
        yield Case("about-one-a-row-" + size, rows, rows, rows, call("bench_poisson", rows, rows, rows))


def seconds(function, threads):
    clock = time.thread_time if threads == 1 else time.perf_counter
    start = clock()
    function()
    return clock() - start


def implementations(c, p, columns, spw, lib):
    """(name, threads) -> function that makes, outside the measured time, the call to measure."""
    index = str(c.dtype)
    read = getattr(lib, "bench_read_" + index.replace("int", "i"))
    ours = Csr(c, p, columns)
    values = np.zeros(len(p), np.int8)

    def run_read(threads):
        return lambda: read(POINTER(c.ctypes.data), I64(len(c)), POINTER(p.ctypes.data), I64(len(p)), threads)

    def run_ours(threads):
        valid = ctypes.c_bool()

        def call():
            status = spw.spw_is_valid_parallel(ctypes.byref(ours.tensor), CANONICAL, threads, ctypes.byref(valid))
            assert status == OK and valid.value
        return call

    def run_scipy(_):
        matrix = scipy.sparse.csr_array((values, p, c), shape=(len(c) - 1, columns))
        matrix.indices, matrix.indptr = p, c

        def call():
            matrix.check_format(full_check=True)
            assert matrix.has_canonical_format and matrix.indices.dtype == p.dtype
        return call

    def run_torch(threads):
        torch.set_num_threads(threads)
        arguments = *map(torch.from_numpy, (c, p, values)), (len(c) - 1, columns)
        return lambda: torch._validate_sparse_csr_tensor_args(*arguments)

    makers = {("scipy", 1): run_scipy}
    for threads in THREADS:
        makers["read", threads] = run_read
        makers["sparsewright", threads] = run_ours
        if torch:
            makers["torch", threads] = run_torch
    return makers


def measure(c, p, columns, spw, lib):
    makers = list(implementations(c, p, columns, spw, lib).items())
    taken = {key: [] for key, _ in makers}
    for turn in range(ROUNDS + 1):
        for at in range(len(makers)):
            key, maker = makers[(at + turn) % len(makers)]
            took = seconds(maker(key[1]), key[1])
            if turn:  # the first round warms up
                taken[key].append(took)
    return {key: (min(t), statistics.median(t)) for key, t in sorted(taken.items(), key=lambda kt: kt[0][1])}


def bench_case(case, spw, lib):
    c, p = case.make()
    for index in "int32", "int64":
        if index == "int64":
            c, p = c.astype(np.int64), p.astype(np.int64)
        size = c.nbytes + p.nbytes
        results = measure(c, p, case.columns, spw, lib)
        print("%s %s: %d entries" % (case.name, index, len(p)))
        for (impl, threads), (least, median) in results.items():
            least_read, median_read = results["read", threads]
            print("  %-14s %d thread%s %9.2f ms  %6.2f x read (of medians %.2f)%s" % (
                impl, threads, "s"[:threads - 1], 1e3 * least, least / least_read, median / median_read,
                "  %.1f GB/s" % (size / least / 1e9) if impl == "read" else ""))
            yield {"op": "read" if impl == "read" else "check", "case": case.name, "layout": "csr", "index": index,
                   "threads": threads, "impl": impl, "seconds": least, "bytes": size,
                   "ratio_to_read": least / least_read}
        sys.stdout.flush()


def bench_tiny(spw, lib):
    """10 x 20 with 50 entries: a loop of calls in C."""
    lib.bench_repeat.restype = ctypes.c_double
    for index in "int32", "int64":
        c = np.arange(0, 51, 5).astype(index)
        p = np.tile(np.arange(0, 20, 4), 10).astype(index)
        ours = Csr(c, p, 20)
        runs = [lib.bench_repeat(spw.spw_is_valid, ctypes.byref(ours.tensor), I64(100_000)) for _ in range(ROUNDS)]
        took = min(runs)
        assert took > 0
        print("tiny %s: %.0f ns (median %.0f)" % (index, 1e9 * took, 1e9 * statistics.median(runs)))
        yield {"op": "check", "case": "tiny-10x20", "layout": "csr", "index": index, "threads": 1,
               "impl": "sparsewright", "seconds": took, "bytes": c.nbytes + p.nbytes, "ratio_to_read": None}


def main():
    build, wanted = sys.argv[1], sys.argv[2:]
    if os.environ.get("PYTORCH") and not torch:
        sys.exit("bench.py: PyTorch cannot be imported, see conformance/peers/torch/install for what it needs")
    spw = ctypes.CDLL(os.path.join(build, "openmp", "libsparsewright.so"))
    lib = ctypes.CDLL(os.path.join(build, "bench", "cases.so"))
    check_header(lib)
    rows = []
    for case in cases(lib):
        if not wanted or case.name in wanted:
            rows += bench_case(case, spw, lib)
    if not wanted or "tiny" in wanted:
        rows += bench_tiny(spw, lib)
    with open(os.path.join(build, "bench.json"), "w", encoding="utf-8") as file:
        json.dump(rows, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
