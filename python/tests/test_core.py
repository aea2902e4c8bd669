# SPDX-License-Identifier: Apache-2.0
"""The package by itself: no other library is there, or needed."""
import gc
import json
import os
import struct
import subprocess
import sys
import tempfile
import threading
import tracemalloc
import unittest
from array import array

import sparsewright as spw

CASES = os.environ.get("SPW_CASES", "tests/cases")
EXAMPLES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(CASES))), "examples")
OFFSETS = spw.csr([0, 2, 0], [], [], (2, 2))


def small(crow=(0, 1, 3), col=(2, 0, 1), values=(1.5, -2.0, 4.0), size=(2, 3)):
    return spw.csr(list(crow), list(col), list(values), size)


class Check(unittest.TestCase):
    def test_a_valid_tensor_is_true(self):
        report = spw.check(small())
        self.assertTrue(report)
        self.assertEqual(report.violations, ())
        self.assertIs(report.raise_if_invalid(), report)
        self.assertIn("valid", repr(report))
        self.assertIn("valid", report._repr_html_())

    def test_a_violation_has_its_place_and_numbers(self):
        report = spw.check(OFFSETS)
        self.assertFalse(report)
        (one,) = report.violations
        self.assertEqual((one.rule, one.array, one.batch, one.position, one.lhs, one.rhs, one.count),
                         ("5.3", "compressed_indices", 0, 2, -2, 0, 1))
        self.assertEqual(one.sentence, "compressed_indices[2]: 0 - 2 = -2 is below 0")
        self.assertIn("5.3", repr(report))
        self.assertIn("<td>5.3</td>", report._repr_html_())
        with self.assertRaises(spw.InvalidTensor) as caught:
            report.raise_if_invalid()
        self.assertIs(caught.exception.report, report)
        self.assertIn("5.3", str(caught.exception))

    def test_levels_include_those_before(self):
        unsorted = small(col=(2, 1, 0))
        self.assertFalse(spw.check(unsorted))
        self.assertTrue(spw.check(unsorted, "structure"))
        self.assertTrue(spw.check(unsorted, level="shape"))
        with self.assertRaisesRegex(ValueError, "not 'other'"):
            spw.check(unsorted, "other")
        self.assertTrue(spw.check(level="structure", x=unsorted))
        for arguments, named in (((), {}), ((unsorted, "shape", 1), {}), ((unsorted,), {"x": unsorted}), ((unsorted,), {"lvl": "shape"})):
            with self.assertRaises(TypeError):
                spw.check(*arguments, **named)
        with self.assertRaises(ValueError):
            spw.check(unsorted, 3)

    def test_every_layout(self):
        index = memoryview(bytes(16)).cast("q", (2, 1))
        self.assertTrue(spw.check(spw.coo(index, [1.0], (3, 3), coalesced=True)))
        blocks = memoryview(bytes(8 * 6)).cast("d", (1, 2, 3))
        self.assertTrue(spw.check(spw.bsr([0, 1], [0], blocks, (2, 3))))
        self.assertTrue(spw.check(spw.bsc([0, 1], [0], blocks, (2, 3))))
        self.assertTrue(spw.check(spw.csc([0, 1, 1], [0], [1.0], (3, 2))))
        batches = memoryview(array("i", [0, 1, 0, 1])).cast("B").cast("i", (2, 2))
        plain = memoryview(array("i", [0, 0])).cast("B").cast("i", (2, 1))
        values = memoryview(array("f", [1, 2])).cast("B").cast("f", (2, 1))
        self.assertTrue(spw.check(spw.Tensor("csr", (2, 1, 1), batches, plain, values)))
        self.assertTrue(spw.check(spw.csr([0, 1], [0], [1.0])))

    def test_what_is_no_tensor(self):
        for x in (None, 1, "csr", [1], object(), spw.Tensor("dia", (1, 1), None, [0], [0])):
            with self.assertRaises((TypeError, ValueError)):
                spw.check(x)
        with self.assertRaises(TypeError):
            spw.check(spw.Tensor("dense", (1,), None, None, array("d", [1])))

    def test_hostile_objects_raise(self):
        class Lies:
            """A tensor whose members are of any type."""
            layout, size, compressed, plain, values, coalesced = "csr", (2, 2), None, None, None, None
        tries = [("csr", "x", array("q", [0]), array("q"), array("d")), ("csr", (2, "x"), array("q", [0]), array("q"), array("d")),
                 ("csr", (2 ** 70, 1), array("q", [0]), array("q"), array("d")), ("csr", tuple(range(65)), array("q"), array("q"), array("d")),
                 ("csr", (2, 2), None, array("q"), array("d")), ("csr", (2, 2), "abc", array("q"), array("d")),
                 ("csr", (2, 2), memoryview(array("q", [0, 1, 2]))[::-1], array("q"), array("d")), ("csr", (2, 2), array("u"), array("q"), array("d")),
                 (7, (2, 2), array("q"), array("q"), array("d")), (None, (2, 2), array("q"), array("q"), array("d"))]
        for layout, size, compressed, plain, values in tries:
            x = spw.csr([], [], [])
            x.layout, x.size, x.compressed, x.plain, x.values = layout, size, compressed, plain, values
            with self.assertRaises((TypeError, ValueError, OverflowError), msg=str((layout, size))):
                spw.check(x)
        with self.assertRaises(TypeError):
            spw.check(Lies())

    def test_types_that_are_none_of_the_twelve(self):
        for code in "HILQ":
            with self.assertRaisesRegex(TypeError, "twelve"):
                spw.check(spw.csr(array("q", [0, 0]), array("q"), array(code), (1, 1)))
        report = spw.check(spw.csr(array("h", [0, 0]), array("h"), array("d"), (1, 1)))
        self.assertEqual(report.violations[0].rule, "1.3")


class Operations(unittest.TestCase):
    def test_convert_and_back(self):
        for layout in ("coo", "csc", "csr", "dense"):
            made = spw.convert(small(), layout)
            self.assertEqual(made.layout, layout)
            back = spw.convert(made, "csr", index="int64")
            self.assertEqual([list(memoryview(a)) for a in (back.compressed, back.plain, back.values)], [[0, 1, 3], [2, 0, 1], [1.5, -2.0, 4.0]])
        blocks = spw.convert(small(), "bsr", blocksize=(2, 3))
        self.assertEqual(memoryview(blocks.values).tolist(), [[[0, 0, 1.5], [-2.0, 4.0, 0]]])
        self.assertEqual((blocks.size, blocks.dtype), ((2, 3), "float64"))

    def test_refusals_say_the_numbers(self):
        with self.assertRaisesRegex(spw.Refused, "3, which is no multiple of the block size 2"):
            spw.convert(small(), "bsr", blocksize=(2, 2))
        with self.assertRaisesRegex(spw.InvalidTensor, "below 0"):
            spw.convert(OFFSETS, "coo")
        for wrong in ({"layout": "dia"}, {"layout": "csr", "index": "x"}, {"layout": "csr", "duplicates": "x"}):
            with self.assertRaises(ValueError):
                spw.convert(small(), **wrong)
        with self.assertRaises(MemoryError):
            spw.convert(small(), "coo", limit=1)
        with self.assertRaisesRegex(ValueError, "out is"):
            spw.convert(small(), "coo", out="x")

    def test_products(self):
        dense = memoryview(array("d", [1, 2, 3])).cast("B").cast("d", (3, 1))
        right = spw.Tensor("dense", (3, 1), None, None, dense)
        self.assertEqual(memoryview(spw.multiply(small(), right).values).tolist(), [[4.5], [6.0]])
        self.assertEqual(memoryview((small() @ right).values).tolist(), [[4.5], [6.0]])
        square = spw.multiply(spw.convert(small(), "csr"), small(crow=(0, 1, 1, 1), col=(0,), values=(2.0,), size=(3, 1)))
        self.assertEqual((square.layout, memoryview(square.values).tolist()), ("csr", [-4.0]))
        with self.assertRaises(spw.Refused):
            spw.multiply(small(), small())

    def test_elements_and_reductions(self):
        self.assertEqual(memoryview(spw.elementwise("add", small(), small()).values).tolist(), [3.0, -4.0, 8.0])
        self.assertEqual(memoryview(spw.elementwise("subtract", small(), small()).values).tolist(), [0.0, 0.0, 0.0])
        self.assertEqual(memoryview(spw.elementwise("multiply", small(), small()).values).tolist(), [2.25, 4.0, 16.0])
        self.assertEqual(memoryview(spw.reduce("sum", small()).values).tolist(), [1.5, 2.0])
        self.assertEqual(memoryview(spw.reduce("amax", small(), each="matrix").values).tolist(), 4.0)
        self.assertEqual(memoryview(spw.reduce("max", small()).values).tolist(), [1.5, 4.0])
        self.assertEqual(memoryview(spw.reduce("sum", small(), dims="all").values).tolist(), 3.5)
        self.assertEqual(memoryview(spw.reduce("all", small(), each="column").values).tolist(), [False, False, False])
        self.assertEqual(memoryview(spw.reduce("norm2", small(values=(3.0, 3 * 2.0**600, 4 * 2.0**600))).values).tolist(), [3.0, 5 * 2.0**600])
        columns = spw.reduce("sum", spw.convert(small(), "coo"), dims=[0], keepdim=True)
        self.assertEqual((columns.layout, columns.size), ("coo", (1, 3)))
        self.assertEqual(spw.reduce("sum", small(), dims=[1], sparse=True).layout, "coo")
        self.assertEqual(spw.reduce("sum", small(), dims=[]).layout, "csr")
        self.assertEqual(memoryview(spw.softmax(small(values=(1.5, 2.0, 2.0))).values).tolist(), [1.0, 0.5, 0.5])
        self.assertEqual(memoryview(spw.softmax(small(), 0, log=True).values).tolist(), [0.0, 0.0, 0.0])
        self.assertEqual(memoryview(spw.reduce("argmax", small()).values).tolist(), [2, 1])
        self.assertEqual(memoryview(spw.reduce("argmin", small()).values).tolist(), [0, 0])
        self.assertEqual(memoryview(spw.nonzero(small(values=(1.5, 0.0, 4.0))).values).tolist(), [[0, 2], [1, 1]])
        one = spw.convert(small(crow=(0, 1), col=(0,), values=(2.0,), size=(1, 1)), "coo")
        self.assertTrue(memoryview(spw.reduce("is_nonzero", one, dims="all").values)[()])
        with self.assertRaisesRegex(spw.Refused, "has 6 positions, and would need 1"):
            spw.reduce("is_nonzero", small(), dims="all")
        with self.assertRaisesRegex(spw.Refused, "no dimension 2"):
            spw.softmax(small(), 2)
        with self.assertRaisesRegex(spw.Refused, "no dimension 5"):
            spw.reduce("sum", small(), dims=[5])
        with self.assertRaisesRegex(ValueError, "two answers"):
            spw.reduce("sum", small(), dims=[0], each="row")
        with self.assertRaises(TypeError):
            spw.reduce("sum", small(), dims=["x"])
        for call in (lambda: spw.elementwise("x", small(), small()), lambda: spw.reduce("x", small()), lambda: spw.reduce("sum", small(), each="x")):
            with self.assertRaises(ValueError):
                call()

    def test_triangular_systems(self):
        triangle = small(crow=(0, 2, 4), col=(0, 1, 0, 1), values=(2.0, 9.0, 1.0, 4.0), size=(2, 2))
        right = spw.Tensor("dense", (2,), None, None, memoryview(array("d", [2, 5])))
        self.assertEqual(memoryview(spw.triangular_solve(triangle, right).values).tolist(), [1.0, 1.0])
        self.assertEqual(memoryview(spw.triangular_solve(triangle, right, upper=True).values).tolist(), [-4.625, 1.25])
        self.assertEqual(memoryview(spw.triangular_solve(triangle, right, transpose=True, unit=True).values).tolist(), [-3.0, 5.0])
        with self.assertRaisesRegex(spw.Refused, "diagonal element 1 of the matrix is not stored"):
            spw.triangular_solve(small(crow=(0, 1, 1), col=(0,), values=(2.0,), size=(2, 2)), right)
        with self.assertRaisesRegex(TypeError, "a sparse tensor is needed"):
            spw.triangular_solve(right, right)
        with self.assertRaisesRegex(ValueError, "the right side dense"):
            spw.triangular_solve(triangle, triangle)
        with self.assertRaisesRegex(ValueError, "two answers"):
            spw.triangular_solve(triangle, right, transpose=True, adjoint=True)

    def test_general_systems(self):
        matrix = small(crow=(0, 2, 4), col=(0, 1, 0, 1), values=(2.0, 9.0, 1.0, 4.0), size=(2, 2))
        right = spw.Tensor("dense", (2,), None, None, memoryview(array("d", [2, 5])))
        with self.assertRaisesRegex(ValueError, "the right side dense"):
            spw.spsolve(matrix, matrix)
        try:
            found = spw.spsolve(matrix, right)
        except NotImplementedError as error:
            return self.assertIn("KLU is not installed", str(error))
        self.assertEqual(memoryview(found.values).tolist(), [37.0, -8.0])
        with self.assertRaisesRegex(spw.Refused, "the matrix is singular whatever its values are: its rank is at most 1"):
            spw.spsolve(small(crow=(0, 1, 1), col=(0,), values=(2.0,), size=(2, 2)), right)
        with self.assertRaisesRegex(spw.Refused, "dimension 0 of the right side is 2 and would need to be 3"):
            spw.spsolve(small(crow=(0, 1, 1, 1), col=(0,), values=(2.0,), size=(3, 3)), right)

    def test_functions_and_casts(self):
        def values(made):
            return memoryview(made.values).tolist()
        self.assertEqual(values(spw.unary("neg", small())), [-1.5, 2.0, -4.0])
        self.assertEqual(values(spw.unary("pow", small(), 2)), [2.25, 4.0, 16.0])
        self.assertEqual(values(spw.unary("floor_divide", small(), 0.1)), [14.0, -20.0, 39.0])
        self.assertEqual(values(spw.unary("nan_to_num", small(values=(float("nan"), float("inf"), 1.0)), nan=7, posinf=8.5)), [7.0, 8.5, 1.0])
        self.assertEqual(values(spw.unary("exp_specified", small(values=(0.0, 0.0, 0.0)))), [1.0, 1.0, 1.0])
        self.assertEqual(values(spw.cast(small(), "int8")), [1, -2, 4])
        self.assertEqual(spw.cast(small(), "bool").dtype, "bool")
        self.assertIn("erfinv", spw.functions())
        self.assertNotIn("cos", spw.functions())
        for name in spw.functions():
            spw.unary(name, small(), 2 if name.startswith(("pow", "div")) else None)
        with self.assertRaisesRegex(spw.Refused, "cos of 0 is 1"):
            spw.unary("cos", small())
        with self.assertRaisesRegex(spw.Refused, "exponent above 0"):
            spw.unary("pow", small(), -1)
        with self.assertRaisesRegex(spw.Refused, r"300 at position \(0, 2\) has no place in uint8"):
            spw.cast(small(values=(300.0, 1.0, 1.0)), "uint8")
        with self.assertRaisesRegex(ValueError, "'sine' is no function"):
            spw.unary("sine", small())
        with self.assertRaises(ValueError):
            spw.cast(small(), "float8")
        with self.assertRaises(TypeError):
            spw.unary("pow", small(), "2")
        with self.assertRaisesRegex(spw.Refused, "no place in int8"):
            spw.unary("pow", spw.cast(small(), "int8"), 1000)

    def test_results_keep_their_memory(self):
        arrays = []
        for i in range(1000):
            made = spw.convert(small(values=(float(i), 1.0, 2.0)), "coo")
            arrays.append(memoryview(made.values))
            del made
        gc.collect()
        self.assertEqual([a[0] for a in arrays], [float(i) for i in range(1000)])

    def test_nothing_leaks(self):
        def work():
            for _ in range(300):
                spw.check(small())
                spw.check(OFFSETS)
                spw.convert(small(), "coo")
                for call in (lambda: spw.convert(OFFSETS, "coo"), lambda: spw.check(object()), lambda: spw.multiply(small(), small())):
                    try:
                        call()
                    except (ValueError, TypeError):
                        pass
        for _ in range(3):
            work()
        gc.collect()
        tracemalloc.start()
        work()
        gc.collect()
        first = tracemalloc.get_traced_memory()[0]
        work()
        gc.collect()
        grown = tracemalloc.get_traced_memory()[0] - first
        tracemalloc.stop()
        self.assertLess(grown, 300 * 32)    # less than one small object each time

    def test_threads(self):
        wrong = []

        def work():
            for _ in range(200):
                if not spw.check(small()) or spw.check(OFFSETS) or memoryview(spw.convert(small(), "csc").values)[0] != -2.0:
                    wrong.append(1)
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_rules_are_explained(self):
        rule = spw.explain("5.3")
        self.assertEqual(rule.id, "5.3")
        self.assertIn("never decrease", rule.prose)
        self.assertIn(rule.formula, repr(rule))
        with self.assertRaises(KeyError):
            spw.explain("9.9")


def pickle_of(*operations):
    return b"\x80\x02" + b"".join(operations) + b"."


def values(x):
    return memoryview(x.values).tolist()


class Semi(unittest.TestCase):
    """2:4 matrices."""

    def setUp(self):
        values = array("f", [1.5, 0, 0, 0, 0, 0, 0, -2.0] * 4)
        self.x = spw.Tensor("dense", None, None, None, memoryview(values).cast("B").cast("f", (4, 8)))

    def test_there_and_back(self):
        s = spw.convert(self.x, "semi")
        self.assertEqual((s.order, s.size, s.dtype, s.layout), ("plain", (4, 8), "float32", "semi"))
        self.assertEqual(bytes(s.packed), struct.pack("4f", 1.5, 0, 0, -2.0) * 4)
        self.assertEqual(memoryview(s.metadata).tolist(), [[4 + 16 * 14 + 256 * 14 + 4096 * 14 - 65536]] * 4)
        self.assertTrue(spw.check(s))
        self.assertEqual(bytes(spw.convert(s, "dense").values), bytes(self.x.values))
        csr = spw.convert(s, "csr", index="int32")
        self.assertEqual((csr.layout, memoryview(csr.compressed).tolist()), ("csr", [0, 4, 8, 12, 16]))
        self.assertEqual(memoryview(spw.convert(s, "coo", prune=True).values).tolist(), [1.5, -2.0] * 4)
        self.assertEqual(bytes(spw.convert(csr, "semi").packed), bytes(s.packed))
        self.assertIn("4x8, plain", repr(s))

    def test_what_is_not_2_to_4_is_refused(self):
        full = spw.Tensor("dense", None, None, None, memoryview(array("b", [1, 2, 3, 0, 1, 0, 0, 0])).cast("B").cast("b", (1, 8)))
        with self.assertRaisesRegex(spw.Refused, "group 0 of row 0 .* elements 0, 1, 2"):
            spw.convert(full, "semi")
        pruned = spw.convert(full, "semi", prune_24="largest")
        self.assertEqual(memoryview(pruned.packed).tolist(), [[2, 3, 1, 0]])
        for wrong in ({"order": "other"}, {"prune_24": "most"}, {"dtype": "float9"}):
            with self.assertRaises(ValueError):
                spw.convert(full, "semi", **wrong)
        with self.assertRaises(spw.Refused):
            spw.convert(full, "semi", prune_24="largest", order="cutlass")
        with self.assertRaises(ValueError):
            spw.convert(pruned, "semi", prune_24="largest")
        with self.assertRaises(ValueError):
            spw.convert(full, "csr", order="plain")

    def test_a_violation_has_its_place(self):
        s = spw.convert(self.x, "semi")
        memoryview(s.metadata)[2, 0] = 0x4e44
        self.assertTrue(spw.check(s))
        memoryview(s.metadata)[2, 0] = 0x4e64
        (one,) = spw.check(s).violations
        self.assertEqual((one.rule, one.array, one.position, one.lhs, one.rhs, one.count), ("7.4", "metadata", 2, 6, 0x4e64, 1))
        self.assertTrue(spw.check(s, "shape"))
        self.assertIn("first < second", spw.explain("7.4").prose)
        with self.assertRaisesRegex(spw.InvalidTensor, "7.4"):
            spw.convert(s, "dense")
        (short,) = spw.check(spw.semi(s.packed, s.metadata, (4, 16), order="plain")).violations[:1]
        self.assertEqual((short.rule, short.position), ("7.2", -1))

    def test_float8_is_bytes(self):
        data = memoryview(array("B", [0, 0xf8, 0, 0x01])).cast("B", (1, 4))
        x = spw.Tensor("dense", None, None, None, data)
        s = spw.convert(x, "semi", dtype="float8_e4m3fn")
        self.assertEqual((s.dtype, memoryview(s.packed).tolist()), ("float8_e4m3fn", [[0xf8, 0x01]]))
        self.assertTrue(spw.check(s))
        self.assertEqual(bytes(spw.convert(s, "dense").values), bytes(data))
        self.assertEqual(spw.check(spw.semi(s.packed, s.metadata, order="plain", dtype="float16")).violations[0].rule, "7.3")


class Making(unittest.TestCase):
    def test_constructors(self):
        x = spw.zeros((2, 4, 6, 3), layout="bsr", blocksize=(2, 3), batch_dims=1, dense_dims=1, dtype="int8", index="int32")
        self.assertEqual((x.layout, x.size, x.dtype, x.values.shape), ("bsr", (2, 4, 6, 3), "int8", (2, 0, 2, 3, 3)))
        self.assertEqual(values(spw.eye(2, 3, layout="csc", dtype="float64")), [1.0, 1.0])
        self.assertEqual(spw.eye(4).size, (4, 4))
        d = spw.convert(small((0, 3, 6), (0, 1, 2, 0, 1, 2), (1, 2, 3, 4, 5, 6)), "dense")
        self.assertEqual(values(spw.spdiags(d, (0, -1), (3, 3))), [1, 4, 2, 5, 3])
        with self.assertRaises(spw.Refused):
            spw.spdiags(d, (0, 0), (3, 3))
        with self.assertRaisesRegex(ValueError, "ell"):
            spw.zeros((2, 2), layout="ell")
        with self.assertRaises(TypeError):
            spw.zeros(("a",))

    def test_of_tensors(self):
        x = small()
        self.assertEqual(values(spw.clone(x)), [1.5, -2.0, 4.0])
        self.assertEqual(values(spw.slice(x, 1, 2, 2, -2)), [1.5, -2.0])
        self.assertEqual(values(spw.diag(x)), [4.0])
        self.assertEqual(values(spw.diag(x, 2)), [1.5])
        self.assertEqual((values(spw.tril(x)), values(spw.triu(x, 1))), ([-2.0, 4.0], [1.5]))
        self.assertEqual(values(spw.kron(spw.eye(2, dtype="float64"), x)), [1.5, -2.0, 4.0, 1.5, -2.0, 4.0])
        self.assertEqual(values(spw.resplit(spw.convert(x, "coo"), 1)), [[0.0, 0.0, 1.5], [-2.0, 4.0, 0.0]])
        with self.assertRaises(spw.Refused):
            spw.slice(x, 0, 0, 3)
        with self.assertRaises(ValueError):
            spw.slice(x, 0, 0, 1, 0)
        with self.assertRaises(MemoryError):
            spw.clone(x, limit=1)

    def test_a_value_of_every_type(self):
        for dtype in ("uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64", "complex64", "complex128"):
            x = spw.fill_specified(spw.eye(1, dtype=dtype), 3)
            self.assertEqual(bytes(x.values), bytes(spw.kron(x, spw.eye(1, dtype=dtype)).values), dtype)
            self.assertNotEqual(bytes(x.values), bytes(spw.eye(1, dtype=dtype).values), dtype)
        self.assertEqual(bytes(spw.fill_specified(spw.eye(1, dtype="bfloat16"), 1 + 2**-8 + 2**-20).values), b"\x81\x3f")
        self.assertEqual(bytes(spw.fill_specified(spw.eye(1, dtype="bfloat16"), 1 + 2**-8).values), b"\x80\x3f")
        self.assertEqual(bytes(spw.fill_specified(spw.eye(1, dtype="bool"), False).values), b"\x00")


class Composed(unittest.TestCase):
    def setUp(self):
        self.x = small()  # 0 0 1.5 / -2 4 0
        self.b = spw.convert(small((0, 2, 4, 6), (0, 1, 0, 1, 0, 1), (1, 2, 3, 4, 5, 6), (3, 2)), "dense")
        self.v = spw.reduce("sum", small((0, 1, 2), (0, 1), (10.0, 20.0), (2, 2)), each="row")

    def test_products(self):
        self.assertEqual(values(spw.hspmm(self.x, self.b)), [[7.5, 9.0], [10.0, 12.0]])
        self.assertEqual(values(spw.smm(self.x, self.b)), [7.5, 9.0, 10.0, 12.0])
        c = spw.convert(small((0, 1, 1), (1,), (2.0,), (2, 2)), "coo")
        self.assertEqual(values(spw.sspaddmm(c, self.x, self.b, beta=0.5)), [7.5, 10.0, 10.0, 12.0])
        square = spw.csr([0, 1, 2], [1, 0], [1.0, 2.0], (2, 2))
        self.assertEqual(values(spw.addmm_sparse(square, square, square, alpha=2)), [4.0, 1.0, 2.0, 4.0])
        self.assertEqual(values(spw.linear(self.b, square, self.v)), [[12.0, 22.0], [14.0, 26.0], [16.0, 30.0]])
        self.assertEqual(values(spw.matmul(square, self.v)), [20.0, 20.0])
        with self.assertRaisesRegex(spw.Refused, "2"):
            spw.matmul(square, self.b)

    def test_sums_of_products(self):
        nan = spw.elementwise("scale", small((0, 2, 4), (0, 1, 0, 1), (1.0, 1, 1, 1), (2, 2)), scalar=float("nan"))
        self.assertEqual(values(spw.addmm(spw.convert(nan, "dense"), self.x, self.b, beta=0)), [[7.5, 9.0], [10.0, 12.0]])
        self.assertEqual(values(spw.addmm(self.b, spw.eye(3, dtype="float64"), self.b, alpha=3, beta=-1)), [[2.0, 4.0], [6.0, 8.0], [10.0, 12.0]])
        left, right = spw.convert(small((0, 1, 2), (0, 0), (1.0, 2.0), (2, 1)), "dense"), spw.convert(small((0, 3), (0, 1, 2), (1.0, 2, 3), (1, 3)), "dense")
        self.assertEqual(values(spw.sampled_addmm(self.x, left, right, alpha=2, beta=10)), [21.0, -16.0, 48.0])
        self.assertEqual(values(spw.reduce("amax", self.x, self.b)), [[7.5, 9.0], [12.0, 16.0]])
        self.assertEqual(values(spw.reduce("mean", self.x, self.b)), [[7.5, 9.0], [5.0, 6.0]])
        with self.assertRaisesRegex(spw.Refused, "needs|need"):
            spw.addmm(self.b, self.x, self.b)
        for wrong in ({"each": "column"}, {"dims": "all"}, {"keepdim": True}):
            with self.assertRaises(ValueError):
                spw.reduce("sum", self.x, self.b, **wrong)

    def test_numbers(self):
        self.assertEqual(values(spw.elementwise("scale", self.x, scalar=-2)), [-3.0, 4.0, -8.0])
        self.assertEqual(values(spw.elementwise("divide", self.x, scalar=4)), [0.375, -0.5, 1.0])
        self.assertEqual(values(spw.elementwise("add", self.x, self.x, scalar=2)), [4.5, -6.0, 12.0])
        self.assertEqual(bytes(spw.elementwise("scale", spw.cast(self.x, "complex64"), scalar=2j).values)[:8], struct.pack("<ff", 0, 3))
        with self.assertRaisesRegex(spw.Refused, "200"):
            spw.elementwise("scale", spw.cast(self.x, "int8"), scalar=200)
        for kind in ("scale", "add", "none"):
            with self.assertRaises(ValueError):
                spw.elementwise(kind, self.x)
        with self.assertRaises(ValueError):
            spw.elementwise("scale", self.x, self.x)

    def test_sums(self):
        row = spw.diag(small((0, 1, 1, 1), (0,), (10.0,), (3, 3)))
        self.assertEqual(values(spw.elementwise("add", self.x, row)), [10.0, 1.5, 8.0, 4.0])
        dense = spw.convert(self.x, "dense")
        self.assertEqual(values(spw.elementwise("add", self.x, dense)), [[0.0, 0.0, 3.0], [-4.0, 8.0, 0.0]])
        self.assertEqual(spw.elementwise("subtract", self.x, spw.convert(self.x, "csc")).layout, "csr")
        with self.assertRaises(spw.Refused):
            spw.elementwise("add", self.x, self.b)

    def test_stacks(self):
        v = spw.diag(small((0, 0, 1, 1), (1,), (7.0,), (3, 3)))
        self.assertEqual([f((v, v)).size for f in (spw.vstack, spw.hstack, spw.dstack)], [(2, 3), (6,), (1, 3, 2)])
        self.assertEqual(spw.vstack([self.x, self.x, self.x]).size, (6, 3))
        with self.assertRaises(spw.Refused):
            spw.hstack((self.x, v))


class Files(unittest.TestCase):
    def written(self, data):
        file = tempfile.NamedTemporaryFile(suffix=".pt", delete=False)
        self.addCleanup(os.unlink, file.name)
        with file:
            file.write(data)
        return file.name

    def test_nothing_is_executed(self):
        marker = tempfile.mktemp()
        evil = b"cposix\nsystem\n(X" + struct.pack("<I", len(marker) + 6) + b"touch " + marker.encode() + b"tR"
        with self.assertRaisesRegex(spw.FileError, "neither|did not write|not of torch.save"):
            spw.read(self.written(pickle_of(evil)))
        self.assertFalse(os.path.exists(marker))

    def test_other_files(self):
        for data in (b"", b"PK\3\4", b"x" * 100, pickle_of(b"N")):
            with self.assertRaises(spw.FileError):
                spw.read(self.written(data))
        with self.assertRaises(FileNotFoundError):
            spw.read("/nowhere")
        with self.assertRaisesRegex(spw.FileError, "more than 3 bytes"):
            spw.read(self.written(b"1234"), max_bytes=3)

    def test_every_format(self):
        cases = os.environ.get("SPW_CASES", "tests/cases")
        for name, tensors in (("s.safetensors", {"": "csr 4x4, float64"}), ("npz_csr_unsorted_dup.npz", {"": "csr"}), ("mm_array.mtx", {"": "dense"}),
                              ("mm_pattern.mtx", {"": "coo"}), ("x4.npy", {"": "dense"}), ("a.h5ad", {"X": "csr 4x4, float64"}), ("b.bsp.h5", {"": "csr 4x4, float64"})):
            try:
                found = spw.read(os.path.join(cases, name))
            except spw.FileError as error:
                self.assertIn("there is no libhdf5", str(error))
                continue
            self.assertEqual(list(found), list(tensors), name)
            for place, says in tensors.items():
                self.assertIn(says, str(found[place]), name)
        for name, says in (("m.mat", "it is a .mat file of MATLAB"), ("hy_30.spw.json", "it is JSON")):
            with self.assertRaisesRegex(spw.FileError, says):
                spw.read(os.path.join(cases, name))

    def test_members(self):
        path = os.path.join(tempfile.mkdtemp(), "mine.safetensors")
        data = struct.pack("<3q2q2d2q", 0, 1, 2, 1, 0, 1.5, -2.0, 2, 3)
        spans = {"rows": ("I64", 3, 0), "at": ("I64", 2, 24), "x": ("F64", 2, 40), "size": ("I64", 2, 56)}
        header = json.dumps({name: {"dtype": dtype, "shape": [n], "data_offsets": [at, at + 8 * n]} for name, (dtype, n, at) in spans.items()})
        with open(path, "wb") as file:
            file.write(struct.pack("<Q", len(header)) + header.encode() + data)
        self.assertEqual(spw.read(path), {})
        x = spw.read(path, members=("rows", "at", "x"), size="size")[""]
        self.assertEqual((x.layout, memoryview(x.values).tolist(), x.size), ("csr", [1.5, -2.0], (2, 3)))
        self.assertEqual(spw.read(path, members=("rows", "at", "x"), layout="csc")[""].layout, "csc")
        self.assertEqual(spw.read(path, members=("at", "x"))[""].layout, "coo")
        with self.assertRaisesRegex(spw.FileError, "y: the file has no array of this name"):
            spw.read(path, members=("rows", "at", "y"))
        for wrong in ({"members": "rows"}, {"members": ("x",)}, {"members": ("rows", "at", 3)}, {"layout": "csr"}, {"size": "size"},
                      {"members": ("rows", "at", "x"), "layout": "coo"}, {"members": ("at", "x"), "layout": "csr"},
                      {"members": ("rows", "at", "x"), "layout": "dense"}):
            with self.assertRaises(ValueError):
                spw.read(path, **wrong)
        with self.assertRaisesRegex(spw.FileError, "npz and HDF5 files only"):
            spw.read(os.path.join(os.environ.get("SPW_CASES", "tests/cases"), "t_csr.pt"), members=("a", "b"))

    def test_2_to_4_in_a_file(self):
        path = os.path.join(tempfile.mkdtemp(), "w.safetensors")
        packed, words = struct.pack("<4e", 1, 2, 3, 4), struct.pack("<h", 0x4E4)
        header = json.dumps({"w.packed": {"dtype": "F16", "shape": [1, 4], "data_offsets": [0, 8]},
                             "w.meta": {"dtype": "I16", "shape": [1, 1], "data_offsets": [8, 10]},
                             "__metadata__": {"order": "plain"}})
        with open(path, "wb") as file:
            file.write(struct.pack("<Q", len(header)) + header.encode() + packed + words)
        found = spw.read(path)
        self.assertEqual([(name, x.order, x.size, x.dtype) for name, x in found.items()], [("w", "plain", (1, 8), "float16")])
        self.assertEqual((bytes(memoryview(found["w"].packed)), bytes(memoryview(found["w"].metadata))), (packed, words))

    def test_files_of_torch(self):
        cases = os.environ.get("SPW_CASES", "tests/cases")
        self.assertEqual([str(t) for t in spw.read(cases + "/t_csr.pt").values()], ["<Tensor csr 4x4, float64>"])
        self.assertEqual(list(spw.read(cases + "/t_bsr_dict.pt")), ["w"])
        for tensor in spw.read(cases + "/t_coo.pt").values():
            self.assertTrue(spw.check(tensor))


class Writing(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def test_what_is_written_is_read_again(self):
        x = small()
        for name in ("a.npz", "a.safetensors"):
            spw.write(self.path(name), x)
            (y,) = spw.read(self.path(name)).values()
            self.assertEqual(y.layout, "csr")
            self.assertEqual(memoryview(y.values).tolist(), [1.5, -2.0, 4.0])
            self.assertEqual(memoryview(y.plain).tolist(), [2, 0, 1])
        spw.write(self.path("a.mtx"), spw.convert(x, "coo"))
        self.assertEqual(memoryview(spw.convert(spw.read(self.path("a.mtx"))[""], "csr").values).tolist(), [1.5, -2.0, 4.0])
        spw.write(self.path("a.npy"), spw.convert(x, "dense"))
        self.assertEqual(memoryview(spw.read(self.path("a.npy"))[""].values).tolist(), [[0, 0, 1.5], [-2, 4, 0]])
        spw.write(self.path("a.spw.json"), x)
        with open(self.path("a.spw.json"), encoding="ascii") as file:
            self.assertIn('"data":[1.5,-2,4]', file.read())

    def test_levels_and_formats(self):
        x = small(values=(1.0, 1.0, 1.0))
        sizes = []
        for level in (0, 1, 9):
            spw.write(self.path("x"), x, format="npz", level=level)
            sizes.append(os.path.getsize(self.path("x")))
        self.assertLess(sizes[2], sizes[0])
        for name, options, says in (("x.txt", {}, "format= does"), ("x.mtx", {"level": 1}, "of .npz"), ("x.npz", {"level": 10}, "0 to 9"),
                                    ("x", {"format": "hdf"}, "not 'hdf'"), ("x\0.npz", {}, "null")):
            with self.assertRaisesRegex(ValueError, says):
                spw.write(self.path(name), x, **options)

    def test_an_old_file_stays(self):
        path = self.path("x.mtx")
        spw.write(path, spw.convert(small(), "coo"))
        with open(path, "rb") as file:
            before = file.read()
        with self.assertRaisesRegex(spw.Refused, "x.mtx"):
            spw.write(path, small())
        with self.assertRaises(TypeError):
            spw.write(path, object())
        with open(path, "rb") as file:
            self.assertEqual(file.read(), before)
        with self.assertRaises(OSError):
            spw.write(self.path("no/x.npz"), small())
        self.assertEqual(os.listdir(self.folder.name), ["x.mtx"])

    def test_binsparse_needs_a_library(self):
        try:
            spw.write(self.path("x.bsp.h5"), small())
        except spw.Refused as refused:
            self.assertIn("libhdf5", str(refused))
        else:
            self.assertEqual(memoryview(spw.read(self.path("x.bsp.h5"))[""].values).tolist(), [1.5, -2.0, 4.0])


class Examples(unittest.TestCase):
    def run_example(self, name, *arguments):
        return subprocess.run([sys.executable, "-B", os.path.join(EXAMPLES, name), *arguments], capture_output=True, text=True, check=False,
                              env={**os.environ, "PYTHONPATH": os.path.dirname(os.path.dirname(spw.__file__))})

    def test_a_broken_row(self):
        done = self.run_example("broken_row.py", os.path.join(CASES, "r15_col.npz"), os.path.join(CASES, "t_coo.pt"))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("r15_col.npz: row 2: rule 5.5, plain_indices[1] in row 2: 1073741824 is not below P = 5 columns", done.stdout)
        done = self.run_example("broken_row.py", os.path.join(CASES, "a.h5ad"))
        self.assertEqual((done.returncode, done.stdout), (2, "") if "no libhdf5" in done.stderr else (0, ""), done.stderr)
        self.assertEqual(self.run_example("broken_row.py", "/nowhere").returncode, 2)

    def test_a_server_for_strangers(self):
        done = self.run_example("hostile_files.py", CASES, "2000")
        self.assertEqual(done.returncode, 0, done.stderr)
        counts = {word: int(count) for count, word in (part.split() for part in done.stdout.split(", "))}
        self.assertEqual(sum(counts.values()), 2000)
        self.assertEqual(set(counts), {"broken", "refused", "valid"})
        self.assertGreater(min(counts.values()), 50)


class Structure(unittest.TestCase):
    def test_parts_and_unions(self):
        y = spw.csr([0, 1, 3], [2, 0, 1], [1.5, -2.0, 4.0], (2, 3))
        for made, wanted in ((spw.select(y, 0, -1), [-2.0, 4.0, 0.0]), (spw.narrow(y, 1, 1, 2), [[0.0, 1.5], [4.0, 0.0]]),
                             (spw.index_select(y, 0, [1, 1]), [[-2.0, 4.0, 0.0]] * 2), (spw.cat([y, y], 1), [[0.0, 0.0, 1.5] * 2, [-2.0, 4.0, 0.0] * 2]),
                             (spw.transpose(y), [[0.0, -2.0], [0.0, 4.0], [1.5, 0.0]]), (spw.stack([y, y]), [[[0.0, 0.0, 1.5], [-2.0, 4.0, 0.0]]] * 2)):
            self.assertTrue(spw.check(made), made)
            self.assertEqual(memoryview(spw.convert(made, "dense").values).tolist(), wanted)
        self.assertEqual(spw.transpose(y).layout, "csc")
        self.assertEqual(spw.permute(spw.convert(y, "coo"), (1, 0)).coalesced, False)
        with self.assertRaisesRegex(spw.Refused, "7"):
            spw.select(y, 1, 7)
        with self.assertRaisesRegex(ValueError, "order of 3"):
            spw.permute(y, (0, 1, 2))
        with self.assertRaises(TypeError):
            spw.cat([y, 3])


class Import(unittest.TestCase):
    def test_nothing_is_imported(self):
        program = "import sys; before = set(sys.modules); import sparsewright; print([m for m in set(sys.modules) - before if m.split('.')[0] in ('numpy', 'scipy', 'torch', 'jax')])"
        said = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True, env=dict(os.environ))
        self.assertEqual(said.stdout.strip(), "[]")


if __name__ == "__main__":
    unittest.main()
