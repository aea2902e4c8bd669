# SPDX-License-Identifier: Apache-2.0
"""The matrices of the benchmark, made by bench/cases.c: always the same."""
import numpy as np

from spw import I64, POINTER


class Case:
    """Makes one CSR matrix: name, rows, columns, room for entries, and a generator of bench/cases.c."""

    def __init__(self, name, rows, columns, room, generate):
        self.name, self.rows, self.columns, self.room, self.generate = name, rows, columns, room, generate

    def make(self):
        c, p = np.empty(self.rows + 1, np.int32), np.empty(self.room, np.int32)
        nse = self.generate(c.ctypes.data, p.ctypes.data)
        return c, p[:nse].copy() if nse < self.room else p


def cases(lib):
    """Those of checks and those of conversions; each takes what it wants of them."""
    def call(name, *numbers):
        function = getattr(lib, name)
        function.restype = I64
        return lambda c, p: function(*map(I64, numbers), POINTER(c), POINTER(p))

    for name, n in ("stencil-5M", 58), ("stencil-45M", 120):
        yield Case(name, n ** 3, n ** 3, (3 * n - 2) ** 3, call("bench_stencil", n))
    for name, rows in ("banded-5M", 300_000), ("banded-45M", 2_650_000):
        yield Case(name, rows, rows, 17 * rows, call("bench_banded", rows, 8))
    for name, rows in ("uniform-5M", 312_500), ("uniform-45M", 2_812_500):
        yield Case(name, rows, rows, 16 * rows, call("bench_uniform", rows, rows, 16))
    for name, scale, edges in ("rmat-5M", 19, 5_600_000), ("rmat-45M", 22, 48_000_000):
        yield Case(name, 1 << scale, 1 << scale, edges, call("bench_rmat", scale, edges))
    for name, n in ("grid-5M", 1000), ("grid-45M", 3000):
        yield Case(name, n * n, n * n, 5 * n * n, call("bench_grid", n))
    for name, rows in ("full_row-5M", 2_500_000), ("full_row-45M", 22_500_000):
        yield Case(name, rows, rows, 2 * rows, call("bench_full_row", rows))
    for name, rows in ("mostly_empty-5M", 3_125_000), ("mostly_empty-45M", 28_125_000):
        yield Case(name, rows, rows, 16 * (rows // 10 + 1), call("bench_mostly_empty", rows, 10, 16))
    yield Case("rmat-500K", 1 << 18, 1 << 18, 500_000, call("bench_rmat", 18, 500_000))
    for name, n, unknowns in ("fem2-5M", 36, 2), ("fem4-5M", 23, 4), ("fem2-45M", 76, 2), ("fem4-45M", 48, 4):
        rows = unknowns * n ** 3
        yield Case(name, rows, rows, (3 * n - 2) ** 3 * unknowns ** 2, call("bench_fem", n, unknowns))
    for size, rows in ("5M", 5_000_000), ("45M", 45_000_000):
        yield Case("one-a-row-" + size, rows, rows, rows, call("bench_uniform", rows, rows, 1))
        yield Case("about-one-a-row-" + size, rows, rows, rows, call("bench_poisson", rows, rows, rows))


def dense_array(rows, columns, percent, value):
    """About so many of 100 elements are not zero."""
    random = np.random.default_rng(percent)
    array = random.integers(1, 1024, (rows, columns)).astype(value)
    array[random.random((rows, columns)) >= percent / 100] = 0
    return array
