#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""library.py [--jobs N]: `make fuzz-library` finds each fault of library.cpp within a minute, writes its tensor, and says what
is missing before it builds anything."""
import argparse
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CRASHES = ROOT / "build/fuzz/crashes/library-library.cpp"
FAULTS = {1: "the library accepts an invalid tensor", 2: "the library converts to another tensor"}


def make(*arguments):
    done = subprocess.run(["make", "--no-print-directory", "fuzz-library", *arguments], cwd=ROOT, check=False, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout


def problem(jobs, fault, finding):
    """What is wrong, or None."""
    shutil.rmtree(CRASHES, ignore_errors=True)
    code, said = make("LIBRARY=fuzz/planted/library.cpp", f"LIBRARY_FLAGS=-DPLANTED={fault}", "TIME=60", f"JOBS={jobs}")
    written = re.findall(r"^  its tensor: (.*\.spw\.json)$", said, re.M)
    if not code or f"FOUND library: {finding}" not in said or not written:
        return f"fault {fault} is not found:\n{said}"
    rows = json.loads((ROOT / written[0]).read_text())["size"][0]
    shutil.rmtree(CRASHES)
    return None if rows >= 256 else f"fault {fault} is found with {rows} rows"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=1)
    jobs = parser.parse_args().jobs
    for arguments, text in (((), "LIBRARY is missing"), (("LIBRARY=no/such.cpp",), "there is no file no/such.cpp")):
        code, said = make(*arguments)
        if not code or text not in said:
            sys.exit(f"fuzz-library: does not say that {text}:\n{said}")
    problems = [text for fault, finding in FAULTS.items() if (text := problem(jobs, fault, finding))]
    if problems:
        sys.exit("\n".join(problems))
    print(f"fuzz-library: {len(FAULTS)} planted faults are found")


if __name__ == "__main__":
    main()
