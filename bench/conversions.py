# SPDX-License-Identifier: Apache-2.0
"""How long a conversion takes, beside SciPy's kernels without the Python around them, Eigen, and PyTorch when asked.

All convert the same arrays, one after the other in one process, on one thread; where ours shares work, the checked call
on two threads stands beside (clocks differ: see measure.py). Ours and SciPy's kernels write into arrays that
lie ready, the others, and SciPy from dense arrays, for which it has no kernel, into memory of their own. Before anything is timed, all results are compared bit for bit, where a peer has one. What is
to be known to have the room (how many blocks, how many elements that are not zero) is counted in every run. The roof
is a copy of as many bytes as a conversion reads and writes. Ratios are those of medians."""
import statistics
import sys

import numpy as np

import peers
from measure import interleave, seconds
from matrices import dense_array
from peers import conversion, eigen, ours, torch, torch_peer
from spw import CLAIM_NONE, CLAIM_YES, Tensor

TYPES = "int32/float64", "int32/float32", "int64/float64", "int64/float32"
MATRICES = "stencil", "banded", "uniform", "rmat"
BLOCKS = {"fem2": (2,), "fem4": (2, 4), "stencil": (2, 4), "rmat": (2, 4)}
DENSE = (1, 10, 50)
DENSE_BLOCKS = (2, 4, 16)
BATCHES = 8
THREADS = {"2 threads": 2}  # of an implementation; else one
SHARED = "csr-csc", "coo-csr-shuffled", "coalesce", "dense-csr"


class Matrix:
    """Of the size of a case, or of another matrix. Without values of its own it has no zeros, and sums of a few are exact."""

    def __init__(self, case, c, p, index, value, v=None):
        self.rows, self.columns = case.rows, case.columns
        self.c, self.p = c.astype(index), p.astype(index)
        self.v = (np.arange(len(p)) % 1023 + 1).astype(value) if v is None else np.ascontiguousarray(v)
        self.index, self.value = index, value
        self.size = self.rows, self.columns

    def tensor(self):
        return Tensor("csr", self.size, self.c, self.p, self.v)

    def torch(self):
        return torch.sparse_csr_tensor(*map(torch.from_numpy, (self.c, self.p, self.v)), self.size)


class Job:
    """A conversion of `inputs` (arrays): our source and request, and peers by their names."""

    def __init__(self, name, source, wanted, inputs, value, others):
        self.name, self.source, self.wanted, self.inputs, self.value, self.others = \
            name, source, wanted, inputs, value, others


# ---- Operations --------------------------------------------------------------------------------------------
# Each yields jobs for a matrix.

def csr_csc(m, libraries):
    others = {"scipy": peers.scipy_csr_csc(m)}
    if libraries.eigen:
        others["eigen"] = eigen(libraries.eigen, "csr_csc", m.index, m.value, m.size, (m.c, m.p, m.v), m.columns)
    if torch:
        given = m.torch()
        others["torch"] = torch_peer(given.to_sparse_csc, lambda t: (t.ccol_indices(), t.row_indices(), t.values()))
    yield Job("csr-csc", m.tensor(), conversion("csc", m.index), (m.c, m.p, m.v), m.value, others)


def coo_of(m, kind):
    """Row and column indices and values; shuffled, one in twenty lies where another one does."""
    i = np.repeat(np.arange(m.rows, dtype=m.index), np.diff(m.c))
    if kind != "shuffled":
        return i, m.p, m.v
    n = len(m.p)
    order = np.random.default_rng(5).permutation(n)
    order[n - n // 20:] = order[:n // 20]
    return i[order], m.p[order], m.v[order]


def coo_csr(m, libraries):
    for kind in "shuffled", "sorted", "claimed":
        i, j, v = coo_of(m, kind)
        others = {"scipy": peers.scipy_coo_csr(m, i, j, v)}
        if libraries.eigen and kind != "claimed":
            others["eigen"] = eigen(libraries.eigen, "coo_csr", m.index, m.value, (*m.size, len(v)), (i, j, v), m.rows)
        stacked = np.stack([i, j])
        source = Tensor("coo", m.size, plain=stacked, values=v, claim=CLAIM_YES if kind == "claimed" else CLAIM_NONE)
        yield Job("coo-csr-" + kind, source, conversion("csr", m.index), (stacked, v), m.value, others)


def coalesce(m, _):
    """More than a third lie where another one does; the peer is PyTorch, and SciPy with Python around it."""
    i = np.repeat(np.arange(m.rows, dtype=m.index), np.diff(m.c))
    drawn = np.random.default_rng(1).integers(0, len(m.p), len(m.p))
    stacked, v = np.stack([i[drawn], m.p[drawn]]), m.v[drawn]
    others = {}
    if torch and m.index == "int64":
        given = torch.sparse_coo_tensor(torch.from_numpy(stacked), torch.from_numpy(v), m.size, check_invariants=False)
        fresh = lambda: torch.sparse_coo_tensor(given._indices(), given._values(), m.size, check_invariants=False).coalesce()
        others["torch"] = torch_peer(fresh, lambda t: (None, t.indices().flatten(), t.values()))
    yield Job("coalesce", Tensor("coo", m.size, plain=stacked, values=v), conversion("coo", m.index), (stacked, v),
              m.value, others)


def coo_bsr(m, sizes):
    """No peer has it in one step."""
    i, j, v = coo_of(m, "shuffled")
    stacked = np.stack([i, j])
    for size in sizes:
        yield Job(f"coo-bsr-{size}x{size}", Tensor("coo", m.size, plain=stacked, values=v),
                  conversion("bsr", m.index, (size, size)), (stacked, v), m.value, {})


def coo_batches(m, _):
    """The first rows in BATCHES batches, shuffled; no peer has it."""
    rows = int(np.searchsorted(m.c, len(m.p) // BATCHES))
    n = int(m.c[rows])
    i = np.repeat(np.arange(rows, dtype=m.index), np.diff(m.c[:rows + 1]))
    order = np.random.default_rng(6).permutation(BATCHES * n)
    b = np.repeat(np.arange(BATCHES, dtype=m.index), n)
    stacked = np.stack([b[order], np.tile(i, BATCHES)[order], np.tile(m.p[:n], BATCHES)[order]])
    v = np.tile(m.v[:n], BATCHES)[order]
    for layout in "csr", "csc":
        yield Job("coo-batches-" + layout, Tensor("coo", (BATCHES, rows, m.columns), plain=stacked, values=v),
                  conversion(layout, m.index), (stacked, v), m.value, {})


def csr_bsr(m, sizes):
    """PyTorch is not asked here: the time of its to_sparse_bsr grows with the square of the rows (2.15.0: 1.1 s for 16,000 rows of 5
    elements, 0.25 s for 8,000)."""
    for size in sizes:
        others = {"scipy": peers.scipy_csr_bsr(m, size, size)}
        yield Job(f"csr-bsr-{size}x{size}", m.tensor(), conversion("bsr", m.index, (size, size)), (m.c, m.p, m.v), m.value,
                  others)


def bsr_csr(m, libraries, sizes):
    for size in sizes:
        made = peers.scipy_csr_bsr(m, size, size)
        made.call()
        c, p, v = made.result()
        source = Tensor("bsr", m.size, c, p, v.reshape(-1, size, size))
        yield Job(f"bsr-csr-{size}x{size}", source, conversion("csr", m.index), (c, p, v), m.value,
                  {"scipy": peers.scipy_bsr_csr(m, size, size, (c, p, v))})


def dense_csr(array, index, value, libraries):
    others = {"scipy": peers.scipy_dense_csr(array, index)}
    if libraries.eigen:
        others["eigen"] = eigen(libraries.eigen, "dense_csr", index, value, array.shape, (array,), len(array))
    if torch:
        given = torch.from_numpy(array)
        others["torch"] = torch_peer(given.to_sparse_csr, lambda t: (t.crow_indices(), t.col_indices(), t.values()))
    yield Job("dense-csr", Tensor("dense", array.shape, values=array), conversion("csr", index), (array,), value, others)


def dense_bsr(array, index, value):
    """Eigen has no blocks."""
    for size in DENSE_BLOCKS:
        others = {"scipy": peers.scipy_dense_bsr(array, index, size)}
        if torch:
            given = torch.from_numpy(array)
            others["torch"] = torch_peer(lambda size=size: given.to_sparse_bsr((size, size)),
                                         lambda t: (t.crow_indices(), t.col_indices(), t.values().flatten()))
        yield Job(f"dense-bsr-{size}x{size}", Tensor("dense", array.shape, values=array),
                  conversion("bsr", index, (size, size)), (array,), value, others)


def csr_dense(m, libraries):
    others = {"scipy": peers.scipy_csr_dense(m)}
    if libraries.eigen:
        others["eigen"] = eigen(libraries.eigen, "csr_dense", m.index, m.value, m.size, (m.c, m.p, m.v), 0)
    if torch:
        given = m.torch()
        others["torch"] = torch_peer(given.to_dense, lambda t: (None, None, t.flatten()))
    yield Job("csr-dense", m.tensor(), conversion("dense", m.index), (m.c, m.p, m.v), m.value, others)


# ---- Measuring ---------------------------------------------------------------------------------------------

def same_bits(job, name, result, expected):
    for what, got, wanted in zip(("compressed", "plain", "values"), result, expected):
        if wanted is None and got is None:
            continue
        got, wanted = (np.asarray(array) for array in (got, wanted))
        got = got.astype(wanted.dtype) if what != "values" else got  # PyTorch's indices are int64
        if got.dtype != wanted.dtype or got.tobytes() != wanted.tobytes():
            sys.exit(f"bench: {job.name}: {what} of {name} is not what we give")


def copy_peer(size):
    """Reads and writes `size` bytes together."""
    source, target = np.ones(size // 2, np.uint8), np.ones(size // 2, np.uint8)
    return peers.Peer(lambda: np.copyto(target, source), None)


def measure(job, libraries):
    """{implementation: seconds of each round}, and how many bytes are read and written."""
    unchecked = ours(libraries.spw, job.source, job.wanted, False, job.value)
    all_of = {"unchecked": unchecked,
              "checked": ours(libraries.spw, job.source, job.wanted, True, job.value, unchecked.buffers),
              "certified": peers.ours_certified(libraries.spw, job.source, job.wanted, job.value)}
    if libraries.before:
        all_of["before"] = ours(libraries.before, job.source, job.wanted, False, job.value)
    if job.name in SHARED:
        all_of |= {name: peers.ours_by_threads(libraries.spw, job.source, job.wanted, threads, job.value)
                   for name, threads in THREADS.items()}
    all_of |= job.others
    for name, peer in all_of.items():
        peer.call()
        same_bits(job, name, peer.result(), all_of["unchecked"].result())
        peer.prepare()
    size = sum(array.nbytes for array in (*job.inputs, *all_of["unchecked"].result()) if array is not None)
    all_of["copy"] = copy_peer(size)

    def maker(peer):
        peer.prepare()
        return peer.call
    taken = interleave({name: lambda peer=peer: maker(peer) for name, peer in all_of.items()},
                       lambda name, call: seconds(call, THREADS.get(name, 1)))
    for peer in all_of.values():
        peer.prepare()
    return taken, size


def bench_job(job, case, index, value, libraries):
    taken, size = measure(job, libraries)
    medians = {name: statistics.median(t) for name, t in taken.items()}
    own = medians["unchecked"]
    print("| %s | %s | %s | %s | %.1f | %.2f | %.2f | %.2f | %s |" % (
        job.name, case, index, value, 1e3 * own, medians["checked"] / own, medians["certified"] / own, own / medians["copy"],
        " | ".join("%.2f" % (medians[name] / own) if name in medians else "" for name in (*THREADS, *libraries.names))))
    sys.stdout.flush()
    for name, t in taken.items():
        yield {"op": job.name, "case": case, "index": index, "value": value, "threads": THREADS.get(name, 1), "impl": name,
               "seconds": medians[name], "least": min(t), "bytes": size, "ratio_to_copy": medians[name] / medians["copy"]}


def print_head(libraries):
    columns = ["operation", "input", "indices", "values", "ours, ms", "checked, x ours", "certified, x ours", "ours, x copy"]
    columns += [name + ", x ours" for name in (*THREADS, *libraries.names)]
    print("| %s |\n|%s" % (" | ".join(columns), "---|" * len(columns)))


def bench_matrix(case, c, p, ops, types, libraries):
    name = case.name.split("-")[0]
    if torch:
        torch.set_num_threads(1)
    for index, value in types:
        m = Matrix(case, c, p, index, value)
        todo = {}
        if name in MATRICES:
            todo = {"csr-csc": csr_csc, "coo-csr": coo_csr, "coalesce": coalesce, "coo-batches": coo_batches}
        if name in BLOCKS:
            todo |= {"csr-bsr": lambda m, l: csr_bsr(m, BLOCKS[name]), "bsr-csr": lambda m, l: bsr_csr(m, l, BLOCKS[name]),
                     "coo-bsr": lambda m, l: coo_bsr(m, BLOCKS[name])}
        for op, jobs in todo.items():
            if op in ops:
                for job in jobs(m, libraries):
                    yield from bench_job(job, case.name, index, value, libraries)


def bench_dense(name, percent, ops, types, libraries):
    if torch:
        torch.set_num_threads(1)
    for index, value in types:
        array = dense_array(4000, 4000, percent, value)
        if "dense-csr" in ops:
            for job in dense_csr(array, index, value, libraries):
                yield from bench_job(job, name, index, value, libraries)
        if "dense-bsr" in ops:
            for job in dense_bsr(array, index, value):
                yield from bench_job(job, name, index, value, libraries)
        if "csr-dense" in ops:
            c = np.concatenate([[0], np.cumsum(np.count_nonzero(array, axis=1))])
            m = Matrix(Shape(4000, 4000), c, np.nonzero(array)[1], index, value)
            for job in csr_dense(m, libraries):
                yield from bench_job(job, name, index, value, libraries)


class Shape:
    def __init__(self, rows, columns):
        self.rows, self.columns = rows, columns
