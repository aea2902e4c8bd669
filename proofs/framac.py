# SPDX-License-Identifier: Apache-2.0
"""Runs Frama-C WP on one unit and reads what it says: goals, smoke tests, properties, the log."""
import csv
import os
import re
import subprocess
import tempfile
import time
from dataclasses import dataclass, field

VERSION = "25.0"
PARSE = ["-c11", "-machdep", "gcc_x86_64"]
STRICT = ["-wp-rte", "-warn-unsigned-overflow", "-warn-unsigned-downcast", "-warn-signed-downcast",
          "-warn-left-shift-negative", "-warn-right-shift-negative", "-wp-model", "Typed"]

LINE = re.compile(r"\[wp\] \[(?P<by>[^\]]+)\] (?P<kind>Goal|Smoke-test) (?P<name>\S+)(?P<rest>.*)")
VERDICT = re.compile(r"\s+(?P<prover>(?:Qed|Z3|CVC\d)[^:]*): (?P<verdict>\w+)")
TIME = re.compile(r"\((?:Qed:)?([\d.]+)(ms|s|min)\)")


@dataclass
class Goal:
    name: str            # as WP prints it, without the model: first_ensures_wrong
    function: str        # the function that was being proved
    smoke: bool
    proved: bool = False
    prover: str = ""
    seconds: float = 0.0
    verdicts: dict = field(default_factory=dict)


@dataclass
class Property:
    file: str
    line: int
    function: str
    kind: str
    status: str
    text: str


@dataclass
class Run:
    unit: str
    exit_code: int
    log: str
    ast: str
    seconds: float
    goals: list
    properties: list
    defined: list        # functions with a body
    warnings: list


def seconds_in(text):
    unit = {"ms": 0.001, "s": 1.0, "min": 60.0}
    return sum(float(n) * unit[u] for n, u in TIME.findall(text))


def base_command(root):
    flags = "-D__FRAMAC__ -I%s -I%s" % (os.path.join(root, "src"), root)
    return ["frama-c", *PARSE, "-cpp-extra-args=" + flags]


def owner(name, functions):
    """The defined function a goal name begins with; the longest wins (f and f_i32)."""
    hits = [f for f in functions if name.startswith(f + "_")]
    return max(hits, key=len) if hits else ""


def read_goals(log, functions):
    goals, lines, current = {}, log.splitlines(), ""
    for at, line in enumerate(lines):
        m = LINE.match(line)
        if not m:
            continue
        name = re.sub(r"^typed_", "", m["name"])
        smoke = m["kind"] == "Smoke-test"
        # The smoke test of a call is named after the callee: it belongs to the function before it.
        current = owner(name, functions) if not smoke or "_dead_call_" not in name else current
        goal = goals.setdefault((m["kind"], name), Goal(name, current, smoke))
        good = m["by"] == "Passed" if smoke else m["by"] != "Failed" and ": Valid" in m["rest"]
        if good:
            goal.proved, goal.prover = True, m["by"]
            goal.seconds = seconds_in(m["rest"])
        for follow in lines[at + 1:]:
            v = VERDICT.match(follow)
            if not v:
                break
            goal.verdicts[v["prover"].strip()] = v["verdict"]
            if smoke:
                goal.proved = False
    return list(goals.values())


def read_warnings(log):
    """Every warning or error with its continuation lines. Nothing here is harmless by default."""
    found, lines = [], log.splitlines()
    for at, line in enumerate(lines):
        if not re.search(r"Warning:|Error:|error:|Failure:|rror while|Ignoring|not yet implemented", line):
            continue
        if "Failed smoke-test" in line or line.endswith("Warning: No goal generated"):
            continue
        more = ""
        for follow in lines[at + 1:]:
            if not follow.startswith("  ") or len(more) > 300:
                break
            more += " " + follow.strip()
        found.append(line.strip() + more)
    return found


def read_properties(path):
    try:
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    except OSError:
        return []
    return [Property(os.path.normpath(os.path.join(r["directory"], r["file"])), int(r["line"]),
                     r["function"], r["property kind"], r["status"], r["property"])
            for r in rows if not r["directory"].startswith("FRAMAC_SHARE")]


def run(unit, root, env, stages, functions=(), par=2):
    """Runs WP stage after stage in one process; a stage is a list of options (prover, time limit)."""
    with tempfile.TemporaryDirectory() as tmp:
        table, ast = os.path.join(tmp, "properties.csv"), os.path.join(tmp, "ast.c")
        select = ["-wp-fct", ",".join(functions)] if functions else []
        command = [*base_command(root), unit]
        for at, stage in enumerate(stages):
            command += [*(["-then"] if at else []), "-wp", *STRICT, *select, "-wp-par", str(par), *stage]
        command += ["-then", "-no-wp", "-report-csv", table, "-then", "-no-unicode", "-print", "-ocode", ast]
        start = time.time()
        done = subprocess.run(command, cwd=root, env=env, stdin=subprocess.DEVNULL, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        seconds = time.time() - start
        try:
            with open(ast, encoding="utf-8") as file:
                printed = file.read()
        except OSError:
            printed = ""
        defined = re.findall(r"annotating function (\S+)", done.stdout)
        return Run(unit, done.returncode, done.stdout, printed, seconds, read_goals(done.stdout, defined),
                   read_properties(table), list(dict.fromkeys(defined)), read_warnings(done.stdout))
