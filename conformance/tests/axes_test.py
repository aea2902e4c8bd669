#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do the axes find a library that forgets one state, or one form, of its operands?"""
import os
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
import forgetful  # noqa: E402
from cases import axes, coverage, generate  # noqa: E402
from cases.operands import STATES  # noqa: E402
from harness import driver  # noqa: E402
from judging.control import find  # noqa: E402

# To be canonical is to have nothing that could be forgotten.
FORGOTTEN = [*(state for state in STATES if state != "unclaimed"), *(form for form in axes.FORMS if form != "plain")]
EACH = 24  # cases for each


def asked(cases, forgets):
    with tempfile.TemporaryDirectory() as folder:
        options = driver.parser().parse_args(["--cases=-", f"--report={folder}/report.json", "--timeout=60", f"--spw={find()}", "-"])
        profile = {"library": "forgetful", "adapter": [sys.executable, "-B", forgetful.__file__, *forgets], "must_be_right": False,
                   "flags": {}, "uses": ["duplicates", "unsorted"]}
        return driver.run_library(profile, cases, options)


def traits(case):
    """The states and the form of its operands."""
    states = [coverage.states_of(tensor, operation, given) for operation, tensor, given in coverage.operands_of(case)]
    return {coverage.form_of(case["tensor"])}.union(*states)


class Axes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cases = [case for item in axes.cases() for case in [generate.operation_case(item, "axes")]
                     if case["expect"]["dense"]["data"] and case["operation"] in forgetful.MANIFEST["operations"]]
        cls.known = [(case, traits(case)) for case in cls.cases]

    def test_an_honest_library_is_right(self):
        some = self.cases[::len(self.cases) // 100]
        found = asked(some, [])["outcomes"]
        self.assertEqual(found["right"] + found["unsupported"], len(some))
        self.assertGreater(found["right"], len(some) * 0.9)

    def test_what_is_forgotten_is_found(self):
        for name in FORGOTTEN:
            with self.subTest(name):
                having = [case for case, found in self.known if name in found]
                report = asked(having[::max(1, len(having) // EACH)], [name])
                wrong = sum(number for outcome, number in report["outcomes"].items() if outcome not in ("right", "unsupported"))
                few = name.startswith("batch")  # of one batch, or none, there is nothing to forget
                self.assertGreater(wrong, report["executed"] // (10 if few else 3), report["outcomes"])
                self.assertGreater(report["executed"], 5 if name != "claimed" else 3)


if __name__ == "__main__":
    unittest.main()
