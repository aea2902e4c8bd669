#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What strength counts as found, and of which faults: the engines are stood in for, nothing is built."""
import importlib.machinery
import importlib.util
import os
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
loader = importlib.machinery.SourceFileLoader("strength", os.path.join(HERE, "strength"))
strength = importlib.util.module_from_spec(importlib.util.spec_from_loader("strength", loader))
loader.exec_module(strength)
LEFT = "artifact_prefix='/x/'; Test unit written to /x/crash-da39a3ee\n"
SLOW = "artifact_prefix='/x/'; Test unit written to /x/slow-unit-da39a3ee\n"


class Fuzzing(unittest.TestCase):
    def tried(self, runs, sound):
        """What try_fuzzing makes of the runs of one target, where its input gives `sound` without the fault."""
        answers = iter(runs)
        before, strength.engines.run = strength.engines.run, lambda *_, **__: next(answers)
        try:
            return strength.try_fuzzing("programs", ["check"], {}, 5, lambda target, path: sound)
        finally:
            strength.engines.run = before

    def test_counts_what_fails_with_the_fault_alone(self):
        self.assertEqual(self.tried([(77, LEFT + "FUZZ FAILURE: wrong: x"), (77, "")], 0)["fuzz"]["signature"], "wrong")

    def test_counts_nothing_else(self):
        for runs, sound in (([(77, LEFT), (77, "")], 77), ([(77, LEFT), (0, "")], 0), ([(77, LEFT), (124, "")], 0), ([(124, "")], 0), ([(137, SLOW)], 0)):
            found = self.tried(runs, sound)
            self.assertIsNone(found["fuzz"])
            self.assertEqual(len(found["undecided"]), 1)

    def test_nothing_failed(self):
        self.assertEqual(self.tried([(0, "")], 0), {"fuzz": None})


class Sanitized(unittest.TestCase):
    def tried(self, fails):
        """What is found in src/structure/, where fails(suite, environment)."""
        before, strength.engines.run = strength.engines.run, lambda command, *_, environment, **__: (fails(os.path.basename(command[0]), environment), "")
        try:
            return strength.run_sanitized_tests("tree", "structure/boxes.c", {"SPW_FAULT": "7"}, lambda suite: None)
        finally:
            strength.engines.run = before

    def test_what_fails_with_the_fault_alone(self):
        self.assertEqual(self.tried(lambda suite, environment: suite == "test_permute" and "SPW_FAULT" in environment), "test_permute (asan)")
        self.assertIsNone(self.tried(lambda suite, environment: 0))
        self.assertIsNone(self.tried(lambda suite, environment: suite == "test_convert"))
        with self.assertRaises(strength.Trouble):
            self.tried(lambda suite, environment: suite == "test_permute")


class Expressions(unittest.TestCase):
    def test_what_cannot_be_the_value_of_a_macro(self):
        for text in ("c ?", "nonzero;", "2 -", "* old[i]", "a, b", "(a", "adam ||", "__builtin_add_overflow"):
            self.assertFalse(strength.is_expression(text), text)
        for text in ("c", "-1", "*p", "f(a, b)", "(a, b)", "!x", "n - 1", "__builtin_add_overflow(a, b, &c)"):
            self.assertTrue(strength.is_expression(text), text)


class Results(unittest.TestCase):
    def result(self, number, **other):
        name, file, _, right, wrong = strength.FAULTS[number]
        return name, {"file": strength.below_root(file), "right": right, "wrong": wrong, **other}

    def test_are_of_the_fault_of_today(self):
        one, two = self.result(0), self.result(1)
        two[1]["wrong"] += " + 1"
        self.assertEqual(strength.todays(dict([two, one, ("no such fault", {})])), dict([one]))

    def test_what_was_recorded_stays(self):
        name, file, _, right, wrong = strength.FAULTS[0]
        fault = {"file": strength.below_root(file), "right": right, "wrong": wrong}
        told, later = {name: {**fault, "tests": "test_check"}}, {name: {**fault, "tests": "test_names"}}
        self.assertEqual(strength.merged(told, {}), told)
        self.assertEqual(strength.merged(told, later), later)
        for half in ({**fault, "tests": "not run"}, {**fault, "tests": "test_names", "right": "another"}):
            self.assertEqual(strength.merged(told, {name: half}), told)
        self.assertEqual(strength.merged({name: {**told[name], "wrong": "another"}}, {}), {})

    def test_are_open_until_decided(self):
        name, result = self.result(0, fuzz=None)
        self.assertFalse(strength.is_open({name: result}, name))
        self.assertTrue(strength.is_open({}, name))
        self.assertTrue(strength.is_open({name: {**result, "undecided": ["check"]}}, name))

    def test_no_target_is_asked_about_the_oracle(self):
        asked = {file: strength.is_asked({"file": strength.below_root(file)}) for _, file, *_ in strength.FAULTS}
        self.assertEqual({file for file, is_asked in asked.items() if not is_asked}, {file for file in asked if not strength.those_of(strength.TARGETS, file)})
        self.assertIn(True, asked.values())

    def test_a_copy_with_other_faults_is_not_kept(self):
        with tempfile.TemporaryDirectory() as scratch:
            path = os.path.join(scratch, "planted.sha1")
            self.assertRaises(strength.Trouble, strength.expect_planted, path)
            for text, good in ((strength.digest_of_faults(), True), ("0", False)):
                with open(path, "w", encoding="utf-8") as out:
                    out.write(text)
                if good:
                    strength.expect_planted(path)
                else:
                    self.assertRaises(strength.Trouble, strength.expect_planted, path)


class Mutants(unittest.TestCase):
    def test_only_the_compiler_refuses(self):
        refusal = "src/io/npz.c:12:3: error: unused variable 'x'\n"
        before = strength.make
        try:
            for log, kind in ((refusal, strength.DoesNotCompile), ("fatal error: error in backend: No space left on device\n", strength.Trouble)):
                strength.make = lambda *_, log=log: (False, log)
                self.assertRaises(kind, strength.build_libraries, "tree", 1)
        finally:
            strength.make = before


if __name__ == "__main__":
    unittest.main()
