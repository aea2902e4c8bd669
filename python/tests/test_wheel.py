# SPDX-License-Identifier: Apache-2.0
"""test_wheel.py WHEEL: what is in a wheel, and nothing else: files, digests, tag, symbols, libraries. It needs no network."""
import base64
import hashlib
import os
import re
import subprocess
import sys
import tempfile
import unittest
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WHEEL = sys.argv.pop()
NAME = os.path.basename(WHEEL)
INFORMATION = "-".join(NAME.split("-")[:2]) + ".dist-info"
MOST = 4 << 20  # bytes of the module without debugging information
# Of the stable interface, as is what ends in _SizeT; all else that begins with an underscore belongs to one version of Python.
STABLE = {"_Py_Dealloc", "_Py_NoneStruct", "_Py_TrueStruct", "_Py_FalseStruct", "_Py_NotImplementedStruct", "_Py_EllipsisObject",
          "_Py_IncRef", "_Py_DecRef"}


def lines(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        with zipfile.ZipFile(WHEEL) as archive:
            assert archive.testzip() is None
            cls.names = [name for name in archive.namelist() if not name.endswith("/")]
            cls.content = {name: archive.read(name) for name in cls.names}
        cls.module = os.path.join(cls.folder.name, "module.so")
        with open(cls.module, "wb") as file:
            file.write(cls.content["sparsewright/_core.abi3.so"])

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def text(self, name):
        return self.content[f"{INFORMATION}/{name}"].decode()

    def test_the_files_of_the_package(self):
        package = os.path.join(ROOT, "python", "sparsewright")
        wanted = {"sparsewright/" + name for name in os.listdir(package) if name.endswith((".py", ".pyi", ".typed"))}
        wanted |= {"sparsewright/_core.abi3.so"}
        wanted |= {f"{INFORMATION}/{name}" for name in ("METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE")}
        self.assertEqual(set(self.names), wanted)
        self.assertEqual(len(self.names), len(wanted))
        for name in wanted:
            path = os.path.join(ROOT, "python", name)
            if os.path.exists(path):
                with open(path, "rb") as file:
                    self.assertEqual(self.content[name], file.read(), name)

    def test_the_licence_is_ours_alone(self):
        with open(os.path.join(ROOT, "LICENSE"), "rb") as file:
            self.assertEqual(self.content[f"{INFORMATION}/licenses/LICENSE"], file.read())
        self.assertIn("License: Apache-2.0", self.text("METADATA"))

    def test_digests(self):
        rows = [row.rsplit(",", 2) for row in self.text("RECORD").splitlines()]
        self.assertEqual(sorted(row[0] for row in rows), sorted(self.names))
        for name, digest, size in rows:
            if name.endswith("/RECORD"):
                self.assertEqual((digest, size), ("", ""))
                continue
            found = base64.urlsafe_b64encode(hashlib.sha256(self.content[name]).digest()).rstrip(b"=").decode()
            self.assertEqual((digest, int(size)), ("sha256=" + found, len(self.content[name])), name)

    def test_the_tag(self):
        tag = re.fullmatch(r"sparsewright-[0-9.]+-(cp311-abi3-(?:linux|manylinux_\d+_\d+)_\w+(?:\.\w+)*)\.whl", NAME)
        self.assertTrue(tag, NAME)
        python, interface, platforms = tag[1].split("-")
        wanted = sorted(f"{python}-{interface}-{platform}" for platform in platforms.split("."))
        self.assertEqual(sorted(re.findall(r"^Tag: (.*)$", self.text("WHEEL"), re.M)), wanted)
        self.assertIn("Root-Is-Purelib: false", self.text("WHEEL"))

    def test_the_module_shows_one_function(self):
        shown = [line.split()[-1] for line in lines("nm", "-D", "--defined-only", self.module)]
        self.assertEqual(shown, ["PyInit__core"])

    def test_what_the_module_asks_for(self):
        needed = re.findall(r"NEEDED.*\[(.*)\]", "\n".join(lines("readelf", "-d", self.module)))
        self.assertLessEqual(set(needed), {"libz.so.1", "libm.so.6", "libc.so.6", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"})
        asked = {line.split()[-1].split("@")[0] for line in lines("nm", "-D", "--undefined-only", self.module)}
        private = {name for name in asked if name.startswith("_Py") and not name.endswith("_SizeT")}
        self.assertEqual(private - STABLE, set())
        self.assertEqual({name for name in asked if name.startswith(("spw_", "json_", "zip_", "H5"))}, set())

    def test_the_size(self):
        self.assertLess(len(self.content["sparsewright/_core.abi3.so"]), MOST)
        self.assertFalse([line for line in lines("readelf", "-S", self.module) if ".debug_" in line])


unittest.main()
