#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the adapter of cuSPARSE where there is no device: it says so and ends, and so do install
and set-up. Where there is a device, that it is ready. What it would ask is tried with libraries
that stand in for those of CUDA: they show that the adapter is right, and nothing about cuSPARSE.
B names the folder of the build."""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
TOP = Path(__file__).resolve().parents[1]
ROOT = TOP.parent
BUILD = os.environ.get("B", "build")
ADAPTER = Path(ROOT / BUILD, "conformance/adapters/cusparse_adapter")
STAND_IN = Path(BUILD, "conformance/adapters/stand_in/libcusparse.so")
PROFILE = TOP / "profiles/cusparse.json"
sys.path.insert(0, str(TOP))
import jsonschema_rs  # noqa: E402
from cases import store  # noqa: E402
from judging import judge  # noqa: E402
from harness import profile_file  # noqa: E402

START = '{"cmd": "start", "protocol": 2}\n'
STOP = '{"cmd": "stop"}\n'
QUESTION = '{"cmd": "run", "id": "x/y", "operation": "check", "guard": "after", "arguments": {}}\n'
OPERATIONS = ("to_dense", "from_dense", "matvec", "matmat", "convert", "transpose")


def run(*command, said="", **environment):
    """Exit code, and the lines of both outputs."""
    done = subprocess.run(command, input=said, capture_output=True, text=True, check=False,
                          cwd=ROOT, timeout=300, env={**os.environ, "B": BUILD, **environment})
    return done.returncode, done.stdout.splitlines(), done.stderr.splitlines()


def schema(name):
    return json.loads((TOP / "schemas" / name).read_text())


class WithoutToolkit(unittest.TestCase):
    def test_install_says_so(self):
        code, lines, _ = run("conformance/peers/cusparse/install", CUDA_HOME="/nowhere")
        self.assertEqual((code, lines),
                         (1, ["no CUDA toolkit: there is no /nowhere/include/cusparse.h"]))

    def test_the_profile_is_well_formed(self):
        profile = json.loads(PROFILE.read_text())
        jsonschema_rs.validate(schema("profile.schema.json"), profile)
        self.assertEqual(list(profile_file.problems(profile)), [])


class Asked(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """What install said, and its exit code."""
        cls.code, cls.lines, cls.log = run("conformance/peers/cusparse/install")
        if cls.lines and cls.lines[-1].startswith("no CUDA toolkit: "):
            raise unittest.SkipTest(cls.lines[-1])

    def hello(self, said, **environment):
        """The only line that it answers when it is not ready, after which it ends by itself."""
        code, lines, log = run(str(ADAPTER), said=said, **environment)
        self.assertEqual((code, len(lines), log), (0, 1, []), lines)
        hello = json.loads(lines[0])
        jsonschema_rs.validate(schema("protocol.schema.json"), hello)
        self.assertIsNone(judge.problem_of_manifest(hello["manifest"]))
        return hello


class WithToolkit(Asked):
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


class WithStandIn(Asked):
    """Other libraries under the names of CUDA's."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        code, lines, log = run("make", "-s", f"B={BUILD}", "CC=gcc", str(STAND_IN))
        if code:
            raise RuntimeError("\n".join(lines + log))
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        for version in range(10, 40):  # the adapter knows which
            for name in ("libcudart", "libcusparse"):
                Path(cls.folder.name, f"{name}.so.{version}").symlink_to(ROOT / STAND_IN)
        cls.cases = store.kept().path

    def ask(self, *options, fault=""):
        """The driver's report."""
        profile, report = (Path(self.folder.name, name) for name in ("profile.json", "report.json"))
        profile.write_text(json.dumps({**json.loads(PROFILE.read_text()),
                                       "adapter": [str(ADAPTER)]}))
        report.unlink(missing_ok=True)
        _, lines, log = run(sys.executable, "-B", str(TOP / "harness/driver.py"), "--cases",
                            self.cases, "--report", str(report), *options, str(profile),
                            LD_LIBRARY_PATH=self.folder.name, STAND_IN=fault)
        self.assertTrue(report.exists(), lines + log)
        return json.loads(report.read_text())["libraries"][0]

    def outcomes(self, *options, fault=""):
        return {result["outcome"] for result in self.ask(*options, fault=fault)["results"]
                if result["outcome"] != "unsupported"}

    def test_every_case_is_asked_rightly(self):
        groups = ("valid", *(operation.replace("_", "-") for operation in OPERATIONS))
        report = self.ask(*(word for group in groups for word in ("--run", group)))
        asked = [result for result in report["results"] if result["outcome"] != "unsupported"]
        self.assertEqual([result for result in asked if result["outcome"] != "right"], [])
        names = [result["id"] for result in asked]
        for operation in OPERATIONS:
            self.assertGreater(sum(f"/{operation}/" in name for name in names), 9, operation)
        for layout in ("coo", "csr", "csc", "bsr"):
            for what in ("valid", "matvec", "matmat"):
                self.assertGreater(sum(name.startswith(f"{layout}/{what}/") for name in names), 9)

    def test_an_index_out_of_bounds_is_found(self):
        self.assertIn("too lax (out of bounds)", self.outcomes("--run", "csr/5.5/last*"))

    def test_wrong_products_are_found(self):
        self.assertIn("wrong result", self.outcomes("--run", "csr/matvec/*", fault="wrong-product"))

    def test_an_error_of_the_device_ends_the_adapter(self):
        self.assertEqual(self.outcomes("--run", "csr/to_dense/*", fault="illegal-address"),
                         {"crash"})

    def test_no_memory_is_said(self):
        report = self.ask("--run", "csr/matvec/*", fault="no-memory")
        said = {result["message"] for result in report["results"]
                if result["outcome"] == "too strict"}
        self.assertEqual(said, {"cudaMalloc: cudaErrorMemoryAllocation"})

    def test_what_is_missing_is_named(self):
        for fault, message in (
                ("no-device", "no device: cudaErrorNoDevice"),
                ("no-handle", "no device for cuSPARSE: cusparseCreate: "
                              "CUSPARSE_STATUS_NOT_INITIALIZED")):
            hello = self.hello(START, LD_LIBRARY_PATH=self.folder.name, STAND_IN=fault)
            self.assertEqual((hello["ready"], hello.get("message")), (False, message))

    def test_a_library_that_is_no_library_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            for version in range(10, 40):
                Path(folder, f"libcudart.so.{version}").write_text("nothing")
            hello = self.hello(START, LD_LIBRARY_PATH=folder)
        self.assertRegex(hello["message"], r"^no CUDA libraries: .*libcudart\.so\.\d+: ")


if __name__ == "__main__":
    unittest.main()
