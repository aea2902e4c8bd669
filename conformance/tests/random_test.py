#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do random questions find a planted fault, make it small, tell it once, and write what repeats it?"""
import contextlib
import io
import json
import os
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True
TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, TOP)
from cases import covering  # noqa: E402
from harness import call, driver, random_mode  # noqa: E402
from judging.control import find  # noqa: E402

PLANTED = [sys.executable, "-B", os.path.join(TOP, "adapters", "planted_adapter.py")]
SECONDS = 60  # it ends before: after so many questions
QUESTIONS = 80


def small(drawer):
    """Sizes that the planted adapter, which makes everything dense, has time for."""
    rows = 1 + drawer.dice.randrange(5)
    return (rows, rows + 1 + drawer.dice.randrange(4)), drawer.dice.randrange(9)


def session(fault, seed, folder):
    profile = {"library": "planted", "adapter": [*PLANTED, fault], "must_be_right": True, "flags": {}, "uses": ["duplicates", "unsorted"]}
    options = driver.parser().parse_args(["--cases=-", f"--report={folder}/report.json", "--timeout=60", f"--spw={find()}", "-"])
    found = random_mode.Session(profile, options, folder, seed)
    drawn = found.drawn

    def few(drawer, end):
        return drawn(drawer, end if found.number < QUESTIONS else 0)
    with mock.patch.object(random_mode.Drawer, "size", small), mock.patch.object(found, "drawn", few), \
            contextlib.redirect_stdout(io.StringIO()):
        found.run(SECONDS)
        found.library.stop()
    return found


class RandomQuestions(unittest.TestCase):
    def test_a_fault_is_found_made_small_told_once_and_repeated(self):
        with tempfile.TemporaryDirectory() as folder:
            found = session("keeps-the-last-duplicate", 5, folder)
            self.assertGreater(found.asked["wrong result"], 1)
            causes = {id(cause): cause for cause in found.causes.values()}.values()
            self.assertLess(len(causes), found.asked["wrong result"])
            for cause in causes:
                with open(cause["path"], encoding="utf-8") as file:
                    case = json.loads(file.read())
                self.assertEqual(case["tensor"]["indices"]["shape"][1], 2)  # one place, twice
                (again,) = found.outcomes([case])
                self.assertEqual(again["outcome"], cause["outcome"])
            found.library.stop()

    def test_an_honest_library_is_right_and_a_seed_asks_the_same(self):
        with tempfile.TemporaryDirectory() as folder:
            found = session("honest", 6, folder)
            self.assertEqual((set(found.asked), found.causes), ({"right"}, {}))
            known = found.library.manifest
            first, second = (random_mode.Drawer(9, known) for _ in range(2))
            self.assertEqual([first.question() for _ in range(20)], [second.question() for _ in range(20)])

    def test_the_call(self):
        for words, said in ((["--random", "x"], "is no seed"), (["--random=3", "--for=10"], "is no time"),
                            (["--for", "1m"], "--random asks"), (["--case", "/no/such"], "there is no file")):
            _, problems = call.read(["--adapter", "true", *words])
            self.assertEqual([said in problem for problem in problems], [True], problems)
        asked, problems = call.read(["--adapter", "true", "--random", "3", "--for", "2h"])
        self.assertEqual((asked.random, problems), ((3, 7200), []))


class CoveringArrays(unittest.TestCase):
    def test_every_pair_that_fits_is_covered(self):
        factors = {"a": [0, 1, 2, 3], "b": [0, 1, 2], "c": [0, 1], "d": [0, 1]}

        def fits(row):
            return not (row.get("a") == 0 and row.get("b") == 1)
        rows = covering.rows(factors, fits)
        self.assertTrue(all(map(fits, rows)))
        self.assertLess(len(rows), 16)
        for one, other in ((p, q) for p in factors for q in factors if p < q):
            seen = {(row[one], row[other]) for row in rows}
            wanted = {(x, y) for x in factors[one] for y in factors[other] if (one, other, x, y) != ("a", "b", 0, 1)}
            self.assertEqual(seen, wanted)


if __name__ == "__main__":
    unittest.main()
