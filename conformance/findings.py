#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""findings.py verify [NAME ...]   runs the program of every finding, or of those named, and says
                                whether the defect is still there
findings.py table               writes the table of findings into README.md
findings.py check               are the findings well formed, do their cases exist, is the table of
                                README.md up to date? Runs nothing

A finding is findings/LIBRARY-what.md, as findings/README.md describes. Exit code 1 where a defect
does not show, or something is not well formed; a library that is not there is reported and left out,
but to verify nothing at all is a failure."""
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import generate  # noqa: E402

ROOT = HERE.parent
FOLDER = HERE / "findings"
PEERS = Path(os.environ.get("PEERS_DIR", ROOT / "build/conformance/peers")).resolve()
REQUIRED = ("library", "version", "kind", "case", "ends", "upstream")
OPTIONAL = ("shows", "compile", "environment")
KINDS = ("out of bounds", "crash", "hang", "wrong result", "wrong flag", "invalid result",
         "too strict", "too lax")
BLOCK = re.compile(r"^```(python|c|c\+\+)\n(.*?)^```$", re.M | re.S)
TABLE = re.compile(r"(<!-- findings:begin -->\n).*?(<!-- findings:end -->)", re.S)
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
        if len(self.blocks) != 1:
            yield "needs exactly one program, in python, c or c++"
        for section in ("Observed", "Expected", "Why it is a defect"):
            if not re.search(rf"^\*\*{section}\.\*\* \S", self.text, re.M):
                yield f"**{section}.** is missing"
        if self.fields.get("ends") == "0" and "shows" not in self.fields:
            yield "a program that ends well must show something"

    def verify(self):
        """None if the defect shows, else why not. Raises Absent."""
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
    counts = Counter()
    for finding in findings(names):
        try:
            problem = finding.verify()
            outcome = "reproduced" if problem is None else f"NOT REPRODUCED: {problem}"
            counts["failed" if problem else "reproduced"] += 1
        except Absent as error:
            outcome = f"left out: {error}"
            counts["left out"] += 1
        print(f"{finding.name}: {outcome}", flush=True)
    print(f"{counts['reproduced']} reproduced, {counts['failed']} not, {counts['left out']} left out")
    return 1 if counts["failed"] or not counts["reproduced"] else 0


def table_text():
    order = {kind: k for k, kind in enumerate(KINDS)}
    rows = sorted(findings(), key=lambda f: (order.get(f.fields.get("kind"), 99),
                                             f.fields.get("library", ""), f.name))
    lines = [f"| {f.fields['library']} {f.fields['version']} | {f.fields['kind']} | "
             f"[{f.title}](findings/{f.path.name}) | {f.fields['upstream']} |" for f in rows]
    return "\n".join(["| library | kind | what | upstream |", "|---|---|---|---|", *lines]) + "\n"


def with_table(text):
    return TABLE.sub(lambda match: match.group(1) + table_text() + match.group(2), text)


def check():
    cases = {case["id"] for case in generate.all_cases()}
    problems = [f"{finding.path.name}: {problem}" for finding in findings()
                for problem in finding.problems(cases)]
    readme = HERE / "README.md"
    if not problems and with_table(readme.read_text()) != readme.read_text():
        problems.append("README.md: its table is out of date, run conformance/findings.py table")
    print("\n".join(problems) or f"findings: {len(findings())} are well formed")
    return 1 if problems else 0


def main(arguments):
    if arguments[:1] == ["verify"]:
        return verify(arguments[1:])
    if arguments == ["table"]:
        readme = HERE / "README.md"
        readme.write_text(with_table(readme.read_text()))
        return 0
    if arguments == ["check"]:
        return check()
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
