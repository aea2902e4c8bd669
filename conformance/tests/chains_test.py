#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests processes and chains of adapters in C: our library answers all that its manifest covers rightly, and an adapter that lies
after the second step, and is right about each operation alone, is found. SPW names the program spw; the adapters lie
beside it in conformance/adapters."""
import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

sys.dont_write_bytecode = True
TOP = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TOP))
from harness import driver  # noqa: E402
from cases import generate, store  # noqa: E402
from cases import chains  # noqa: E402
from judging.control import find  # noqa: E402

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


def answers(lines, *words):
    """What the lying adapter says to all these lines at once."""
    text = "".join(json.dumps(line) + "\n" for line in lines)
    done = subprocess.run([ADAPTERS / "lying_adapter", *words], input=text, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=True, timeout=60)
    return [json.loads(line) for line in done.stdout.splitlines()]


def cases_of(what):
    """Those whose id begins so."""
    return list(store.kept().cases(lambda name, group: name.startswith(what)))


class Processes(unittest.TestCase):
    """An adapter in C that answers in processes of their own, which operations share."""

    @classmethod
    def setUpClass(cls):
        sums = [case for case in cases_of("csr/sum/") if "rules" not in case["expect"]
                and not {"batched", "hybrid"} & {*case["flags"]} and "spelling" not in case]  # of which the adapter knows none
        cls.longer = [case for case in cases_of("csr/transpose/") if "rules" not in case["expect"]][:80]  # more than a process is asked
        checks = cases_of("csr/5.3/")
        cls.cases = [*sums[:30], *checks[:5], *(case for pair in zip(sums, checks) for case in pair)]
        cls.lines = [{"cmd": "run", "guard": "after", "arguments": {}, **case} for case in cls.cases]
        cls.ids = [case["id"] for case in cls.cases]

    def test_lines_that_come_at_once_are_answered_once_and_in_order(self):
        said = [answers(self.lines, "nothing", *words) for words in ((), ("isolated",))]
        self.assertEqual([answer["id"] for answer in said[0]], self.ids)
        self.assertEqual(said[1], said[0])

    def test_each_death_is_one_answer(self):
        said = answers(self.lines, "dies-of-a-sum", "isolated")
        self.assertEqual([answer.get("id") for answer in said],
                         [case["id"] if case["operation"] == "check" else None for case in self.cases])
        self.assertEqual({answer["died"] for answer in said if "id" not in answer}, {-signal.SIGABRT})

    def test_a_process_answers_operations_until_it_dies(self):
        cases = list({case["id"]: case for case in [*self.cases, *self.longer]}.values())
        for words, outcomes in ((("nothing",), {"right": len(cases)}),
                                (("dies-of-a-sum",), {"crash": sum(case["operation"] == "sum" for case in cases)})):
            with self.subTest(words):
                report = asked(cases, "lying_adapter", *words, "isolated")
                self.assertEqual({**report["outcomes"], **outcomes}, report["outcomes"])


class Chains(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cases = [generate.operation_case(item) for item in chains.cases()]
        cls.alone = [case for case in store.kept().cases() if case["operation"] in chains.STEPS
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
                self.assertGreater(report["outcomes"].get("right", 0), 20)


if __name__ == "__main__":
    unittest.main()
