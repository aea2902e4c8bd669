#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Exports a pack and uses it as its README says, with the two programs that lie in it; they must notice a case
that was changed. The lock must notice a case that vanished or means something else."""
import base64
import gzip
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

sys.dont_write_bytecode = True
TOP = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TOP))
from cases import lock  # noqa: E402
from packs import pack  # noqa: E402

PYTHON = [sys.executable, "-B", "use_pack.py", "."]
ASKED = "cases/matvec.jsonl.gz"
C = ["./use_pack", ASKED]


def run(command, folder):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


class PackTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.folder = Path(holder.name, "pack")
        cls.pack = pack.export(cls.folder)
        flags = ["-std=gnu11", "-Wall", "-Wextra", "-Wconversion", "-Werror"]
        built = run([os.environ.get("CC", "gcc"), *flags, "use_pack.c", "-o", "use_pack", "-ljansson", "-lz"], cls.folder)
        if built.returncode:
            raise AssertionError(built.stderr)

    def test_both_programs_find_nothing_wrong(self):
        for command in (PYTHON, C):
            done = run(command, self.folder)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertRegex(done.stdout, r"(?m)[1-9][0-9]+ (of \d+ )?asked, 0 wrong$")

    def lines(self):
        """Those of the file that is asked, which is put back after the test."""
        file = self.folder / ASKED
        whole = file.read_bytes()
        self.addCleanup(file.write_bytes, whole)
        return gzip.decompress(whole).decode().splitlines()

    def write(self, lines):
        (self.folder / ASKED).write_bytes(gzip.compress(("\n".join(lines) + "\n").encode()))

    def test_the_program_in_c_reads_to_the_end(self):
        lines = self.lines()
        asked = next(line for line in lines if json.loads(line)["id"] == "csr/matvec/scattered/float64-int32")
        self.write([*lines, asked])
        counts = [int(run(C, self.folder).stdout.split()[0])]
        self.write(lines)
        counts.append(int(run(C, self.folder).stdout.split()[0]))
        self.assertEqual(counts[0], counts[1] + 1)

    def test_its_licence_is_there_whole(self):
        licence = (self.folder / "LICENSE").read_text(encoding="utf-8")
        self.assertIn(self.pack["license"].replace("Apache-2.0", "Apache License"), licence)
        self.assertIn("Version 2.0", licence)
        self.assertIn("END OF TERMS AND CONDITIONS", licence)

    def test_a_file_that_is_cut_off_is_noticed(self):
        file = self.folder / ASKED
        whole = file.read_bytes()
        self.addCleanup(file.write_bytes, whole)
        file.write_bytes(whole[:len(whole) * 9 // 10])
        self.assertEqual([run(command, self.folder).returncode for command in (PYTHON, C)], [1, 2])

    def test_a_changed_case_is_noticed(self):
        lines = self.lines()
        name = "csr/matvec/scattered/float64-int32"
        k = next(k for k, line in enumerate(lines) if json.loads(line)["id"] == name)
        case = json.loads(lines[k])
        case["expect"]["dense"]["data"][-1] += 1
        self.write([*lines[:k], json.dumps(case), *lines[k + 1:]])
        done = run(C, self.folder)
        self.assertEqual((done.returncode, done.stdout.splitlines()[0]), (1, name))
        done = run(PYTHON, self.folder)
        self.assertEqual((done.returncode, done.stderr), (1, ASKED + " is not what pack.json says\n"))

    def test_a_folder_with_something_in_it_is_left_alone(self):
        before = sorted(self.folder.rglob("*"))
        with self.assertRaises(FileExistsError):
            pack.export(self.folder)
        self.assertEqual(sorted(self.folder.rglob("*")), before)

    def test_a_case_says_what_it_rests_on(self):
        rules = {rule["rule"] for rule in json.loads((self.folder / "rules.json").read_text(encoding="utf-8"))}
        flags = {flag["name"] for flag in json.loads((self.folder / "vocabulary.json").read_text(encoding="utf-8"))["flags"]}
        required = 0
        for path in self.folder.glob("cases/*.gz"):
            for line in gzip.decompress(path.read_bytes()).splitlines():
                case = json.loads(line)
                self.assertTrue(case["comment"] and case["source"], case["id"])
                self.assertLessEqual({*case["expect"].get("rules", ())}, rules)
                self.assertLessEqual({*case["flags"]}, flags)
                self.assertEqual(path.name, case["operation"] + ".jsonl.gz")
                self.assertFalse(case["tier"] == "required" and case["flags"], case["id"])
                required += case["tier"] == "required"
        self.assertEqual(required, self.pack["required"])
        self.assertGreater(required, 5000)

    def test_every_file_is_in_the_list(self):
        listed = {*self.pack["sha256"], "pack.json", "use_pack"}
        there = {str(path.relative_to(self.folder)) for path in self.folder.rglob("*") if path.is_file()}
        self.assertEqual(there, listed)
        self.assertEqual({Path(name).suffix for name in listed if name.startswith("files/")},
                         {".mtx", ".npz", ".h5ad"})

    def test_the_lock_notices(self):
        cases = {"csr/valid/a/int32": "11111111", "csr/valid/b/int32": "22222222"}
        text = lock.written(cases)
        self.assertEqual(lock.read(text), (lock.SUITE, cases))
        self.assertEqual(list(lock.problems(text, cases)), [])
        other = {**cases, "csr/valid/a/int32": "33333333"}
        fewer = {"csr/valid/a/int32": "11111111"}
        self.assertIn("csr/valid/a/int32: means something else", list(lock.problems(text, other)))
        self.assertIn("csr/valid/b/int32: vanished", list(lock.problems(text, fewer)))
        more = {**cases, "csr/valid/c/int32": "44444444"}
        self.assertEqual(len(list(lock.problems(text, more))), 1)
        self.assertEqual(len(list(lock.problems(text, fewer, "99.0"))), 1)

    def test_how_an_archive_is_compressed_does_not_matter(self):
        def case(level, content=b"x" * 1000):
            data = io.BytesIO()
            with zipfile.ZipFile(data, "w") as archive:
                archive.writestr(zipfile.ZipInfo("a"), content, zipfile.ZIP_DEFLATED, level)
            return {"operation": "read", "file": {"format": "npz", "base64": base64.b64encode(
                data.getvalue()).decode()}}
        self.assertNotEqual(case(0), case(9))
        self.assertEqual(lock.meaning(case(0)), lock.meaning(case(9)))
        self.assertNotEqual(lock.meaning(case(9)), lock.meaning(case(9, b"y" * 1000)))

    def test_the_meaning_counts_and_the_comment_does_not(self):
        case = {"operation": "sum", "expect": {"verdict": "valid"}, "comment": "one"}
        self.assertEqual(lock.meaning(case), lock.meaning({**case, "comment": "two"}))
        self.assertNotEqual(lock.meaning(case), lock.meaning({**case, "expect": {"verdict": "invalid"}}))


if __name__ == "__main__":
    unittest.main()
