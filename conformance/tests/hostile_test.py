#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Adapters that mean harm (adapters/hostile_adapter.py) cost no more than the driver's limits, and no wrong answer is
called right; and what strangers say spoils no report in any form. SPW names the program spw. Needs Linux."""
import base64
import json
import os
import re
import resource
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree as ET
import zlib
from types import SimpleNamespace

sys.dont_write_bytecode = True
TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, TOP)
from harness import driver, logs  # noqa: E402
from judging import judge  # noqa: E402
from judging.control import find  # noqa: E402
from reports import clean, machine, page, table, website  # noqa: E402

ADAPTER = os.path.join(TOP, "adapters", "hostile_adapter.py")
TENSOR = {"spw": 1, "layout": "csr", "size": [2, 3],
          "compressed_indices": {"dtype": "int64", "shape": [3], "data": [0, 1, 2]},
          "plain_indices": {"dtype": "int64", "shape": [2], "data": [1, 2]},
          "values": {"dtype": "float64", "shape": [2], "data": [1, 2]}}
DENSE = {"dtype": "float64", "shape": [2, 3], "data": [0, 1, 0, 0, 0, 2]}


def case(name, operation, **more):
    return {"id": name, "group": operation, "phase": "use", "operation": operation, "tensor": TENSOR, "flags": [],
            "expect": {"verdict": "valid", "dense": DENSE}, **more}


CASES = [case("csr/to_dense/a", "to_dense"), *(case(f"csr/convert/{name}", "convert", arguments={"to": "coo"}) for name in "ab")]
WRONG, BREACH, CRASH, TIMEOUT = {"wrong result"}, {"protocol"}, {"crash"}, {"timeout"}
INVALID = {"wrong result", "invalid result"}  # the first case has another answer
# What becomes of the cases. A short list: each of them costs a time limit.
EXPECTED = {
    **dict.fromkeys(("strides-of-a-million", "strides-of-a-milliard", "strides-of-more-than-there-is", "values-of-a-milliard",
                     "huge-shape", "many-dimensions", "long-data", "nan-for-a-number", "each-element-twice", "zero-at-the-origin",
                     "zeros-everywhere"), WRONG),
    **dict.fromkeys(("huge-index", "huge-number", "lying-lengths", "data-that-is-none", "gigantic-base64", "hexadecimal-number",
                     "strange-key", "answers-in-escapes"), INVALID),
    **dict.fromkeys(("nested-below-the-limit", "nested-beyond-it", "answers-another-case", "a-key-twice", "long-rules",
                     "line-without-end", "floods-stderr"), BREACH),
    **dict.fromkeys(("speaks-in-escapes", "long-message"), {"too strict"}),
    **dict.fromkeys(("progress-bar-and-death", "closes-its-output", "leaves-a-child", "hoards-in-a-grandchild"), CRASH),
    **dict.fromkeys(("never-answers", "answers-byte-by-byte"), TIMEOUT),
    "long-manifest": set()}
SLOW = (*(name for name, outcomes in EXPECTED.items() if outcomes in (CRASH, TIMEOUT)), "floods-stderr")
HOARDS = "hoards-in-a-grandchild"  # has to come to it before its time is up
MEMORY = 300  # MiB of an adapter


def run(fault, cases=None, **environment):
    """The report, and the seconds that it took."""
    with tempfile.TemporaryDirectory() as folder:
        profile = {"library": "hostile", "must_be_right": True, "flags": {}, "adapter": [sys.executable, "-B", ADAPTER, fault],
                   "environment": environment}
        options = SimpleNamespace(report=os.path.join(folder, "report"), memory=MEMORY, spw=find(), start_timeout=60,
                                  timeout=1 if fault in SLOW and fault != HOARDS else 30)
        begun = time.monotonic()
        report = driver.run_library(profile, cases or (CASES[:2] if fault in SLOW else CASES), options)
    return report, time.monotonic() - begun


def outcomes_of(report):
    return {outcome for outcome, count in report["outcomes"].items() if count}


class HostileTest(unittest.TestCase):
    def test_no_answer_costs_more_than_the_limits_and_none_is_called_right(self):
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for fault, expected in EXPECTED.items():
            with self.subTest(fault):
                report, seconds = run(fault)
                self.assertFalse(outcomes_of(report) - expected, report["results"])
                self.assertEqual(bool(report["problem"]), not expected, report["problem"])
                self.assertTrue(report["failures"])
                self.assertLess(seconds, 120)
                self.assertLess(len(json.dumps(report)), 20 << 20)
        used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        self.assertLess(used, 400 << 10, "KiB of the driver")

    def test_a_long_line_of_standard_error_costs_nothing(self):
        five = [case(f"csr/to_dense/{k}", "to_dense") for k in range(5)]
        (quiet, without), (report, seconds) = run("honest", five), run("progress-bar", five)
        for found in (quiet, report):
            self.assertEqual(found["outcomes"]["right"], 5, found)
        self.assertLess(seconds, without + 5)

    def test_patterns_take_time_that_grows_with_the_length(self):
        for said in (b"malloc", b":1:2", b":1:2: runtime error ", b"Sanitizer: ", b"==1== ", b"=", b": runtime error: ", b"x"):
            with self.subTest(said):
                begun, long = time.process_time(), said * ((16 << 20) // len(said))
                for search in (logs.of_sanitizer, logs.of_valgrind, logs.of_heap, logs.last_line):
                    search(long)
                self.assertLess(time.process_time() - begun, 2)
        log = b"x" * (1 << 20) + b"\nERROR: AddressSanitizer: heap-buffer-overflow on 0x1\n" + b"y" * (1 << 20)
        self.assertEqual(logs.of_sanitizer(log), b"ERROR: AddressSanitizer: heap-buffer-overflow on 0x1")
        self.assertEqual(logs.of_sanitizer(b"z\na.c:1:2: runtime error: a\nERROR: XSanitizer: b"), b"a.c:1:2: runtime error: a")
        self.assertEqual(logs.of_valgrind(b"==17== Invalid write of size 4\n==17==  at"), b"Invalid write of size 4")
        self.assertEqual(logs.of_heap(b"a\nfree(): invalid pointer\nb"), b"free(): invalid pointer")

    def test_what_is_left_behind_is_ended_and_nothing_else(self):
        with tempfile.TemporaryDirectory() as folder:
            victim = os.path.join(folder, "victim")
            with open(victim, "w", encoding="utf-8"):
                pass
            report, _ = run("plants-links", VICTIM=folder)
            self.assertEqual(report["outcomes"]["right"], len(CASES), report)
            self.assertTrue(os.path.exists(victim))
        report, seconds = run("never-stops-talking")
        self.assertIn("did not end", report["at_stop"])
        self.assertLess(seconds, 90)
        mark = f"stray-of-{os.getpid()}"
        run("leaves-a-child", VICTIM=mark)
        self.assertEqual([name for name in filter(str.isdigit, os.listdir("/proc")) if is_stray(name, mark)], [])

    def test_an_answer_that_comes_twice_is_told(self):
        report, _ = run("answers-twice")
        self.assertTrue(report["failures"])
        self.assertTrue(report["outcomes"]["protocol"] or report["unexplained"])

    def test_long_names_are_cut(self):
        report, _ = run("long-name")
        self.assertLessEqual(max(len(report["library"]), len(report["version"])), 200)

    def test_results_beyond_the_size_are_refused_before_anybody_goes_through_them(self):
        for count in (10**6, 10**9, 10**30):
            got = {"tensor": {"layout": "coo", "indices": {"dtype": "int64", "shape": [2, count], "length": 1, "fill": 0},
                              "values": {"dtype": "float64", "shape": [count], "length": 1, "fill": 0}}}
            begun = time.process_time()
            outcome, why = judge.outcome_of_result(CASES[1], got, None, {"flags": {}})
            self.assertEqual(outcome, "wrong result", why)
            self.assertLess(time.process_time() - begun, 0.1)


def is_stray(name, mark):
    try:
        with open(f"/proc/{name}/environ", "rb") as file:
            return mark.encode() in file.read()
    except OSError:
        return False


class WordsTest(unittest.TestCase):
    """Names, versions, messages, failures and answers that mean something to a terminal, XML, HTML, TAP or Markdown."""

    @classmethod
    def setUpClass(cls):
        cls.reports = [run(fault)[0] for fault in ("speaks-in-escapes", "answers-in-escapes")]
        raw = {**cls.reports[0], "library": EVIL, "version": EVIL, "profile": EVIL, "failures": [EVIL], "at_stop": EVIL,
               "heap_check": EVIL, "unexplained": [EVIL], "released": EVIL}
        raw["results"] = [{**result, "group": EVIL, "message": EVIL, "rules": [EVIL]} for result in raw["results"]]
        cls.reports.append(raw)  # as one that somebody else has written

    def assert_plain(self, text):
        for k, line in enumerate(text.split("\n")):
            self.assertTrue(line.isprintable(), (k, line))

    def test_json(self):
        for report in self.reports[:2]:
            for text in texts_of(report):
                self.assertTrue(text.isprintable(), text)

    def test_terminal(self):
        for report in self.reports:
            self.assert_plain(table.text(report, True))
        self.assert_plain(table.matrix(self.reports))

    def test_junit(self):
        text = machine.junit(self.reports)
        self.assert_plain(text)
        suites = ET.fromstring(text).findall("testsuite")
        self.assertEqual([len(suite.findall("testcase")) for suite in suites],
                         [len(report["results"]) + len(report["failures"]) for report in self.reports])

    def test_tap(self):
        text = machine.tap(self.reports)
        self.assert_plain(text)
        number = 0
        for line in text.splitlines()[2:]:
            if line.startswith("1.."):
                self.assertEqual(line, f"1..{sum(len(report['results']) + len(report['failures']) for report in self.reports)}")
                continue
            if not line.startswith("# "):
                number += 1
                self.assertRegex(line, rf"^not ok {number} - [^#]*$")
        self.assertGreater(number, 6)

    def test_badge(self):
        ET.fromstring(machine.badge(self.reports))

    def test_page(self):
        text = page.page(self.reports, CASES, {})
        self.assert_plain(text)
        for foreign in ("<b>", "</script><b>"):
            self.assertNotIn(foreign, text)
        found = re.findall(r'<script type="text/plain" id="data">([^<]*)</script>', text)
        self.assertEqual(len(found), 1)
        data = json.loads(zlib.decompress(base64.b64decode(found[0]), wbits=-15))
        self.assertEqual(len(data["libraries"]), 3)
        for said in texts_of(data):
            self.assertTrue(said.isprintable(), said)
        self.assertLess(len(text), 200000)

    def test_site(self):
        for name, text in website.files_of(self.reports, {item["id"]: item for item in CASES}, {}).items():
            self.assertRegex(name, r"^[A-Za-z0-9_.-]+$")
            if name.startswith(("index", "library")):
                self.assert_plain(text)
                self.assertNotIn("<b>", text)

    def test_markdown(self):
        self.assertEqual(clean.of_markdown("a|b `c`\n[d](e) <f>\x1b"), r"a\|b \`c\` \[d\](e) \<f\>\\x1b")


EVIL = "\x1b[2J\x00\x85\u2028\u202eDATA DATA</script><b>'\" # SKIP ]]>\ud800\ufffe\r\nok 1 - all | `x`"


def texts_of(item):
    if isinstance(item, str):
        yield item
    elif isinstance(item, (list, dict)):
        for part in [*item, *item.values()] if isinstance(item, dict) else item:
            yield from texts_of(part)


if __name__ == "__main__":
    unittest.main()
