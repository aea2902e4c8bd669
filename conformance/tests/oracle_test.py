#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The driver judges sums of floats (oracle.py) as the library's oracle does (src/oracle): exact sums, bounds, verdicts, and
how wide operands of the lattice may be. The library lies beside the program that SPW names."""
import ctypes
import json
import os
import sys
import unittest
from fractions import Fraction

sys.dont_write_bytecode = True
TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, TOP)
from judging import dense  # noqa: E402
from cases import store  # noqa: E402
from judging import judge  # noqa: E402
from judging import oracle  # noqa: E402
from cases import terms  # noqa: E402
from cases import lattice  # noqa: E402
from cases.sums import Dice  # noqa: E402

LIBRARY = ctypes.CDLL(os.path.join(os.path.dirname(os.path.abspath(os.environ.get("SPW", "build/spw"))),
                                   "libsparsewright.so"))
RIGHT_EXACT, RIGHT_BOUNDED, WRONG = 1, 2, 5
GRID = 400  # numbers that are drawn here are multiples of 2^-GRID
# Closer than this to the bound, which the library rounds up, nothing is asked.
EDGE = Fraction(1, 2**40)


class Finding(ctypes.Structure):
    _fields_ = [("verdict", ctypes.c_int), ("fault", ctypes.c_int), ("sum", ctypes.c_double), ("bound", ctypes.c_double),
                ("ratio", ctypes.c_double)]


class Lattice(ctypes.Structure):
    _fields_ = [("dtype", ctypes.c_int), ("a_bits", ctypes.c_int32), ("x_bits", ctypes.c_int32), ("exponent", ctypes.c_int32)]


LIBRARY.spw_exact_judge.restype = Finding
LIBRARY.spw_exact_judge.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int, ctypes.c_uint64]
LIBRARY.spw_exact_round.restype = ctypes.c_uint64
LIBRARY.spw_exact_round.argtypes = [ctypes.c_void_p, ctypes.c_int]
LIBRARY.spw_lattice_for.argtypes = [ctypes.c_int, ctypes.c_int, ctypes.c_int64, ctypes.POINTER(Lattice)]
for name, arguments in (("add", [ctypes.c_double]), ("add_product", [ctypes.c_double] * 2),
                        ("add_scaled", [ctypes.c_void_p, ctypes.c_double])):
    getattr(LIBRARY, f"spw_exact_{name}").argtypes = [ctypes.c_void_p, *arguments]


def dtype_of(name):
    return LIBRARY.spw_dtype_from_name(name.encode())


def precision_of(name):
    return LIBRARY.spw_precision_from_name(name.encode())


def bits_of(number, name):
    """number: a fraction that the type has."""
    return dense.float_bits(float(number), name)


def number_of_bits(bits, name):
    return Fraction(dense.number_of_float(f"bits:{bits:0{dense.WIDTH[name] // 4}x}", name))


class Exact:
    """The library's exact sum of products of at most two numbers, and of such sums times a third."""

    def __init__(self, products, *alpha):
        """alpha: what sums of products are multiplied by, also where there are none."""
        self.memory = self.started()
        by_factor = {alpha: []}
        for factors in products:
            by_factor.setdefault(factors[2:], []).append(factors[:2])
        for scale, pairs in by_factor.items():
            target = self.started() if scale else self.memory
            for pair in pairs:
                (LIBRARY.spw_exact_add if len(pair) == 1 else LIBRARY.spw_exact_add_product)(target, *pair)
            if scale:
                LIBRARY.spw_exact_add_scaled(self.memory, target, *scale)

    @staticmethod
    def started():
        memory = (ctypes.c_uint64 * 512)()  # more than a spw_exact
        LIBRARY.spw_exact_start(memory)
        return memory

    def rounded(self, dtype):
        return LIBRARY.spw_exact_round(self.memory, dtype_of(dtype))

    def judged(self, precision, dtype, number):
        return LIBRARY.spw_exact_judge(self.memory, precision_of(precision), dtype_of(dtype), bits_of(number, dtype))


def sums_of(products):
    """As a case says them, of one number."""
    values = [int(value * oracle.power(2 * GRID)) for value in terms.exactly(products)]
    operands = oracle.operands_of([int(Fraction(n) * oracle.power(GRID)) for factors in products for n in factors], GRID)
    return {"exact": [oracle.text_of(sum(values), 2 * GRID)], "gauge": [oracle.text_of(sum(map(abs, values)), 2 * GRID)],
            "terms": [len(values)], "unit": [min(map(oracle.last_place, values)) - 2 * GRID],
            "operands": operands._asdict()}


def drawn(dice, dtype, count, spread):
    """Products of two numbers of the type."""
    bits = oracle.FORMATS[dtype].bits
    return [tuple(float((1 - 2 * dice.roll(2)) * (dice.roll(1 << bits - 1) | 1 << bits - 1)
                        * oracle.power(dice.roll(2 * spread + 1) - spread - bits)) for _ in range(2)) for _ in range(count)]


def tried(exact, error, form):
    """Numbers of a format around the sum, on both sides of the bound."""
    for part in (0, 0.5, 0.999, 1.001, 2, 1000):
        for side in (-1, 1):
            found = oracle.nearest(exact + side * error * Fraction(part), form)
            if found not in (float("inf"), float("-inf")) and abs(abs(found - exact) - error) > error * EDGE:
                yield found
    near = oracle.nearest(exact, form)
    yield near + oracle.power(oracle.lowest(form)) if abs(near) < oracle.power(form.least) else near


class OracleTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cases = {case["id"]: case for case in store.kept().cases() if "sums" in case["expect"]}

    def test_both_know_the_same_precisions(self):
        LIBRARY.spw_precision_name.restype = ctypes.c_char_p
        said = [LIBRARY.spw_precision_name(k) for k in range(1, 100)]
        self.assertEqual([name.decode() for name in said if name], list(oracle.PRECISIONS))

    def test_every_operation_that_sums_is_asked_in_both_ways_and_every_type(self):
        operations = {*oracle.PRODUCTS, "sum", "sum_dim", "add", "sub", "add_dense", "coalesce", "sum_duplicates", "to_dense"}
        for way in ("/lattice", "/bounded"):
            asked = {(case["operation"], case["expect"]["dense"]["dtype"]) for name, case in self.cases.items() if way in name}
            self.assertEqual({operation for operation, _ in asked}, operations)
            self.assertEqual({dtype for _, dtype in asked}, set(oracle.USUAL))
            self.assertEqual(len(asked), 6 * (len(operations) - 3) + 4 * 3)  # places that are there twice: not of 16 bits

    def test_sums_are_rounded_alike(self):
        dice = Dice(1)
        for dtype, result in ((dtype, result) for dtype in oracle.FORMATS for result in oracle.FORMATS):
            for count in (1, 2, 7, 30):
                products = drawn(dice, dtype, count, 3)
                mine = oracle.nearest(sum(terms.exactly(products)), oracle.FORMATS[result])
                if mine not in (float("inf"), float("-inf")):
                    self.assertEqual(number_of_bits(Exact(products).rounded(result), result), mine, (dtype, result, products))

    def test_numbers_are_judged_alike(self):
        """In every precision; where small numbers may be taken for zero, the driver is no stricter."""
        dice, asked = Dice(2), {RIGHT_EXACT: 0, RIGHT_BOUNDED: 0, WRONG: 0}
        kinds = [("float64", "float64", "float64"), ("float64", "float32", "float32"), ("float32", "float32", "float32"),
                 ("float32", "float16", "float16"), ("float32", "bfloat16", "bfloat16"), ("tf32", "float32", "float32"),
                 ("bfloat16-in", "float32", "float32"), ("float16", "float16", "float16"),
                 ("bfloat16", "bfloat16", "bfloat16"), ("float32-ftz", "float32", "float32")]
        for precision, dtype, result in kinds:
            for k in range(60):
                spread = (0, 3, 3, 60)[k % 4] if dtype != "float16" else (0, 1, 3, 3)[k % 4]
                self.judge_alike(precision, result, drawn(dice, dtype, (1, 2, 9, 40)[k % 3], spread), asked)
        self.assertGreater(min(asked.values()), 100, asked)

    def judge_alike(self, precision, dtype, products, asked):
        sums, exact, form = sums_of(products), Exact(products), oracle.FORMATS[dtype]
        declared = oracle.PRECISIONS[precision]
        error = oracle.bound(sums, 0, "matvec", declared)
        for number in tried(oracle.number_of(sums["exact"][0]), error, form):
            found = exact.judged(precision, dtype, number)
            mine = oracle.is_right(float(number), oracle.number_of(sums["exact"][0]), error, declared, form)
            theirs = found.verdict in (RIGHT_EXACT, RIGHT_BOUNDED)
            self.assertIn(found.verdict, asked, (precision, dtype, products, found.fault))
            asked[found.verdict] += 1
            self.assertTrue(mine == theirs or (declared.flush and mine), (precision, dtype, number, found.bound, float(error)))

    def test_what_cases_expect_the_library_finds_right(self):
        """And with the same bound; on the lattice the next number is wrong."""
        asked = [case for case in self.cases.values() if case["id"].startswith("csr/") or case["operation"] == "bmm"]
        self.assertGreater(len(asked), 200)
        for case in asked:
            for k, products in enumerate(terms.of_case(case)[1]):
                self.check_number(case, k, products)

    def check_number(self, case, k, products):
        sums, dtype = case["expect"]["sums"], oracle.real(case["expect"]["dense"]["dtype"])
        numbers = list(oracle.parts_of(case["expect"]["dense"], 2 if dtype != case["expect"]["dense"]["dtype"] else 1))
        usual = oracle.USUAL[dtype]
        error = oracle.bound(sums, k, case["operation"], oracle.PRECISIONS[usual])
        alpha = [float(case["arguments"]["alpha"])] if case["operation"] in oracle.SCALED else []
        exact = Exact(products, *alpha)
        found = exact.judged(usual, dtype, Fraction(numbers[k]))
        self.assertEqual(found.verdict, RIGHT_BOUNDED if error else RIGHT_EXACT, case["id"])
        self.assertLessEqual(found.bound, float(error) * 1.001 + 5e-324, case["id"])
        self.assertGreaterEqual(found.bound * 1.001 + 5e-324, float(error), case["id"])
        if sums["lattice"] and numbers[k]:
            found = exact.judged(usual, dtype, number_of_bits(bits_of(numbers[k], dtype) + 1, dtype))
            self.assertEqual(found.verdict, WRONG, case["id"])

    def test_where_nothing_is_judged_nothing_is_wrong(self):
        """Of a coarse precision a bound may be as large as the gauge: what the sum is rounded to is right, another number undecided."""
        profile = {"flags": {}, "precision": {"bfloat16": "bfloat16"}}
        undecided = 0
        for case in self.cases.values():
            expected = case["expect"]["dense"]
            if expected["dtype"] != "bfloat16" or "sums" not in case["expect"]:
                continue
            self.assertEqual(judge.outcome_of_dense(case, expected, profile)[0], "right", case["id"])
            data = [float(x) * (1 + 2.0**-7) for x in expected["data"]]
            outcome, why = judge.outcome_of_dense(case, {**expected, "data": data}, profile)
            undecided += outcome == "unsupported" and "not judged" in why
        self.assertGreater(undecided, 0)

    def test_the_lattice_is_as_wide_as_the_librarys(self):
        made = Lattice()
        for dtype in lattice.WIDE:
            widest = oracle.FORMATS[oracle.real(dtype)].bits
            for count in (1, 2, 3, 16, 17, 154, 240, 255, 256, 257, 309, 480, 512, 4096):
                status = LIBRARY.spw_lattice_for(dtype_of(dtype), precision_of(oracle.USUAL[dtype]), count, ctypes.byref(made))
                room = lattice.room(dtype, count)
                self.assertEqual(status, 0, (dtype, count))
                self.assertEqual((made.a_bits, made.x_bits), (min(room // 2, widest), min(room - room // 2, widest)),
                                 (dtype, count))
            self.assertEqual(made.exponent, -lattice.GRID)

    def test_operands_of_the_lattice_are_wider_than_what_shall_show(self):
        """Each product has more bits than a sum in fewer keeps, and little is left of what is summed."""
        cases = {name: case for name, case in self.cases.items() if "/matvec/lattice-" in name}
        self.assertEqual(len(cases), 2 * 5 * 6)
        for name, case in cases.items():
            sums = case["expect"]["sums"]
            self.assertGreater(max(sums["terms"]), 300, name)
            self.assertTrue(sums["lattice"], name)
            self.assertLess(abs(oracle.number_of(sums["exact"][0])) * 16, oracle.number_of(sums["gauge"][0]), name)
            self.assertTrue(any(map(oracle.number_of, sums["exact"][:2])), name)

    def test_nothing_but_numbers_within_the_bound_is_right(self):
        case = self.cases["csr/matvec/bounded-uniform/float32-int64"]
        expected, profile = case["expect"]["dense"], {"flags": {}}
        self.assertEqual(judge.outcome_of_dense(case, expected, profile), ("right", ""))
        first = expected["data"][0]
        for value in ("nan", "inf", "-inf", "bits:7fc00000", 0, -first, first * 1.001):
            got = {**expected, "data": [value, *expected["data"][1:]]}
            self.assertEqual(judge.outcome_of_dense(case, got, profile)[0], "wrong result", value)
        for got, outcome in (({**expected, "shape": [3, 2]}, "wrong result"), ({**expected, "dtype": "float64"}, "wrong flag"),
                             ({**expected, "data": expected["data"][:-1]}, "wrong result")):
            self.assertEqual(judge.outcome_of_dense(case, got, profile)[0], outcome)
        near = {**expected, "data": [first * (1 + 2**-10), *expected["data"][1:]]}
        self.assertIn("more than", judge.outcome_of_dense(case, near, profile)[1])

    def test_a_sum_of_any_type_is_of_one_that_there_is_and_has_it(self):
        case = next(case for case in self.cases.values() if case["operation"] == "sum"
                    and oracle.number_of(case["expect"]["sums"]["exact"][0]) % 1)
        dense_of, exact = case["expect"]["dense"], case["expect"]["dense"]["data"][0]
        for dtype, value, outcome in (("float64", exact, "right"), ("complex128", [exact, 0], "right"),
                                      ("float64", [exact, 0], "wrong result"),
                                      ("banana", exact, "wrong result"), ("int32", exact, "wrong result"),
                                      ("int64", int(exact), "wrong result"), ("bool", 1, "wrong result")):
            got = {**dense_of, "dtype": dtype, "data": [value]}
            self.assertEqual(judge.outcome_of_dense(case, got, {"flags": {}})[0], outcome, dtype)

    def test_the_nearest_of_any_fraction(self):
        for n in (1, 2, 5, -7, 1023):
            for d in (3, 5, 7, 11, 1000003):
                self.assertEqual(oracle.nearest(Fraction(n, d), oracle.FORMATS["float64"]), Fraction(n / d), (n, d))

    def test_small_numbers_are_zero_only_where_a_profile_says_so(self):
        for dtype, index_dtype in (("float32", "int64"), ("float64", "int32")):
            case = self.cases[f"csr/matvec/bounded-tiny/{dtype}-{index_dtype}"]
            expected = case["expect"]["dense"]
            nothing, nan = {**expected, "data": [0] * 6}, {**expected, "data": ["nan"] + [0] * 5}
            for got, flags, outcome in ((nothing, {}, "wrong result"), (nothing, {"subnormal": "either"}, "right"),
                                        (expected, {"subnormal": "either"}, "right"), (nan, {"subnormal": "either"}, "wrong result")):
                self.assertEqual(judge.outcome_of_dense(case, got, {"flags": flags})[0], outcome, (dtype, flags))

    def test_a_profile_may_declare_a_precision(self):
        case = self.cases["csr/matvec/lattice-wide-a/float32-int64"]
        got = json.loads(json.dumps(case["expect"]["dense"]))
        got["data"][0] += float(oracle.number_of(case["expect"]["sums"]["gauge"][0])) / 2**12
        for said, outcome in (({}, "wrong result"), ({"float32": "bfloat16-in"}, "right"), ({"float64": "tf32"}, "wrong result"),
                              ({"matvec/float32": "tf32"}, "right"), ({"sum/float32": "tf32"}, "wrong result")):
            self.assertEqual(judge.outcome_of_dense(case, got, {"flags": {}, "precision": said})[0], outcome, said)


if __name__ == "__main__":
    unittest.main()
