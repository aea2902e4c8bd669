#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""case_tensors.py: the tensors of the conformance cases that ask for a verdict, one a line."""
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main():
    made = subprocess.run([sys.executable, "-B", ROOT / "conformance/generate.py"], check=True, stdout=subprocess.PIPE)
    count = 0
    for line in made.stdout.splitlines():
        case = json.loads(line)
        if case["operation"] == "check" and "tensor" in case:
            print(json.dumps({"spw": 1, **case["tensor"]}))
            count += 1
    if not count:
        sys.exit("case_tensors.py: no cases")


if __name__ == "__main__":
    main()
