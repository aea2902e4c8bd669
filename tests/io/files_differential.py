#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Files that other libraries write, read by spw: the same arrays, and back. `files_differential.py SPW` runs with those of the libraries
h5py, anndata, safetensors, scipy and binsparse that are installed, and says which are not. With --table it prints the table
of spec/formats.md."""
import importlib
import importlib.metadata
import json
import os
import subprocess
import sys
import tempfile

import numpy

SPW = sys.argv[1]
RESULTS = []


def library(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def version(name):
    return importlib.metadata.version(name)


def spw(*arguments):
    return subprocess.run([SPW, *arguments], capture_output=True, text=True, check=False)


def members(path):
    """The arrays of a file that spw reads, as NumPy's."""
    done = spw("convert", path, "-")
    if done.returncode:
        raise AssertionError(f"{path}: {done.stdout}{done.stderr}")
    found = json.loads(done.stdout)
    arrays = {}
    for name in ("compressed_indices", "plain_indices", "indices", "values"):
        if name not in found:
            continue
        part = found[name]
        data = part["data"] if "data" in part else [part["fill"]] * int(numpy.prod(part["shape"]))
        data = [complex(*x) if isinstance(x, list) else float(x) if isinstance(x, str) else x for x in data]
        arrays[name] = numpy.array(data, dtype=part["dtype"]).reshape(part["shape"])
    return found["layout"], found.get("size"), arrays


def expect(what, by, path, layout, size, **arrays):
    got_layout, got_size, got = members(path)
    assert got_layout == layout and (size is None or got_size == list(size)), (path, got_layout, got_size)
    assert set(got) == set(arrays), (path, set(got))
    for name, array in arrays.items():
        array = numpy.asarray(array)
        assert got[name].shape == array.shape and numpy.array_equal(got[name], array, equal_nan=array.dtype.kind in "fc"), (path, name, got[name], array)
    RESULTS.append((what, by))


def expect_compressed(what, by, path, matrix):
    layout = matrix.format
    expect(what, by, path, layout, matrix.shape, compressed_indices=matrix.indptr, plain_indices=matrix.indices, values=matrix.data)


def expect_refused(path, says):
    done = spw("check", "--color=never", path)
    assert done.returncode == 3 and says in " ".join(done.stdout.split()), (path, done.stdout)


def matrices(sparse, rng):
    for layout in ("csr", "csc"):
        for dtype in ("float32", "float64", "int32", "int64", "uint8", "bool", "complex128"):
            for shape in ((5, 7), (1, 1), (0, 3), (40, 3)):
                dense = rng.integers(1, 100, shape) * (rng.random(shape) < 0.3)
                yield sparse.csr_matrix(dense.astype(dtype)).asformat(layout)


def with_safetensors(folder, rng):
    safetensors, sparse = library("safetensors.numpy"), library("scipy.sparse")
    by = f"safetensors {version('safetensors')}"
    for n, m in enumerate(matrices(sparse, rng)):
        if m.dtype == "complex128":
            continue
        path = f"{folder}/{n}.safetensors"
        names = ("crow_indices", "col_indices") if m.format == "csr" else ("ccol_indices", "row_indices")
        index = numpy.int64 if n % 2 else numpy.int32
        tensors = {f"a.b.{names[0]}": m.indptr.astype(index), f"a.b.{names[1]}": m.indices.astype(index), "a.b.values": m.data, "bias": numpy.ones(3)}
        safetensors.save_file(tensors, path, {"a.b.size": json.dumps(m.shape)})
        expect_compressed("`.safetensors`, members of PyTorch's names", by, f"{path}:a.b", m)
        assert spw("convert", f"{path}:a.b", f"{folder}/back.safetensors").returncode == 0
        back = safetensors.load_file(f"{folder}/back.safetensors")
        assert numpy.array_equal(back[names[0]], m.indptr) and numpy.array_equal(back["values"], m.data) and back["values"].dtype == m.dtype
    for dtype, limit in (("uint16", 2 ** 16 - 1), ("uint32", 2 ** 32 - 1), ("uint64", 2 ** 63 - 1)):
        data = numpy.array([limit, 1], dtype=dtype)
        safetensors.save_file({"indptr": numpy.array([0, 2], "uint32"), "indices": numpy.array([0, 2], "uint8"), "data": data}, f"{folder}/u.safetensors",
                              {"layout": "csr_matrix", "shape": "[1, 3]"})
        expect("`.safetensors`, SciPy's names, unsigned numbers", by, f"{folder}/u.safetensors", "csr", (1, 3), compressed_indices=[0, 2], plain_indices=[0, 2], values=data)
    safetensors.save_file({"indices": numpy.array([[0], [0]]), "values": numpy.array([2 ** 63], "uint64")}, f"{folder}/large.safetensors")
    expect_refused(f"{folder}/large.safetensors", "needs type uint64")


def with_anndata(folder, rng):
    anndata, sparse = library("anndata"), library("scipy.sparse")
    by = f"anndata {version('anndata')}, h5py {version('h5py')}"
    for n, m in enumerate(matrices(sparse, rng)):
        if m.dtype in ("complex128", "bool") or 0 in m.shape:
            continue
        path = f"{folder}/{n}.h5ad"
        a = anndata.AnnData(m)
        a.layers["counts"] = m.astype("float32")
        a.obsp["near"] = sparse.csr_matrix(numpy.eye(m.shape[0]))
        a.write_h5ad(path, compression="gzip" if n % 2 else None)
        expect_compressed("`.h5ad`: `X`", by, f"{path}:X", m)
        expect_compressed("`.h5ad`: `layers`", by, f"{path}:layers/counts", m.astype("float32"))
        expect_compressed("`.h5ad`: `obsp`", by, f"{path}:obsp/near", a.obsp["near"])
        done = spw("check", "-r", folder)
        assert done.returncode == 0 and f"{path}:obsp/near: valid" in done.stdout, done.stdout
        os.remove(path)


def with_h5py(folder, rng):
    h5py, sparse = library("h5py"), library("scipy.sparse")
    by = f"h5py {version('h5py')}"
    path = f"{folder}/a.h5"
    for m in matrices(sparse, rng):
        for pointers, indices in (("int64", "int64"), (">i4", ">i4"), ("uint64", "uint32"), ("int64", "uint8")):
            with h5py.File(path, "w") as file:
                g = file.create_group("deep/er")
                g["indptr"], g["indices"] = m.indptr.astype(pointers), m.indices.astype(indices)
                g.create_dataset("data", data=m.data, shuffle=True, compression="gzip", chunks=True if m.nnz else None) if m.nnz else g.create_dataset("data", data=m.data)
                g.attrs["sparse_format"], g.attrs["shape"] = m.format, m.shape
            expect_compressed("`.h5`: groups with attributes", by, f"{path}:deep/er", m)
        if m.format == "csc" and m.nnz:
            with h5py.File(path, "w") as file:
                g = file.create_group("matrix")
                g["indptr"], g["indices"], g["data"], g["shape"] = m.indptr.astype("int64"), m.indices.astype("int64"), m.data, numpy.array(m.shape, "int32")
                g["barcodes"] = numpy.array([b"x"] * m.shape[1])
            expect_compressed("`.h5` of 10x Genomics", by, f"{path}:matrix", m)
    with h5py.File(path, "w") as file:
        file["x"] = h5py.ExternalLink("other.h5", "/y")
    expect_refused(path, "external link")
    with h5py.File(path, "w") as file:
        g = file.create_group("g")
        g["self"] = g
    expect_refused(path, "within themselves")
    with h5py.File(path, "w") as file:
        g = file.create_group("g")
        g["indptr"], g["indices"] = numpy.zeros(2, "int32"), numpy.zeros(0, "int32")
        g.create_dataset("data", shape=(2 ** 39,), dtype="f8", chunks=(1024,))
        g.attrs["encoding-type"], g.attrs["shape"] = "csr_matrix", (1, 1)
    expect_refused(f"{path}:g", "more than the memory limit")
    with h5py.File(path, "w") as file:
        g = file.create_group("g")
        g["indptr"], g["indices"] = numpy.zeros(2, "int32"), numpy.zeros(0, "int32")
        g.create_dataset("data", data=numpy.ones(9), compression="lzf")
        g.attrs["encoding-type"], g.attrs["shape"] = "csr_matrix", (1, 1)
    expect_refused(f"{path}:g", "lzf")
    with h5py.File(path, "w", userblock_size=512) as file:
        file["x"] = 1
    with open(path, "r+b") as file:
        file.write(b"#!user block")
    expect_refused(path, "behind a user block")
    for libver in ("earliest", "latest"):
        with h5py.File(path, "w", libver=libver) as file:
            for i in range(100):
                file[f"{i:03}/indices"], file[f"{i:03}/values"] = numpy.array([[0], [i]]), numpy.array([1.5])
        done = spw("check", path)
        assert done.returncode == 0 and done.stdout.count(": valid") >= 100, done.stdout[-200:]


def with_binsparse(folder, rng):
    binsparse, sparse = library("binsparse"), library("scipy.sparse")
    by = f"binsparse {version('binsparse')}, h5py {version('h5py')}"
    path = f"{folder}/a.bsp.h5"
    for m in matrices(sparse, rng):
        common = {"shape": m.shape, "number_of_stored_values": m.nnz, "values": m.data}
        kind = binsparse.CSRMatrix if m.format == "csr" else binsparse.CSCMatrix
        binsparse.save_binsparse(kind(pointers_to_1=m.indptr, indices_1=m.indices, **common), path)
        expect_compressed(f"binsparse {m.format.upper()}", by, path, m)
        assert spw("convert", path, f"{folder}/back.bsp.h5").returncode == 0
        back = binsparse.load_binsparse(f"{folder}/back.bsp.h5")
        assert isinstance(back, kind) and back.shape == m.shape and numpy.array_equal(back.values, m.data) and back.values.dtype == m.dtype
        assert numpy.array_equal(back.pointers_to_1, m.indptr) and numpy.array_equal(back.indices_1, m.indices)
        coo = m.tocoo()
        binsparse.save_binsparse(binsparse.COORMatrix(indices_0=coo.row, indices_1=coo.col, **{**common, "values": coo.data}), path)
        expect("binsparse COO", by, path, "coo", m.shape, indices=numpy.stack([coo.row, coo.col]), values=coo.data)
        binsparse.save_binsparse(binsparse.COOCMatrix(indices_0=coo.col, indices_1=coo.row, **{**common, "values": coo.data}), path)
        expect("binsparse COOC", by, path, "coo", m.shape, indices=numpy.stack([coo.row, coo.col]), values=coo.data)
        if m.format == "csr":
            rows = numpy.flatnonzero(numpy.diff(m.indptr)).astype("int32")
            pointers = numpy.append(m.indptr[:-1][rows], m.indptr[-1]).astype("int32")
            binsparse.save_binsparse(binsparse.DCSRMatrix(indices_0=rows, pointers_to_1=pointers, indices_1=m.indices, **common), path)
            expect_compressed("binsparse DCSR", by, path, m)


def with_scipy(folder, rng):
    sparse, io = library("scipy.sparse"), library("scipy.io")
    by = f"scipy {version('scipy')}"
    for m in matrices(sparse, rng):
        path = f"{folder}/a.npz"
        sparse.save_npz(path, m)
        expect_compressed("`.npz`: csr, csc", by, path, m)
    for shape in ((4,), (2, 3), (3, 2, 4), (2, 1, 3, 2)):
        dense = rng.integers(1, 9, shape) * (rng.random(shape) < 0.4)
        for dtype in ("float64", "int32", "uint16", "uint32", "uint64"):
            m = sparse.coo_array(dense.astype(dtype))
            sparse.save_npz(path, m, compressed=dtype != "int32")
            expect("`.npz`: coo of 1 to 4 dimensions", by, path, "coo", shape, indices=numpy.stack(m.coords), values=m.data)
            assert spw("convert", path, f"{folder}/back.npz").returncode == 0
            back = sparse.load_npz(f"{folder}/back.npz")
            assert back.shape == shape and numpy.array_equal(back.toarray(), dense)
    for dtype in ("float32", "complex64", "int8", "uint16"):
        for offsets in ([0], [-1, 2], [3, 0, -2, 9], [-9, -1]):
            data = rng.integers(0, 3, (len(offsets), 5)).astype(dtype)
            m = sparse.dia_array((data, offsets), shape=(4, 6))
            sparse.save_npz(path, m)
            coo = m.tocoo()
            order = [numpy.lexsort(coo.coords), numpy.lexsort(members(path)[2]["indices"])]
            layout, size, ours = members(path)
            assert layout == "coo" and size == [4, 6] and numpy.array_equal(ours["values"][order[1]], coo.data[order[0]])
            assert numpy.array_equal(ours["indices"][:, order[1]], numpy.stack(coo.coords)[:, order[0]])
            RESULTS.append(("`.npz`: dia, as coo in any order", by))
    numpy.savez(path, format=b"coo", shape=(3, 3), row=numpy.array([0, 2], "int64"), col=numpy.array([1, 0], "int32"), data=[1.5, 2])
    m = sparse.load_npz(path)
    expect("`.npz`: row and col of two types", by, path, "coo", (3, 3), indices=numpy.stack([m.row, m.col]), values=m.data)
    numpy.savez(path, format=b"coo", shape=(3, 3), row=[0], col=[1], data=numpy.array([2 ** 63], "uint64"))
    expect_refused(path, "needs type uint64")
    path = f"{folder}/a.mtx"
    for dtype in ("float64", "int64", "complex128"):
        dense = rng.integers(-9, 9, (3, 4)).astype(dtype)
        io.mmwrite(path, dense)
        expect("`.mtx`: array", by, path, "dense", None, values=dense)
        assert spw("convert", path, f"{folder}/back.mtx").returncode == 0
        assert numpy.array_equal(io.mmread(f"{folder}/back.mtx"), dense)


if __name__ == "__main__":
    missing = []
    for needed, run in ((("safetensors", "scipy"), with_safetensors), (("anndata", "scipy"), with_anndata), (("h5py", "scipy"), with_h5py),
                        (("binsparse", "h5py", "scipy"), with_binsparse), (("scipy",), with_scipy)):
        absent = [name for name in needed if not library(name)]
        if absent:
            missing.append(f"{run.__name__[5:]} (no {', '.join(absent)})")
            continue
        with tempfile.TemporaryDirectory() as place:
            run(place, numpy.random.default_rng(1))
    counts = {row: RESULTS.count(row) for row in RESULTS}
    if "--table" in sys.argv:
        print("| format | written by | read, same arrays |\n|---|---|---|")
        for (what, by), count in counts.items():
            print(f"| {what} | {by} | {count} of {count} |")
    else:
        print(f"files: {sum(counts.values())} files of {len(counts)} kinds have the same arrays" + (f"; not asked: {', '.join(missing)}" if missing else ""))
