# SPDX-License-Identifier: Apache-2.0
"""What of src/ the tests and the committed corpora do not reach: sides of branches, or conditions that never
decide alone (MC/DC). branches.json gives each missing branch its reason; one without a reason fails, and so does
a reason for a branch that is taken."""
import glob
import json
import os
import shutil
import subprocess

import engines
from engines import Trouble

REASONS = os.path.join(engines.FUZZ, "runner", "branches.json")
SKIPPED = 77
KILLED = ["-failure-mode=all"]  # tests kill programs, some of them while they write their counters
DEPENDS = "Depends on the machine: "  # a reason that begins so is right for a branch that is taken, too
TOOLS = {"coverage": ("", "-14"), "mcdc": ("-19",)}  # suffixes of llvm-cov and llvm-profdata


def tool(name, kind):
    for suffix in TOOLS[kind]:
        if shutil.which(name + suffix):
            return name + suffix
    raise Trouble(f"{name} is missing: apt-get install llvm{TOOLS[kind][-1]}")


def execute(kind, command, profile):
    """One program, its counters in a file of its own."""
    environment = dict(os.environ, LLVM_PROFILE_FILE=profile, SPW=os.path.join(engines.WORK, kind, "spw"))
    done = subprocess.run(command, cwd=engines.ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", timeout=1800, check=False)
    if done.returncode:
        raise Trouble(f"{' '.join(command)} fails:\n{done.stdout[-2000:]}")


def collect(kind, wanted, raw):
    """Runs all suites and replays all corpora; gives the programs."""
    programs = [os.path.join(engines.WORK, kind, "spw")]
    for suite in sorted(glob.glob(os.path.join(engines.ROOT, "tests", "*", "test_*.c"))):
        name = os.path.basename(suite)[:-2]
        programs.append(os.path.join(engines.WORK, kind, "tests", name))
        execute(kind, [programs[-1]], os.path.join(raw, name + "-%p.profraw"))
    for target in wanted:
        corpus = os.path.join(engines.WORK, kind + "-corpus", target)
        if not engines.unpack(target, corpus):
            raise Trouble(f"{target} has no corpus")
        programs.append(engines.program(kind, target))
        execute(kind, [programs[-1], corpus], os.path.join(raw, f"fuzz-{target}-%p.profraw"))
    return programs


def measure(kind, jobs):
    """Builds and runs everything; gives the functions as llvm-cov tells of them."""
    wanted = engines.targets()
    raw = os.path.join(engines.WORK, kind + "-profraw")
    shutil.rmtree(raw, ignore_errors=True)
    os.makedirs(raw)
    engines.build(kind, wanted, jobs, f"build/fuzz/{kind}/spw", "tests")
    programs = collect(kind, wanted, raw)
    profile = os.path.join(engines.WORK, kind + ".profdata")
    subprocess.run([tool("llvm-profdata", kind), "merge", "-sparse", *KILLED, "-o", profile, *glob.glob(os.path.join(raw, "*.profraw"))], check=True)
    objects = [part for program in programs[1:] for part in ("-object", program)]
    text = subprocess.run([tool("llvm-cov", kind), "export", f"-instr-profile={profile}", programs[0], *objects],
                          stdout=subprocess.PIPE, text=True, check=True).stdout
    return json.loads(text)["data"][0]["functions"]


def place(function, file, line, column):
    """(file, line, column) in src/, or None: one place however often its text is compiled."""
    name = os.path.relpath(function["filenames"][file], engines.ROOT)
    return (name, line, column) if name.startswith("src/") else None


def branches(functions):
    """{place: [true count, false count]}, summed over what is one branch in the source."""
    found = {}
    for function in functions:
        for line, column, _, _, true, false, file, *_ in function["branches"]:
            at = place(function, file, line, column)
            if at:
                counts = found.setdefault(at, [0, 0])
                counts[0] += true
                counts[1] += false
    return found


def decisions(functions):
    """{place: [did each condition decide alone?]}"""
    found = {}
    for function in functions:
        for line, column, _, _, _, _, conditions in function.get("mcdc_records", ()):
            at = place(function, 0, line, column)
            if at:
                before = found.setdefault(at, [False] * len(conditions))
                found[at] = [a or b for a, b in zip(before, conditions)]
    return found


def source(file, line):
    with open(os.path.join(engines.ROOT, file), encoding="utf-8") as text:
        return text.read().split("\n")[line - 1].strip()


def missing_branches(found):
    """{"file: line of source": [what is not taken]}"""
    missing = {}
    for (file, line, column), counts in sorted(found.items()):
        for side, count in zip(("true", "false"), counts):
            if not count:
                missing.setdefault(f"{file}: {source(file, line)}", []).append(f"line {line}:{column} never {side}")
    return missing


def is_stale(name, reason, missing):
    """Is the branch taken, or no longer there?"""
    if name in missing:
        return False
    file, line = name.split(": ", 1)
    with open(os.path.join(engines.ROOT, file), encoding="utf-8") as text:
        return not reason.startswith(DEPENDS) or line not in text.read()


def run(options):
    found, known = branches(measure("coverage", options.jobs)), engines.read_json(REASONS)
    missing = missing_branches(found)
    unnamed = [name for name in missing if not known.get(name)]
    stale = [name for name, reason in known.items() if is_stale(name, reason, missing)]
    for name, places in missing.items():
        print(f"{'MISSING' if name in unnamed else 'named  '} {name}\n        {'; '.join(places)}\n        {known.get(name, '')}")
    for name in stale:
        print(f"STALE   {name}: is taken now, or is no longer there")
    sides, count = 2 * len(found), sum(map(len, missing.values()))
    print(f"coverage: {sides - count} of {sides} branch sides of src/ taken, {count} not, in {len(missing)} places: "
          f"{len(unnamed)} of them without a reason, {len(stale)} reasons too many")
    return 1 if unnamed or stale or not sides else 0


def run_mcdc(options):
    if not shutil.which("clang-19"):
        print("mcdc: skipped, clang-19 is not there: apt-get install clang-19 libclang-rt-19-dev llvm-19")
        return SKIPPED
    found = decisions(measure("mcdc", options.jobs))
    for (file, line, _), conditions in sorted(found.items()):
        alone = [str(i + 1) for i, decided in enumerate(conditions) if not decided]
        if alone:
            print(f"{file}:{line}: {source(file, line)}\n        of {len(conditions)} conditions never alone decisive: {', '.join(alone)}")
    conditions = [decided for decision in found.values() for decided in decision]
    print(f"mcdc: {sum(conditions)} of {len(conditions)} conditions in {len(found)} decisions of src/ were each once alone decisive")
    return 0 if any(conditions) else 1
