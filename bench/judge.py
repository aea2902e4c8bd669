#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""judge.py BUILD FILE.mtx ...: are the products of SciPy, Eigen and the libraries of PEERS right?

Each multiplies the matrix of each file by a vector and by three columns, float64 and float32, on one thread and on two, and
`spw multiply --judge` judges what it gave. From each result one term is taken out, the largest of a row, and that has to be
refused. What is no real matrix that SciPy reads is left out, and said. Ends with 1 where a verdict is not as expected."""
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
from conversions import Matrix  # noqa: E402
from products import libraries_beside  # noqa: E402

VALUES, WIDTHS, THREADS = ("float64", "float32"), (0, 3), (1, 2)


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
    m = Matrix(SimpleNamespace(rows=a.shape[0], columns=a.shape[1]), a.indptr, a.indices, "int32", value)
    m.v = a.data
    return m, None


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


def judge_file(judge, path, libraries):
    name, random = os.path.basename(path), np.random.default_rng(1)
    for value in VALUES:
        m, why = matrix_of(path, value)
        if not m:
            print(f"{name}: {why}")
            return
        scipy.sparse.save_npz(judge.path("a.npz"), scipy.sparse.csr_array((m.v, m.p, m.c), m.size), compressed=False)
        for width in WIDTHS:
            x = np.ascontiguousarray(random.normal(size=(m.columns, width) if width else m.columns).astype(value))
            np.save(judge.path("x.npy"), x)
            for threads in THREADS:
                for peer, product in libraries_beside(m, x, libraries, threads).items():
                    product.call()
                    y = product.result()
                    judge.expect((peer, name, value, f"{width or 1} columns", f"{threads} threads"), y, damage(m, x, y))


def main():
    build, files = sys.argv[1], sys.argv[2:]
    libraries = bench.libraries_of(build)
    with tempfile.TemporaryDirectory() as folder:
        judge = Judge(build, folder)
        for path in files:
            judge_file(judge, path, libraries)
    for peer, (right, damaged) in sorted(judge.counts.items()):
        print(f"{peer}: {right} products judged, {damaged} with a missing term")
    return 1 if judge.failed or not judge.counts else 0


if __name__ == "__main__":
    sys.exit(main())
