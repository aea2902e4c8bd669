#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""headers.py: every public header alone, and every program of examples/, compiles as C11, C++17 and C++20 with gcc and clang,
without a warning that -Wall, -Wextra and -pedantic give."""
import concurrent.futures
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LANGUAGES = [("c", "c11", ("gcc", "clang")), ("c++", "c++17", ("g++", "clang++")), ("c++", "c++20", ("g++", "clang++"))]
FLAGS = ["-Wall", "-Wextra", "-pedantic", "-Werror", "-Isrc", "-Icuda", "-fsyntax-only"]


def complaint(language, standard, compiler, name, text):
    """What a compiler says of a text in a language; "" where it takes it."""
    said = subprocess.run([compiler, f"-std={standard}", *FLAGS, "-x", language, "-"], input=text, text=True, cwd=ROOT,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return f"{name}: {compiler} -std={standard}: {said.stdout.strip()}" if said.returncode else ""


def main():
    headers = sorted([*ROOT.glob("src/sparsewright*.h"), *ROOT.glob("cuda/sparsewright*.h")])
    texts = {header.name: f"#include <{header.name}>\n" for header in headers}
    programs = sorted([*ROOT.glob("examples/*.c"), *ROOT.glob("examples/*.cpp")])
    texts.update({f"examples/{program.name}": program.read_text() for program in programs})
    if not headers or not programs:
        sys.exit("headers: there are no headers, or no examples")
    jobs = [(language, standard, compiler, name, text) for name, text in texts.items()
            for language, standard, compilers in LANGUAGES for compiler in compilers
            if language == "c++" or not name.endswith(".cpp")]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        wrong = [said for said in pool.map(lambda job: complaint(*job), jobs) if said]
    if wrong:
        sys.exit("\n".join([*wrong, f"headers: {len(wrong)} of {len(jobs)} are not compiled without a warning"]))
    print(f"headers: {len(headers)} headers and {len(programs)} examples are C11, C++17 and C++20")


if __name__ == "__main__":
    main()
