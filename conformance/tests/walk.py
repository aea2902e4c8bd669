#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Follows conformance/README.md literally, in an empty folder, which is also the home: writes the files
that it shows, which say their names in the first line, and runs its commands, every one of which must
succeed, with the command that the first of them installs."""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
BLOCK = re.compile(r"^```(c|python|sh)\n(.*?)^```$", re.M | re.S)
NAME = re.compile(r"(?:/\*|#) (\S+)")
# What would make the installed command another one, or tell make what to do.
HIDDEN = ("SPW", "B", "CC", "DESTDIR", "MAKEFLAGS", "MAKELEVEL", "MFLAGS")


def main():
    blocks = BLOCK.findall((TOP / "README.md").read_text())
    files = commands = 0
    with tempfile.TemporaryDirectory() as folder:
        environment = {name: value for name, value in os.environ.items() if name not in HIDDEN}
        environment.update(HOME=folder, SPARSEWRIGHT=str(TOP.parent),
                           PATH=f"{folder}/.local/bin:{os.environ['PATH']}")
        for kind, text in blocks:
            if kind != "sh":
                Path(folder, NAME.match(text).group(1)).write_text(text)
                files += 1
                continue
            for command in text.splitlines():
                done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, text=True,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
                commands += 1
                if done.returncode:
                    print(f"$ {command}\n{done.stdout}\nexit code {done.returncode}")
                    return 1
    print(f"walk: {files} files written, {commands} commands of README.md run")
    return 0 if files >= 1 and commands >= 15 else 1


if __name__ == "__main__":
    sys.exit(main())
