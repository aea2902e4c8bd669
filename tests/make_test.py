#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the makefiles leave out, take along and delete: in a tree of links to this one, where nothing is built."""
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HIDDEN = ("B", "PEERS_DIR", "MKL_VENV", "MAKEFLAGS", "MAKELEVEL", "MFLAGS")


class Make(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name, "a tree").resolve()
        self.link(ROOT, self.root, (".git", "build"))

    def link(self, source, to, left_out):
        to.mkdir(parents=True, exist_ok=True)
        for path in source.iterdir():
            if path.name not in left_out:
                (to / path.name).symlink_to(path)

    def make(self, *arguments):
        """The exit code, and all that it says."""
        environment = {name: value for name, value in os.environ.items() if name not in HIDDEN}
        done = subprocess.run(["make", "--no-print-directory", "CC=gcc", *arguments], cwd=self.root, env=environment, check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return done.returncode, done.stdout

    def test_proofs_are_replayed_whatever_is_missing(self):
        (self.root / "proofs").unlink()
        self.link(ROOT / "proofs", self.root / "proofs", ("status.json",))
        _, said = self.make("-n", "check")
        self.assertIn("prove-cached", said.split())

    def test_clean_takes_what_was_built(self):
        for name in ("build", "out", "kept"):
            (self.root / name / "obj").mkdir(parents=True)
        (self.root / "out/flags").touch()
        self.assertEqual(self.make("B=out", "clean")[0], 0)
        self.assertFalse((self.root / "out").exists())
        self.assertTrue((self.root / "build").exists())
        code, said = self.make("B=kept", "clean")
        self.assertIn("nothing was built in kept", said)
        self.assertTrue(code and (self.root / "kept").exists())
        self.assertEqual(self.make("clean")[0], 0)
        self.assertFalse((self.root / "build").exists())

    def test_adapters_of_what_is_there(self):
        """A library is there where its header is, in a folder with any name."""
        mkl = self.root / "some peers/mkl"
        _, without = self.make("-n", f"PEERS_DIR={mkl.parent}", "conformance-adapters")
        (mkl / "include").mkdir(parents=True)
        (mkl / "include/mkl_spblas.h").touch()
        _, beside = self.make("-n", f"PEERS_DIR={mkl.parent}", "conformance-adapters")
        self.assertIn("/ours_adapter.c", without)
        self.assertNotIn("/mkl_adapter.c", without)
        self.assertIn(f"-isystem '{mkl}/include' -c conformance/adapters/c/mkl_adapter.c", beside)
        self.assertIn(f"-Wl,-rpath,'{mkl}/lib' '{mkl}'/lib/libmkl_rt.so", beside)

    def test_a_release_in_a_folder_with_a_blank(self):
        release = self.root / "some peers/graphblas/release"
        release.parent.mkdir(parents=True)
        release.touch()
        adapter = "build/conformance/adapters/graphblas_adapter"
        code, said = self.make("-n", f"PEERS_DIR={release.parent.parent}", adapter)
        self.assertEqual(code, 0, said[-500:])
        self.assertIn(f"-isystem '{release.parent}/include'", said)
        self.assertIn(f"-rpath,'{release.parent}/lib'", said)
        code, said = self.make("-n", "PEERS_DIR=relative peers", adapter)
        self.assertIn(f"-rpath,'{self.root}/relative peers/graphblas/lib'", said)


if __name__ == "__main__":
    unittest.main()
