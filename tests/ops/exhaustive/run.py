#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""run.py PROGRAM [--jobs N] part        asks each function for 1/64 of the operands of float32, another part every day,
                                         for all operands of 16 bits and for its table; fails where a result is wrong
run.py PROGRAM [--jobs N] all [NAME...]  asks for all operands; keeps what it found beside PROGRAM, and goes on there
run.py PROGRAM write                     writes src/ops/unary/hard.h and counts.md from what `all` has found; of functions of
                                         which it has not found all, their lines stay"""
import argparse
import concurrent.futures
import ctypes
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
HARD = ROOT / "src/ops/unary/hard.h"
COUNTS = Path(__file__).resolve().parent / "counts.md"
PARTS = 64


def functions():
    """The functions of reals, in the order of the table."""
    text = (ROOT / "src/sparsewright_unary.h").read_text()
    return re.findall(r"F\(\w+, (\w+), REAL,", text)


def ask(program, name, part):
    """What the program says; its last line, if it came to an end."""
    said = subprocess.run([program, name, str(part)], stdout=subprocess.PIPE, text=True, check=False).stdout
    if not said.splitlines()[-1:] or not said.splitlines()[-1].startswith("counts "):
        sys.exit(f"exhaustive: {name} {part} came to no end")
    return said


def ask_all(program, jobs, questions, take):
    """The answers to (name, part), as they come."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        asked = {pool.submit(ask, program, *question): question for question in questions}
        for done in concurrent.futures.as_completed(asked):
            take(asked[done], done.result())


def look_at_part(program, jobs):
    part = int(time.time() // 86400) % PARTS
    wrong = []
    questions = [(name, number) for name in functions() for number in (part, PARTS)]
    ask_all(program, jobs, questions, lambda question, said: wrong.extend(
        f"{question[0]}: {line}" for line in said.splitlines() if line.startswith("wrong ")))
    if wrong:
        sys.exit("\n".join(wrong[:20] + [f"exhaustive: {len(wrong)} results are wrong"]))
    print(f"exhaustive: {len(functions())} functions, part {part} of {PARTS} of float32, float16 and bfloat16: all correctly rounded")


def keep_all(program, jobs, names):
    kept = Path(program).resolve().parent / "exhaustive-found"
    kept.mkdir(exist_ok=True)
    questions = [(name, part) for name in names or functions() for part in range(PARTS + 1)]
    questions = [(name, part) for name, part in questions if not (kept / f"{name}.{part}").exists()]
    ask_all(program, jobs, questions, lambda question, said: (kept / f"{question[0]}.{question[1]}").write_text(said))


def library():
    version = ctypes.CDLL("libc.so.6").gnu_get_libc_version
    version.restype = ctypes.c_char_p
    return "glibc " + version().decode()


def read(kept, name):
    """(hard cases, sums of the counts, the worst error), or None where parts are missing."""
    files = [kept / f"{name}.{part}" for part in range(PARTS + 1)]
    if not all(file.exists() for file in files):
        return None
    hard, counts, worst = set(), [0] * 5, 0.0
    for part, file in enumerate(files):
        for line in file.read_text().splitlines():
            words = line.split()
            if words[0] == "hard":
                hard.add((int(words[1], 16), int(words[2], 16)))
            if words[0] == "counts" and part < PARTS:
                counts = [total + int(word) for total, word in zip(counts, words[1:6])]
                worst = max(worst, float(words[6]))
    return sorted(hard), counts, worst


def table_of(text, name):
    """The lines that hard.h has of a function."""
    return re.search(rf"^enum {{ SPW_HARD_{name} = .*?;\n(?=enum|\n#endif)", text, re.M | re.S)[0]


def row_of(text, name):
    """The row that counts.md has of a function."""
    found = re.search(rf"^\| `{name}` .*$", text, re.M)
    return found[0] if found else f"| `{name}` | not run | | | | |"


def write(program):
    kept = Path(program).resolve().parent / "exhaustive-found"
    old, counted = HARD.read_text(), COUNTS.read_text()
    lines = ["/* SPDX-License-Identifier: Apache-2.0 */",
             "/* Written by tests/ops/exhaustive/run.py: operands of float32 whose result a double cannot round (U4), and the results. */",
             "#ifndef SPW_OPS_UNARY_HARD_H", "#define SPW_OPS_UNARY_HARD_H", "", '#include "unary.h"', ""]
    rows = []
    for name in functions():
        found = read(kept, name)
        if not found:
            rows.append(row_of(counted, name))
            if f"SPW_HARD_{name} " not in old:
                old = old.replace("\n#endif", f"enum {{ SPW_HARD_{name} = 0 }};\nstatic const spw_hard_case spw_hard_{name}[] = {{{{0, 0}}}};\n\n#endif")
            lines += table_of(old, name).rstrip("\n").split("\n")
            continue
        hard, counts, worst = found
        cases = [f"{{0x{x:08x}, 0x{y:08x}}}" for x, y in hard] or ["{0, 0}"]
        lines.append(f"enum {{ SPW_HARD_{name} = {len(hard)} }};")
        lines.append(f"static const spw_hard_case spw_hard_{name}[] = {{")
        lines += ["  " + ", ".join(cases[i:i + 4]) + "," for i in range(0, len(cases), 4)]
        lines[-1] = lines[-1].rstrip(",")
        lines[-1] += "};"
        rows.append(f"| `{name}` | {counts[0]:,} | {counts[1]} | {counts[2]} | {counts[3]} | {worst:.2f} |")
    HARD.write_text("\n".join([*lines, "", "#endif", ""]))
    COUNTS.write_text("\n".join([
        "<!-- SPDX-License-Identifier: Apache-2.0 -->",
        "# Every operand of float32", "",
        f"For whoever asks whether float32 is correctly rounded. `make exhaustive` wrote this, with {library()} and MPFR.", "",
        "| function | operands | in the table | a double within 2^-50 of a middle | a double alone is wrong | worst error of a double, in units of its last place |",
        "|---|---|---|---|---|---|", *rows, "",
        "The table holds operands whose result lies within 3 * 2^-50 of the middle of two floats. Operands for which mathematics decides (`exhaustive.c` says which) count, and so do operands below 0 of odd and even functions. The worst error is that of the doubles that MPFR has looked at:",
        f"one of {1 << 14} operands, and all in the table.", ""]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("what", choices=["part", "all", "write"])
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    if given.what == "part":
        look_at_part(given.program, given.jobs)
    elif given.what == "all":
        keep_all(given.program, given.jobs, given.names)
    else:
        write(given.program)


if __name__ == "__main__":
    main()
