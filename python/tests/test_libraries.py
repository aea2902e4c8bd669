# SPDX-License-Identifier: Apache-2.0
"""The package beside the libraries whose tensors it takes. torch may be missing; the others may not."""
import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest

import numpy
import scipy.sparse

import sparsewright as spw

HAS_TORCH = importlib.util.find_spec("torch") is not None
if HAS_TORCH:
    import torch
    import sparsewright.torch


def dense():
    made = numpy.random.default_rng(1).integers(-4, 5, (4, 6)).astype("float64")
    made[made > -1] = 0
    return made


def address(x):
    return x.__array_interface__["data"][0]


class SciPy(unittest.TestCase):
    def test_every_format(self):
        for form in ("csr", "csc", "bsr", "coo"):
            for maker in ("_array", "_matrix"):
                for kind in ("float32", "int64", "bool", "complex128"):
                    x = getattr(scipy.sparse, form + maker)(dense().astype(kind))
                    self.assertTrue(spw.check(x), (form, maker, kind))
                    numpy.testing.assert_array_equal(spw.convert(x, "dense", out="numpy"), x.toarray())
                    numpy.testing.assert_array_equal(spw.convert(x, "csr", out="scipy").toarray(), x.toarray())
        for form in ("dia", "lil", "dok"):
            with self.assertRaisesRegex(TypeError, "tocsr"):
                spw.check(getattr(scipy.sparse, form + "_array")(dense()))

    def test_coo_of_any_dimensions(self):
        for shape in ((24,), (4, 6), (2, 3, 4), (2, 2, 3, 2)):
            self.assertTrue(spw.check(scipy.sparse.coo_array(dense().reshape(shape))), shape)

    def test_files_that_scipy_and_numpy_read(self):
        import scipy.io
        with tempfile.TemporaryDirectory() as folder:
            for form in ("csr", "csc", "bsr", "coo"):
                for kind in ("float32", "int64", "bool", "complex128", "uint8"):
                    x = getattr(scipy.sparse, form + "_array")(abs(dense()).astype(kind))
                    for level in (None, 0, 9):
                        spw.write(folder + "/x.npz", x, level=level)
                        y = scipy.sparse.load_npz(folder + "/x.npz")
                        self.assertEqual((y.format, y.dtype, y.shape), (x.format, x.dtype, x.shape))
                        numpy.testing.assert_array_equal(y.toarray(), x.toarray())
            for kind in ("float64", "int64", "complex128"):
                x = scipy.sparse.coo_array(dense().astype(kind))
                spw.write(folder + "/x.mtx", x)
                numpy.testing.assert_array_equal(scipy.io.mmread(folder + "/x.mtx").toarray(), x.toarray())
            for array in (dense(), dense().T, dense().astype("complex64")[::2, 1:]):
                spw.write(folder + "/x.npy", array)
                numpy.testing.assert_array_equal(numpy.load(folder + "/x.npy"), array)

    @unittest.skipUnless(importlib.util.find_spec("safetensors"), "no safetensors")
    def test_files_that_safetensors_reads(self):
        import safetensors.numpy
        with tempfile.TemporaryDirectory() as folder:
            for kind in ("float32", "float16", "int8", "bool"):
                x = scipy.sparse.csr_array(dense().astype(kind if kind != "float16" else "float32"))
                values = x.data.astype(kind)
                spw.write(folder + "/x.safetensors", spw.csr(x.indptr, x.indices, values, x.shape))
                found = safetensors.numpy.load_file(folder + "/x.safetensors")
                self.assertEqual(sorted(found), ["col_indices", "crow_indices", "values"])
                for name, wanted in (("crow_indices", x.indptr), ("col_indices", x.indices), ("values", values)):
                    self.assertEqual(found[name].dtype, wanted.dtype)
                    numpy.testing.assert_array_equal(found[name], wanted)

    @unittest.skipUnless(importlib.util.find_spec("h5py"), "no h5py")
    def test_files_that_h5py_reads(self):
        import h5py
        with tempfile.TemporaryDirectory() as folder:
            x = scipy.sparse.csc_array(dense())
            try:
                spw.write(folder + "/x.bsp.h5", x)
            except spw.Refused as refused:
                return self.assertIn("libhdf5", str(refused))
            with h5py.File(folder + "/x.bsp.h5") as file:
                for name, wanted in (("pointers_to_1", x.indptr), ("indices_1", x.indices), ("values", x.data)):
                    numpy.testing.assert_array_equal(file[name][:], wanted)

    def test_a_broken_row_is_found(self):
        x = scipy.sparse.csr_array(dense())
        x.indices[x.indptr[2]] = 99
        (one,) = spw.check(x, "structure").violations
        self.assertEqual((one.rule, one.position, one.lhs), ("5.5", x.indptr[2], 99))
        self.assertIn("in row 2", one.sentence)

    def test_products(self):
        a = scipy.sparse.csr_array(dense())
        numpy.testing.assert_array_equal(spw.multiply(a, dense().T.copy(), out="numpy"), a.toarray() @ dense().T)
        numpy.testing.assert_array_equal(spw.multiply(a, a.T.tocsr(), out="scipy").toarray(), (a @ a.T).toarray())
        numpy.testing.assert_array_equal(spw.elementwise("add", a, a, out="scipy").toarray(), 2 * a.toarray())
        numpy.testing.assert_array_equal(spw.reduce("sum", a, each="column", out="numpy"), a.sum(axis=0))

    def test_results_are_views(self):
        made = spw.convert(scipy.sparse.csr_array(dense()), "csc")
        once, again = made.to("numpy"), made.to("scipy")
        self.assertEqual(address(once.values), address(again.data))

    def test_what_numpy_alone_has(self):
        x = scipy.sparse.csr_array(dense())
        x.data = x.data[::-1]
        with self.assertRaisesRegex(TypeError, "negative"):
            spw.check(x)
        big = scipy.sparse.csr_array(dense())
        big.data = big.data.astype(">f8")
        with self.assertRaisesRegex(TypeError, "format '>d'"):
            spw.check(big)


class Others(unittest.TestCase):
    def test_jax(self):
        import jax.experimental.sparse
        import jax.numpy
        x = jax.numpy.asarray(dense().astype("float32"))
        for maker in (jax.experimental.sparse.BCOO, jax.experimental.sparse.BCSR):
            made = maker.fromdense(x)
            self.assertTrue(spw.check(made))
            numpy.testing.assert_array_equal(spw.convert(made, "dense", out="numpy"), x)
        with self.assertRaisesRegex(TypeError, "n_batch=0"):
            spw.check(jax.experimental.sparse.BCOO.fromdense(x, n_batch=1))

    def test_pyarrow(self):
        import pyarrow
        for maker in (pyarrow.SparseCOOTensor, pyarrow.SparseCSRMatrix, pyarrow.SparseCSCMatrix):
            made = maker.from_dense_numpy(dense())
            self.assertTrue(spw.check(made), maker)
            numpy.testing.assert_array_equal(spw.convert(made, "dense", out="numpy"), dense())

    def test_pydata(self):
        import sparse
        for made in (sparse.COO.from_numpy(dense()), sparse.GCXS.from_numpy(dense()), sparse.GCXS.from_numpy(dense(), compressed_axes=(1,))):
            self.assertTrue(spw.check(made))
            numpy.testing.assert_array_equal(spw.convert(made, "dense", out="numpy"), dense())

    def test_h5py(self):
        import h5py
        with h5py.File("tests/cases/a.h5ad", "r") as file:
            self.assertTrue(spw.check(file["X"]))
            with self.assertRaises(TypeError):
                spw.check(file)


@unittest.skipUnless(HAS_TORCH, "torch is not installed")
class Torch(unittest.TestCase):
    def every(self):
        d = torch.from_numpy(dense())
        yield "coo", d.to_sparse()
        yield "uncoalesced", torch.sparse_coo_tensor(torch.tensor([[0, 0], [1, 1]]), torch.tensor([1.0, 2.0]), (2, 2))
        yield "hybrid", d.to_sparse(1)
        for name in ("csr", "csc"):
            yield name, getattr(d, "to_sparse_" + name)()
            yield name + " batched", getattr(torch.stack([d, d]), "to_sparse_" + name)()
        for name in ("bsr", "bsc"):
            yield name, getattr(d, "to_sparse_" + name)((2, 3))
        yield "requires_grad", d.to_sparse_csr().requires_grad_()
        yield "half", d.half().to_sparse_csr()
        yield "complex", d.to(torch.complex64).to_sparse_csr()

    def test_every_layout(self):
        for name, x in self.every():
            self.assertTrue(spw.check(x), name)
            self.assertTrue(torch.equal(spw.convert(x, "dense", out="torch"), x.to_dense().detach()), name)
            self.assertTrue(torch.equal(spw.convert(x, "coo", out="torch").to_dense(), x.to_dense().detach()), name)

    def test_2_to_4(self):
        from torch.sparse import SparseSemiStructuredTensorCUSPARSELT
        from torch.sparse import _semi_structured_conversions as theirs
        for dtype, seed in ((torch.float16, 1), (torch.bfloat16, 2), (torch.int8, 3), (torch.float32, 4)):
            torch.manual_seed(seed)
            x = (torch.randn(64, 128) * 40).to(dtype)
            x = spw.convert(spw.convert(x, "semi", prune_24="largest"), "dense", out="torch")
            packed, metadata = theirs.sparse_semi_structured_from_dense_cutlass(x)
            own = spw.convert(x, "semi", order="cutlass")
            self.assertTrue(torch.equal(torch.from_numpy(spw.Tensor("dense", None, None, None, own.metadata).to("numpy")), metadata), dtype)
            held = own.to("torch")
            self.assertTrue(torch.equal(held.packed, packed) and torch.equal(held.meta, metadata), dtype)
            self.assertTrue(spw.check(held))
            self.assertTrue(spw.check(spw.semi(packed, metadata)))
            self.assertTrue(torch.equal(spw.convert(held, "dense", out="torch"), x))
            metadata[1, 0] = 0
            self.assertEqual(spw.check(spw.semi(packed, metadata)).violations[0].rule, "7.4")
        x = spw.convert(x.to(torch.float8_e4m3fn), "semi", order="cutlass", prune_24="largest")
        self.assertEqual((x.dtype, x.to("torch").packed.dtype), ("float8_e4m3fn", torch.float8_e4m3fn))
        opaque = SparseSemiStructuredTensorCUSPARSELT(torch.Size((64, 128)), packed, None, None, None, None)
        for call in (lambda: spw.check(opaque), lambda: spw.convert(opaque, "dense"), lambda: spw.check(torch.zeros(2, 2))):
            with self.assertRaises(TypeError):
                call()
        with self.assertRaises(spw.Refused):
            spw.convert(torch.ones(32, 32), "semi")

    def test_bfloat16(self):
        x = torch.from_numpy(dense()).bfloat16().to_sparse_csr()
        made = spw.convert(x, "csc", out="torch")
        self.assertEqual((made.dtype, made.layout), (torch.bfloat16, torch.sparse_csc))
        self.assertTrue(torch.equal(made.to_dense(), x.to_dense()))
        with self.assertRaisesRegex(TypeError, "no bfloat16"):
            spw.convert(x, "csc", out="numpy")

    def test_negated_and_conjugated_views(self):
        values = torch.tensor([1 + 2j, 3 + 4j]).conj()
        place = torch.tensor([[0, 1], [0, 1]])
        negated = torch.sparse_coo_tensor(place, values.imag, (2, 2))
        self.assertTrue(values.imag.is_neg())
        self.assertEqual(spw.convert(negated, "dense", out="torch").tolist(), [[-2, 0], [0, -4]])
        self.assertEqual(spw.convert(torch.sparse_coo_tensor(place, values, (2, 2)), "dense", out="torch")[0, 0].item(), 1 - 2j)

    def test_products_with_torch(self):
        x = torch.from_numpy(dense())
        right = torch.ones(6, 2, dtype=torch.float64)
        self.assertTrue(torch.equal(spw.multiply(x.to_sparse_csr(), right, out="torch"), x @ right))

    def test_dense_tensors_are_told(self):
        with self.assertRaisesRegex(TypeError, "strided"):
            spw.check(torch.ones(2))

    def evil(self):
        file = tempfile.NamedTemporaryFile(suffix=".pt", delete=False)
        self.addCleanup(os.unlink, file.name)
        x = torch.sparse_csr_tensor(torch.tensor([0, 2, 0]), torch.tensor([], dtype=torch.int64), torch.tensor([]), (2, 2), check_invariants=False)
        torch.save({"state": [x]}, file)
        file.close()
        return file.name

    def test_load_refuses_what_ends_torch(self):
        path = self.evil()
        with self.assertRaisesRegex(spw.InvalidTensor, "state/0: 5.3") as caught:
            sparsewright.torch.load(path)
        self.assertEqual(caught.exception.report.violations[0].rule, "5.3")
        died = subprocess.run([sys.executable, "-c", "import sys, torch; torch.load(sys.argv[1], weights_only=True)", path],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        print("torch.load of %s ends with %d" % (torch.__version__, died.returncode))
        self.assertNotEqual(died.returncode, 0)

    def test_load_gives_what_torch_gives(self):
        for name, x in self.every():
            for legacy in (False, True):
                with tempfile.NamedTemporaryFile(suffix=".pt") as file:
                    torch.save({"a": [1, x]}, file.name, _use_new_zipfile_serialization=not legacy)
                    found = sparsewright.torch.load(file.name)["a"][1]
                    self.assertTrue(torch.equal(found.to_dense(), x.to_dense()), (name, legacy))
                    (read,) = spw.read(file.name).values()
                    self.assertTrue(torch.equal(spw.convert(read, "dense", out="torch"), x.to_dense().detach()), (name, legacy))

    def test_bfloat16_and_repeated_elements(self):
        with tempfile.NamedTemporaryFile(suffix=".pt") as file:
            x = torch.from_numpy(dense()).bfloat16().to_sparse_csr()
            torch.save(x, file.name)
            self.assertTrue(torch.equal(sparsewright.torch.load(file.name).to_dense(), x.to_dense()))
            many = torch.zeros(1, dtype=torch.int64).expand(1, 2 ** 30)
            torch.save(torch.sparse_coo_tensor(many, torch.zeros(1).expand(2 ** 30), (6,), check_invariants=False), file.name)
            with self.assertRaisesRegex(spw.FileError, "elements are stored as 1"):
                sparsewright.torch.load(file.name)

    def test_shared_and_strided_storages(self):
        values = torch.arange(12, dtype=torch.float32).reshape(3, 4).t()[1:, :]
        x = torch.sparse_coo_tensor(torch.tensor([[0, 1, 2], [2, 1, 0]]), values[0], (3, 3))
        with tempfile.NamedTemporaryFile(suffix=".pt") as file:
            torch.save([x, values], file.name)
            (read,) = spw.read(file.name).values()
            self.assertTrue(torch.equal(spw.convert(read, "dense", out="torch"), x.to_dense()))

    def test_guard(self):
        path, before = self.evil(), torch._validate_sparse_compressed_tensor_args
        with sparsewright.torch.guard():
            with sparsewright.torch.guard():
                with self.assertRaisesRegex(RuntimeError, "5.3"):
                    torch.load(path)
            self.assertIsNot(torch._validate_sparse_compressed_tensor_args, before)
        self.assertIs(torch._validate_sparse_compressed_tensor_args, before)


if __name__ == "__main__":
    unittest.main()
