#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the driver with adapters that are wrong, and the lint with cases that are. Needs nothing
but Python, and some ten seconds, most of them spent waiting for adapters that hang."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import generate  # noqa: E402
import judge  # noqa: E402
import lint  # noqa: E402

TENSOR = {"spw": 1, "layout": "csr", "size": [2, 3],
          "compressed_indices": {"dtype": "int32", "shape": [3], "data": [0, 0, 0]},
          "plain_indices": {"dtype": "int32", "shape": [0], "data": []},
          "values": {"dtype": "float32", "shape": [0], "data": []}}


def case(name, rules=(), flags=(), tensor=None):
    expect = {"verdict": "invalid", "rules": list(rules)} if rules else {"verdict": "valid"}
    return {"id": name, "group": "g", "phase": "validate", "operation": "check",
            "tensor": tensor or TENSOR,
            "expect": expect,
            "flags": list(flags)}


BROKEN = os.path.join(HERE, "adapters", "broken_adapter.py")

# Three valid, two invalid, and two that the broken adapters' manifest does not cover.
CASES = [case("csr/valid/a"), case("csr/valid/b"), case("csr/valid/c"),
         case("csr/5.1/a", ["5.1", "5.2"]), case("csr/5.2/slack", ["5.2"], ["slack"]),
         case("csr/valid/batched", flags=["batched"]),
         case("csc/valid/a", tensor={**TENSOR, "layout": "csc"})]

# What the example of the manual asks: it takes every tensor.
LIBRARY = """
version = "1"
class Error(Exception): pass
def csr(size, compressed, plain, values): return size
def matvec(matrix, x): return [0.0] * matrix[0]
"""


class DriverTest(unittest.TestCase):
    def drive(self, fault, must_be_right=False, flags=None, cases=None, adapter=BROKEN):
        """Exit code, report of the library, printed text."""
        with tempfile.TemporaryDirectory() as folder:
            names = ("cases.jsonl", "profile.json", "report.json")
            paths = [os.path.join(folder, name) for name in names]
            with open(paths[0], "w", encoding="utf-8") as file:
                for item in CASES if cases is None else cases:
                    file.write(json.dumps(item) + "\n")
            with open(paths[1], "w", encoding="utf-8") as file:
                json.dump({"library": "broken", "adapter": [adapter, fault],
                           "must_be_right": must_be_right, "flags": flags or {}}, file)
            # Short only where it will be waited for: a busy machine is no fault of an adapter.
            limit, start_limit = ("1", "3") if fault.startswith("hangs") else ("20", "20")
            command = [sys.executable, os.path.join(HERE, "driver.py"), "--cases", paths[0],
                       "--report", paths[2], "--timeout", limit, "--start-timeout", start_limit,
                       paths[1]]
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)
            if not os.path.exists(paths[2]):
                return done.returncode, None, done.stderr
            with open(paths[2], encoding="utf-8") as file:
                return done.returncode, json.load(file)["libraries"][0], done.stdout

    def assert_outcomes(self, fault, code, outcomes, executed=5, **options):
        found_code, report, text = self.drive(fault, **options)
        found = {name: number for name, number in report["outcomes"].items() if number}
        self.assertEqual(found, outcomes, text)
        self.assertEqual(report["executed"], executed)
        self.assertEqual(found_code, code, text)
        self.assertEqual("FAILED" in text, code != 0, text)
        self.assertLessEqual(max(map(len, text.splitlines())), 80, text)
        self.assertIn(f"{executed} of {len(CASES)} cases executed", text)

    def test_right_library(self):
        self.assert_outcomes("honest", 0, {"right": 5, "unsupported": 2}, must_be_right=True)

    def test_wrong_verdicts_are_findings_or_failures(self):
        lax = {"right": 3, "too lax": 2, "unsupported": 2}
        self.assert_outcomes("accepts-all", 0, lax)
        self.assert_outcomes("accepts-all", 1, lax, must_be_right=True)
        strict = {"right": 2, "too strict": 3, "unsupported": 2}
        self.assert_outcomes("rejects-all", 0, strict)
        self.assert_outcomes("rejects-all", 1, strict, must_be_right=True)

    def test_flags_change_what_is_right(self):
        lax = {"right": 4, "too lax": 1, "unsupported": 2}
        self.assert_outcomes("accepts-all", 0, lax, flags={"slack": "either"})
        self.assert_outcomes("accepts-all", 0, lax, flags={"slack": "accept"})
        self.assert_outcomes("rejects-all", 0, {"right": 1, "too strict": 4, "unsupported": 2},
                             flags={"slack": "accept"})

    def test_crashes_and_hangs_do_not_end_the_run(self):
        for fault, outcome in (("crashes", "crash"), ("exits", "crash"), ("hangs", "timeout")):
            outcomes = {"right": 3, outcome: 2, "unsupported": 2}
            self.assert_outcomes(fault, 0, outcomes)
            self.assert_outcomes(fault, 1, outcomes, must_be_right=True)

    def test_protocol_errors_fail(self):
        self.assert_outcomes("speaks-garbage", 1, {"right": 3, "protocol": 2, "unsupported": 2})
        for fault in ("wrong-id", "invents-a-verdict", "speaks-without-end"):
            self.assert_outcomes(fault, 1, {"protocol": 5, "unsupported": 2})

    def test_unsupported_must_match_the_manifest(self):
        self.assert_outcomes("unsupported-all", 1, {"refused": 5, "unsupported": 2})
        self.assert_outcomes("supports-nothing", 1, {"unsupported": 7}, executed=0)

    def test_named_rules(self):
        wrong = {"right": 3, "wrong rule": 2, "unsupported": 2}
        self.assert_outcomes("names-wrong-rule", 1, wrong, must_be_right=True)
        self.assert_outcomes("names-nothing", 0, wrong)
        self.assert_outcomes("names-right", 0, {"right": 5, "unsupported": 2}, must_be_right=True)
        # 5.2 is violated too, and it claims to name all.
        self.assert_outcomes("names-one-of-all", 0, {"right": 4, "wrong rule": 1, "unsupported": 2})

    def test_adapters_that_do_not_start_fail(self):
        for fault in ("dies-at-start", "hangs-at-start", "not-ready", "bad-manifest",
                      "unknown-flag"):
            self.assert_outcomes(fault, 1, {}, executed=0)

    def test_the_example_of_the_manual_works(self):
        with open(os.path.join(HERE, "ADAPTERS.md"), encoding="utf-8") as file:
            example = file.read().split("```python\n")[1].split("```")[0]
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {"example.py": example, "library.py": LIBRARY}.items():
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(text)
            adapter = os.path.join(folder, "example.py")
            _, report, text = self.drive("", must_be_right=True, adapter=adapter)
        self.assertEqual((report["library"], report["executed"]), ("library", 5), text)
        self.assertEqual((report["outcomes"]["right"], report["outcomes"]["too lax"]), (3, 2))

    def test_hopeless_adapter_is_given_up(self):
        many = [case(f"csr/5.1/{k}", ["5.1"]) for k in range(60)]
        code, report, text = self.drive("crashes", cases=many)
        self.assertEqual((code, report["executed"], report["outcomes"]["crash"]), (1, 40, 40), text)
        self.assertIn("in a row", text)

    def test_no_cases_fail(self):
        code, report, _ = self.drive("honest", cases=[])
        self.assertEqual((code, report["executed"]), (1, 0))

    def test_bad_cases_and_profiles_are_not_run(self):
        code, report, text = self.drive("honest", cases=[CASES[0], CASES[0]])
        self.assertEqual((code, report), (2, None))
        self.assertIn("stands twice", text)
        code, report, _ = self.drive("honest", flags={"no-such-flag": "accept"})
        self.assertEqual((code, report), (2, None))


class JudgeTest(unittest.TestCase):
    def test_every_flag_of_a_rule_must_excuse_it(self):
        item = case("csr/5.6/a", ["5.6"], ["unsorted", "duplicates"])
        for readings, expected in (({}, "reject"), ({"unsorted": "accept"}, "reject"),
                                   ({"unsorted": "accept", "duplicates": "reject"}, "reject"),
                                   ({"unsorted": "accept", "duplicates": "either"}, "either"),
                                   ({"unsorted": "accept", "duplicates": "accept"}, "accept")):
            self.assertEqual(judge.expected_answer(item, readings), expected)

    def test_a_flag_excuses_its_own_rules_only(self):
        item = case("csr/5.2/a", ["5.2", "5.4"], ["slack"])
        self.assertEqual(judge.expected_answer(item, {"slack": "accept"}), "reject")
        item = case("csr/5.2/b", ["5.2"], ["slack"])
        self.assertEqual(judge.expected_answer(item, {"slack": "accept"}), "accept")

    def test_later_phases_hide(self):
        self.assertEqual(judge.first_phase(["5.6", "3.10", "5.1", "6.3"]), {"3.10", "6.3"})
        self.assertEqual(judge.first_phase(["6.7", "6.5"]), {"6.5"})


class LintTest(unittest.TestCase):
    def assert_problem(self, text, **changes):
        found = lint.problems_of_line(json.dumps({**CASES[0], **changes}), set())
        self.assertEqual(len(found), 1, found)
        self.assertIn(text, found[0])

    def test_faults_are_found(self):
        self.assertEqual(lint.problems_of_line(json.dumps(CASES[3]), set()), [])
        self.assertIn("not JSON", lint.problems_of_line("{", set())[0])
        self.assert_problem("keys", extra=1)
        self.assert_problem("path of words", id="csr")
        self.assert_problem("path of words", id="csr/a b")
        self.assert_problem("phase", phase="multiply")
        self.assert_problem("expect is", expect={"verdict": "invalid"})
        self.assert_problem("expect is", expect={"verdict": "valid", "rules": ["5.1"]})
        self.assert_problem("verdict", expect={"verdict": "perhaps"})
        self.assert_problem("operation", operation="use")
        self.assert_problem("operand", operation="read")
        self.assert_problem("no array", operation="to_dense")
        self.assert_problem("group", group="")
        self.assert_problem("rules", expect={"verdict": "invalid", "rules": []})
        self.assert_problem("rules", expect={"verdict": "invalid", "rules": ["5.1.2"]})
        self.assert_problem("flags", flags=["shiny"])
        self.assert_problem("flags", flags=["slack", "slack"])
        self.assert_problem("no known layout", tensor={**TENSOR, "layout": "dia"})
        no_data = {**TENSOR, "values": {"dtype": "float32", "shape": [0]}}
        self.assert_problem("no array values", tensor=no_data)
        self.assert_problem("symmetric", tensor={**TENSOR, "size": [3, 3]})

    def test_schema_and_manual_know_the_same_flags(self):
        with open(os.path.join(HERE, "case.schema.json"), encoding="utf-8") as file:
            schema = json.load(file)
        self.assertEqual(schema["properties"]["flags"]["items"]["enum"], list(lint.FLAGS))
        with open(os.path.join(HERE, "ADAPTERS.md"), encoding="utf-8") as file:
            table = file.read().split("## Flags")[1].split("## ")[0]
        named = [name for line in table.splitlines() if line.startswith("| `")
                 for name in line.split("|")[1].replace("`", "").replace(",", " ").split()]
        self.assertEqual(sorted(named), list(lint.FLAGS))

    def test_generated_cases_are_clean_and_cover_every_rule(self):
        seen, planted = set(), set()
        for item in generate.all_cases():
            self.assertEqual(lint.problems_of_line(json.dumps(item), seen), [])
            if item["operation"] == "check":
                planted.add((item["tensor"]["layout"], item["expect"].get("rules", ["valid"])[0]))
        everywhere = ["valid", "1.3", "1.4", "1.6", "3.11", "3.12", "3.14"]
        compressed = ["1.1", "1.2", "3.1", "3.2", "3.3", "3.4", "3.5", "3.6", "3.8", "3.9", "3.10",
                      "5.1", "5.2", "5.3", "5.4", "5.5", "5.6"]
        expected = {("coo", rule) for rule in everywhere + [f"6.{k}" for k in range(1, 8)]}
        for layout in ("csr", "csc", "bsr", "bsc"):
            blocked = ["3.13"] if layout in ("bsr", "bsc") else []
            expected |= {(layout, rule) for rule in everywhere + compressed + blocked}
        self.assertEqual(planted, expected)


if __name__ == "__main__":
    unittest.main()
