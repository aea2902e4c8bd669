#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""faults.py [--jobs N] [--from FILE] [--without NAME] [FAULT ...]   plants faults in the kernels and says what finds them
faults.py --update FAULT ...                                       the same, and rewrites their lines in the table
faults.py --check                                                  can cuda/faults.json's faults be planted, and were all found?

A fault is a change of a kernel's text, in cuda/faults.txt or another file of that form. Each is made in a copy of
the sources, one at a time, which is compiled with ASan and UBSan, with MSan, with TSan, and with none; a suite that
includes the file, or the differential run over a fixed number of tensors, must stop: with the tile that is compiled for
devices, else with a small one. Without a fault none of them may. --without leaves one of the four builds out. All faults in
all builds are written to cuda/faults.json and cuda/faults.md. Exit code 1 when a fault is not found by anything, or
something stops without one."""
import argparse
import concurrent.futures
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

CUDA = Path(__file__).resolve().parent
ROOT = CUDA.parent
HEADER = re.compile(r"^([A-Z0-9_]+) in ([a-z_]+\.(?:h|inc)): (.+)$")
COPIED = ("src", "tests", "cuda/kernels", "cuda/check", "cuda/convert", "cuda/host", "cuda/tests")
LEAST = 60  # faults
INCLUDE = re.compile(r'(?:#include|#define SPW_TEMPLATE) ".*?([^/"]+)"')
FLAGS = ["-std=c11", "-w", "-g"]
# Compiler, flags, where the rest is built, and how many tensors the differential run takes: as many as it compares
# in a few seconds. The faulty file alone is compiled, so without optimisation.
YIELDS = [word for name in ("type=3", "trace-loads", "trace-stores") for word in ("-Xclang", f"-fsanitize-coverage-{name}")]
CONFIGURATIONS = {
    "plain": ("gcc", [], "", 10000),
    "ASan+UBSan": ("clang", ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"], "asan", 1500),
    "MSan": ("clang", ["-fsanitize=memory"], "fuzz/msan", 1500),
    "TSan": ("clang", ["-fsanitize=thread", *YIELDS], "fuzz/tsan", 1000),
}
BUILD = {"root": "build"}
TILES = ("shipped", "small")
# What a program says when it stops, and who says so.
VOICES = [("ThreadSanitizer", "TSan"), ("MemorySanitizer", "MSan"), ("AddressSanitizer", "ASan"),
          ("runtime error", "UBSan"), ("engine:", "engine"), ("differential: difference", "comparison"),
          ("suite:", "comparison")]


class Fault:
    """One change: `old` stands in cuda/kernels/`file` exactly once."""

    def __init__(self, name, file, meaning):
        self.name, self.file, self.meaning, self.old, self.new = name, file, meaning, [], []

    def digest(self):
        """Of what is changed, and into what."""
        return hashlib.sha1(json.dumps([self.file, self.old, self.new]).encode()).hexdigest()[:16]

    def plant(self, root):
        path = root / "cuda/kernels" / self.file
        text = path.read_text()
        if not self.old or text.count("\n".join(self.old)) != 1:
            sys.exit(f"faults.py: {self.name}: what it changes stands {text.count(chr(10).join(self.old))} times in {self.file}")
        changed = text.replace("\n".join(self.old), "\n".join(self.new))
        if changed == text:
            sys.exit(f"faults.py: {self.name} changes nothing")
        if root != ROOT:
            path.write_text(changed)


def faults(path=CUDA / "faults.txt"):
    """name -> fault."""
    found = {}
    for line in path.read_text().splitlines():
        header = HEADER.match(line)
        if header:
            if header[1] in found:
                sys.exit(f"faults.py: {header[1]} stands twice in {path}")
            found[header[1]] = Fault(*header.groups())
        elif line[:1] in "-+" and line and found:
            (last.old if line[0] == "-" else last.new).append(line[1:])
        elif line and not line.startswith("#"):
            sys.exit(f"faults.py: {path}: {line}")
        last = list(found.values())[-1] if found else None
    return found


def run(command, limit=None, where=ROOT):
    return subprocess.run(command, cwd=where, timeout=limit, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env={"PATH": "/usr/bin:/bin", "TSAN_OPTIONS": "halt_on_error=1"})


def compile_or_stop(compiler, flags, sources, output, where):
    done = run([compiler, *FLAGS, *flags, *map(str, sources), "-o", str(output)], where=where)
    if done.returncode:
        sys.exit(f"faults.py: {output.name} does not compile:\n{done.stdout.decode(errors='replace')}")


def common(configuration):
    """What no fault changes, as make has built it for the differential run: core, engine, tensors."""
    build = ROOT / BUILD["root"] / CONFIGURATIONS[configuration][2]
    objects = [build / "obj" / f"{name}.o" for name in (
        "cuda/check/on_host", "cuda/check/on_host_small", "cuda/convert/on_host", "cuda/convert/on_host_small",
        "cuda/check/plan", "cuda/convert/plan", "cuda/tests/converted", "cuda/tests/rows", "cuda/tests/differential", "cuda/tests/on_engine", "tests/operands/specimen")]
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
    """Suites that include a file of cuda/kernels by name, and the differential run where check or conversion use it."""
    users = [suite for suite in suites() if source in INCLUDE.findall(suite.read_text())]
    if source in reached_from("check.h"):
        return users + [CUDA / "check/on_host.c"]
    return users + ([CUDA / "convert/on_host.c"] if source in reached_from("convert.h") else [])


def options_of(source, tensors):
    """What a program that compares with the core library is asked, one tile after the other. A tensor that is converted
    is so several times, with up to thirty launches each."""
    converts = source.parent.name == "convert"
    kind = ["--times", str(tensors // 5), "--kind", "convert"] if converts else ["--times", str(tensors)]
    return [["--tile", tile, *kind] for tile in TILES]


def try_fault(directory, configuration, fault, programs):
    """Compiles with one fault, or none, and runs the programs: who stopped one, with which tile, and its words."""
    compiler, flags, _, tensors = CONFIGURATIONS[configuration]
    engine, others = common(configuration)
    tree = directory / (fault.name if fault else "none") / configuration.replace("+", "-")
    for folder in COPIED:
        shutil.copytree(ROOT / folder, tree / folder, ignore=shutil.ignore_patterns("*.py", "*.json"))
    if fault:
        fault.plant(tree)
    try:
        for source in programs:
            program = tree / f"{source.parent.name}_{source.stem}"
            suite = source.parent.name == "tests"
            sources = [source] if suite else sorted(source.parent.glob("on_host*.c"))
            same = [path for path in others if suite or path.parent.name != source.parent.name or "on_host" not in path.stem]
            compile_or_stop(compiler, [*flags, *(["-DSUITE_PLAIN"] if suite else [])],
                            [*(path.relative_to(ROOT) for path in sources), *engine, *(others[-2:] if suite else same)],
                            program, tree)
            for options in [[]] if suite else options_of(source, tensors):
                voice, words = stopped(program, options, 600)
                if voice:
                    return voice, options[1:2] != ["small"], words
    finally:
        shutil.rmtree(tree)
    return None, False, ""


def measure(planted, jobs):
    table, log = [], ROOT / BUILD["root"] / "cuda-faults.jsonl"
    used = {fault.name: programs_that_use(fault.file) for fault in planted}
    unused = [fault.file for fault in planted if not used[fault.name]]
    if unused:
        sys.exit(f"faults.py: no test includes {', '.join(sorted(set(unused)))}")
    everything = sorted({program for programs in used.values() for program in programs})
    subprocess.run(["make", "-s", f"-j{jobs}", "CUDA_B=" + BUILD["root"], "cuda-differential-programs"], cwd=ROOT, check=True)
    with tempfile.TemporaryDirectory() as temporary, concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        without = {c: pool.submit(try_fault, Path(temporary), c, None, everything) for c in CONFIGURATIONS}
        runs = {(fault.name, c): pool.submit(try_fault, Path(temporary), c, fault, used[fault.name])
                for fault in planted for c in CONFIGURATIONS}
        for configuration in CONFIGURATIONS:
            voice, _, words = without[configuration].result()
            if voice:
                pool.shutdown(wait=False, cancel_futures=True)
                sys.exit(f"faults.py: {configuration} stops without a fault: {voice}: {words}")
        for fault in planted:
            found = {c: runs[fault.name, c].result() for c in CONFIGURATIONS}
            row = {"fault": fault.name, "file": fault.file, "text": fault.digest(), "meaning": fault.meaning,
                   "found_by": {c: voice for c, (voice, _, _) in found.items() if voice},
                   "in shipped tiles": [c for c, (voice, shipped, _) in found.items() if voice and shipped],
                   "says": next((words for voice, _, words in found.values() if voice), "")}
            table.append(row)
            log.write_text("".join(json.dumps(done) + "\n" for done in table))
            print(f"{fault.name}: {row['found_by'] or 'NOT FOUND'}"
                  + ("" if row["in shipped tiles"] else " (in small tiles only)"), flush=True)
    return table


def write(table):
    (CUDA / "faults.json").write_text(json.dumps(table, indent=1) + "\n")
    lines = ["# Planted faults", "",
             "Written by `cuda/faults.py`. Each fault of [faults.txt](faults.txt) is put into the kernels, alone, and the tests run; the cells",
             "say what stopped them: a sanitizer, the engine, or the comparison with the checker; *italic* where that took a tile",
             "smaller than the one that is compiled for devices. Without a fault nothing stops.", "",
             "| fault | in | what is wrong | " + " | ".join(CONFIGURATIONS) + " |", "|---" * (3 + len(CONFIGURATIONS)) + "|"]
    for row in table:
        cells = [row["found_by"].get(c, "") if c in row["in shipped tiles"] or c not in row["found_by"]
                 else f"*{row['found_by'][c]}*" for c in CONFIGURATIONS]
        lines.append(f"| {row['fault']} | {row['file']} | {row['meaning']} | " + " | ".join(cells) + " |")
    found = sum(bool(row["found_by"]) for row in table)
    shipped = sum(bool(row["in shipped tiles"]) for row in table)
    lines += ["", f"{found} of {len(table)} faults are found, {shipped} of them in shipped tiles. By one build alone: " + ", ".join(
        f"{c} {sum(c in row['found_by'] for row in table)}" for c in CONFIGURATIONS) + "."]
    (CUDA / "faults.md").write_text("\n".join(lines) + "\n")


def check():
    table = json.loads((CUDA / "faults.json").read_text())
    planted, recorded = faults(), {row["fault"] for row in table}
    for fault in planted.values():
        fault.plant(ROOT)  # which only asks whether it can be
    problems = [f"{name}: planted and not recorded" for name in set(planted) - recorded]
    problems += [f"{name}: recorded and not planted" for name in recorded - set(planted)]
    problems += [f"{row['fault']}: found by nothing" for row in table if not row["found_by"]]
    problems += [f"{row['fault']}: another change was found than is planted now; --update it" for row in table
                 if row["fault"] in planted and row.get("text") != planted[row["fault"]].digest()]
    if problems or len(table) < LEAST:
        sys.exit("faults.py: " + "; ".join(problems or [f"fewer than {LEAST} faults"]))
    print(f"faults: {len(table)} planted faults, each recorded as found")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--update", action="store_true", help="rewrite the lines of these faults only")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--build", default="build", help="where make builds")
    parser.add_argument("--without", choices=list(CONFIGURATIONS), help="a build that is not there")
    parser.add_argument("--from", dest="file", type=Path, default=CUDA / "faults.txt", help="other faults")
    parser.add_argument("faults", nargs="*", metavar="FAULT")
    arguments = parser.parse_args()
    if arguments.check:
        return check()
    BUILD["root"] = arguments.build
    if arguments.without:
        if arguments.update:
            parser.error("--update: a line of the table has all builds")
        del CONFIGURATIONS[arguments.without]
    known = faults(arguments.file.resolve())
    unknown = set(arguments.faults) - set(known)
    if unknown:
        sys.exit(f"faults.py: no such fault: {', '.join(sorted(unknown))}")
    table = measure([known[name] for name in sorted(arguments.faults or known)], arguments.jobs)
    if arguments.update:
        measured = {row["fault"] for row in table}
        old = [row for row in json.loads((CUDA / "faults.json").read_text())
               if row["fault"] not in measured and row["fault"] in known]
        write(sorted(old + table, key=lambda row: row["fault"]))
    elif not arguments.faults and not arguments.without and arguments.file == CUDA / "faults.txt":
        write(table)
    missed = [row["fault"] for row in table if not row["found_by"]]
    print(f"faults: {len(table) - len(missed)} of {len(table)} found" + (f"; not found: {', '.join(missed)}" if missed else ""))
    return 1 if missed or not table else 0


if __name__ == "__main__":
    sys.exit(main())
