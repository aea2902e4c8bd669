#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the driver with adapters that are wrong, the lint with cases that are, and the reports. Needs
nothing but Python and spw (SPW), and some ten seconds, most of them spent waiting for adapters that
hang."""
import ctypes
import io
import itertools
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree as ET
from contextlib import redirect_stderr, redirect_stdout
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from types import SimpleNamespace
from unittest import mock

sys.dont_write_bytecode = True
TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, TOP)
from judging import dense  # noqa: E402
from harness import driver  # noqa: E402
import findings  # noqa: E402
from cases import generate, store  # noqa: E402
from harness import heap  # noqa: E402
from judging import judge  # noqa: E402
from harness import library  # noqa: E402
from judging import lint  # noqa: E402
from harness import logs  # noqa: E402
from judging import oracle  # noqa: E402
from harness import profile_file  # noqa: E402
from harness import progress  # noqa: E402
from judging import rules  # noqa: E402
from schemas import vocabulary  # noqa: E402
from cases import definitions  # noqa: E402
from reports import causes, machine, table  # noqa: E402

TENSOR = {"spw": 1, "layout": "csr", "size": [2, 3],
          "compressed_indices": {"dtype": "int32", "shape": [3], "data": [0, 0, 0]},
          "plain_indices": {"dtype": "int32", "shape": [0], "data": []},
          "values": {"dtype": "float32", "shape": [0], "data": []}}
DENSE = {"verdict": "valid", "dense": {"dtype": "float32", "shape": [2, 3], "data": [0] * 6}}


def case(name, rules=(), flags=(), tensor=None):
    expect = {"verdict": "invalid", "rules": list(rules)} if rules else {"verdict": "valid"}
    return {"id": name, "group": "g", "phase": "validate", "operation": "check",
            "tensor": tensor or TENSOR,
            "expect": expect,
            "flags": list(flags)}


BROKEN = os.path.join(TOP, "adapters", "broken_adapter.py")

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
    def drive(self, fault, must_be_right=False, flags=None, cases=None, adapter=BROKEN, options=(),
              files=None, **more):
        """Exit code, report of the library, printed text. files: written beside the cases. more: of
        the profile."""
        with tempfile.TemporaryDirectory() as folder:
            names = ("cases.jsonl", "profile.json", "report.json")
            paths = [os.path.join(folder, name) for name in names]
            with open(paths[0], "w", encoding="utf-8") as file:
                for item in CASES if cases is None else cases:
                    file.write(json.dumps(item) + "\n")
            with open(paths[1], "w", encoding="utf-8") as file:
                json.dump({"library": "broken", "adapter": [adapter, fault],
                           "must_be_right": must_be_right, "flags": flags or {}, **more}, file)
            for name, text in (files or {}).items():
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(text)
            # Short only where it will be waited for: a busy machine is no fault of an adapter.
            limit, start_limit = ("2", "8") if fault.startswith("hangs") else ("20", "20")
            command = [sys.executable, os.path.join(TOP, "harness/driver.py"), "--cases", paths[0],
                       "--report", paths[2], "--timeout", limit, "--start-timeout", start_limit,
                       *(option.replace("FOLDER", folder) for option in options), paths[1]]
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

    def test_a_slow_library_may_ask_for_time(self):
        for seconds, outcome in ((1, "timeout"), (8, "right")):
            _, report, text = self.drive("hangs-for-a-while", cases=CASES[:1], seconds=seconds)
            self.assertEqual(report["outcomes"][outcome], 1, text)

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
                      "unknown-flag", "unknown-type", "unknown-index-type", "another-protocol"):
            self.assert_outcomes(fault, 1, {}, executed=0)

    def test_how_an_adapter_ends_is_reported(self):
        for fault, said in (("aborts-at-stop", "SIGABRT"), ("exits-with-1-at-stop", "exit code 1"),
                            ("hangs-at-stop", "did not end in 2 seconds"), ("leaks-at-stop", "LeakSanitizer"),
                            ("dies-in-a-fork-at-stop", "SIGSEGV"), ("answers-stop", "answered")):
            for strict, options in ((True, ()), (False, ()), (True, ["--xfail", "FOLDER/known"])):
                code, report, text = self.drive(fault, must_be_right=strict, options=options, files={"known": ""})
                self.assertIn(said, report["at_stop"], text)
                self.assertEqual(report["outcomes"]["right"], 5, text)
                self.assertIn("at stop: ", text)
                self.assertEqual(code, int(strict), text)
        self.assertEqual(self.drive("honest")[1]["at_stop"], "")

    def test_a_death_that_nobody_is_to_blame_for_is_told(self):
        for strict, options in ((True, ()), (False, ()), (True, ["--xfail", "FOLDER/known"])):
            code, report, text = self.drive("dies-of-the-third", must_be_right=strict, options=options, files={"known": ""})
            self.assertEqual((report["outcomes"]["right"], code), (5, int(strict)), text)
            self.assertEqual([said.split(":")[0] for said in report["unexplained"]], ["csr/valid/c"])
            self.assertIn("that did not happen again", text)
            self.assertEqual("FAILED" in text, strict, text)

    def test_a_library_stays_the_same(self):
        code, report, text = self.drive("starts-again-as-another")
        self.assertEqual(code, 1, text)
        self.assertIn("another library", report["problem"])

    def test_answers_that_come_after_a_death_are_those_of_their_questions(self):
        code, report, text = self.drive("dies-after-its-answer")
        self.assertEqual((report["outcomes"]["right"], report["outcomes"]["crash"], code), (4, 1, 0), text)
        self.assertIn("the next question died", next(found["message"] for found in report["results"] if found["outcome"] == "crash"))

    def test_a_result_is_judged_though_its_child_is_gone(self):
        asked = [{**case(f"csr/valid/{name}"), "operation": "to_dense", "expect": DENSE} for name in "ab"]
        code, report, text = self.drive("dies-of-every-second", cases=asked)
        self.assertEqual([found["outcome"] for found in report["results"]], ["crash", "right"], text)
        self.assertIn("the next question died", report["results"][0]["message"])
        self.assertEqual(code, 0, text)

    def test_a_report_that_comes_after_the_answer_is_of_that_question(self):
        code, report, text = self.drive("reports-after-its-answer")
        self.assertEqual((report["outcomes"]["right"], report["outcomes"]["crash"], code), (4, 1, 0), text)
        crash = next(found for found in report["results"] if found["outcome"] == "crash")
        self.assertEqual(crash["id"], "csr/valid/a")
        self.assertIn("heap-use-after-free", crash["message"])

    def test_what_goes_wrong_in_use_is_called_by_its_name(self):
        for fault in ("answers-another-in-use", "answers-another-later-in-use"):  # which happens again behind the same question
            code, report, text = self.drive(fault)
            self.assertEqual(code, 1, text)
            self.assertGreater(report["outcomes"]["protocol"], 0, text)
        code, report, text = self.drive("answers-another-much-later-in-use")
        self.assertEqual((report["outcomes"]["protocol"], code), (0, 0), text)
        self.assertEqual({said.split(": ")[1] for said in report["unexplained"]}, {"answered 'another'"}, text)
        _, report, text = self.drive("has-no-memory-in-use")
        self.assertGreater(report["outcomes"]["too lax (crash)"], 0, text)
        self.assertEqual(report["outcomes"]["too lax (out of bounds)"], 0, text)

    def test_most_is_asked_before_the_wall_behind(self):
        asked = library.Library.guards(SimpleNamespace(manifest={"guards": ["before", "after"]}), {"operation": "matvec", "expect": {}})
        self.assertEqual(asked, ["after"])

    def test_what_is_said_can_be_written(self):
        self.assertEqual(self.drive("says-halves-of-characters", options=["--verbose"])[1]["results"][0]["message"], "\\ud800")

    def test_what_is_said_at_start_can_be_written(self):
        for fault, said in (("says-halves-of-characters-at-start", "not ready: there is no \\ud800"),
                            ("names-a-type-of-halves", "unknown types: \\ud800")):
            code, report, text = self.drive(fault)
            self.assertEqual(code, 1, text)
            self.assertTrue(report["problem"].endswith(said), report["problem"])

    def test_numbers_that_json_does_not_have_are_texts(self):
        """As Python's json writes them; a report is JSON for every reader."""
        def asked(name, data):
            return {**case(name), "operation": "to_dense",
                    "expect": {"verdict": "valid", "dense": {"dtype": "float32", "shape": [2, 3], "data": data}}}
        _, report, text = self.drive("writes-nan", cases=[asked("csr/to_dense/a", ["nan", "inf", "-inf", 0, 0, "-inf"]),
                                                          asked("csr/to_dense/b", [0] * 6)])
        self.assertEqual([result["outcome"] for result in report["results"]], ["right", "wrong result"], text)
        self.assertEqual(report["results"][1]["result"]["dense"]["data"], ["nan", "inf", "-inf", 0, 0, "-inf"])
        with self.assertRaises(ValueError):
            progress.text_of({"nan": float("nan")})

    def test_time_is_up_though_something_is_said(self):
        _, report, text = self.drive("hangs-trickles", cases=CASES[:1])
        self.assertEqual(report["outcomes"]["timeout"], 1, text)

    def test_a_word_of_another_language_is_no_sanitizer(self):
        self.assertIsNone(logs.of_sanitizer(b"recovered: runtime error: index out of range [5] with length 3"))
        self.assertIsNotNone(logs.of_sanitizer(b"a.c:3:14: runtime error: signed integer overflow: 1 + 2"))

    def test_lines_about_cases_of_another_part_are_no_slip(self):
        for lines, code in (("broken csr/5.1/a too lax\n", 0), ("broken csr/5.1/a too lax\nbroken csr/5.2/* too lax\n", 0),
                            ("broken csr/5.1/a too lax\nbroken csr/9* too lax\n", 1)):
            found, _, text = self.drive("accepts-all", options=["--run", "*/5.1/*", "--xfail", "FOLDER/known"], files={"known": lines})
            self.assertEqual(found, code, text)

    def test_an_adapter_that_is_not_ready_says_why(self):
        for fault, said in (("says-why-it-is-not-ready", "did not start: not ready: there is no device"),
                            ("not-ready", "did not start: not ready")):
            _, report, text = self.drive(fault)
            self.assertEqual(report["problem"], said)
            self.assertIn(said, text)

    def test_the_example_of_the_manual_works(self):
        with open(os.path.join(TOP, "ADAPTERS.md"), encoding="utf-8") as file:
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
        many = [case(f"csr/5.1/{k}") for k in range(60)]
        code, report, text = self.drive("crashes", cases=many)
        self.assertEqual((code, report["executed"], report["outcomes"]["crash"]), (1, 40, 40), text)
        self.assertIn("again and again", text)

    def test_no_cases_fail(self):
        code, report, _ = self.drive("honest", cases=[])
        self.assertEqual((code, report["executed"]), (1, 0))

    def test_cases_can_be_chosen(self):
        whole = self.drive("honest")[1]
        self.assertEqual(whole["selection"], {})
        for options, executed in ((["--run", "*/valid/*"], 3), (["--skip", "*/valid/*"], 2),
                                  (["--run", "*/valid/*", "--skip", "*/b"], 2),
                                  (["--seed", "7"], 5), (["--run", "g"], 5)):
            code, report, text = self.drive("honest", must_be_right=True, options=options)
            self.assertEqual((code, report["executed"]), (0, executed), text)
            self.assertEqual((report["cases"], report["askable"]), (len(CASES), whole["askable"]))
            self.assertEqual(bool(report["selection"]), "--seed" not in options)
        parts = [self.drive("honest", options=["--shard", f"{k}/3"])[1] for k in (1, 2, 3)]
        found = [result["id"] for part in parts for result in part["results"]]
        self.assertEqual(sorted(found), sorted(item["id"] for item in CASES))
        code, report, text = self.drive("honest", options=["--run", "nothing/*"])
        self.assertEqual((code, report["executed"]), (1, 0), text)
        code, report, _ = self.drive("honest", options=["--shard", "4/3"])
        self.assertEqual((code, report), (2, None))

    def test_an_interrupted_run_keeps_what_is_finished(self):
        with tempfile.TemporaryDirectory() as folder:
            cases, report = (os.path.join(folder, name) for name in ("cases.jsonl", "report.json"))
            with open(cases, "w", encoding="utf-8") as file:
                file.writelines(json.dumps(item) + "\n" for item in CASES)
            profiles = []
            for name, fault in (("quick", "honest"), ("slow", "hangs-for-a-while")):
                profiles.append(os.path.join(folder, name + ".json"))
                with open(profiles[-1], "w", encoding="utf-8") as file:
                    json.dump({"library": name, "adapter": [BROKEN, fault], "must_be_right": False,
                               "flags": {}, "seconds": 30}, file)
            command = [sys.executable, os.path.join(TOP, "harness/driver.py"), "--cases", cases,
                       "--report", report, *profiles]
            with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
                while child.poll() is None and not os.path.exists(report):
                    time.sleep(0.1)
                child.terminate()
                text = child.communicate(timeout=60)[0].decode()
            self.assertEqual(child.returncode, 4, text)
            self.assertIn("interrupted: 1 of 2 libraries finished", text)
            kept = self.libraries(report, complete=False)
            self.assertEqual([library["profile"] for library in kept], ["quick"])
            self.assert_told(cases, report, interrupted=True)
            for path, old, new in ((profiles[1], "hangs-for-a-while", "honest"),):
                with open(path, encoding="utf-8") as file:
                    changed = file.read().replace(old, new)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(changed)
            done = subprocess.run([*command, "--resume"], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            both = self.libraries(report, complete=True)
            self.assertEqual([library["executed"] for library in both], [5, 5])
            self.assertEqual(both[0], kept[0])  # with its seconds: it was not asked again
            self.assert_told(cases, report, interrupted=False)
            done = subprocess.run([*command, "--resume", "--run", "*/5.*"], capture_output=True, check=False)
            self.assertEqual([library["executed"] for library in self.libraries(report, True)], [2, 2])

    def test_a_signal_that_another_thread_gets_is_heard(self):
        with tempfile.TemporaryDirectory() as folder:
            cases, profile, report = (os.path.join(folder, name) for name in ("cases.jsonl", "slow.json", "report.json"))
            with open(cases, "w", encoding="utf-8") as file:
                file.writelines(json.dumps(item) + "\n" for item in CASES)
            with open(profile, "w", encoding="utf-8") as file:
                json.dump({"library": "slow", "adapter": [BROKEN, "hangs-for-a-while"], "must_be_right": False,
                           "flags": {}, "seconds": 30}, file)
            command = [sys.executable, os.path.join(TOP, "harness/driver.py"), "--cases", cases, "--report", report, profile]
            with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
                while child.poll() is None and not os.path.exists(os.path.join(folder, "slow.log")):
                    time.sleep(0.1)
                others = {int(name) for name in os.listdir(f"/proc/{child.pid}/task")} - {child.pid}
                self.assertTrue(others)
                self.assertEqual(ctypes.CDLL(None).tgkill(child.pid, min(others), signal.SIGTERM), 0)
                said, wrong = child.communicate(timeout=60)
            self.assertEqual(child.returncode, 4, said + wrong)

    def test_a_command_that_is_interrupted_before_there_is_anything_says_so(self):
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-B", os.path.join(TOP, "conform"), "--out", folder,
                       "--adapter", f"{sys.executable} {BROKEN} hangs-for-a-while"]
            with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
                while child.poll() is None and not os.path.exists(os.path.join(folder, "library.log")):
                    time.sleep(0.1)
                child.terminate()
                said, wrong = child.communicate(timeout=60)
            self.assertEqual(child.returncode, 4, said + wrong)
            self.assertIn(b"nothing is written", said)
            self.assertNotIn(b"Details", said)
            self.assertNotIn(b"Traceback", wrong)

    def assert_told(self, cases, report, interrupted):
        """In the forms for other programs."""
        forms = {option: report + option for option in ("--junit", "--tap", "--badge")}
        subprocess.run([sys.executable, os.path.join(TOP, "reports/report.py"), "--cases", cases, report,
                        *(part for pair in forms.items() for part in pair)], check=True)
        texts = {}
        for option, path in forms.items():
            with open(path, encoding="utf-8") as file:
                texts[option] = file.read()
        for option in ("--junit", "--tap"):
            self.assertEqual(texts[option].count("the run was interrupted"), int(interrupted), option)
        self.assertEqual("#a40e26" in texts["--badge"], interrupted)

    def libraries(self, path, complete):
        with open(path, encoding="utf-8") as file:
            read = json.load(file)
        self.assertEqual(read["complete"], complete)
        return read["libraries"]

    def test_another_order_is_the_same_every_time(self):
        orders = [[result["id"] for result in self.drive("honest", options=["--seed", seed])[1]["results"]]
                  for seed in ("1", "1", "2")]
        self.assertEqual(orders[0], orders[1])
        self.assertNotEqual(orders[0], orders[2])

    def test_what_is_known_to_be_wrong_must_stay_wrong(self):
        for lines, code, said in (("broken csr/5.* too lax\n", 0, ""),
                                  ("broken csr/5.*  # why\n\n", 0, ""),
                                  ("broken csr/5.1/*\n", 1, "csr/5.2/slack: too lax"),
                                  ("broken csr/5.* crash\n", 1, "csr/5.1/a: too lax"),
                                  ("broken csr/*\n", 1, "csr/valid/a is right"),
                                  ("broken csr/5.*\nbroken csr/9*\n", 1, "fits no case"),
                                  ("broken csr/5.*\nbroken csr/valid/batched\n", 1, "fits no case"),
                                  ("broken\n", 2, "known:1: a line is")):
            found, _, text = self.drive("accepts-all", options=["--xfail", "FOLDER/known"],
                                        files={"known": lines})
            self.assertEqual(found, code, text)
            self.assertIn(said, text)

    def test_faults_of_profiles_are_named_with_file_and_line(self):
        good = {"library": "broken", "adapter": [BROKEN, "honest"], "must_be_right": False, "flags": {}}
        for change, line, said in (({"flags": {"slack": "either", "shiny": "accept"}}, 10, "unknown flag shiny"),
                                   ({"flags": {"slack": "maybe"}}, 9, "'maybe'"),
                                   ({"flags": {"explicit-zeros": "either"}}, 9, "needs a source"),
                                   ({"colour": "red"}, 9, "unknown key colour"),
                                   ({"must_be_right": "yes"}, 7, "must_be_right"),
                                   ({"uses": ["hybrid"]}, 9, "hybrid"),
                                   ({"seconds": 0}, 9, "seconds"), ({"seconds": True}, 9, "seconds"),
                                   ({"released": {"1.0": "long ago"}}, 9, "2026-09-12"), ({"released": "2026-09"}, 9, "released"),
                                   ({"index_dtype": "int16"}, 9, "index_dtype"),
                                   ({"precision": {"float32": "tf33"}}, 10, "'tf33'"),
                                   ({"precision": {"float32": "tf32", "int32": "tf32"}}, 11, "int32"),
                                   ({"precision": {"summ/float32": "tf32"}}, 10, "summ/float32"),
                                   ({"like": "nowhere.json"}, 9, "like is another file"), ({"like": 1}, 9, "like is another file"),
                                   ({"sources": {"precisions": "x"}}, 9, "precisions")):
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "profile.json")
                with open(path, "w", encoding="utf-8") as file:
                    json.dump({**good, **change}, file, indent=1)
                with self.assertRaises(ValueError) as caught:
                    profile_file.read(path, folder)
            self.assertTrue(str(caught.exception).startswith(f"{path}:{line}: "), caught.exception)
            self.assertIn(said, str(caught.exception))

    def test_a_profile_is_like_another_file(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("shared", {"flags": {"slack": "either"}, "index_dtype": "free"}),
                               ("own", {"library": "broken", "like": "shared.json", "index_dtype": "int32"})):
                with open(os.path.join(folder, name + ".json"), "w", encoding="utf-8") as file:
                    json.dump(text, file)
            self.assertEqual(profile_file.read(os.path.join(folder, "own.json"), folder, needs_adapter=False),
                             {"library": "broken", "must_be_right": False, "flags": {"slack": "either"}, "index_dtype": "int32"})

    def test_the_readme_counts_the_libraries(self):
        """Other ones than ours; a profile whose name continues another's is of the same library."""
        names = {name.removesuffix(".json") for name in os.listdir(os.path.join(TOP, "profiles"))}
        names = {name for name in names if not name.startswith("sparsewright")}
        libraries = {name for name in names if not any(name != other and name.startswith(other) for other in names)}
        path = os.path.join(TOP, "..", "README.md")
        with open(path, encoding="utf-8") as file:
            self.assertIn(f"adapters for {len(libraries)} libraries", " ".join(file.read().split()))

    def test_bad_cases_and_profiles_are_not_run(self):
        code, report, text = self.drive("honest", cases=[CASES[0], CASES[0]])
        self.assertEqual((code, report), (2, None))
        self.assertIn("stands twice", text)
        code, report, _ = self.drive("honest", flags={"no-such-flag": "accept"})
        self.assertEqual((code, report), (2, None))


class CheckAdapterTest(unittest.TestCase):
    """`conform check-adapter`, of the cases of this file."""

    def check(self, command):
        """Exit code, and what is printed."""
        loader = SourceFileLoader("conform", os.path.join(TOP, "conform"))
        conform = module_from_spec(spec_from_loader("conform", loader))
        loader.exec_module(conform)
        printed = io.StringIO()
        book = SimpleNamespace(cases=lambda: [{**item, "group": "valid"} for item in CASES])
        with mock.patch.object(store, "kept", lambda: book), \
                redirect_stdout(printed), redirect_stderr(printed):
            return conform.main(["check-adapter", command]), printed.getvalue()

    def test_what_is_wrong_is_told(self):
        for command, code, said in ((f"{BROKEN} honest", 0, "4 questions of 1 operations answered\nasked: check 4\nnot asked: batched, and the manifest does not say why\nlooked at: the form"),
                                    (f"{BROKEN} names-more-than-is-asked", 0, "not asked, because no case of it is covered: to_dense"),
                                    (f"{BROKEN} exits", 1, "csr/5.1/a: exit code 9"),
                                    (f"{BROKEN} wrong-id", 1, "csr/valid/a: answered 'another'"),
                                    (f"{BROKEN} dies-of-the-third", 1, "csr/5.1/a: SIGSEGV"),
                                    (f"{BROKEN} dies-at-start", 1, "does not start"),
                                    (f"{BROKEN} dies-after-its-answer", 1, "csr/valid/b: SIGSEGV"),
                                    (f"{BROKEN} says-halves-of-characters-at-start", 1, "start: not ready: there is no \\ud800"),
                                    ("/no/such/program", 1, "does not start"), ("", 2, "needs a command"),
                                    ("'", 2, "No closing quotation")):
            found, printed = self.check(command)
            self.assertEqual(found, code, printed)
            self.assertIn(said, printed)
            self.assertEqual("does not start" in printed, said == "does not start", printed)


    def test_it_has_a_help_of_its_own(self):
        for word in ("--help", "-h"):
            code, printed = self.check(word)
            self.assertEqual((code, printed.split()[:4]), (0, ["Usage:", "spw", "conform", "check-adapter"]), printed)


class CallTest(unittest.TestCase):
    """`spw conform`: what is wrong with a call is told at once, and before anything is done."""

    def conform(self, *arguments):
        done = subprocess.run([sys.executable, "-B", os.path.join(TOP, "conform"), *arguments], capture_output=True, text=True,
                              check=False, timeout=300)
        return done.returncode, done.stdout, done.stderr

    def test_all_that_is_wrong_is_told_and_nothing_is_done(self):
        with tempfile.TemporaryDirectory() as folder:
            profile, out = os.path.join(folder, "p.json"), os.path.join(folder, "out")
            with open(profile, "w", encoding="utf-8") as file:
                file.write('{"library": "../x", "flags": {"shiny": "accept"}}')
            code, said, wrong = self.conform("--adapter='", f"--profile={profile}", f"--out={out}", "--rnu=x", "--timeout", "soon",
                                             "--shard=4/3", "--verbose=yes", "--xfail=/no/such/file", "more", "--seed")
            self.assertEqual((code, said, os.path.exists(out)), (2, "", False), wrong)
            for text in ("no option --rnu: did you mean --run?", "'soon' is no number", "a shard is i/n", "--verbose takes no value",
                         "'more' is no option", "--seed needs a value", "/no/such/file", "No closing quotation",
                         "library is a name", "unknown flag shiny"):
                self.assertIn(f"{text}", wrong)
            self.assertTrue(all(line.startswith(("spw conform: ", "Try ")) for line in wrong.splitlines()), wrong)
            self.assertIn("there is no option --zzzzzz\n", self.conform("--zzzzzz")[2])
            self.assertEqual(self.conform()[2].splitlines()[0], "spw conform: --adapter is missing, or a --profile that names one")

    def test_a_profile_needs_only_a_name(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "p.json")
            with open(path, "w", encoding="utf-8") as file:
                file.write('{"library": "tiny"}')
            self.assertEqual(profile_file.read(path, folder, needs_adapter=False),
                             {"library": "tiny", "must_be_right": False, "flags": {}})
            with self.assertRaisesRegex(ValueError, "adapter is missing"):
                profile_file.read(path, folder)

    def test_what_an_earlier_run_has_left_stays_until_there_is_something_new(self):
        with tempfile.TemporaryDirectory() as folder:
            adapter, one = f"--adapter={sys.executable} {BROKEN}", ["--out", folder, "--run", "csr/5.3/fall-middle/int32"]
            code, said, wrong = self.conform(f"{adapter} honest", *one)
            self.assertEqual((code, "Details: " in said, wrong.count("/3] ")), (0, True, 3 - ("made" not in wrong)), said + wrong)
            names = ("report.json", "report.xml", "report.tap", "report.html", "badge.svg")
            before = [os.stat(os.path.join(folder, name)) for name in names]
            code, said, wrong = self.conform(f"{adapter} honest", *one, "--spw=/no/such/program")
            self.assertEqual(code, 2, said + wrong)
            self.assertIn("nothing is written", said)
            self.assertEqual(before, [os.stat(os.path.join(folder, name)) for name in names])
            self.conform(f"{adapter} honest", *one)
            self.assertTrue(all(old.st_mtime_ns < os.stat(os.path.join(folder, name)).st_mtime_ns for old, name in zip(before, names)))


class StoreTest(unittest.TestCase):
    def test_a_book_has_the_cases_of_its_file(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(generate, "all_cases", lambda: CASES):
            told = []
            with mock.patch.dict(os.environ, XDG_CACHE_HOME=folder):
                books = [store.kept(told.append) for _ in range(2)]
            self.assertEqual(len(told), 1)
            for book in books:
                self.assertEqual(list(book.cases()), CASES)
                self.assertEqual(list(book.read(book.entries[-1:])), CASES[-1:])
                self.assertEqual(sum(book.kinds.values()), len(CASES))
            with open(books[0].path, "a", encoding="utf-8") as file:
                file.write("garbage")
            self.assertIsNone(store.index_of(books[0].path))
            with self.assertRaisesRegex(ValueError, "not JSON"):
                store.Book(books[0].path)


class ReportTest(unittest.TestCase):
    """The forms of a report: every case once, and nothing wrong among what is fine."""

    REPORT = {"library": "l", "version": "1", "profile": "l", "seconds": 1.0, "questions": 4,
              "executed": 4, "askable": 5, "failures": ["adapter: gave up"], "must_be_right": False, "cases": 5,
              "outcomes": {**dict.fromkeys(judge.OUTCOMES, 0), "right": 1, "crash": 1, "too lax": 1,
                           "too strict": 1, "unsupported": 1},
              "results": [{"id": "csr/valid/a", "group": "valid", "outcome": "right", "message": ""},
                          {"id": "csr/5.1/b", "group": "structure", "outcome": "crash",
                           "message": "SIGSEGV \x01 <&>"},
                          {"id": "csr/5.1/c", "group": "structure", "outcome": "too lax", "message": "row 3"},
                          {"id": "csc/5.1/c", "group": "structure", "outcome": "too lax", "message": "row 17"},
                          {"id": "csr/valid/d", "group": "valid", "outcome": "unsupported", "message": ""}]}

    def test_junit(self):
        suite = ET.fromstring(machine.junit([self.REPORT])).find("testsuite")
        kinds = [[child.tag for child in item] for item in suite.findall("testcase")]
        self.assertEqual(kinds, [[], ["error"], ["failure"], ["failure"], ["skipped"], ["error"]])
        self.assertEqual((suite.get("tests"), suite.get("errors"), suite.get("skipped")), ("6", "2", "1"))

    def test_tap(self):
        lines = [line for line in machine.tap([self.REPORT]).splitlines() if not line.startswith("#")]
        self.assertEqual(lines[:2], ["TAP version 13", "1..6"])
        self.assertEqual([line.split(" - ")[0] for line in lines[2:]],
                         ["ok 1", "not ok 2", "not ok 3", "not ok 4", "ok 5", "not ok 6"])

    def test_reports_name_the_suite(self):
        self.assertIn(f'name="sparsewright conformance {vocabulary.SUITE}"', machine.junit([self.REPORT]))
        self.assertIn(f"# sparsewright conformance {vocabulary.SUITE}\n", machine.tap([self.REPORT]))

    def test_causes(self):
        found = [(outcome, question, len(group)) for outcome, question, _, group
                 in causes.causes(self.REPORT["results"])]
        self.assertEqual(found, [("crash", "rule 5.1", 1), ("too lax", "rule 5.1", 2)])

    def test_long_names_fit_the_terminal(self):
        text = table.text({**self.REPORT, "version": "11.4 (a name of the release, as long as some are)",
                           "heap_check": "a remark " * 12, "questions": 12345, "seconds": 1234.5}, True)
        self.assertLessEqual(max(map(len, text.splitlines())), 80, text)
        self.assertIn("some are)", text)
        self.assertIn("does not fail make conform", text)
        self.assertNotIn("does not fail", table.text({**self.REPORT, "must_be_right": True}, True))
        self.assertIn("  lax unsafe strict wrong", text)

    def test_a_release_has_its_date_where_that_is_known(self):
        profile = {"released": {"1.2": "packaged 2026-09"}}
        for version, said in (("1.2", "broken 1.2, packaged 2026-09: "), ("1.2+cpu", "broken 1.2+cpu, packaged 2026-09: "),
                              ("1.3", "broken 1.3: "), (None, "broken None: ")):
            report = {**self.REPORT, "library": "broken", "version": version, "released": driver.released(profile, version)}
            self.assertIn(said, table.text({**report, "questions": 1, "seconds": 1.0}, True))

    def test_matrix_and_badge(self):
        text = table.matrix([self.REPORT])
        self.assertIn("3/3!", text)
        self.assertLessEqual(max(map(len, text.splitlines())), 80)
        self.assertIn("#a40e26", machine.badge([self.REPORT]))
        self.assertIn("#a40e26", machine.badge([]))
        good = {**self.REPORT, "executed": 1, "failures": []}
        for askable, colour in ((1, machine.GREEN), (2, machine.GREEN), (3, machine.YELLOW)):
            badge = machine.badge([{**good, "askable": askable}])
            self.assertIn(f'fill="{colour}"', badge)
            self.assertIn(f"1 of {askable} asked, 0 wrong", badge)
            chosen = machine.badge([{**good, "askable": askable, "selection": {"run": ["csr/*"]}}])
            self.assertNotIn(machine.GREEN, chosen)

    def test_what_is_survived_and_not_looked_at_again_is_told(self):
        survived = [{"outcome": heap.SURVIVED}]
        self.assertIn("1 survived, not checked further", heap.look_again({}, [{"tensor": {}}], survived, "", None))
        self.assertIsNone(heap.look_again({}, [{}], [{"outcome": "right"}], "", None))

    def test_what_could_be_asked(self):
        manifest = {"operations": {"check": {"layouts": ["csr"], "dtypes": ["float64"]}},
                    "index_dtypes": ["int32"], "lacks": ["batched"], "names_rules": "none"}
        typed = {**CASES[0], "retype": "any"}
        for item, expected in ((typed, True), (CASES[0], False), (CASES[6], False),
                               ({**typed, "operation": "to_dense"}, True)):
            self.assertEqual(judge.askable(manifest, {judge.kind_of(item): 2}), 2 * expected)
            self.assertEqual(judge.askable(None, {judge.kind_of(item): 1}), 0)


class FindingTest(unittest.TestCase):
    """What verify says of a finding, its program and its case."""

    def test_every_status(self):
        def absent():
            raise findings.Absent("no compiler")

        for run, here, version, outcome, expected in (
                (lambda: None, True, "1.0+x", "crash", "shown"),
                (lambda: None, True, "1.0", "right", "CASE IS RIGHT"),
                (lambda: None, True, "1.0", "unsupported", "CASE IS RIGHT"),
                (lambda: None, True, "1.0", "not answered", "CASE IS RIGHT"),
                (lambda: "ended with 0", True, "1.0", "crash", "FIXED"),
                (lambda: "ended with 0", False, "1.0", "right", "not on this processor"),
                (lambda: None, True, "2.0", "crash", "another version"),
                (absent, True, "1.0", "crash", "left out"),
                (lambda: None, True, None, "not set up", "left out")):
            finding = SimpleNamespace(run=run, is_for_this_processor=lambda found=here: found, fields={
                "version": "1.0", "case": "csr/5.1/1/int32", "processor": "avx1024"})
            answers = {"csr/5.1/1/int32": outcome} if version else outcome
            self.assertEqual(findings.status(finding, version, answers)[0], expected)


class DenseTest(unittest.TestCase):
    """Exact comparison: NaN, signs and types are told apart where they count."""

    @staticmethod
    def one(value, dtype="float64"):
        return {"dtype": dtype, "shape": [1], "data": [value]}

    def test_small_numbers_taken_for_zero(self):
        for least, dtype in ((2.0**-133, "bfloat16"), (2.0**-149, "float32"), (2.0**-1074, "float64"),
                             ([2.0**-149, 1.5], "complex64")):
            wanted = self.one(least, dtype)
            nothing = self.one([0, 1.5] if isinstance(least, list) else 0, dtype)
            self.assertEqual(dense.flushed(wanted, nothing), nothing)
            self.assertEqual(dense.flushed(wanted, wanted), wanted)
        normal = self.one(2.0**-126, "float32")
        self.assertEqual(dense.flushed(normal, self.one(0, "float32")), normal)

    def test_elements(self):
        same, differ = self.assertIsNone, self.assertIsNotNone
        same(dense.difference(self.one("-0.0"), self.one(0.0)))
        differ(dense.difference(self.one("-0.0"), self.one(0.0), exact=True))
        same(dense.difference(self.one("nan"), self.one("bits:fff8000000000001")))
        differ(dense.difference(self.one("nan"), self.one("bits:7ff8000000000001"), exact=True))
        differ(dense.difference(self.one("nan"), self.one(0)))
        differ(dense.difference(self.one(0), self.one("nan")))
        differ(dense.difference(self.one("inf"), self.one("nan")))
        differ(dense.difference(self.one(1), self.one(1, "float32")))
        same(dense.difference(self.one(1), self.one(1, "float32"), any_dtype=True))
        same(dense.difference(self.one("nan"), self.one("bits:ffc00000", "float32"), any_dtype=True))
        same(dense.difference(self.one(-12.125), self.one("bits:c142", "bfloat16"), any_dtype=True))
        differ(dense.difference(self.one("nan"), self.one(0, "float32"), any_dtype=True))
        differ(dense.difference(self.one("inf"), self.one("bits:fff0000000000000"), any_dtype=True))
        differ(dense.difference(self.one(2**53 + 1, "int64"), self.one(2.0**53), any_dtype=True))
        differ(dense.difference(self.one([5, 7], "complex64"), self.one([5], "complex64"), any_dtype=True))
        for wanted, value, dtype in ((0, [], "float64"), (300, 300, "uint8"), (1, 1, "garbage"), (300, 300, "bool"), (0, "bits:0000000000000000", "int64")):
            with self.assertRaises(dense.Misfit, msg=dtype):
                dense.difference(self.one(wanted), self.one(value, dtype), any_dtype=True)
        for value in ([], [1], [1, 2, 3], [[1, 2], 3], None):
            self.assertFalse(judge.is_element(value), value)
        for width, parts, found in ((1, [3, 0], [3]), (2, [3, 4], [3, 4]), (2, 3, [3, 0])):
            self.assertEqual([*oracle.parts_of(self.one(parts), width)], found)
        for width, parts in ((1, [3, 4]), (1, []), (2, [3]), (2, [])):
            with self.assertRaises(dense.Misfit):
                list(oracle.parts_of(self.one(parts), width))
        same(dense.difference(self.one(-12.125, "bfloat16"), self.one(-12.1, "bfloat16")))
        differ(dense.difference(self.one(-12.125, "bfloat16"), self.one(-12.0625, "bfloat16")))
        same(dense.difference(self.one([1, "-0.0"], "complex64"), self.one([1, 0], "complex64")))
        differ(dense.difference(self.one([1, 2], "complex64"), self.one([2, 1], "complex64")))
        for value, dtype in ((True, "int8"), (1.5, "int64"), (2, "bool"), ([1, "x"], "complex64")):
            with self.assertRaises(dense.Misfit):
                dense.difference(self.one(value, dtype), self.one(value, dtype))
        with self.assertRaises(dense.Misfit):
            dense.difference(self.one(300, "int8"), self.one(300, "int8"))
        for value, dtype in ((float("nan"), "int32"), (float("inf"), "int32"), ("bits:-nan", "float32"),
                             ("bits:7ff8000000000000", "float32"), ("bits:7fc0", "float32")):
            with self.assertRaises(dense.Misfit, msg=value):
                dense.difference(self.one(0, dtype), self.one(value, dtype))
        for value in ("0x1p5000", 10**400):
            with self.assertRaises(dense.Misfit, msg=value):
                dense.difference(self.one(0), self.one(value))
        differ(dense.difference({"dtype": "int8", "shape": [0, 2], "data": []},
                                {"dtype": "int8", "shape": [2, 0], "data": []}))

    def test_what_a_flag_says_of_bits_excuses_no_refusal(self):
        for flag, expected in (("explicit-zeros", "accept"), ("nan", "accept"), ("negative-zero", "accept"), ("subnormal", "accept"), ("duplicates", "either")):
            found = judge.expected_answer({"expect": {"verdict": "valid"}, "flags": [flag]}, {flag: "either"})
            self.assertEqual(found, expected, flag)

    def test_a_tensor_of_another_size_is_not_made(self):
        tensor = {"spw": 1, "layout": "coo", "size": [1, 2**62], "indices": {"dtype": "int64", "shape": [2, 0], "data": []},
                  "values": self.one(0) | {"shape": [0], "data": []}}
        wanted = {"operation": "to_coo", "flags": [], "expect": {"dense": {"dtype": "float64", "shape": [1, 2], "data": [0, 0]}}}
        outcome, why = judge.outcome_of_tensor(wanted, {"tensor": tensor}, {"verdict": "valid", "violations": []}, {"flags": {}})
        self.assertEqual((outcome, why), ("wrong result", f"shape [1, {2**62}], not [1, 2]"))

    def test_what_is_no_number_ends_no_run(self):
        wanted = {"operation": "to_dense", "flags": [], "expect": {"dense": self.one(1)}}
        for value in ("0x1p5000", "1e", "", 10**400, "bits:", [1, 2]):
            outcome, _ = judge.outcome_of_result(wanted, {"dense": self.one(value)}, None, {"flags": {}})
            self.assertEqual(outcome, "wrong result", value)
        with mock.patch.object(dense, "difference", side_effect=OverflowError("so large")):
            outcome, why = judge.outcome_of_result(wanted, {"dense": self.one(1)}, None, {"flags": {}})
        self.assertEqual(outcome, "wrong result")
        self.assertIn("so large", why)

    def test_another_type_hides_no_wrong_value(self):
        wanted = {"operation": "to_dense", "flags": [], "expect": {"dense": self.one(3)}}
        for value, expected in ((3, "wrong flag"), (5, "wrong result")):
            outcome, why = judge.outcome_of_dense(wanted, self.one(value, "float32"), {"flags": {}})
            self.assertEqual(outcome, expected)
            self.assertIn("type float32, not float64", why)

    def test_what_is_alike_has_the_same_bits(self):
        values = [0, 0.0, -0.0, 1, 1.0, True, "nan", "inf", "-0.0", "bits:7ff8000000000000", 0.125, 2**53 + 1, 2.0**53,
                  [0, 0.0], [0.0, -0.0], [1, "nan"]]

        def computed(a, b, dtype, exact):
            pair = [dense.bits_of(value, dtype) for value in (a, b)]
            return pair[0] == pair[1] if exact else dense.plain(pair[0], dtype) == dense.plain(pair[1], dtype)

        def outcome(function, *given):
            try:
                return function(*given)
            except (dense.Misfit, ValueError, TypeError):
                return "misfit"
        for given in itertools.product(values, values, ("float64", "int8", "bool", "complex64"), (False, True)):
            self.assertEqual(outcome(dense.same_element, *given), outcome(computed, *given), given)

    def test_arrays_that_are_alike_have_no_element_that_differs(self):
        values = [0, 0.0, -0.0, 1, 1.0, True, 300, 1.5, "nan", "x", "bits:7ff8000000000000", [0, 0]]

        def outcome(function):
            try:
                return function()
            except (dense.Misfit, ValueError, TypeError):
                return "misfit"
        alike = 0
        for *given, dtype in itertools.product(values, values, ("float64", "int8", "bool", "complex64")):
            a, b = [given[0]] * 2, [given[1]] * 2
            said = outcome(lambda: dense.are_alike(a, b, dtype))
            if said is False:
                continue
            alike += said is True
            each = outcome(lambda: all(dense.same_element(x, y, dtype, False) for x, y in zip(a, b)))
            self.assertEqual(each, said, (a, b, dtype))
        self.assertGreater(alike, 10)


class JudgeTest(unittest.TestCase):
    def test_every_flag_of_a_rule_must_excuse_it(self):
        item = case("csr/5.6/a", ["5.6"], ["unsorted", "duplicates"])
        for readings, expected in (({}, "reject"), ({"unsorted": "accept"}, "reject"),
                                   ({"unsorted": "accept", "duplicates": "reject"}, "reject"),
                                   ({"unsorted": "accept", "duplicates": "either"}, "either"),
                                   ({"unsorted": "accept", "duplicates": "accept"}, "accept")):
            self.assertEqual(judge.expected_answer(item, readings), expected)

    def test_the_strictest_reading_of_a_valid_tensor_counts(self):
        item = case("coo/valid/a", (), ["unsorted", "duplicates"])
        for readings, expected in (({}, "accept"), ({"unsorted": "either"}, "either"),
                                   ({"unsorted": "accept", "duplicates": "reject"}, "reject"),
                                   ({"unsorted": "accept", "duplicates": "either"}, "either")):
            self.assertEqual(judge.expected_answer(item, readings), expected)

    def test_a_flag_excuses_its_own_rules_only(self):
        item = case("csr/5.2/a", ["5.2", "5.4"], ["slack"])
        self.assertEqual(judge.expected_answer(item, {"slack": "accept"}), "reject")
        item = case("csr/5.2/b", ["5.2"], ["slack"])
        self.assertEqual(judge.expected_answer(item, {"slack": "accept"}), "accept")

    def test_what_is_put_in_order_keeps_its_layout_and_blocks_and_says_so(self):
        expect = {"verdict": "valid", "layout": "bsr", "blocksize": [2, 3], "elements": 0, "order": "canonical"}
        blocks = {**TENSOR, "layout": "bsr", "values": {"dtype": "float32", "shape": [0, 2, 3], "data": []}}
        others = {**blocks, "values": {"dtype": "float32", "shape": [0, 1, 1], "data": []}}
        for tensor, claims, order, outcome in (
                (blocks, {}, "canonical", "right"), (blocks, {"sorted": True, "canonical": True}, "canonical", "right"),
                (TENSOR, {}, "canonical", "wrong flag"), (others, {}, "canonical", "wrong flag"),
                (blocks, {"coalesced": False}, "canonical", "wrong flag"), (blocks, {"sorted": False}, "canonical", "wrong flag"),
                (blocks, {"sorted": False}, "sorted", "wrong flag"), (blocks, {"canonical": False}, "sorted", "right")):
            item = {"expect": {**expect, "order": order}, "tensor": TENSOR}
            self.assertEqual(judge.outcome_of_kind(item, tensor, (True, True), claims, {})[0], outcome, (tensor, claims, order))

    def test_a_gradient_is_masked_or_full(self):
        """Of x -> x * 2 at (0, 1), stored twice."""
        def coo(columns, values):
            return {"spw": 1, "layout": "coo", "size": [1, 3], "values": {"dtype": "float64", "shape": [len(values)], "data": values},
                    "indices": {"dtype": "int64", "shape": [2, len(columns)], "data": [0] * len(columns) + columns}}
        full = {"dtype": "float64", "shape": [1, 3], "data": [2, 4, 6]}
        item = {"operation": "vjp", "tensor": coo([1, 1], [1, 2]), "flags": ["duplicates"], "expect": {"verdict": "valid", "dense": full},
                "arguments": {"of": {"operation": "scale", "arguments": {"alpha": 2}}, "wrt": "tensor", "upstream": full}}
        valid = {"verdict": "valid", "violations": []}
        masked = {"flags": {"duplicates": "accept"}}
        for got, profile, expected in (
                ({"tensor": coo([1], [4])}, masked, "right"), ({"tensor": coo([1, 1], [1, 3])}, masked, "right"),
                ({"tensor": coo([1, 1], [4, 4])}, masked, "wrong result"), ({"tensor": coo([0, 1], [2, 4])}, masked, "wrong result"),
                ({"tensor": coo([0, 1], [0, 4])}, masked, "wrong result"), ({"tensor": coo([], [])}, masked, "wrong result"),
                ({"tensor": {**coo([1], [4]), "coalesced": True}}, masked, "right"),
                ({"dense": full}, masked, "wrong flag"), ({"dense": {**full, "data": [0, 4, 0]}}, masked, "wrong flag"),
                ({"dense": {**full, "data": [2, 8, 6]}}, masked, "wrong result"),
                ({"dense": full}, {**masked, "full_gradients": ["scale"]}, "right"),
                ({"dense": full}, {**masked, "full_gradients": ["scale/csr"]}, "wrong flag"),
                ({"tensor": coo([1], [4])}, {**masked, "full_gradients": ["scale/coo"]}, "wrong result")):
            self.assertEqual(judge.outcome_of_result(item, got, valid, profile)[0], expected, (got, profile))

    def test_later_phases_hide(self):
        self.assertEqual(rules.first_phase(["5.6", "3.10", "5.1", "6.3"]), {"3.10", "6.3"})
        self.assertEqual(rules.first_phase(["6.7", "6.5"]), {"6.5"})


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
        self.assert_problem("symmetric", operation="chain", arguments={"steps": [
            {"operation": "add", "arguments": {"other": {**TENSOR, "size": [3, 3]}}}]}, expect=DENSE)
        self.assert_problem("steps", operation="chain", arguments={"steps": [
            {"operation": "invert", "arguments": {}}]}, expect=DENSE)
        self.assert_problem("no step", operation="chain", arguments={"steps": [
            {"operation": "read", "arguments": {}}]}, expect=DENSE)
        self.assert_problem("needs the argument", operation="chain", arguments={"steps": [
            {"operation": "scale", "arguments": {}}]}, expect=DENSE)
        self.assert_problem("no known layout", tensor={**TENSOR, "layout": "dia"})
        no_data = {**TENSOR, "values": {"dtype": "float32", "shape": [0]}}
        self.assert_problem("no array values", tensor=no_data)
        self.assert_problem("symmetric", tensor={**TENSOR, "size": [3, 3]})
        for expect in ({"layout": "dia"}, {"blocksize": 2}, {"blocksize": ["2", "3"]}):
            self.assert_problem("no layout, or", operation="to_dense", expect={**DENSE, **expect})

    def test_faults_of_sums_are_found(self):
        six = {"exact": ["0x0p-0"] * 6, "gauge": ["0x0p-0"] * 6, "terms": [0] * 6, "unit": [0] * 6}
        sums = {"lattice": True, **six, "operands": {"bits": 1, "low": 0, "top": 1}}
        whole = {**CASES[0], "operation": "to_dense", "expect": {**DENSE, "sums": sums}}
        self.assertEqual(lint.problems_of_line(json.dumps(whole), set()), [])
        for said, change in (("keys of sums", {"more": 1}), ("has not 6", {"terms": [0] * 5}), ("has not 6", {"unit": 0}),
                             ("has not 6", {"exact": ["1.5"] * 6}), ("lattice", {"lattice": 1}),
                             ("operands", {"operands": {"bits": 1}})):
            self.assert_problem(said, operation="to_dense", expect={**DENSE, "sums": {**sums, **change}})
        self.assert_problem("about floats", operation="to_dense", expect={
            "verdict": "valid", "dense": {**DENSE["dense"], "dtype": "int32"}, "sums": sums})

    def test_a_chain_is_covered_in_every_layout_that_it_may_have(self):
        def covered(layouts_of_scale, *steps):
            entry = {"layouts": ["csr", "csc"], "dtypes": ["float32"]}
            manifest = {"index_dtypes": ["int32"], "lacks": [], "operations": {
                "chain": entry, "transpose": entry, "convert": {**entry, "to": {"csr": ["csc"], "csc": ["coo"]}},
                "scale": {**entry, "layouts": layouts_of_scale}}}
            return judge.covers(manifest, {"operation": "chain", "tensor": TENSOR, "flags": [], "arguments": {
                "steps": [{"operation": name, "arguments": {"to": to} if to else {}} for name, to in steps]}})
        scale, transpose = ("scale", None), ("transpose", None)
        self.assertTrue(covered(["csr"], scale, ("convert", "csc")))
        self.assertFalse(covered(["csr"], ("convert", "csc"), scale))
        self.assertFalse(covered(["csr"], transpose, scale))
        self.assertTrue(covered(["csr", "csc"], transpose, scale))
        self.assertFalse(covered(["csr", "csc"], ("convert", "csc"), ("convert", "coo")))
        self.assertFalse(covered(["csr"], ("divide", None)))

    def test_a_refusal_in_the_words_of_the_manifest_is_no_verdict(self):
        manifest = {"names_rules": "none", "refuses": ["not implemented for"]}
        valid, invalid = ({"operation": operation, "expect": {"verdict": verdict}, "flags": []}
                          for operation, verdict in (("add", "valid"), ("check", "invalid")))
        for item, message, outcome in ((valid, "not implemented for 'Half'", "unsupported"), (valid, "no such thing", "too strict"),
                                       (valid, "not implemented for x INTERNAL ASSERT FAILED", "too strict"),
                                       (invalid, "not implemented for 'Half'", "right")):
            with self.subTest(message):
                answer = {"verdict": "reject", "message": message}
                self.assertEqual(judge.outcome_of_verdict(item, answer, manifest, {})[0], outcome)

    def test_a_sum_may_be_of_an_unsigned_type(self):
        expected = {"dtype": "uint8", "shape": [], "data": [200]}
        for dtype, value, problem in (("uint64", 200, False), ("uint64", 201, True), ("uint16", -1, True), ("uint128", 200, True)):
            got = {"dtype": dtype, "shape": [], "data": [value]}
            try:
                found = dense.difference(expected, got, any_dtype=True)
            except dense.Misfit as error:
                found = str(error)
            self.assertEqual(bool(found), problem, (dtype, value))

    def test_every_operation_and_every_rule_has_cases(self):
        """The store has linted them all."""
        asked, planted = set(), set()
        for item in store.kept().cases():
            asked.add(item["operation"])
            if item["operation"] == "check":
                planted.add((item["tensor"]["layout"], item["expect"].get("rules", ["valid"])[0]))
        self.assertEqual(asked, set(vocabulary.OPERATIONS) - set(vocabulary.NOT_IN_CASES))
        computed = {name for name, entry in vocabulary.OPERATIONS.items()
                    if entry.result and entry.operand != "file"}
        self.assertEqual(computed, {*definitions.DEFINITIONS, "vjp"})  # gradients by differences: differentiated.py
        everywhere = ["valid", "1.3", "1.4", "1.6", "3.11", "3.12", "3.14"]
        compressed = ["1.1", "1.2", "3.1", "3.2", "3.3", "3.4", "3.5", "3.6", "3.8", "3.9", "3.10",
                      "5.1", "5.2", "5.3", "5.4", "5.5", "5.6"]
        expected = {("coo", rule) for rule in everywhere + [f"6.{k}" for k in range(1, 8)]}
        for layout in ("csr", "csc", "bsr", "bsc"):
            blocked = ["3.13"] if layout in ("bsr", "bsc") else []
            expected |= {(layout, rule) for rule in everywhere + compressed + blocked}
        self.assertEqual(planted, expected)

    def test_what_a_library_converts_is_no_finding(self):
        """SciPy converts indices that are floats; MKL is told of no elements behind the last offset."""
        cases = [generate.check_case(layout, "int32", *item) for layout in ("csr", "bsr") for item in generate.compressed.cases(layout, "int32")]
        known = {case["id"]: case for case in cases}
        for name, peer in (("bsr/1.3/float64/int32", "scipy"), ("csr/1.3/float32/int32", "scipy"), ("csr/5.2/less/int32", "mkl")):
            profile = profile_file.read(os.path.join(TOP, "profiles", peer + ".json"), "peers")
            self.assertEqual(judge.expected_answer(known[name], judge.readings_for(known[name], profile)), "either", name)


if __name__ == "__main__":
    unittest.main()
