# SPDX-License-Identifier: Apache-2.0
"""sparsewright.testing and the plugin of pytest, with NumPy, SciPy, Hypothesis and pytest."""
import os
import subprocess
import sys
import tempfile
import unittest

import numpy
import scipy.sparse
from hypothesis import given, settings

import sparsewright as spw
from sparsewright import testing

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(spw.__file__)))
RULES = ("3.8", "3.10", "5.1", "5.2", "5.3", "5.4", "5.5", "5.6", "6.2", "6.5", "6.6", "6.7")


def matrix(seed=1, shape=(20, 30)):
    return scipy.sparse.random_array(shape, density=0.2, format="csr", rng=seed)


class Same(unittest.TestCase):
    def test_layouts_and_index_types_may_differ(self):
        a = matrix()
        for other in (a.tocsc(), a.tocoo(), spw.convert(a, "coo", index="int64")):
            testing.assert_same(a, other)
        testing.assert_same(a, a.toarray())
        testing.assert_same(a, spw.convert(a, "bsr", blocksize=(2, 3)), as_dense=True)

    def test_the_first_difference_is_told(self):
        a, b = matrix(), matrix()
        row = int(numpy.flatnonzero(numpy.diff(a.indptr))[3])
        place, column = a.indptr[row], int(a.indices[a.indptr[row]])
        b.data[place] = -5
        found = testing.difference(a, b)
        self.assertEqual((found.kind, found.position, found.a, found.b), ("value", (row, column), a.data[place], -5.0))
        with self.assertRaisesRegex(AssertionError, r"differ at \[%d, %d\]: .* and -5.0" % (row, column)):
            testing.assert_same(a, b)
        self.assertEqual(str(testing.difference(a, a[:10])), "their sizes differ: 20x30 and 10x30")
        self.assertEqual(str(testing.difference(a, a.astype("float32"))), "their types differ: float64 and float32")

    def test_bits_count(self):
        zero, minus, none = (spw.csr([0, n], [0][:n], [v][:n], (1, 1)) for n, v in ((1, 0.0), (1, -0.0), (0, 0.0)))
        self.assertEqual(str(testing.difference(zero, minus)), "they differ at [0, 0]: 0.0 and -0.0")
        self.assertEqual(str(testing.difference(zero, none)), "they differ at [0, 0]: 0.0 and unspecified")
        self.assertIsNone(testing.difference(zero, none, as_dense=True))
        quiet, other = (spw.csr([0, 1], [0], numpy.array([bits], "uint64").view("float64"), (1, 1)) for bits in (0x7ff8 << 48, (0x7ff8 << 48) + 1))
        self.assertIn("(bits 7ff8000000000001)", str(testing.difference(quiet, other)))

    def test_every_type_of_value_is_read(self):
        for dtype in ("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64", "complex64", "complex128"):
            one, two = (spw.csr([0, 1], [0], numpy.array([n], dtype), (1, 1)) for n in (0, 1))
            found = testing.difference(one, two)
            self.assertEqual((found.a, found.b), (0, 1), dtype)

    def test_invalid_tensors_and_limits_are_refused(self):
        with self.assertRaises(spw.InvalidTensor):
            testing.difference(spw.csr([0, 2, 0], [], [], (2, 2)), spw.csr([0, 0, 0], [], [], (2, 2)))
        with self.assertRaises(MemoryError):
            testing.difference(matrix(), matrix(), limit=10)


class Products(unittest.TestCase):
    def test_right_in_any_order(self):
        a, x = matrix(), numpy.random.default_rng(0).standard_normal((30, 4))
        self.assertEqual(testing.assert_product(a @ x, a, x).verdict, "within the bound")
        self.assertEqual(testing.assert_product(a.toarray() @ x, a, x).numbers, 80)
        product = spw.multiply(a, a.T.tocsr())
        self.assertTrue(testing.judge_product(product, a, a.T.tocsr()))

    def test_a_wrong_number_is_found(self):
        a, x = matrix(), numpy.random.default_rng(0).standard_normal((30, 4))
        for change in (1 + 1e-12, numpy.nan, numpy.inf):
            y = a @ x
            y[3, 2] *= change
            judgement = testing.judge_product(y, a, x)
            self.assertEqual((bool(judgement), judgement.wrong, judgement.place), (False, 1, (0, 3, 2, 0)), change)
            with self.assertRaisesRegex(AssertionError, "1 of 80 numbers are wrong, first in batch 0, row 3, column 2"):
                testing.assert_product(y, a, x)
        with self.assertRaisesRegex(AssertionError, "wrong shape"):
            testing.assert_product((a @ x)[:5].copy(), a, x)

    def test_precision(self):
        a, x = matrix().astype("float32"), numpy.random.default_rng(0).standard_normal((30, 1)).astype("float32")
        halves = a.toarray().astype("float16").astype("float32") @ x.astype("float16").astype("float32")
        self.assertFalse(testing.judge_product(halves, a, x))
        self.assertTrue(testing.judge_product(halves, a, x, precision="bfloat16-in"))
        with self.assertRaisesRegex(ValueError, "'half' is no precision"):
            testing.judge_product(halves, a, x, precision="half")

    def test_integers_and_refusals(self):
        a = (matrix() * 10).astype("int64")
        x = numpy.arange(30).reshape(30, 1)
        self.assertEqual(testing.assert_product(a @ x, a, x).verdict, "exact")
        self.assertFalse(testing.judge_product(a @ x + 1, a, x))
        twice = spw.coo(numpy.zeros((2, 2), "int64"), [1.0, 2.0], (1, 1))
        with self.assertRaisesRegex(spw.Refused, "coalesce"):
            testing.judge_product(twice, twice, twice)


class Checked(unittest.TestCase):
    def test_what_a_function_returns(self):
        bad = matrix()
        bad.indices[0] = 99
        for result in (bad, [bad], {"a": (bad,)}):
            with self.assertRaisesRegex(AssertionError, "rule 5.5: plain_indices.0."):
                testing.checked(lambda: result)()
        self.assertEqual(testing.checked(level="shape")(lambda: (bad, 3, "x"))()[1], 3)


class Strategies(unittest.TestCase):
    @settings(max_examples=300, deadline=None)
    @given(testing.tensors())
    def test_valid_ones_are_valid(self, t):
        self.assertTrue(spw.check(t), spw.check(t))
        testing.assert_same(t, spw.convert(t, "dense"), as_dense=True)

    @settings(max_examples=60, deadline=None)
    @given(testing.tensors("csr", dtype="float32", index="int32", batch_dims=0, dense_dims=0, out="scipy"))
    def test_of_scipy(self, x):
        self.assertEqual((x.format, x.indices.dtype, x.dtype), ("csr", "int32", "float32"))

    def test_each_rule_is_broken_alone(self):
        for rule in RULES:
            @settings(max_examples=25, deadline=None)
            @given(testing.broken_tensors(rule=rule))
            def one(pair):
                self.assertEqual((pair[1], [v.rule for v in spw.check(pair[0]).violations]), ((rule,), [rule]))
            one()
        with self.assertRaisesRegex(ValueError, "'9.9'"):
            given(testing.broken_tensors(rule="9.9"))(lambda pair: None)()


class Plugin(unittest.TestCase):
    TESTS = ("import pytest, scipy.sparse as sp\n"
             "@pytest.fixture\ndef bad():\n    a = sp.eye_array(3, format='csr'); a.indices[0] = 99; return {'a': a}\n"
             "@pytest.fixture\ndef good(): return sp.eye_array(3, format='csr')\n"
             "def test_bad(bad): pass\ndef test_good(good): pass\n")

    def pytest(self, *options):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "test_fixtures.py"), "w", encoding="utf-8") as file:
                file.write(self.TESTS)
            done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "sparsewright.pytest_plugin", "-p", "no:cacheprovider",
                                   *options], cwd=folder, env={**os.environ, "PYTHONPATH": PACKAGE}, check=False, capture_output=True, text=True, timeout=600)
            return done.stdout + done.stderr

    def test_fixtures(self):
        self.assertIn("2 passed", self.pytest())
        said = self.pytest("--spw-check-sparse")
        self.assertIn("fixture bad: rule 5.5: plain_indices[0] in row 0: 99 is not below P = 3 columns", said)
        self.assertIn("1 passed, 1 error", said)

    @unittest.skipUnless(os.environ.get("SPW") and os.environ.get("SPW_ADAPTERS"), "needs SPW and SPW_ADAPTERS")
    def test_the_suite(self):
        adapters = os.environ["SPW_ADAPTERS"]
        said = self.pytest("--sparsewright", os.path.join(adapters, "ours_adapter"), "--sparsewright-run", "csr/5.3/fall-*", "-k", "library")
        self.assertRegex(said, r"\d+ passed")
        self.assertNotIn("failed", said)
        self.assertIn("did not start", self.pytest("--sparsewright", "/no/such/adapter"))


if __name__ == "__main__":
    unittest.main()
