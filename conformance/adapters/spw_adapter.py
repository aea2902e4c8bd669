#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""sparsewright: one `spw check --json -` for each case. The variable SPW names the program."""
import json
import os
import signal
import subprocess
import sys

from protocol import Rejected, Unsupported, serve

SPW = os.environ.get("SPW", "build/spw")
EXIT_CODES = {"valid": 0, "invalid": 1, "malformed": 3}
ALL_DTYPES = ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32",
              "float64", "complex64", "complex128"]
MANIFEST = {"operations": {"check": {"layouts": ["coo", "csr", "csc", "bsr", "bsc"],
                                     "dtypes": ALL_DTYPES}},
            "index_dtypes": ALL_DTYPES, "lacks": [], "names_rules": "all", "guards": []}


def check(question):
    done = subprocess.run([SPW, "check", "--json", "-"], input=json.dumps(question["tensor"]),
                          text=True, stdout=subprocess.PIPE, check=False)
    if done.returncode < 0:  # die as it died, so that the driver sees the crash
        signal.signal(-done.returncode, signal.SIG_DFL)
        os.kill(os.getpid(), -done.returncode)
    line = json.loads(done.stdout)
    verdict = line["verdict"]
    if done.returncode != EXIT_CODES[verdict]:
        sys.exit(f"{verdict}, but exit code {done.returncode}")
    if verdict == "malformed":
        raise Unsupported(f"{line['error']['where']}: {line['error']['message']}")
    if verdict == "invalid":
        raise Rejected("; ".join(violation["message"] for violation in line["violations"]),
                       rules=[violation["rule"] for violation in line["violations"]])


def version():
    return subprocess.run([SPW, "--version"], text=True, stdout=subprocess.PIPE,
                          check=True).stdout.split()[-1]


if __name__ == "__main__":
    serve("sparsewright", version(), MANIFEST, {"check": check})
