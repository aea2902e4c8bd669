#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""run.py BUILD...: runs the suites of cuda/tests as built in each build directory, as
tests/run_suites.py does those of tests/."""
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
import run_suites  # noqa: E402  (the judge of Criterion's output)


def main():
    suites = sorted(source.stem for source in Path(__file__).parent.glob("test_*.c"))
    tests = problems = 0
    for build in sys.argv[1:]:
        for suite in suites:
            done = subprocess.run([ROOT / build / "cuda/tests" / suite], cwd=ROOT, check=False, timeout=600,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            log = done.stdout.decode(errors="replace")
            passed, problem = run_suites.judge(done.returncode, log)
            tests += passed
            problems += bool(problem)
            print(f"{'FAIL' if problem else 'ok  '} {build}/cuda/tests/{suite}: {problem or f'{passed} tests'}")
            if problem:
                print(log)
    if problems or not tests:
        sys.exit(f"cuda: {problems} suites failed, {tests} tests passed")
    print(f"cuda: {len(suites)} suites x {len(sys.argv) - 1} builds passed, {tests} tests")


if __name__ == "__main__":
    main()
