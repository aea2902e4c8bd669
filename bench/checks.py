# SPDX-License-Identifier: Apache-2.0
"""How long a check takes, beside the time it takes to read the indices.

Counted is the fastest of ROUNDS runs, since other work on the machine only adds to it; the median is printed beside
it. Reading is compared at the same number of threads."""
import ctypes
import statistics
import sys

import numpy as np
import scipy.sparse

from measure import ROUNDS, interleave, seconds
from spw import CANONICAL, I64, OK, POINTER, Tensor

try:
    import torch
except ImportError:
    torch = None

THREADS = 1, 2
NAMES = "stencil", "uniform", "rmat", "one-a-row", "about-one-a-row"


def implementations(c, p, columns, libraries):
    """(name, threads) -> function that makes, outside the measured time, the call to measure."""
    index = str(c.dtype)
    read = getattr(libraries.cases, "bench_read_" + index.replace("int", "i"))
    values = np.zeros(len(p), np.int8)  # the checker never reads them
    ours = Tensor("csr", (len(c) - 1, columns), c, p, values)

    def run_read(threads):
        return lambda: read(POINTER(c.ctypes.data), I64(len(c)), POINTER(p.ctypes.data), I64(len(p)), threads)

    def run_library(library):
        def make(threads):
            valid = ctypes.c_bool()

            def call():
                status = library.spw_is_valid_parallel(ours.reference, CANONICAL, threads, ctypes.byref(valid))
                assert status == OK and valid.value
            return call
        return make

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
        makers["sparsewright", threads] = run_library(libraries.spw)
        if libraries.before:
            makers["before", threads] = run_library(libraries.before)
        if torch:
            makers["torch", threads] = run_torch
    return makers


def measure(c, p, columns, libraries):
    makers = {key: lambda key=key, maker=maker: maker(key[1])
              for key, maker in implementations(c, p, columns, libraries).items()}
    taken = interleave(makers, lambda key, call: seconds(call, key[1]))
    return {key: (min(t), statistics.median(t)) for key, t in sorted(taken.items(), key=lambda kt: kt[0][1])}


def bench_check(case, c, p, libraries):
    for index in "int32", "int64":
        if index == "int64":
            c, p = c.astype(np.int64), p.astype(np.int64)
        size = c.nbytes + p.nbytes
        results = measure(c, p, case.columns, libraries)
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


def bench_tiny(libraries):
    """10 x 20 with 50 entries: a loop of calls in C."""
    repeat = libraries.cases.bench_repeat
    repeat.restype = ctypes.c_double
    impls = {"sparsewright": libraries.spw, "before": libraries.before}
    for index in "int32", "int64":
        c = np.arange(0, 51, 5).astype(index)
        p = np.tile(np.arange(0, 20, 4), 10).astype(index)
        ours = Tensor("csr", (10, 20), c, p, np.zeros(50, np.int8))
        runs = {impl: [] for impl, library in impls.items() if library}
        for _ in range(ROUNDS):
            for impl, taken in runs.items():
                taken.append(repeat(impls[impl].spw_is_valid, ours.reference, I64(100_000)))
        for impl, taken in runs.items():
            assert min(taken) > 0
            print("tiny %s: %-14s %.0f ns (median %.0f)" % (index, impl, 1e9 * min(taken), 1e9 * statistics.median(taken)))
            yield {"op": "check", "case": "tiny-10x20", "layout": "csr", "index": index, "threads": 1,
                   "impl": impl, "seconds": min(taken), "bytes": c.nbytes + p.nbytes, "ratio_to_read": None}
