# SPDX-License-Identifier: Apache-2.0
"""Worked numbers: for each place where the documentation of PyTorch 2.15.0 is wrong about operations, or its kernels are, what is
right, by this package alone; and beside it what PyTorch does, where it is there."""
import json
import math
import os
import signal
import subprocess
import sys
import tempfile
import unittest
import warnings
from array import array
from itertools import product

import sparsewright as spw

try:
    import torch
except ImportError:
    torch = None

SPW = os.path.abspath(os.environ.get("SPW", "build/spw"))
LAYOUTS = ("coo", "csr", "csc", "bsr", "bsc")
INF, NAN = math.inf, math.nan


def shaped(code, shape, numbers):
    return memoryview(array(code, numbers)).cast("B").cast(code, shape=shape)


def dense(shape, numbers):
    """A dense array of float64 of these numbers in row-major order, or of one number."""
    flat = numbers if isinstance(numbers, tuple) else [numbers] * math.prod(shape)
    return spw.Tensor("dense", shape, None, None, shaped("d", shape, map(float, flat)))


def coo(indices, elements, size):
    """indices: a list for each dimension."""
    return spw.coo(shaped("q", (len(size), len(elements)), [n for row in indices for n in row]), elements, size)


def matrix(layout="coo"):
    """0 2 / 3 5"""
    return spw.convert(coo([[0, 1, 1], [1, 0, 1]], [2.0, 3.0, 5.0], (2, 2)), layout, blocksize=(1, 1) if layout[0] == "b" else None)


def values(x):
    return memoryview(x.values).tolist()


def numbers(x):
    """The elements of the dense array that x means."""
    return values(x if x.layout == "dense" else spw.convert(x, "dense"))


def eye(n=2, layout="coo"):
    return spw.eye(n, layout=layout, dtype="float64", blocksize=(1, 1) if layout in ("bsr", "bsc") else None)


def one(value, dtype="float64"):
    """A vector of one element."""
    return spw.cast(coo([[0]], [value], (1,)), dtype)


def gradient(*arguments, upstream, operands):
    """What the command spw gradient gives, of files that it reads."""
    with tempfile.TemporaryDirectory() as folder:
        names = []
        for k, tensor in enumerate((upstream, *operands)):
            names.append(os.path.join(folder, f"{k}.npz" if getattr(tensor, "layout", "dense") != "dense" else f"{k}.npy"))
            spw.write(names[-1], tensor)
        out = os.path.join(folder, "out.spw.json")
        done = subprocess.run([SPW, "gradient", f"--upstream={names[0]}", "-o", out, *arguments, *names[1:]], capture_output=True, text=True)
        if done.returncode:
            raise spw.Refused(done.stderr)
        with open(out, encoding="ascii") as file:
            return json.load(file)


class Errata(unittest.TestCase):
    """What PyTorch's pages say about operations."""

    def same(self, found, wanted):
        self.assertEqual(numbers(found), wanted)

    def test_a_dense_matrix_times_coo(self):
        self.same(spw.matmul(dense((1, 2), 1), eye()), [[1.0, 1.0]])

    def test_a_product_has_a_gradient_of_the_layout_of_its_operand(self):
        for layout in ("coo", "csr", "csc"):
            found = gradient("multiply", upstream=dense((2, 2), 1), operands=(eye(2, layout), dense((2, 2), (1, 0, 0, 1))))
            self.assertEqual((found["layout"], found["values"]["data"]), (layout, [1, 1]))

    def test_a_dense_matrix_times_csr_has_one_too(self):
        found = gradient("multiply", "--wrt=1", upstream=dense((2, 2), 1), operands=(dense((2, 2), 1), eye(2, "csr")))
        self.assertEqual((found["layout"], found["values"]["data"]), ("csr", [2, 2]))

    def test_what_both_refuse_to_differentiate(self):
        for name in ("hspmm", "smm"):
            with self.assertRaises(spw.Refused):
                gradient(name, upstream=dense((2, 2), 1), operands=(eye(), dense((2, 2), 1)))

    def test_every_function_on_every_layout(self):
        for layout, name in product(LAYOUTS, ("angle", "deg2rad", "rad2deg", "frac", "relu", "erfinv", "nan_to_num", "positive",
                                              "square", "div_floor", "pow", "div")):
            scalar = (2,) if name in ("div_floor", "pow", "div") else ()
            found = spw.unary(name, spw.unary("neg", eye(2, layout)), *scalar)
            wanted = {"angle": math.pi, "deg2rad": -math.pi / 180, "rad2deg": -180 / math.pi, "frac": -0.0, "relu": 0.0, "erfinv": -INF,
                      "nan_to_num": -1.0, "positive": -1.0, "square": 1.0, "div_floor": -1.0, "pow": 1.0, "div": -0.5}[name]
            self.assertEqual(found.layout, layout)
            self.assertEqual({n for row in numbers(found) for n in row}, {0.0, wanted}, name)

    def test_a_sum_over_any_dimensions(self):
        x = coo([[0, 1], [0, 0]], [1.0, 2.0], (2, 2))
        self.same(spw.reduce("sum", x, dims=(0,)), [3.0, 0.0])
        self.same(spw.reduce("sum", x, dims=(1,)), [1.0, 2.0])
        self.same(spw.reduce("sum", x, dims=()), [[1.0, 0.0], [2.0, 0.0]])

    def test_constructors_are_valid(self):
        for layout in LAYOUTS:
            made = spw.zeros((2, 3), layout=layout, blocksize=(1, 1) if layout in ("bsr", "bsc") else None)
            self.assertTrue(spw.check(made))
            self.same(made, [[0.0] * 3] * 2)

    def test_stacks_of_every_layout(self):
        for layout in LAYOUTS:
            self.same(spw.hstack([eye(2, layout)] * 2), [[1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0]])
            self.same(spw.vstack([eye(2, layout)] * 2), [[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, 1.0]])
            self.same(spw.cat([eye(2, layout)] * 2, 1), [[1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0]])
            self.same(spw.index_select(eye(2, layout), 0, [1, 0]), [[0.0, 1.0], [1.0, 0.0]])
            self.same(spw.select(eye(2, layout), 0, 1), [0.0, 1.0])
        self.same(spw.dstack([eye(), eye()]), [[[1.0, 1.0], [0.0, 0.0]], [[0.0, 0.0], [1.0, 1.0]]])

    def test_any_of_what_cancels(self):
        x = coo([[0, 0]], [1.0, -1.0], (1,))
        self.assertEqual(numbers(spw.reduce("any", x, dims="all")), False)
        self.assertEqual(numbers(spw.reduce("is_nonzero", x, dims="all")), False)

    def test_norms(self):
        self.assertEqual(numbers(spw.reduce("norm2", coo([[0, 1]], [3.0, 4.0], (2,)), dims="all")), 5.0)
        self.assertEqual(numbers(spw.reduce("norm_inf", spw.zeros((2,), dtype="float64"), dims="all")), 0.0)

    def test_the_gradient_of_log1p_is_masked(self):
        found = gradient("log1p", upstream=dense((2, 2), 1), operands=(eye(),))
        self.assertEqual((found["layout"], found["values"]["data"]), ("coo", [0.5, 0.5]))

    def test_the_fill_of_softmax(self):
        for layout in LAYOUTS[:3]:
            x = spw.convert(coo([[0], [0]], [-INF], (2, 2)), layout)
            found = spw.softmax(x, 1)
            self.assertTrue(math.isnan(values(found)[0]))
            self.assertEqual((len(values(found)), found.layout), (1, layout))


class Signatures(unittest.TestCase):
    """The table of linear algebra, which lost its cells: an example for each row that computes, on every layout."""

    def setUp(self):
        self.b, self.v = dense((2, 2), (1, 2, 3, 4)), dense((2,), (1, 2))
        self.c = dense((2, 2), 10)

    def test_on_every_layout(self):
        for layout in LAYOUTS:
            a = matrix(layout)
            wanted = [[6.0, 8.0], [18.0, 26.0]]
            self.assertEqual(values(spw.matmul(a, self.v)), [4.0, 13.0], "mv")
            for name in ("matmul", "multiply"):
                self.assertEqual(values(getattr(spw, name)(a, self.b)), wanted, name)
            self.assertEqual(values(a @ self.b), wanted, "@")
            self.assertEqual(values(spw.matmul(self.b, a)), [[6.0, 12.0], [12.0, 26.0]], "dense times sparse")
            self.assertEqual(numbers(spw.smm(a, self.b)), wanted, "smm")
            self.assertEqual((spw.smm(a, self.b).layout, spw.hspmm(a, self.b).layout), ("coo", "coo"))
            self.assertEqual(values(spw.hspmm(a, self.b)), wanted, "hspmm")
            self.assertEqual(values(spw.addmm(self.c, a, self.b, alpha=2, beta=0.5)), [[17.0, 21.0], [41.0, 57.0]], "addmm")
            self.assertEqual(numbers(spw.sspaddmm(eye(2, "coo"), a, self.b, alpha=2, beta=3)), [[15.0, 16.0], [36.0, 55.0]], "sspaddmm")
            self.assertEqual(numbers(spw.sampled_addmm(a, self.b, self.b, alpha=1, beta=0)), [[0.0, 10.0], [15.0, 22.0]], "sampled_addmm")
            self.assertEqual(values(spw.linear(self.b, a, self.v)), [[5.0, 15.0], [9.0, 31.0]], "linear")

    def test_batches(self):
        a = coo([[0, 1], [0, 1], [1, 0]], [2.0, 3.0], (2, 2, 2))
        x = dense((2, 2, 1), (1, 2, 3, 4))
        self.assertEqual(values(spw.matmul(a, x)), [[[4.0], [0.0]], [[0.0], [9.0]]], "bmm")


class Defects(unittest.TestCase):
    """Where kernels of PyTorch go wrong."""

    def test_a_diagonal_that_is_not_stored(self):
        a = spw.csr([0, 1, 2, 4], [0, 0, 1, 2], [2.0, 1.0, 4.0, 5.0], (3, 3))
        with self.assertRaisesRegex(spw.Refused, "element 1 "):
            spw.triangular_solve(a, dense((3, 1), 1))

    def test_triangular_systems_in_batches(self):
        a = spw.csr(shaped("q", (2, 3), [0, 1, 3] * 2), shaped("q", (2, 3), [0, 0, 1] * 2), shaped("d", (2, 3), [2.0, 1, 4, 1, 1, 1]), (2, 2, 2))
        self.assertEqual(values(spw.triangular_solve(a, dense((2, 2, 1), (2, 5, 1, 1)))), [[[1.0], [1.0]], [[1.0], [0.0]]])

    def test_resize(self):
        x = coo([[0, 1], [1, 2]], [5.0, 7.0], (2, 3))
        for layout in ("coo", "csr", "csc"):
            grown = spw.resize(spw.convert(x, layout), (3, 4))
            self.assertTrue(spw.check(grown))
            self.assertEqual(numbers(grown), [[0.0, 5.0, 0.0, 0.0], [0.0, 0.0, 7.0, 0.0], [0.0] * 4])
        blocks = spw.resize(eye(2, "bsr"), (3, 2))
        self.assertTrue(spw.check(blocks))
        self.assertEqual(numbers(blocks), [[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
        hybrid = spw.convert(dense((2, 3, 2), (1, 2, 0, 0, 3, 4, 0, 0, 5, 6, 0, 0)), "csr", dense_dims=1)
        self.assertEqual(values(spw.resize(hybrid, (3, 4, 2))), [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
        with self.assertRaises(spw.Refused):
            spw.resize(hybrid, (3, 4))

    def test_the_least_integer_by_minus_one(self):
        least = one(-2 ** 63, "int64")
        self.assertEqual(values(spw.unary("div_trunc", least, -1)), [-2 ** 63])
        self.assertEqual(values(spw.unary("div_floor", least, -1)), [-2 ** 63])

    def test_quotients_are_rounded_after_the_exact_one(self):
        self.assertEqual(values(spw.unary("div_trunc", one(1.0), 0.1)), [9.0])
        self.assertEqual(values(spw.unary("div_floor", one(1.0), 0.1)), [9.0])
        self.assertEqual(values(spw.unary("div_floor", one(INF), 2)), [INF])

    def test_log_softmax_of_large_numbers(self):
        found = values(spw.softmax(coo([[0, 0], [0, 1]], [1e30, 1e30], (1, 2)), 1, log=True))
        self.assertEqual(found, [-math.log(2), -math.log(2)])
        self.assertEqual(values(spw.softmax(coo([[0], [0]], [-0.0], (1, 2)), 1, log=True)), [0.0])
        self.assertEqual(math.copysign(1, values(spw.softmax(coo([[0], [0]], [-0.0], (1, 2)), 1, log=True))[0]), 1.0)

    def test_the_size_of_a_tensor_costs_softmax_nothing(self):
        self.assertEqual(values(spw.softmax(coo([[10 ** 11 - 1], [1]], [3.0], (10 ** 11, 2)), 1, limit=1 << 20)), [1.0])

    def test_a_factor_of_0_reads_nothing(self):
        nan, inf = dense((2, 2), NAN), dense((2, 2), INF)
        x = coo([[0], [1]], [NAN], (2, 2))
        y = coo([[0], [1]], [3.0], (2, 2))
        self.assertEqual(values(spw.sampled_addmm(x, dense((2, 1), 1), dense((1, 2), 2), beta=0)), [2.0])
        self.assertEqual(values(spw.sampled_addmm(y, inf, inf, alpha=0)), [3.0])
        self.assertEqual(numbers(spw.sspaddmm(x, eye(), dense((2, 2), 2), beta=0)), [[2.0, 2.0], [2.0, 2.0]])
        self.assertEqual(values(spw.sspaddmm(y, eye(), inf, alpha=0)), [3.0])
        self.assertEqual(values(spw.addmm(nan, eye(), dense((2, 2), 2), beta=0)), [[2.0, 2.0], [2.0, 2.0]])
        self.assertEqual(values(spw.addmm(dense((2, 2), 1), eye(), inf, alpha=0)), [[1.0, 1.0], [1.0, 1.0]])

    def test_square_roots_are_the_nearest(self):
        self.assertEqual(values(spw.unary("sqrt", one(331719808.0, "float32"))), [18213.177734375])

    def test_half_precision(self):
        small = values(spw.cast(spw.unary("erf", one(1e-30, "bfloat16")), "float64"))[0]
        exact = 2 / math.sqrt(math.pi) * values(spw.cast(one(1e-30, "bfloat16"), "float64"))[0]
        self.assertLessEqual(abs(small - exact), exact * 2 ** -9)
        least = values(spw.cast(spw.unary("sinh", one(-89.0, "bfloat16")), "float64"))[0]
        self.assertAlmostEqual(least / -2.246e38, 1, 2)
        x = spw.cast(coo([[0, 1, 2]], [2048.0, 1.0, 1.0], (3,)), "float16")
        self.assertEqual(numbers(spw.reduce("sum", x, dims="all", dtype="float32")), 2050.0)
        self.assertEqual(spw.reduce("sum", x, dims="all").dtype, "float16")

    def test_an_empty_sum_that_keeps_its_dimensions(self):
        self.assertEqual(values(spw.reduce("sum", spw.csr([0, 0, 0], [], [], (2, 3)), dims=(0, 1), keepdim=True)), [[0.0]])

    def test_one_value_gives_one_result(self):
        for name, value, dtype, wanted in (("atanh", 0.012671335600316525, "float32", 0.012672013603150845), ("sinh", 0.7, "float64", None)):
            for count in (17, 33):
                x = spw.cast(coo([list(range(count))], [value] * count, (count,)), dtype)
                found = set(values(spw.unary(name, x)))
                self.assertEqual(len(found), 1)
                if wanted is not None:
                    self.assertEqual(found, {wanted})

    def test_norms_do_not_overflow_on_the_way(self):
        self.assertEqual(values(spw.reduce("norm2", spw.cast(coo([[0, 1]], [3e30, 4e30], (2,)), "float32"), dims="all")),
                         values(spw.cast(one(5e30), "float32"))[0])
        self.assertEqual(values(spw.reduce("norm2", coo([[0, 1]], [3e-200, 4e-200], (2,)), dims="all")), 5e-200)

    def test_sums_keep_their_type_unless_asked(self):
        x = spw.cast(coo([[0, 1]], [100.0, 100.0], (2,)), "int8")
        self.assertEqual(values(spw.reduce("sum", x, dims="all")), -56)
        self.assertEqual(values(spw.reduce("sum", x, dims="all", dtype="int64")), 200)

    def test_powers(self):
        self.assertEqual(math.copysign(1, values(spw.unary("pow", one(-0.0), 0.5))[0]), 1.0)
        for exponent in (0, -1, NAN):
            with self.assertRaises(spw.Refused):
                spw.unary("pow", one(2.0), exponent)


@unittest.skipUnless(torch and torch.__version__.startswith("2.15.0"), "PyTorch 2.15.0 is not there")
class OfPyTorch(unittest.TestCase):
    """What the classes above say of PyTorch 2.15.0 is still so, word by word."""

    def setUp(self):
        warnings.simplefilter("ignore")
        self.e = torch.eye(2)

    def ends(self, code):
        """How a process ends that runs this; None: by itself."""
        done = subprocess.run([sys.executable, "-W", "ignore", "-c", "import torch; T = torch; e = T.eye(2); " + code],
                              capture_output=True, check=False)
        return signal.Signals(-done.returncode).name if done.returncode < 0 else None

    def raises(self, text, call):
        with self.assertRaisesRegex(RuntimeError, text):
            call()

    def learning(self, layout=None):
        x = self.e.to_sparse(layout=layout) if layout else self.e.to_sparse()
        return x.requires_grad_()

    def test_pages(self):
        e = self.e
        self.assertEqual((torch.ones(1, 2) @ e.to_sparse()).tolist(), [[1, 1]])
        x = self.learning()
        torch.mm(x, e).sum().backward()
        self.assertEqual(x.grad.layout, torch.strided)
        self.raises("", lambda: torch.sparse.mm(self.learning(torch.sparse_csc), e).sum().backward())
        self.raises("", lambda: torch.hspmm(e.to_sparse(), e.clone().requires_grad_()).to_dense().sum().backward())
        self.raises("", lambda: torch.angle(e.to_sparse()))
        self.assertEqual(torch.relu(e.to_sparse_csr()).to_dense().tolist(), e.tolist())
        self.assertEqual(torch.sparse.sum(e.to_sparse(), 0).to_dense().tolist(), [1, 1])
        self.assertEqual(torch.sparse.sum(e.to_sparse(), ()).to_dense().tolist(), e.tolist())
        self.raises("", lambda: torch.hstack([e.to_sparse_csr()] * 2))
        x = torch.sparse_coo_tensor([[0, 0]], [1.0, -1.0], (1,))
        self.assertEqual((x.any().item(), torch.is_nonzero(x)), (True, False))
        self.raises("", lambda: self.learning().norm().backward())
        torch.sparse.sum(self.learning().log1p()).backward()
        self.raises("layout", lambda: e.to_sparse_csr() ** 2)
        found = torch.sparse.softmax(torch.sparse_coo_tensor([[0], [0]], [-INF], (2, 2)), 1)
        self.assertTrue(math.isnan(found.coalesce().values().item()) and found._nnz() == 1)
        with self.assertRaisesRegex(ValueError, "smaller than 3 x"):
            torch.lobpcg(torch.eye(5).to_sparse(), k=2)
        self.assertEqual(torch.pca_lowrank(torch.eye(8).to_sparse_csr(), q=2, center=False)[1].shape, (2,))
        ones = torch.ones(2, 3, layout=torch.sparse_csr)
        self.assertNotEqual(ones.crow_indices().tolist(), [0, 3, 6])
        self.raises("", lambda: torch.sparse.spsolve(e.to_sparse_csr(), torch.ones(2)))

    def test_kernels(self):
        a = torch.sparse_csr_tensor([0, 1, 2, 4], [0, 0, 1, 2], [2.0, 1.0, 4.0, 5.0], (3, 3))
        found = torch.triangular_solve(torch.ones(3, 1), a, upper=False)[0]
        self.assertEqual(found[1].item(), 0.125)    # by the first element of the next row
        both = torch.stack([e := self.e, e]).to_sparse_csr()
        self.assertNotEqual(torch.triangular_solve(torch.ones(2, 2, 1), both, upper=False)[0].flatten().tolist(), [1, 1, 1, 1])
        self.assertEqual(self.ends("T.sparse_coo_tensor([[0]], [-2**63], (1,)).div(-1, rounding_mode='trunc')"), "SIGFPE")
        row = torch.sparse_coo_tensor([[0, 0], [0, 1]], [1e30, 1e30], (1, 2))
        self.assertEqual(torch.sparse.log_softmax(row, 1).to_dense().tolist(), [[0, 0]])
        self.raises("bad_alloc", lambda: torch.sparse.softmax(torch.sparse_coo_tensor([[10 ** 11 - 1], [1]], [3.0], (10 ** 11, 2)), 1))
        self.assertEqual(torch.sparse_coo_tensor([[0]], [331719808.0], (1,)).sqrt().to_dense().item(), 18213.17578125)
        self.assertEqual(torch.erf(torch.tensor([1e-30], dtype=torch.bfloat16)).item(), 0)
        self.assertEqual(torch.sinh(torch.full((64,), -89.0, dtype=torch.bfloat16))[0].item(), -INF)
        self.assertEqual(len(torch.atanh(torch.full((33,), 0.012671335600316525)).unique()), 2)
        nan, two = torch.sparse_csr_tensor([0, 1, 1], [1], [NAN], (2, 2)), torch.full((2, 2), 2.0)
        self.assertTrue(torch.sparse.sampled_addmm(nan, two, two, beta=0).values().isnan().all())
        self.assertTrue(torch.sspaddmm(nan.to_sparse_coo(), self.e.to_sparse(), two, beta=0).to_dense()[0, 1].isnan())
        left = torch.ones(2, 2, requires_grad=True)
        self.raises("layouts", lambda: torch.sparse.mm(left, self.learning(torch.sparse_csr)).sum().backward())
        empty = torch.sparse_csr_tensor([0, 0, 0], torch.empty(0, dtype=torch.int64), torch.empty(0), (2, 3))
        self.assertEqual(empty.sum((0, 1), keepdim=True).values().dim(), 0)
        x = torch.sparse_coo_tensor([[0, 1]], [3e30, 4e30], (2,))
        self.assertEqual(torch.norm(x).item(), INF)
        self.assertEqual(torch.sparse_coo_tensor([[0]], [-0.0], (1,)).pow(0.5).to_dense().item(), 0)

    def test_resize(self):
        x = torch.tensor([[0, 5.0, 0], [0, 0, 7]]).to_sparse_csc()
        x.resize_(3, 4)
        self.assertEqual(len(x.ccol_indices()), 4)  # of four columns


if __name__ == "__main__":
    unittest.main()
