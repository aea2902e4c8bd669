#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""findings.py verify [NAME ...]   runs the program of every finding, or of those named, and asks the
                                library its case: a line each, as below
findings.py issue NAME          prints a finding as text for the tracker of its library
findings.py table               writes the table of findings into FINDINGS.md
findings.py check               are the findings well formed, do their cases exist, is the table of
                                FINDINGS.md up to date? Runs nothing

A finding is findings/LIBRARY-what.md, as findings/README.md describes. What verify says:
  shown                   the program shows the defect, and the library's answer to the case is not right
  not on this processor   one of the two does not, and this is no processor that the finding names
  FIXED                   the program does not show it
  CASE IS RIGHT           the program does, but the library's answer to the case is right: another case
                          belongs to the finding
  another version         the library here is not the one that the finding is about; nothing was run
  left out                the library is not there
Exit code 1 where a defect does not show, or something is not well formed, and where nothing at all was
verified."""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from harness import driver  # noqa: E402
from cases import store  # noqa: E402
from harness import profile_file  # noqa: E402
from judging.control import find  # noqa: E402

ROOT = HERE.parent
FOLDER = HERE / "findings"
PEERS = Path(os.environ.get("PEERS_DIR", ROOT / "build/conformance/peers")).resolve()
REQUIRED = ("library", "version", "kind", "case", "ends", "upstream")
OPTIONAL = ("shows", "compile", "environment", "processor", "root")
KINDS = ("memory safety", "crash", "hang", "wrong result", "wrong flag", "invalid result",
         "too strict", "too lax", "convention")
# Where a library only does otherwise than others: kept, and not counted as a defect.
NO_DEFECT = "convention"
BLOCK = re.compile(r"^```(python|c|c\+\+|r)\n(.*?)^```$", re.M | re.S)
TABLE = re.compile(r"(<!-- findings:begin -->\n).*?(<!-- findings:end -->)", re.S)
# The day of a search, and what was looked for.
SEARCHED = re.compile(r"none known(?: \(20\d\d-\d\d-\d\d: \w|; searched on 20\d\d-\d\d-\d\d for \w)")
LIMIT = 300  # seconds: a busy machine takes its time to load a library


class Finding:
    def __init__(self, path):
        self.path, self.name = path, path.stem
        self.text = path.read_text()
        self.title = self.text.split("\n", 1)[0].removeprefix("# ")
        self.fields = dict(re.findall(r"^- (\w+): (.+)$", self.text, re.M))
        self.blocks = BLOCK.findall(self.text)

    def problems(self, cases):
        if not self.text.startswith("# "):
            yield "the first line is no title"
        for key in REQUIRED:
            if key not in self.fields:
                yield f"{key} is missing"
        for key in set(self.fields) - {*REQUIRED, *OPTIONAL}:
            yield f"unknown field {key}"
        if self.fields.get("kind") not in KINDS:
            yield f"kind is one of {', '.join(KINDS)}"
        if self.fields.get("case", "") not in cases:
            yield f"there is no case {self.fields.get('case')}"
        upstream = self.fields.get("upstream", "")
        if upstream.startswith("none known") and not SEARCHED.match(upstream):
            yield "upstream: none known, but no day and no words of a search"
        root = self.fields.get("root")
        if root and ("root" in Finding(FOLDER / f"{root}.md").fields if (FOLDER / f"{root}.md").exists()
                     else True):
            yield f"root: {root} is no finding that stands for itself"
        if len(self.blocks) != 1:
            yield "needs exactly one program, in python, c, c++ or r"
        for section in ("Observed", "Expected", "Why it is a defect"):
            if not re.search(rf"^\*\*{section}\.\*\* \S", self.text, re.M):
                yield f"**{section}.** is missing"
        if self.fields.get("ends") == "0" and "shows" not in self.fields:
            yield "a program that ends well must show something"

    def sections(self):
        """What stands between the fields and the program."""
        return re.findall(r"^\*\*(?:Observed|Expected|Why it is a defect)\.\*\* .*?(?=\n\n)", self.text, re.M | re.S)

    def is_for_this_processor(self):
        """Has it what the finding names: words such as GenuineIntel or avx2, of /proc/cpuinfo?"""
        words = set(Path("/proc/cpuinfo").read_text().split())
        return set(self.fields.get("processor", "").split()) <= words

    def run(self):
        """None if the program shows the defect, else why not. Raises Absent."""
        language, program = self.blocks[0]
        with tempfile.TemporaryDirectory() as folder:
            command = self.command(language, program, Path(folder))
            environment = {**os.environ, **dict(word.split("=", 1) for word in
                                                self.fields.get("environment", "").split())}
            try:
                done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, text=True,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment,
                                      errors="replace", check=False, timeout=LIMIT)
                ended, output = end_of(done.returncode), done.stdout
            except subprocess.TimeoutExpired:
                ended, output = "never", ""
        return self.misfit(ended, output)

    def misfit(self, ended, output):
        wanted = self.fields["ends"].split(" or ")
        if ended not in wanted:
            return f"ended with {ended}, not {' or '.join(wanted)}: {' '.join(output.split())[-200:]}"
        shows = self.fields.get("shows")
        if shows and shows not in output:
            return f"does not show {shows!r}: {' '.join(output.split())[-200:]}"
        return None

    def command(self, language, program, folder):
        peer = PEERS / self.fields["library"]
        if language == "python":
            python = peer / "bin/python"
            if not python.exists():
                raise Absent(f"{self.fields['library']} is not set up")
            (folder / "program.py").write_text(program)
            return [str(python), "program.py"]
        if language == "r":
            (folder / "program.R").write_text(program)
            if not shutil.which("Rscript"):
                raise Absent("there is no R")
            return ["Rscript", "--vanilla", "program.R"]
        source = folder / ("program.c" if language == "c" else "program.cpp")
        source.write_text(program)
        words = self.fields.get("compile", "").replace("$PEER", str(peer)).split()
        compiler = ["gcc", "-std=gnu11"] if language == "c" else ["g++", "-std=c++17"]
        done = subprocess.run([*compiler, "-g", str(source), "-o", "program", *words], cwd=folder,
                              capture_output=True, text=True, check=False)
        if done.returncode:
            raise Absent("does not compile here: " + " ".join(done.stderr.split())[:200])
        return [str(folder / "program")]


class Absent(Exception):
    """The library is not there."""


def end_of(code):
    return signal.Signals(-code).name if code < 0 else str(code)


def findings(names=()):
    found = [Finding(path) for path in sorted(FOLDER.glob("*.md")) if path.name != "README.md"]
    missing = set(names) - {finding.name for finding in found}
    if missing:
        sys.exit(f"no such finding: {' '.join(sorted(missing))}")
    return [finding for finding in found if not names or finding.name in names]


def verify(names):
    counts, chosen = Counter(), findings(names)
    wanted = {finding.fields["case"] for finding in chosen}
    cases = list(store.kept().cases(lambda name, group: name in wanted))
    with tempfile.TemporaryDirectory() as folder:
        answers = {library: answers_of(library, [f for f in chosen if f.fields["library"] == library], cases, folder)
                   for library in sorted({finding.fields["library"] for finding in chosen})}
    for finding in chosen:
        outcome, why = status(finding, *answers[finding.fields["library"]])
        counts[outcome] += 1
        print(f"{finding.name}: {outcome}{': ' * bool(why)}{why}", flush=True)
    print(", ".join(f"{number} {outcome}" for outcome, number in counts.most_common()))
    return 1 if counts["FIXED"] or counts["CASE IS RIGHT"] or not counts["shown"] else 0


def answers_of(library, items, cases, folder):
    """The version, and the outcome of each finding's case; or None and why nobody answers."""
    path = str(HERE / "profiles" / f"{library}.json")
    wanted = {finding.fields["case"] for finding in items}
    cases = [case for case in cases if case["id"] in wanted]
    options = SimpleNamespace(report=os.path.join(folder, "report"), memory=4096, timeout=30,
                              start_timeout=LIMIT, spw=find())
    try:
        report = driver.run_library(profile_file.read(path, str(PEERS)), cases, options)
    except OSError as error:
        return None, str(error)
    if report["problem"] and not report["results"]:
        return None, report["problem"]
    return report["version"], {result["id"]: result["outcome"] for result in report["results"]}


def status(finding, version, outcomes):
    """One of those that verify says, and why."""
    if version is None:
        return "left out", outcomes
    wanted = finding.fields["version"].split()[0]
    if not version.startswith(wanted) and not wanted.startswith(version):
        return "another version", f"{version}, not {wanted}"
    try:
        problem = finding.run()
    except Absent as error:
        return "left out", str(error)
    outcome = outcomes.get(finding.fields["case"], "not answered")
    if problem is None and outcome not in driver.HARMLESS and outcome != "not answered":
        return "shown", ""
    if not finding.is_for_this_processor():
        return "not on this processor", finding.fields["processor"]
    return ("FIXED", problem) if problem else ("CASE IS RIGHT", f"{finding.fields['case']}: {outcome}")


def issue(name):
    """What the tracker of a library wants to read: nothing of this suite but the program."""
    (finding,) = findings([name])
    fields, ((language, program),) = finding.fields, finding.blocks
    ends = {"never": "does not end", "0": "ends with exit code 0"}.get(
        fields["ends"], f"ends with {fields['ends']}")
    told = [f"{fields['library']} {fields['version']}", f"The program {ends}."]
    if "compile" in fields:
        told.append(f"Compiled with `{'gcc' if language == 'c' else 'g++'} program.{language} {fields['compile']}`.")
    if "environment" in fields:
        told.append(f"Environment: `{fields['environment']}`.")
    if "processor" in fields:
        told.append(f"Only on processors with {fields['processor']}.")
    print("\n\n".join([f"# {finding.title}", "\n".join(told), *finding.sections(), f"```{language}\n{program}```"]))
    return 0


def table_text():
    order = {kind: k for k, kind in enumerate(KINDS)}
    rows = sorted(findings(), key=lambda f: (order.get(f.fields.get("kind"), 99),
                                             f.fields.get("library", ""), f.name))
    lines = [f"| {f.fields['library']} {f.fields['version']} | {f.fields['kind']} | "
             f"[{f.title}](findings/{f.path.name}){same_root(f)} | {f.fields['upstream']} |" for f in rows]
    return "\n".join([count_text(rows), "", "| library | kind | what | upstream |", "|---|---|---|---|",
                      *lines]) + "\n"


def same_root(finding):
    root = finding.fields.get("root")
    return f"; the same root cause as [that](findings/{root}.md)" if root else ""


def count_text(found):
    """What is counted is root causes, not findings."""
    roots = [f for f in found if "root" not in f.fields and f.fields["kind"] != NO_DEFECT]
    kinds = Counter(f.fields["kind"] for f in roots)
    opinions = sum(f.fields["kind"] == NO_DEFECT for f in found)
    return (f"{len(roots)} distinct root causes in {len({asked_as(f.fields['library']) for f in roots})}"
            f" libraries: {', '.join(f'{kinds[kind]} {kind}' for kind in KINDS if kinds[kind])}."
            f" {opinions} more are conventions, where a library only does otherwise than others.")


def asked_as(name):
    """graphblas, of graphblas-import: some libraries are asked in several ways."""
    shorter = name.rpartition("-")[0]
    return asked_as(shorter) if (HERE / "profiles" / f"{shorter}.json").exists() else name


def with_table(text):
    return TABLE.sub(lambda match: match.group(1) + table_text() + match.group(2), text)


def check():
    cases = {name for name, *_ in store.kept().entries}
    problems = [f"{finding.path.name}: {problem}" for finding in findings()
                for problem in finding.problems(cases)]
    page = HERE / "FINDINGS.md"
    if not problems and with_table(page.read_text()) != page.read_text():
        problems.append("FINDINGS.md: its table is out of date, run conformance/findings.py table")
    print("\n".join(problems) or f"findings: {len(findings())} are well formed")
    return 1 if problems else 0


def main(arguments):
    if arguments[:1] == ["verify"]:
        return verify(arguments[1:])
    if len(arguments) == 2 and arguments[0] == "issue":
        return issue(arguments[1])
    if arguments == ["table"]:
        page = HERE / "FINDINGS.md"
        page.write_text(with_table(page.read_text()))
        return 0
    if arguments == ["check"]:
        return check()
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
