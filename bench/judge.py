#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""judge.py BUILD FILE.mtx|CASE ...: are the products of SciPy, Eigen and the libraries of PEERS right, and are ours the same bits?

Each library multiplies the matrix of each file by a vector and by three columns, float64 and float32, on one thread and on two,
and `spw multiply --judge` judges what it gave. From each result one term is taken out, the largest of a row, and that has to be
refused. What is no real matrix that SciPy reads is left out, and said.

The matrices of the files, and those of the benchmark that are named, are multiplied by us in each layout (BSR where blocks of
two divide them), with both index types, prepared and not, on 1, 2, 3 and 7 threads: the bits have to be those of SciPy's product
in CSR. Values are such that sums round; how many rows have other bits when added backwards is said. Ends with 1 where a verdict
or a bit is not as expected."""
import os
import subprocess
import sys
import tempfile
from types import SimpleNamespace

import numpy as np
import scipy.io
import scipy.sparse

sys.dont_write_bytecode = True
import bench  # noqa: E402
from conversions import Matrix, coo_of  # noqa: E402
from matrices import cases  # noqa: E402
from peers import scipy_csr_csc  # noqa: E402
from products import Functions, Handle, blocks_of, libraries_beside, ours, result_for, scipy_peer  # noqa: E402
from spw import Tensor  # noqa: E402

VALUES, WIDTHS, THREADS = ("float64", "float32"), (0, 3), (1, 2)
BITS_WIDTHS, BITS_THREADS = (0, 3, 21), (1, 2, 3, 7)


class Judge:
    def __init__(self, build, folder):
        self.command, self.folder, self.counts, self.failed = os.path.join(build, "spw"), folder, {}, False

    def path(self, name):
        return os.path.join(self.folder, name)

    def is_right(self, y):
        np.save(self.path("y.npy"), y)
        run = subprocess.run([self.command, "multiply", self.path("a.npz"), self.path("x.npy"), "--judge", self.path("y.npy")],
                             capture_output=True, text=True, check=False)
        if run.returncode not in (0, 1):
            raise ValueError(f"spw multiply ends with {run.returncode}: {run.stderr}")
        return run.returncode == 0, run.stdout

    def expect(self, what, y, damaged):
        right, said = self.is_right(y)
        refused = damaged is None or not self.is_right(damaged)[0]
        count = self.counts.setdefault(what[0], [0, 0])
        count[0] += 1
        count[1] += damaged is not None
        if not right or not refused:
            self.failed = True
            print(f"{' '.join(what)}: " + (f"called wrong\n{said}" if not right else "a missing term is not seen"))


def matrix_of(path, value):
    """CSR as the peers take it, or None and why not."""
    try:
        given = scipy.io.mmread(path)
    except (ValueError, TypeError, OverflowError, StopIteration) as why:
        return None, f"not read: {why}"
    if not scipy.sparse.issparse(given) or given.dtype.kind == "c":
        return None, "dense, or complex"
    a = scipy.sparse.csr_array(given.astype(value))
    a.sum_duplicates()
    return Matrix(SimpleNamespace(rows=a.shape[0], columns=a.shape[1]), a.indptr, a.indices, "int32", value, a.data), None


def random_operand(m, width, random):
    """A vector, or so many columns."""
    return np.ascontiguousarray(random.normal(size=(m.columns, width) if width else m.columns).astype(m.value))


def damage(m, x, y):
    """The term is missing that is the largest beside the bound of its row, with room for what rounds; None where there is none."""
    column = x if x.ndim == 1 else x[:, -1]
    terms, length = m.v * column[m.p], np.diff(m.c)
    sizes = np.abs(terms).astype(np.float64)
    sums = np.add.reduceat(np.append(sizes, 0), m.c[:-1]) * (length > 0)
    rows = np.repeat(np.arange(m.rows), length)
    with np.errstate(invalid="ignore"):
        beyond = sizes - 2 * (length[rows] + 2) * np.finfo(m.value).eps * sums[rows]
    if not terms.size or not beyond.max() > 0:
        return None
    k, other = beyond.argmax(), y.copy()
    other[(rows[k],) if x.ndim == 1 else (rows[k], -1)] -= terms[k]
    return other


def given_as(m, index):
    """{layout: tensor} of the same elements."""
    other = Matrix(m, m.c, m.p, index, m.value, m.v)
    i, p, v = coo_of(other, "sorted")
    made = scipy_csr_csc(other)
    made.call()
    given = {"csr": other.tensor(), "coo": Tensor("coo", m.size, None, np.stack([i, p]), v),
             "csc": Tensor("csc", m.size, *made.result())}
    if m.rows % 2 == m.columns % 2 == 0 and len(m.p):
        given["bsr"] = blocks_of(other, 2)
    return given


def scipy_bits(m, x):
    peer = scipy_peer(m, x, result_for(m, x))
    peer.call()
    return peer.result()


def backwards(m):
    """Rows from the last to the first, and their elements."""
    return Matrix(m, len(m.p) - m.c[::-1], m.p[::-1], m.index, m.value, m.v[::-1])


def rows_that_differ(y, other):
    same = (y.view(np.uint8) == other.view(np.uint8)).reshape(y.shape[0], -1).all(axis=1)
    return y.shape[0] - int(same.sum())


class Bits:
    def __init__(self, libraries):
        self.spw, self.products, self.rounding, self.failed = libraries.spw, 0, 0, False

    def compare(self, what, forms, x, expected):
        for how, functions, given in forms:
            for threads in BITS_THREADS:
                y = np.full_like(expected, np.nan)
                product = ours(functions, given, x, y, False, threads)
                product.call()
                self.products += 1
                differing = rows_that_differ(y, expected)
                if differing:
                    self.failed = True
                    print(f"{what}, {how}, {threads} threads: {differing} of {len(y)} rows have other bits than SciPy's in CSR")

    def of_matrix(self, name, m, random):
        other, asked = backwards(m), []
        for width in BITS_WIDTHS:
            x = random_operand(m, width, random)
            asked.append((width, x, scipy_bits(m, x)))
            self.rounding += rows_that_differ(scipy_bits(other, x)[::-1].copy(), asked[-1][-1])
        for index in "int32", "int64":
            for layout, source in given_as(m, index).items():
                forms = ("unprepared", self.spw, source), ("prepared", Functions(self.spw), Handle(self.spw, source))
                for width, x, expected in asked:
                    self.compare(f"{name}, {m.value}, {index}, {layout}, {width or 1} columns", forms, x, expected)


def bits_of_case(bits, case):
    random = np.random.default_rng(2)
    c, p = case.make()
    for value in VALUES:
        m = Matrix(case, c, p, "int32", value, random.normal(size=len(p)).astype(value))
        bits.of_matrix(case.name, m, random)


def judge_file(judge, bits, path, libraries):
    name, random = os.path.basename(path), np.random.default_rng(1)
    for value in VALUES:
        m, why = matrix_of(path, value)
        if not m:
            print(f"{name}: {why}")
            return
        scipy.sparse.save_npz(judge.path("a.npz"), scipy.sparse.csr_array((m.v, m.p, m.c), m.size), compressed=False)
        for width in WIDTHS:
            x = random_operand(m, width, random)
            np.save(judge.path("x.npy"), x)
            for threads in THREADS:
                for peer, product in libraries_beside(m, x, libraries, threads).items():
                    product.call()
                    y = product.result()
                    judge.expect((peer, name, value, f"{width or 1} columns", f"{threads} threads"), y, damage(m, x, y))
        bits.of_matrix(name, m, random)


def main():
    build, names = sys.argv[1], sys.argv[2:]
    libraries = bench.libraries_of(build)
    known = {case.name: case for case in cases(libraries.cases)}
    files, bits = [name for name in names if name not in known], Bits(libraries)
    with tempfile.TemporaryDirectory() as folder:
        judge = Judge(build, folder)
        for path in files:
            judge_file(judge, bits, path, libraries)
    for case in (known[name] for name in names if name in known):
        bits_of_case(bits, case)
    for peer, (right, damaged) in sorted(judge.counts.items()):
        print(f"{peer}: {right} products judged, {damaged} with a missing term")
    print(f"ours: {bits.products} products compared bit for bit, {bits.rounding} rows that round otherwise backwards")
    return 1 if judge.failed or bits.failed or not bits.rounding else 0


if __name__ == "__main__":
    sys.exit(main())
