#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests chains of adapters in C: our library answers all that its manifest covers rightly, and an adapter that lies
after the second step, and is right about each operation alone, is found. SPW names the program spw; the adapters lie
beside it in conformance/adapters."""
import os
import sys
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import driver  # noqa: E402
import generate  # noqa: E402
from cases import chains  # noqa: E402
from control import find  # noqa: E402

ADAPTERS = Path(find()).resolve().parent / "conformance/adapters"
# What each lie is found as, in chains of three steps and more.
LIES = {"changes-a-value": "wrong result", "answers-with-the-second-operand": "wrong result", "swaps-places": "too strict",
        "loses-a-row": "too strict", "keeps-nothing": "refused"}


def asked(cases, adapter, *words):
    with tempfile.TemporaryDirectory() as folder:
        profile = {"library": "asked", "adapter": [str(ADAPTERS / adapter), *words], "must_be_right": True, "flags": {},
                   "uses": ["duplicates", "unsorted"]}
        options = SimpleNamespace(report=os.path.join(folder, "report"), memory=2000, timeout=30, start_timeout=30,
                                  spw=find())
        return driver.run_library(profile, cases, options)


def steps_of(case):
    return case["arguments"]["steps"]


class Chains(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cases = [generate.operation_case(item) for item in chains.cases()]
        cls.alone = [case for case in generate.all_cases() if case["operation"] in chains.STEPS
                     and case["id"].endswith("float64-int64")]

    def test_our_library_is_right(self):
        report = asked(self.cases, "ours_adapter")
        left_out = [case for case in self.cases if "duplicates" in case["flags"] and any(
            step["operation"] == "sort_indices" for step in steps_of(case))]
        self.assertEqual(report["failures"], [])
        self.assertEqual(report["outcomes"]["right"], len(self.cases) - len(left_out))
        self.assertGreater(report["outcomes"]["right"], 700)

    def test_a_lie_after_the_second_step_is_found(self):
        for lie, outcome in LIES.items():
            with self.subTest(lie):
                report = asked(self.cases, "lying_adapter", lie)
                self.assertGreater(report["outcomes"].get(outcome, 0), 10, report["outcomes"])
                wrong = {result["id"] for result in report["results"] if result["outcome"] not in ("right", "unsupported")}
                short = {case["id"] for case in self.cases if len(steps_of(case)) == 2}
                self.assertFalse(wrong & short)

    def test_it_is_not_found_without_chains(self):
        for lie in LIES:
            with self.subTest(lie):
                report = asked(self.alone[::7], "lying_adapter", lie)
                self.assertEqual(report["failures"], [])


if __name__ == "__main__":
    unittest.main()
