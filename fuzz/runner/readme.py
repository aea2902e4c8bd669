#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""readme.py [SECONDS]: runs the commands that README.md shows, with a shorter TIME. Those marked "finds" must
fail with the finding of the text, the others succeed. tests/readme.py compares the shown output."""
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHELL = re.compile(r"^```sh\n(.*?)^```$", re.M | re.S)
THE_FINDING = re.compile(r"FOUND library: AddressSanitizer: \S+ \S*SparseDenseProduct\.h")  # a false alarm would be another
HOURS = ("make fuzz-strength",)  # takes no TIME: that it can be made is all that is tested
CAMPAIGN = 80  # seconds, in which every target has a turn on two cores
LIMIT = 900


def commands():
    """(command, does it find something), in the order of the text."""
    for block in SHELL.findall((ROOT / "fuzz/README.md").read_text(encoding="utf-8")):
        for line in block.splitlines():
            command, _, remark = line.partition("  #")
            yield command.strip(), remark.strip("# ").startswith("finds")


def execute(command, seconds):
    if command in HOURS:
        command = command.replace("make", "make -n", 1)
    shorter = max(seconds, CAMPAIGN) if "campaign" in command else seconds
    command = re.sub(r"\bTIME=\d+", f"TIME={shorter}", command)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, env={**environment, "FUZZ_SECONDS": str(seconds)}, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=LIMIT, check=False)
    return done.returncode, done.stdout


def main():
    seconds, run, problems = int((sys.argv[1:] or ["5"])[0]), 0, 0
    for command, finds in commands():
        status, output = execute(command, seconds)
        found, skipped = (THE_FINDING.search(output) if finds else "FOUND" in output), "mcdc: skipped" in output
        wrong = not skipped and ((status == 0) == finds or bool(found) != finds)
        run += 1
        problems += wrong
        print(f"{'FAIL' if wrong else 'skip' if skipped else 'ok  '} {command}: exit status {status}" + ("\n" + output[-4000:] if wrong else ""), flush=True)
    print(f"fuzz/README.md: {run} commands, {problems} problems")
    return 1 if problems or not run else 0


if __name__ == "__main__":
    sys.exit(main())
