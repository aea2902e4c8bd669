# SPDX-License-Identifier: Apache-2.0
"""Gradients beside those of dense arrays in PyTorch, and optimisers beside their worked numbers; without PyTorch, the numbers
alone."""
import os
import random
import subprocess
import sys
import unittest
from array import array

import sparsewright as spw

try:
    import torch
except ImportError:
    torch = None


def dense(numbers, shape):
    return memoryview(array("d", numbers)).cast("B").cast("d", shape)


def numbers(t):
    return list(memoryview(t.values).cast("B").cast("d"))


def matrix():
    """2 x 3, with elements at [0, 2] and [1, 0]."""
    return spw.csr([0, 1, 2], [2, 0], [5.0, 6.0], (2, 3))


class Gradients(unittest.TestCase):
    def test_products(self):
        a, x, g = matrix(), array("d", [1, 2, 3]), array("d", [10, 100])
        self.assertEqual(numbers(spw.gradient("matmul", (a, x), g)), [30, 100])
        self.assertEqual(numbers(spw.gradient("matmul", (a, x), g, wrt=1)), [600, 0, 50])
        self.assertEqual(numbers(spw.gradient("matmul", (a, x), g, scalar=2.0)), [60, 200])
        self.assertEqual(numbers(spw.gradient("matmul", (a, x), g, full=True)), [10, 20, 30, 100, 200, 300])
        self.assertEqual(spw.gradient("matmul", (a, x), g).layout, "csr")

    def test_batches(self):
        """Of one matrix, which two batches repeat."""
        a, x, g = matrix(), memoryview(bytes(array("d", [1, 2, 3, 4, 5, 6]))).cast("d", (2, 3, 1)), memoryview(
            bytes(array("d", [10, 100, 1, 2]))).cast("d", (2, 2, 1))
        self.assertEqual(numbers(spw.gradient("matmul", (a, x), g)), [30 + 6, 100 + 8])
        self.assertEqual(numbers(spw.gradient("matmul", (a, x), g, wrt=1)), [600, 0, 50, 12, 0, 5])

    def test_others(self):
        a, m = matrix(), dense([1, 2, 3, 4, 5, 6], (2, 3))
        self.assertEqual(numbers(spw.gradient("square", a, m)), [30, 48])
        self.assertEqual(numbers(spw.gradient("scale", a, m, scalar=2.0)), [6, 8])
        self.assertEqual(numbers(spw.gradient("scale", a, m, scalar=2.0, wrt=1)), [39])
        self.assertEqual(numbers(spw.gradient("sum", a, array("d", [10, 100]), dim=1)), [10, 100])
        self.assertEqual(numbers(spw.gradient("permute", a, dense(range(6), (3, 2)), dim=(1, 0))), [4, 1])
        self.assertEqual(numbers(spw.gradient("softmax", a, m)), [0, 0])
        self.assertEqual(numbers(spw.gradient("linear", (m, a, array("d", [0, 0])), dense([1, 1, 1, 1], (2, 2)), wrt=2)), [2, 2])
        lower = spw.csr([0, 1, 3], [0, 0, 1], [1.0, 2.0, 1.0], (2, 2))
        self.assertEqual(numbers(spw.gradient("solve_lower", (lower, array("d", [1, 2])), array("d", [3, 4]), wrt=1)), [-5, 4])
        try:
            self.assertEqual(numbers(spw.gradient("spsolve", (lower, array("d", [1, 2])), array("d", [3, 4]), wrt=1)), [-5, 4])
        except NotImplementedError:
            pass  # KLU is not installed

    def test_copies(self):
        t = spw.coo(memoryview(array("q", [5, 1, 5])).cast("B").cast("q", (1, 3)), [0.5, 2.0, 1.5], (8,), coalesced=False)
        g = array("d", range(8))
        self.assertEqual(numbers(spw.gradient("convert", t, g)), [1, 5])
        self.assertEqual(numbers(spw.gradient("convert", t, g, values=True)), [5, 1, 5])

    def test_refusals(self):
        with self.assertRaises(spw.Refused):
            spw.gradient("square", matrix(), array("d", [1, 2]))
        with self.assertRaises(spw.Refused):
            spw.gradient("angle", matrix(), matrix())
        for operation, operands in (("no such", matrix()), ("any", matrix()), ("matmul", (matrix(), matrix(), matrix()))):
            with self.assertRaises(spw.Refused):
                spw.gradient(operation, operands, matrix())
        with self.assertRaises(ValueError):
            spw.gradient("matmul", (), matrix())

    @unittest.skipUnless(torch, "PyTorch is not there")
    def test_autograd(self):
        """Of integers, what autograd has of the dense array where something is stored, in every layout."""
        draw = random.Random(1)
        for layout in ("coo", "csr", "csc", "bsr", "bsc"):
            for _ in range(20):
                x = torch.tensor([[draw.choice([0, 0, 1, -2, 3]) for _ in range(4)] for _ in range(6)], dtype=torch.float64)
                b, g = (torch.tensor([[draw.randrange(-3, 4) for _ in range(3)] for _ in range(n)], dtype=torch.float64) for n in (4, 6))
                sparse = spw.convert(x.numpy(), layout, blocksize=(2, 2) if layout[0] == "b" else None)
                stored = spw.convert(spw.fill_specified(sparse, 1.0), "dense", out="torch")
                for name, function, operands, upstream in (
                        ("matmul", lambda d: d @ b, (sparse, b), g), ("square", lambda d: d * d, sparse, x + 1),
                        ("sum", lambda d: d.sum(0), sparse, x[0] + 2), ("abs", abs, sparse, x + 1)):
                    d = x.clone().requires_grad_()
                    (function(d) * upstream).sum().backward()
                    made = spw.convert(spw.gradient(name, operands, upstream, dim=0 if name == "sum" else None), "dense", out="torch")
                    self.assertTrue(torch.equal(made, d.grad * stored), (name, layout))


class Optimisers(unittest.TestCase):
    """p = 0 (3, 2), lr 0.1, gradient rows {0: 2, 2: 4}."""

    def rows(self, make, steps, gradients=None):
        parameter = dense([0.0] * 6, (3, 2))
        optimiser = make(parameter)
        for i in range(steps):
            optimiser.step((gradients or [self.both()])[i % len(gradients or [0])])
        self.assertEqual(optimiser.steps, steps)
        flat = list(parameter.cast("B").cast("d"))
        self.assertEqual((flat[0], flat[2], flat[4]), (flat[1], 0, flat[5]))
        return flat[0], flat[4]

    def some(self, rows, values):
        both = [v for v in values for _ in range(2)]
        return spw.coo(memoryview(array("q", rows)).cast("B").cast("q", (1, len(rows))), dense(both, (len(rows), 2)), (3, 2),
                       coalesced=False)

    def both(self):
        return self.some([0, 2], [2.0, 4.0])

    def test_worked_numbers(self):
        for make, steps, wanted in (
                (lambda p: spw.SGD(p, 0.1), 1, (-0.2, -0.4)),
                (lambda p: spw.SGD(p, 0.1, 0.9), 2, (-0.5800000000000001, -1.1600000000000001)),
                (lambda p: spw.SGD(p, 0.1, maximize=True), 1, (0.2, 0.4)),
                (lambda p: spw.SparseAdam(p, 0.1), 1, (-0.09999998418861421, -0.09999999209430649)),
                (lambda p: spw.SparseAdam(p, 0.1), 2, (-0.19999997300547873, -0.1999999865027381)),
                (lambda p: spw.Adagrad(p, 0.1), 1, (-0.099999999995, -0.0999999999975)),
                (lambda p: spw.Adagrad(p, 0.1, lr_decay=0.1), 2, (-0.16428243464604977, -0.16428243464968614)),
                (lambda p: spw.Adagrad(p, 0.1, initial_accumulator_value=1), 1, (-0.0894427190959916, -0.09701425001218025))):
            self.assertEqual(self.rows(make, steps), wanted)
        apart = [self.some([0], [2.0]), self.some([2], [4.0])]
        self.assertEqual(self.rows(lambda p: spw.SparseAdam(p, 0.1), 2, apart), (-0.09999998418861421, -0.07441367647378054))

    def test_refusals(self):
        with self.assertRaisesRegex(spw.Refused, "lr"):
            spw.SGD(dense([0.0] * 6, (3, 2)), -1.0).step(self.both())
        with self.assertRaises(spw.Refused):
            spw.SGD(dense([0.0] * 4, (2, 2))).step(self.both())
        with self.assertRaises(TypeError):
            spw.SGD(bytes(48)).step(self.both())

    @unittest.skipUnless(torch, "PyTorch is not there")
    def test_torch_parameters(self):
        p, theirs = torch.zeros(3, 2, dtype=torch.float64), torch.zeros(3, 2, dtype=torch.float64, requires_grad=True)
        optimiser, other = spw.SparseAdam(p, 0.1), torch.optim.SparseAdam([theirs], 0.1)
        for _ in range(3):
            g = torch.sparse_coo_tensor([[0, 2]], [[2.0, 2.0], [4.0, 4.0]], (3, 2), dtype=torch.float64, check_invariants=True)
            theirs.grad = g
            optimiser.step(g)
            other.step()
        self.assertTrue(torch.allclose(p, theirs, rtol=0, atol=2 ** -50))


class Example(unittest.TestCase):
    def test_train(self):
        here = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "examples")
        run = subprocess.run([sys.executable, "-B", os.path.join(here, "train.py")], capture_output=True, text=True)
        self.assertEqual(run.stdout.split("\n"), ["w[7] = 1.000", "w[500] = 2.000", "w[90000] = 3.000", "w[999999] = 1.000", ""], run.stderr)


if __name__ == "__main__":
    unittest.main()
