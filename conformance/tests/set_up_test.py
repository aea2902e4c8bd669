#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What set-up says and ends with: in a tree of its own, where peers install and adapters build as each test wants."""
import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
OURS = "sparsewright-c"
MISSING, NOT_BUILT = 1, 9


class SetUp(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        (self.root / "conformance/profiles").mkdir(parents=True)
        shutil.copy(TOP / "set-up", self.root / "conformance/set-up")
        (self.root / "Makefile").write_text("%/good:\n\t@true\n%/bad:\n\t@echo 'bad.c:1:1: error: planted'; exit 1\n")
        self.peer(OURS, "good")

    def peer(self, name, adapter, code=0, twin="good"):
        """A library whose install ends with a code."""
        profile = {"adapter": [f"$ADAPTERS/{adapter}"], "sanitized": [f"$ADAPTERS/{twin}"]}
        (self.root / f"conformance/profiles/{name}.json").write_text(json.dumps(profile))
        install = self.root / f"conformance/peers/{name}/install"
        install.parent.mkdir(parents=True)
        install.write_text(f"#!/bin/sh\necho 'said of {name}'\nexit {code}\n")
        install.chmod(0o755)

    def expect(self, code, ready, *said):
        hidden = ("B", "PEERS_DIR", "MAKEFLAGS", "MAKELEVEL", "MFLAGS")
        environment = {name: value for name, value in os.environ.items() if name not in hidden}
        done = subprocess.run(["conformance/set-up", "all"], cwd=self.root, env=environment, check=False, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(done.returncode, code, done.stdout)
        self.assertEqual((self.root / "build/conformance/peers/ready").read_text().split(), ready)
        for line in said:
            self.assertIn(line, done.stdout)

    def test_ready(self):
        self.peer("other", "good")
        self.expect(0, ["other", OURS], f"{OURS} ... ready")

    def test_a_library_that_cannot_be_had_is_no_failure(self):
        self.peer("other", "bad", MISSING)
        self.expect(0, [OURS], "other ... not there: said of other")

    def test_an_adapter_that_does_not_compile_is_one(self):
        self.peer("other", "bad")
        self.expect(1, [OURS], "other ... there, but its adapter was not built: bad.c:1:1: error: planted", "are there: other\n")

    def test_nor_may_its_twin(self):
        self.peer("other", "good", twin="bad")
        self.expect(1, [OURS], "other ... there, but its adapter was not built: bad.c:1:1: error: planted")

    def test_nor_may_one_that_an_install_builds(self):
        self.peer("other", "good", NOT_BUILT)
        self.expect(1, [OURS], "other ... there, but its adapter was not built: said of other")

    def test_nor_may_ours(self):
        self.peer("other", "good")
        (self.root / f"conformance/peers/{OURS}/install").write_text("#!/bin/sh\nexit 1\n")
        self.expect(1, ["other"], f"{OURS} ... not there: exit code 1")


if __name__ == "__main__":
    unittest.main()
