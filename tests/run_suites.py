#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""run_suites.py [--jobs N] [--only SUITE]... BUILD...: runs every suite of tests/, or these, as built in each build directory.

Each must run some tests and pass all; the last line says how many there were."""
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import time
from pathlib import Path

TESTS = Path(__file__).resolve().parent
ROOT = TESTS.parent
LIMIT = 1200  # seconds for one suite
SYNTHESIS = re.compile(r"Synthesis: Tested: (\d+) \| Passing: (\d+) \| Failing: (\d+) \| Crashing: (\d+)")

SKIPPED = re.compile(r"^skipped: .*$", re.MULTILINE)
COMPLAINT = re.compile(r"^SUMMARY: \w+Sanitizer", re.MULTILINE)


def run(build, suite):
    """Runs one suite; gives the number of tests passed, the problem ("" when there is none) and a log."""
    program = ROOT / build / "tests" / suite
    if not os.access(program, os.X_OK):
        return 0, "not built", "", 0
    environment = dict(os.environ, SPW=str(ROOT / build / "spw"))
    start = time.monotonic()
    try:
        done = subprocess.run([program], cwd=ROOT, env=environment, timeout=LIMIT, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    except subprocess.TimeoutExpired as late:
        return 0, f"not finished after {LIMIT} s", (late.stdout or b"").decode(errors="replace"), LIMIT
    log = done.stdout.decode(errors="replace")
    return *judge(done.returncode, log), log, time.monotonic() - start


def judge(exit_code, log):
    closing = SYNTHESIS.findall(log)
    if len(closing) != 1:
        return 0, f"exit code {exit_code}, and {len(closing)} closing lines"
    tested, passing, failing, crashing = map(int, closing[0])
    if exit_code or failing or crashing or passing != tested:
        return 0, f"exit code {exit_code}: {closing[0]} tested, passing, failing, crashing"
    if COMPLAINT.search(log):  # as of a leak found after the last test, which fails none
        return 0, "a sanitizer complains"
    return tested, "" if tested else "no tests"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", action="append", metavar="SUITE")
    parser.add_argument("builds", nargs="+", metavar="BUILD")
    arguments = parser.parse_args()
    suites = arguments.only or sorted(source.stem for source in TESTS.glob("*/test_*.c"))
    runs = [(build, suite) for suite in suites for build in arguments.builds]
    tests = problems = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for (build, suite), (passed, problem, log, seconds) in zip(runs, pool.map(lambda r: run(*r), runs)):
            tests += passed
            problems += bool(problem)
            print(f"{'FAIL' if problem else 'ok  '} {build}/tests/{suite}: {problem or f'{passed} tests'}, {seconds:.1f} s")
            for line in SKIPPED.findall(log):
                print(f"     {line}")
            if problem:
                print(log)
            sys.stdout.flush()
    if problems or not tests:
        sys.exit(f"check: {problems} of {len(runs)} suites failed, {tests} tests passed")
    print(f"check: {len(suites)} suites x {len(arguments.builds)} builds passed, {tests} tests")


if __name__ == "__main__":
    main()
