#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What tests/steps.py says of steps that take long, pass and fail, in a folder with a makefile of its own."""
import contextlib
import io
import json
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import steps

MAKEFILE = """good: first
\t@echo all is well
first:
\t@echo first
slow:
\t@echo half of it; sleep 1
bad:
\t@echo broken; exit 1
"""


class Steps(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name).resolve()
        (self.root / "Makefile").write_text(MAKEFILE)

    def run_steps(self, *arguments):
        """The message of an error or None, and what is printed."""
        printed = io.StringIO()
        with mock.patch.object(steps, "ROOT", self.root), mock.patch.object(steps, "PULSE", 0.3), \
                mock.patch.object(sys, "argv", ["steps.py", "try", *arguments]), contextlib.redirect_stdout(printed):
            try:
                steps.main()
            except SystemExit as ended:
                return ended.code, printed.getvalue()
        return None, printed.getvalue()

    def test_steps_are_numbered_and_timed(self):
        code, said = self.run_steps("--first", "first", "--then", "good")
        self.assertIsNone(code)
        self.assertIn("[1/2] first (log: build/log/try/first.log)\n", said)
        self.assertIn("[2/2] good: 0 s. all is well\n", said)
        self.assertNotIn("first", (self.root / "build/log/try/good.log").read_text())
        self.assertEqual(set(json.loads((self.root / "build/log/try.json").read_text())), {"first", "good"})
        self.assertIn("[1/1] good (0 s the last time; log: ", self.run_steps("--then", "good")[1])

    def test_a_long_step_says_how_far_it_is(self):
        self.assertRegex(self.run_steps("--beside", "slow")[1], r"\n +0 s slow: half of it\n")

    def test_a_step_that_fails_is_the_last(self):
        code, said = self.run_steps("--then", "bad", "good")
        self.assertEqual(code, "try: failed: bad")
        self.assertIn("broken\n", said)
        self.assertIn("[1/2] bad: FAILED after 0 s; log: build/log/try/bad.log\n", said)
        self.assertNotIn("good", said)


if __name__ == "__main__":
    unittest.main()
