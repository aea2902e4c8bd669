#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""faults.py [--jobs N] [FAULT ...]                plants faults in the kernels and says what finds them
faults.py --update FAULT ...                      the same, and rewrites their lines in the table
faults.py --check                                 is cuda/faults.json about the faults that are there, all found?

Every SPW_FAULT_... of cuda/kernels is compiled in, one at a time, with ASan and UBSan, with MSan, with
TSan, and with none; a suite that includes the file, or the differential run over a fixed number of
tensors, must stop. Without a fault none of them may. Writes cuda/faults.json and cuda/faults.md; exit code 1 when a fault is not found
by anything, or something stops without one."""
import argparse
import concurrent.futures
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

CUDA = Path(__file__).resolve().parent
ROOT = CUDA.parent
FAULT = re.compile(r"SPW_FAULT_([A-Z0-9_]+)")
INCLUDE = re.compile(r'(?:#include|#define SPW_TEMPLATE) ".*?([^/"]+)"')
# What stops says where in the sources, wherever they lie; UBSan says what name the compiler was given.
WARN = ["-std=c11", "-Wall", "-Wextra", "-g", f"-ffile-prefix-map={ROOT}/="]
# Compiler, flags, where the rest is built, and how many tensors the differential run takes: as many as it compares
# in a second or two. The faulty file alone is compiled, so without optimisation.
CONFIGURATIONS = {
    "plain": ("gcc", [], "", 5000),
    "ASan+UBSan": ("clang", ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"], "asan", 2500),
    "MSan": ("clang", ["-fsanitize=memory"], "cuda-msan", 2500),
    "TSan": ("clang", ["-fsanitize=thread"], "cuda-tsan", 1500),
}
BUILD = {"root": "build"}
# What a program says when it stops, and who says so.
VOICES = [("ThreadSanitizer", "TSan"), ("MemorySanitizer", "MSan"), ("AddressSanitizer", "ASan"),
          ("runtime error", "UBSan"), ("engine:", "engine"), ("differential: difference", "comparison"),
          ("suite:", "comparison")]


def faults():
    """name -> file of cuda/kernels; and what the comment beside it in faults.txt says."""
    found = {}
    for source in sorted((CUDA / "kernels").iterdir()):
        for name in FAULT.findall(source.read_text()):
            found.setdefault(name, source.name)
    return found


def meanings():
    lines = (CUDA / "faults.txt").read_text().splitlines()
    return dict(line.split(None, 1) for line in lines if line and not line.startswith("#"))


def run(command, limit=None):
    return subprocess.run(command, cwd=ROOT, timeout=limit, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env={"PATH": "/usr/bin:/bin", "TSAN_OPTIONS": "halt_on_error=1"})


def compile_or_stop(compiler, flags, sources, output):
    done = run([compiler, *WARN, *flags, *map(str, sources), "-o", str(output)])
    if done.returncode:
        sys.exit(f"faults.py: does not compile:\n{done.stdout.decode(errors='replace')}")


def common(configuration):
    """What no fault changes, as make has built it for the differential run: core, engine, tensors."""
    build = ROOT / BUILD["root"] / CONFIGURATIONS[configuration][2]
    objects = [build / "obj" / f"{name}.o" for name in (
        "cuda/check/plan", "cuda/tests/rows", "cuda/tests/differential", "cuda/tests/on_engine", "tests/specimen")]
    return sorted((build / "obj/cuda/host").glob("*.o")), objects + [build / "libsparsewright.a"]


def stopped(program, options, limit):
    """Who stopped the program, or None when it ended well; its first words with it."""
    try:
        done = run([program, *options], limit)
    except subprocess.TimeoutExpired:
        return "time limit", "does not end"
    text = done.stdout.decode(errors="replace")
    if done.returncode == 0:
        return None, ""
    for word, voice in VOICES:
        if word in text:
            return voice, next(line.strip() for line in text.splitlines() if word in line)[:200]
    return "crash" if done.returncode < 0 else f"exit code {done.returncode}", text[:200]


def suites():
    """The suites that run without Criterion."""
    return [path for path in sorted((CUDA / "tests").glob("test_*.c")) if '"suite.h"' in path.read_text()]


def reached_from(name):
    """The files of cuda/kernels that this one includes, itself too."""
    seen, left = set(), [name]
    while left:
        path = CUDA / "kernels" / left.pop()
        if path.name in seen or not path.exists():
            continue
        seen.add(path.name)
        left += INCLUDE.findall(path.read_text())
    return seen


def programs_that_use(source):
    """Suites that include a file of cuda/kernels by name, and the differential run where the check uses it."""
    users = [suite for suite in suites() if source in INCLUDE.findall(suite.read_text())]
    return users + ([CUDA / "check/on_host.c"] if source in reached_from("check.h") else [])


def try_fault(directory, configuration, name, programs):
    """Compiles with one fault (or none, name '') and runs the programs."""
    compiler, flags, _, tensors = CONFIGURATIONS[configuration]
    flags = [*flags, "-DSPW_TILE_VECTORS=1", *([f"-DSPW_FAULT_{name}"] if name else [])]
    engine, others = common(configuration)
    for source in programs:
        program = directory / f"{source.stem}-{configuration}-{name}"
        suite = source.parent.name == "tests"
        compile_or_stop(compiler, [*flags, *(["-DSUITE_PLAIN"] if suite else [])],
                        [source.relative_to(ROOT), *engine, *(others[-2:] if suite else others)], program)
        result = stopped(program, [] if suite else ["--times", str(tensors)], 600)
        if result[0]:
            return result
    return None, ""


def measure(names, jobs):
    planted, table = faults(), []
    used = {name: programs_that_use(planted[name]) for name in names}
    unused = [name for name in names if not used[name]]
    if unused:
        sys.exit(f"faults.py: no test includes {', '.join(sorted({planted[name] for name in unused}))}")
    used[""] = sorted({program for programs in used.values() for program in programs})
    subprocess.run(["make", "-s", f"-j{jobs}", "CUDA_B=" + BUILD["root"], "cuda-differential-programs"], cwd=ROOT, check=True)
    with tempfile.TemporaryDirectory() as temporary, concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        runs = {(n, c): pool.submit(try_fault, Path(temporary), c, n, used[n])
                for n in ["", *names] for c in CONFIGURATIONS}
        for configuration in CONFIGURATIONS:
            voice, words = runs["", configuration].result()
            if voice:
                pool.shutdown(wait=False, cancel_futures=True)
                sys.exit(f"faults.py: {configuration} stops without a fault: {voice}: {words}")
        for name in names:
            found = {c: runs[name, c].result() for c in CONFIGURATIONS}
            table.append({"fault": name, "file": planted[name],
                          "found_by": {c: voice for c, (voice, _) in found.items() if voice},
                          "says": next((words for voice, words in found.values() if voice), "")})
            print(f"{name}: {table[-1]['found_by'] or 'NOT FOUND'}", flush=True)
    return table


def write(table):
    meaning = meanings()
    (CUDA / "faults.json").write_text(json.dumps(table, indent=1) + "\n")
    lines = ["# Planted faults", "",
             "Written by `cuda/faults.py`. Each fault is compiled into the kernels, alone, and the tests run; the cells say",
             "what stopped them: a sanitizer, the engine, or the comparison with the checker. Without a fault nothing stops.", "",
             "| fault | in | what is wrong | " + " | ".join(CONFIGURATIONS) + " |", "|---" * (3 + len(CONFIGURATIONS)) + "|"]
    for row in table:
        cells = [row["found_by"].get(c, "") for c in CONFIGURATIONS]
        lines.append(f"| {row['fault']} | {row['file']} | {meaning[row['fault']]} | " + " | ".join(cells) + " |")
    found = sum(bool(row["found_by"]) for row in table)
    lines += ["", f"{found} of {len(table)} faults are found. By one build alone: " + ", ".join(
        f"{c} {sum(c in row['found_by'] for row in table)}" for c in CONFIGURATIONS) + "."]
    (CUDA / "faults.md").write_text("\n".join(lines) + "\n")


def check():
    table = json.loads((CUDA / "faults.json").read_text())
    planted, recorded = set(faults()), {row["fault"] for row in table}
    problems = [f"{name}: planted and not recorded" for name in planted - recorded]
    problems += [f"{name}: recorded and not planted" for name in recorded - planted]
    problems += [f"{name}: not described in faults.txt" for name in planted - set(meanings())]
    problems += [f"{row['fault']}: found by nothing" for row in table if not row["found_by"]]
    if problems or len(table) < 24:
        sys.exit("faults.py: " + "; ".join(problems or ["fewer than 24 faults"]))
    print(f"faults: {len(table)} planted faults, each recorded as found")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--update", action="store_true", help="rewrite the lines of these faults only")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--build", default="build", help="where make builds")
    parser.add_argument("faults", nargs="*", metavar="FAULT")
    arguments = parser.parse_args()
    if arguments.check:
        return check()
    BUILD["root"] = arguments.build
    unknown = set(arguments.faults) - set(faults())
    if unknown:
        sys.exit(f"faults.py: no such fault: {', '.join(sorted(unknown))}")
    table = measure(arguments.faults or sorted(faults()), arguments.jobs)
    if arguments.update:
        measured = {row["fault"] for row in table}
        old = [row for row in json.loads((CUDA / "faults.json").read_text()) if row["fault"] not in measured]
        write(sorted(old + table, key=lambda row: row["fault"]))
    elif not arguments.faults:
        write(table)
    missed = [row["fault"] for row in table if not row["found_by"]]
    print(f"faults: {len(table) - len(missed)} of {len(table)} found" + (f"; not found: {', '.join(missed)}" if missed else ""))
    return 1 if missed or not table else 0


if __name__ == "__main__":
    sys.exit(main())
