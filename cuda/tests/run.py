#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""run.py [--jobs N] [--only SUITE ...] BUILD...: runs the suites of cuda/tests as built in each build directory, N at a
time, as tests/run_suites.py does those of tests/."""
import argparse
import concurrent.futures
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
import run_suites  # noqa: E402  (the judge of Criterion's output)


def run(build, suite):
    done = subprocess.run([ROOT / build / "cuda/tests" / suite], cwd=ROOT, check=False, timeout=600,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    log = done.stdout.decode(errors="replace")
    return *run_suites.judge(done.returncode, log), log


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", action="append", metavar="SUITE", help="these suites alone")
    parser.add_argument("builds", nargs="+", metavar="BUILD")
    arguments = parser.parse_args()
    suites = sorted(source.stem for source in Path(__file__).parent.glob("test_*.c"))
    unknown = set(arguments.only or []) - set(suites)
    if unknown:
        sys.exit(f"cuda: there is no suite {', '.join(sorted(unknown))}")
    suites = arguments.only or suites
    runs = [(build, suite) for build in arguments.builds for suite in suites]
    tests = problems = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for (build, suite), (passed, problem, log) in zip(runs, pool.map(lambda r: run(*r), runs)):
            tests += passed
            problems += bool(problem)
            print(f"{'FAIL' if problem else 'ok  '} {build}/cuda/tests/{suite}: {problem or f'{passed} tests'}", flush=True)
            if problem:
                print(log)
    if problems or not tests:
        sys.exit(f"cuda: {problems} suites failed, {tests} tests passed")
    print(f"cuda: {len(suites)} suites x {len(arguments.builds)} builds passed, {tests} tests")


if __name__ == "__main__":
    main()
