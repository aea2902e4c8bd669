#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""readme.py [--update] DOCUMENT...: does what the documents say, and fails when something else comes
out; with --update it writes into the documents what came out.

```console  each line "$ COMMAND" is run in the root of the repository; the lines below are its output
```sh       each line is a make target that exists, or one of the commands of SETTING_UP. A comment that says
            "needs TOOL" marks a line that is skipped, and said to be, where TOOL is not there; TOOL is
            one of OPTIONAL, which the project cannot install
```c        a file of examples/, without its first line
Links to files must lead somewhere."""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SETTING_UP = ("apt-get ", "sudo apt-get ", "git clone ", "cd ", "#", "python3 -m venv ", "venv/bin/pip install .")
OPTIONAL = {"nvcc": "/usr/local/cuda/bin"}  # and where it may lie beside PATH, as the Makefile looks for it
NEEDS = re.compile(r"\bneeds (\S+?)[,;.]?(?: |$)")
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
LINK = re.compile(r"(?:\[[^\]]*\]\(|^\[[^\]]+\]: +)(?!https?:|#)([^)#\s]+)", re.M)


def environment():
    hidden = ("COLUMNS", "NO_COLOR", "MAKEFLAGS", "MAKELEVEL", "MFLAGS")
    return {name: value for name, value in os.environ.items() if name not in hidden} | {"LC_ALL": "C.UTF-8"}


def run(command, status=0):
    """Exit status and output of a command that finds $? set to status."""
    done = subprocess.run(["bash", "-c", f"(exit {status})\n{command}"], cwd=ROOT, env=environment(), check=False,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


def console(text):
    """The number of commands run, the problems, and the text with what really comes out."""
    problems, status = [], 0
    before, *steps = re.split(r"^\$ ", text, flags=re.M)
    if before:
        problems.append(f"output without a command: {before}")
    real = before
    for step in steps:
        command, expected = step.split("\n", 1)
        status, output = run(command, status)
        real += f"$ {command}\n{output}"
        if output != expected:
            problems.append(f"$ {command}\n--- shown:\n{expected}--- real, exit status {status}:\n{output}")
    return len(steps), problems, real


def missing_tool(line):
    """The optional tool that a line says it needs and that is not there, or None."""
    for tool in NEEDS.findall(line.partition("  #")[2]):
        if tool in OPTIONAL and not shutil.which(tool, path=f"{os.environ['PATH']}:{OPTIONAL[tool]}"):
            return tool
    return None


def shell(text):
    problems = []
    for line in text.splitlines():
        command = line.split("  #")[0].strip()
        tool = missing_tool(line)
        if tool:
            print(f"documents: skipped, there is no {tool}: {command}")
        elif command.startswith("make"):
            status, output = run(command.replace("make", "make -n", 1))
            if status:
                problems.append(f"$ {command}\n" + "\n".join(output.splitlines()[-20:]))
        elif command and not command.startswith(SETTING_UP):
            problems.append(f"neither make nor setting up: {command}")
    return 0, problems, text


def c_program(text):
    files = [path.read_text().split("\n", 1)[1] for path in ROOT.glob("examples/*.c")]
    return 0, [] if text in files else [f"no file of examples/ is this program:\n{text}"], text


def judge(document, update):
    path = ROOT / document
    text = path.read_text()
    problems = [f"leads nowhere: {link}" for link in LINK.findall(text)
                if not path.parent.joinpath(link).exists()]
    commands = 0

    def judge_block(match):
        nonlocal commands, problems
        kind, block = match.groups()
        judge_kind = {"console": console, "sh": shell, "c": c_program}.get(kind)
        if judge_kind:
            done, found, block = judge_kind(block)
            commands += done
            problems += found
        return f"```{kind}\n{block}```"

    real = BLOCK.sub(judge_block, text)
    if update:
        path.write_text(real)
    return commands, [f"{document}: {problem}" for problem in problems]


def main():
    update = sys.argv[1:2] == ["--update"]
    documents = sys.argv[1 + update:]
    if not documents:
        sys.exit(__doc__)
    commands, problems = 0, []
    for document in documents:
        done, found = judge(document, update)
        commands += done
        problems += found
    if problems or not commands:
        sys.exit("\n".join(problems + [f"documents: {len(problems)} problems, {commands} commands run"]))
    print(f"documents: {commands} commands gave what {', '.join(documents)} show")


if __name__ == "__main__":
    main()
