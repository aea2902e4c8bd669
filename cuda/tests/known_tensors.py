#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""known_tensors.py EXPORT: the tensors of the conformance cases that ask for a verdict, and those that the committed
inputs of the fuzz targets check and cuda_check stand for, one a line. EXPORT is the program fuzz/export, which
writes an input as a file; what no file can hold is left out, and the last words on standard error say how many there were."""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "fuzz" / "runner"))
import engines  # noqa: E402

CORPORA = ("check", "cuda_check")


def cases():
    made = subprocess.run([sys.executable, "-B", ROOT / "conformance/cases/generate.py"], check=True, stdout=subprocess.PIPE)
    for line in made.stdout.splitlines():
        case = json.loads(line)
        if case["operation"] == "check" and "tensor" in case:
            yield {"spw": 1, **case["tensor"]}


def inputs(export):
    """Each input's tensor, or None."""
    with tempfile.TemporaryDirectory() as directory:
        for corpus in CORPORA:
            folder = Path(directory, corpus)
            engines.unpack(corpus, folder)
            for path in sorted(folder.iterdir()):
                done = subprocess.run([export, path], check=False, stdout=subprocess.PIPE,
                                      stderr=subprocess.DEVNULL)
                yield json.loads(done.stdout) if done.returncode == 0 else None


def main():
    of_cases, of_inputs, left_out = 0, 0, 0
    for tensor in cases():
        print(json.dumps(tensor))
        of_cases += 1
    for tensor in inputs(sys.argv[1]):
        if tensor is None:
            left_out += 1
            continue
        print(json.dumps(tensor))
        of_inputs += 1
    if not of_cases or not of_inputs:
        sys.exit(f"known_tensors.py: {of_cases} cases and {of_inputs} inputs")
    print(f"known_tensors.py: {of_cases} cases and {of_inputs} inputs; {left_out} inputs that no file holds are left out",
          file=sys.stderr)


if __name__ == "__main__":
    main()
