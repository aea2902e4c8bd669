#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""recipe.py BUILD [--without NAME]: follows "Add a kernel" of cuda/README.md to the letter, in a copy of the sources that
uses what is built in BUILD: the kernel passes its test in the builds of faults.py, which has the option, its planted fault
is found, and nvcc, where it is here, compiles it for the device."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STEP = re.compile(r"^\d\. `([^`]+)`[^\n]*\n.*?^   ```(?:cuda)?\n(.*?)^   ```$", re.M | re.S)
NEW = ["kernels/sum.h", "tests/test_sum.c", "faults.txt", "device/sum.cu"]


def steps():
    """[(file in cuda/, what the README has for it)]"""
    text = (ROOT / "cuda/README.md").read_text()
    recipe = text[text.index("## Add a kernel"):text.index("## Limits")]
    found = [(name, textwrap.dedent(block)) for name, block in STEP.findall(recipe)]
    if [name for name, _ in found] != NEW:
        sys.exit(f"recipe.py: the README has the files {[name for name, _ in found]}, not {NEW}")
    return found


def run(command, where, expected):
    done = subprocess.run(command, cwd=where, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env={k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS"))})
    if done.returncode or expected not in done.stdout:
        sys.exit(f"recipe.py: {' '.join(map(str, command))}: exit code {done.returncode}\n{done.stdout}")


def has_nvcc(where):
    found = subprocess.run(["make", "-s", "-f", "-", "show"], cwd=where, check=True, stdout=subprocess.PIPE, text=True,
                           input="include Makefile\nshow:\n\t@echo '$(NVCC)'\n").stdout.strip()
    return bool(found)


def main():
    build = ROOT / sys.argv[1]
    with tempfile.TemporaryDirectory() as temporary:
        copy = Path(temporary) / "sources"
        copy.mkdir()
        for name in ("Makefile", ".ci", "spec", "src", "proofs", "cuda", "tests", "fuzz"):
            copier = shutil.copytree if (ROOT / name).is_dir() else shutil.copy2
            copier(ROOT / name, copy / name)
        for name, text in steps():
            path = copy / "cuda" / name
            path.write_text(path.read_text() + text if path.exists() else text)
        run([sys.executable, "-B", "cuda/faults.py", "--build", build, "--jobs", "1", *sys.argv[2:], "SUM_NOT_ATOMIC"], copy,
            "faults: 1 of 1 found")
        if has_nvcc(copy):
            run(["make", "-s", "B=build", "build/obj/cuda/device/sum.cu.o"], copy, "")
            print("recipe.py: the kernel of the README passes its test, its fault is found, nvcc compiles it")
        else:
            print("recipe.py: the kernel of the README passes its test, its fault is found; nvcc: not here: skipped")


if __name__ == "__main__":
    main()
