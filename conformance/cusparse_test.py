#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the adapter of cuSPARSE where there is no device: it says so and ends, and so do install
and set-up. Where there is a device, that it is ready. B names the folder of the build."""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
BUILD = os.environ.get("B", "build")
ADAPTER = Path(ROOT / BUILD, "conformance/adapters/cusparse_adapter")
PROFILE = HERE / "profiles/cusparse.json"
sys.path.insert(0, str(HERE))
import jsonschema  # noqa: E402
import judge  # noqa: E402
import profile_file  # noqa: E402

START = '{"cmd": "start", "protocol": 2}\n'
STOP = '{"cmd": "stop"}\n'
QUESTION = '{"cmd": "run", "id": "x/y", "operation": "check", "guard": "after", "arguments": {}}\n'


def run(*command, said="", **environment):
    """Exit code, and the lines of both outputs."""
    done = subprocess.run(command, input=said, capture_output=True, text=True, check=False,
                          cwd=ROOT, timeout=300, env={**os.environ, "B": BUILD, **environment})
    return done.returncode, done.stdout.splitlines(), done.stderr.splitlines()


def schema(name):
    return json.loads((HERE / name).read_text())


class WithoutToolkit(unittest.TestCase):
    def test_install_says_so(self):
        code, lines, _ = run("conformance/peers/cusparse/install", CUDA_HOME="/nowhere")
        self.assertEqual((code, lines),
                         (1, ["no CUDA toolkit: there is no /nowhere/include/cusparse.h"]))

    def test_the_profile_is_well_formed(self):
        profile = json.loads(PROFILE.read_text())
        jsonschema.validate(profile, schema("profile.schema.json"))
        self.assertEqual(list(profile_file.problems(profile)), [])


class WithToolkit(unittest.TestCase):
    """INSTALLED: what install said, and its exit code."""

    @classmethod
    def setUpClass(cls):
        cls.code, cls.lines, cls.log = run("conformance/peers/cusparse/install")
        if cls.lines and cls.lines[-1].startswith("no CUDA toolkit: "):
            raise unittest.SkipTest(cls.lines[-1])

    def hello(self, said, **environment):
        """The only line that it answers when it is not ready, after which it ends by itself."""
        code, lines, log = run(str(ADAPTER), said=said, **environment)
        self.assertEqual((code, len(lines), log), (0, 1, []), lines)
        hello = json.loads(lines[0])
        jsonschema.validate(hello, schema("protocol.schema.json"))
        self.assertIsNone(judge.problem_of_manifest(hello["manifest"]))
        return hello

    def test_it_says_whether_there_is_a_device(self):
        hello = self.hello(START)
        if hello["ready"]:
            self.assertEqual((self.code, self.lines), (0, []))
            return
        self.assertRegex(hello["message"], r"^no device: cudaError[A-Z]\w+$")
        self.assertEqual((self.code, self.lines), (1, [hello["message"]]), self.log)
        self.assertEqual(self.hello(START + QUESTION + STOP), hello)

    def test_set_up_says_so(self):
        with tempfile.TemporaryDirectory() as folder:
            code, lines, _ = run("conformance/set-up", "cusparse", PEERS_DIR=folder)
            ready = Path(folder, "ready").read_text().split()
        said = next(line for line in lines if " cusparse ... " in line)
        if self.code:
            self.assertIn(f"cusparse ... not there: {self.lines[-1]}", said)
        self.assertEqual((code, "cusparse" in ready), (0, self.code == 0), lines)

    def test_no_cuda_library_is_linked(self):
        code, lines, _ = run("readelf", "-d", str(ADAPTER))
        needed = [line for line in lines if "NEEDED" in line]
        self.assertEqual((code, [line for line in needed if "libcu" in line]), (0, []))
        self.assertTrue(needed)


if __name__ == "__main__":
    unittest.main()
