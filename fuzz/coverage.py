# SPDX-License-Identifier: Apache-2.0
"""Which branches of src/ neither the tests nor the committed corpora take. branches.json gives each of
these its reason; one without a reason fails, and so does a reason for a branch that is taken."""
import glob
import json
import os
import shutil
import subprocess

import engines
from engines import Trouble

REASONS = os.path.join(engines.HERE, "branches.json")


def tool(name):
    found = shutil.which(name) or shutil.which(name + "-14")
    if not found:
        raise Trouble(f"{name} is missing: apt-get install llvm")
    return found


def execute(command, profile):
    """One program, its counters in a file of its own."""
    environment = dict(os.environ, LLVM_PROFILE_FILE=profile, SPW=os.path.join(engines.WORK, "coverage", "spw"))
    return subprocess.run(command, cwd=engines.ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          timeout=1800, check=False).returncode


def collect(wanted, raw):
    """Runs all suites and replays all corpora; gives the programs."""
    programs = [os.path.join(engines.WORK, "coverage", "spw")]
    for suite in sorted(glob.glob(os.path.join(engines.ROOT, "tests", "test_*.c"))):
        name = os.path.basename(suite)[:-2]
        programs.append(os.path.join(engines.WORK, "coverage", "tests", name))
        if execute([programs[-1]], os.path.join(raw, name + "-%p.profraw")):
            raise Trouble(f"{name} fails")
    for target in wanted:
        corpus = os.path.join(engines.WORK, "coverage-corpus", target)
        if not engines.unpack(target, corpus):
            raise Trouble(f"{target} has no corpus")
        programs.append(engines.program("coverage", target))
        if execute([programs[-1], corpus], os.path.join(raw, f"fuzz-{target}-%p.profraw")):
            raise Trouble(f"the corpus of {target} fails")
    return programs


def branches(programs, profile):
    """{(file, line, column): (true count, false count)}, summed over what is one branch in the source."""
    objects = [part for program in programs[1:] for part in ("-object", program)]
    text = subprocess.run([tool("llvm-cov"), "export", f"-instr-profile={profile}", programs[0], *objects],
                          stdout=subprocess.PIPE, text=True, check=True).stdout
    found = {}
    for function in json.loads(text)["data"][0]["functions"]:
        for line, column, _, _, true, false, file, *_ in function["branches"]:
            name = os.path.relpath(function["filenames"][file], engines.ROOT)
            if not name.startswith("src/"):
                continue
            old = found.get((name, line, column), (0, 0))
            found[name, line, column] = (old[0] + true, old[1] + false)
    return found


def source(file, line):
    return open(os.path.join(engines.ROOT, file), encoding="utf-8").read().split("\n")[line - 1].strip()


def run(options):
    wanted = engines.targets()
    raw = os.path.join(engines.WORK, "profraw")
    shutil.rmtree(raw, ignore_errors=True)
    os.makedirs(raw)
    engines.build("coverage", wanted, options.jobs)
    settings = [f"{k}={v}" for k, v in dict(engines.BUILDS["coverage"], B="build/fuzz/coverage").items()]
    subprocess.run(["make", "-s", f"-j{options.jobs}", *settings, "build/fuzz/coverage/spw", "tests"], cwd=engines.ROOT, check=True)
    programs = collect(wanted, raw)
    profile = os.path.join(engines.WORK, "coverage.profdata")
    subprocess.run([tool("llvm-profdata"), "merge", "-sparse", "-o", profile, *glob.glob(os.path.join(raw, "*.profraw"))], check=True)
    found = branches(programs, profile)
    sides = 2 * len(found)
    missing = {}
    for (file, line, column), counts in sorted(found.items()):
        for side, count in zip(("true", "false"), counts):
            if not count:
                missing.setdefault(f"{file}: {source(file, line)}", []).append(f"line {line}:{column} never {side}")
    try:
        reasons = json.load(open(REASONS, encoding="utf-8"))
    except FileNotFoundError:
        reasons = {}
    unnamed = [name for name in missing if name not in reasons]
    stale = [name for name in reasons if name not in missing]
    for name, places in missing.items():
        print(f"{'named  ' if name in reasons else 'MISSING'} {name}\n        {'; '.join(places)}\n        {reasons.get(name, '')}")
    for name in stale:
        print(f"STALE   {name}: is taken now")
    count = sum(map(len, missing.values()))
    print(f"coverage: {sides - count} of {sides} branch sides of src/ taken; {len(missing)} places not, {len(unnamed)} of them without a reason")
    return 1 if unnamed or stale or not sides else 0
