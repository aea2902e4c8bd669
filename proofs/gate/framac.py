# SPDX-License-Identifier: Apache-2.0
"""Runs Frama-C WP on one unit and reads what it says: goals, smoke tests, properties, warnings."""
import csv
import functools
import os
import re
import shlex
import subprocess
import tempfile
import time
from dataclasses import dataclass, field

import annotations
import proved

VERSION = "25.0"
PARSE = ["-c11", "-machdep", "gcc_x86_64"]
STRICT = ["-wp-rte", "-warn-unsigned-overflow", "-warn-unsigned-downcast", "-warn-signed-downcast",
          "-warn-left-shift-negative", "-warn-right-shift-negative", "-warn-invalid-pointer", "-wp-model", "Typed"]



def strict(unit):
    """What is asked of a unit. WP cannot say of a pointer to void whether it points anywhere."""
    return [option for option in STRICT if option != "-warn-invalid-pointer" or unit not in proved.of_units("void")]


GOAL = re.compile(r"\[wp\] \[(?P<by>[^\]]+)\] (?P<kind>Goal|Smoke-test) (?P<name>\S+)(?P<rest>.*)")
VERDICT = re.compile(r"\s+(?P<prover>(?:Qed|Z3|CVC\d)[^:]*): (?P<verdict>\w+)")
PROVER_TIME = re.compile(r"(?<!Qed:)\b([\d.]+)(ms|s|min)\)")


@dataclass
class Goal:
    name: str            # as WP prints it, without the model: first_ensures_wrong
    function: str        # the function whose body the goal is about; "" for a lemma
    smoke: bool
    proved: bool = False
    seconds: float = 0.0
    verdicts: dict = field(default_factory=dict)

    def told(self):
        said = ", ".join("%s: %s" % v for v in sorted(self.verdicts.items()))
        return said or "no prover ran (no cached verdict?)"


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
    _read: list = field(default_factory=list)
    passed: object = None    # instead of a run: what verdicts.units tells of an earlier one of the same text
    digest: str = ""

    def program(self):
        """The printed program, read once."""
        if not self._read:
            self._read.append(annotations.read(self.ast))
        return self._read[0]


def preprocessed(unit, root):
    """The text of a unit after the preprocessor, with its comments."""
    return output_of(["gcc", "-std=c11", "-E", "-C", *preprocessor_flags("."), unit], root)


def output_of(command, root):
    """What a command prints, in the tools' environment; "" where it fails."""
    done = subprocess.run(command, cwd=root, env=environment(root), text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return done.stdout if done.returncode == 0 else ""


HOME = tempfile.TemporaryDirectory()     # removed when this process ends


def home():
    """An empty home directory for the tools: whatever they find in one changes what they do."""
    return HOME.name


def environment(root, **more):
    """All that the tools see of the environment. CPP, CPATH, FRAMAC_*, WHY3* and the like would change what is proved.
    Frama-C resolves paths against $PWD, not against the directory it runs in."""
    kept = {name: os.environ[name] for name in ("PATH", "TMPDIR") if name in os.environ}
    # A compiler cache answers with the tree of another file. OCaml's young heap of 8 MiB instead of 2: Frama-C takes a tenth less time.
    return {**kept, "LC_ALL": "C", "HOME": home(), "PWD": root, "OCAMLRUNPARAM": "s=1M", "CCACHE_DISABLE": "1", **more}


@functools.lru_cache
def preprocessor():
    """The command that Frama-C preprocesses with, but for the names of files."""
    with tempfile.TemporaryDirectory() as tmp:
        open(os.path.join(tmp, "unit.c"), "w", encoding="utf-8").close()
        said = output_of(["frama-c", *PARSE, "-print-cpp-commands", "unit.c"], tmp)
    m = re.search(r"^  (\S.*?) '\S*/unit\.c' -o '[^']*'$", said, re.M)
    return shlex.split(m[1]) if m else None


def share():
    """Where Frama-C's own headers lie."""
    return next(word[2:] for word in preprocessor() if word.startswith("-I/"))


def seen(unit, root):
    """The text of a unit as Frama-C's parser gets it: comments kept, and definitions of macros, which annotations use."""
    command = preprocessor()
    return output_of([*command, *preprocessor_flags(root), os.path.join(root, unit)], root) if command else ""


def prover_seconds(said):
    """What the provers took, Qed apart, by WP's line about a goal."""
    return sum(float(n) * {"ms": 0.001, "s": 1, "min": 60}[u] for n, u in PROVER_TIME.findall(said))


def preprocessor_flags(root):
    return ["-I" + os.path.join(root, "src"), "-I" + root]


def owner(name, functions):
    """The function a goal's name begins with; the longest wins (f and f_i32)."""
    hits = [f for f in functions if name.startswith(f + "_")]
    return max(hits, key=len) if hits else ""


def read_goals(log, functions):
    goals, lines, current = {}, log.splitlines(), ""
    for at, line in enumerate(lines):
        m = GOAL.match(line)
        if not m:
            continue
        name, smoke = re.sub(r"^typed_", "", m["name"]), m["kind"] == "Smoke-test"
        # The smoke test of a call is named after the callee: it belongs to the function around it.
        if not (smoke and "_wp_smoke_dead_call_" in name):
            current = owner(name, functions)
        goal = goals.setdefault((smoke, name), Goal(name, current, smoke))
        if smoke:
            goal.proved = m["by"] == "Passed"
        elif re.match(r" : Valid\b", m["rest"]):
            goal.proved, goal.verdicts = True, {m["by"]: "Valid"}
            goal.seconds = prover_seconds(m["rest"])
        elif m["rest"].startswith(" : "):
            goal.verdicts[m["by"]] = m["rest"].split()[1]
        for follow in lines[at + 1:]:
            v = VERDICT.match(follow)
            if not v:
                break
            if not goal.proved:
                goal.verdicts[v["prover"].strip()] = v["verdict"]
    return list(goals.values())


def read_warnings(log):
    """Every warning or error, with its continuation lines. None is harmless until shown to be."""
    found, lines = [], log.splitlines()
    for at, line in enumerate(lines):
        if line.startswith("  ") or not re.search(r"Warning:|Error\b|error:|Failure|rror while|Ignoring|[Nn]ot (yet )?implemented|"
                         r"Degenerated|ncompatible|Stronger|was ignored", line):
            continue
        if "Failed smoke-test" in line or line.endswith("Warning: No goal generated"):
            continue                     # a goal of its own; a second stage with nothing left to prove
        more = [f.strip() for f in lines[at + 1:at + 4]]
        more = more[:next((i for i, f in enumerate(lines[at + 1:at + 4]) if not f.startswith("  ")), 3)]
        found.append(" ".join([line.strip(), *more]))
    return list(dict.fromkeys(found))


def read_properties(path, root):
    try:
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    except OSError:
        return []
    return [Property(os.path.relpath(os.path.normpath(os.path.join(root, r["directory"], r["file"])), root),
                     int(r["line"]), r["function"], r["property kind"], r["status"], r["property"])
            for r in rows if not r["directory"].startswith("FRAMAC_SHARE")]


def frama_c(unit, root, options, why3_conf=None, time_limit=None):
    """Runs Frama-C on a unit."""
    command = ["frama-c", *PARSE, "-session", home(), "-cpp-extra-args=" + " ".join(preprocessor_flags(root)), unit, *options]
    env = environment(root, **({"WHY3CONFIG": why3_conf} if why3_conf else {}))
    return subprocess.run(command, cwd=root, env=env, stdin=subprocess.DEVNULL, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, timeout=time_limit)


def print_to(path):
    return ["-no-unicode", "-print-libc", "-print", "-ocode", path]


def printed(path):
    """What Frama-C printed, "" where it did not come so far."""
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8") as file:
        return file.read()


def annotated(log):
    """The functions with a body."""
    return list(dict.fromkeys(re.findall(r"annotating function (\S+)", log)))


def program(unit, root):
    """The annotated program as Frama-C understands it, without WP: its text, exit code and log. Plug-ins only take time here."""
    with tempfile.TemporaryDirectory() as tmp:
        ast = os.path.join(tmp, "ast.c")
        done = frama_c(unit, root, ["-no-autoload-plugins", *print_to(ast)])
        return Run(unit, done.returncode, done.stdout, printed(ast), 0, [], [], [], read_warnings(done.stdout))


def run(unit, root, why3_conf, stages, functions=(), par=1, time_limit=None):
    """Runs WP, stage after stage, in one process; a stage is a list of options (provers, limits)."""
    with tempfile.TemporaryDirectory() as tmp:
        table, ast = os.path.join(tmp, "properties.csv"), os.path.join(tmp, "ast.c")
        select = ["-wp-fct", ",".join(functions)] if functions else []
        options = []
        for at, stage in enumerate(stages):
            options += [*(["-then"] if at else []), "-wp", *strict(unit), *select, "-wp-par", str(par), *stage]
        options += ["-then", "-no-wp", "-report-csv", table, "-then", *print_to(ast)]
        start = time.time()
        done = frama_c(unit, root, options, why3_conf, time_limit)
        seconds = time.time() - start
        defined = annotated(done.stdout)
        return Run(unit, done.returncode, done.stdout, printed(ast), seconds, read_goals(done.stdout, defined),
                   read_properties(table, root), defined, read_warnings(done.stdout))
