#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""style.py: what CONTRIBUTING.md says of every source file is true. Each starts with its licence and
says then what it is, or includes first the header that says it; C has at most 130 columns beside its
annotations; there are no tabs but in makefiles, no blanks at line ends, and a line end at the end; the
rooms of src that stand on the public header include nothing else of this repository, but what LENT names; and its shell can read a
script: that of #!/bin/sh is dash, as on Debian and Ubuntu, and what only bash has is refused where it is known. No
sentence of the documents that people read first, or of the public headers, has more than 35 words."""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import packages

ROOT = packages.ROOT
LICENCE = "SPDX-License-Identifier: Apache-2.0"
C_LIKE = {".c", ".h", ".inc", ".cpp", ".cu", ".cuh"}
SOURCES = C_LIKE | {".acsl", ".def", ".py", ".sh", ".mk", ".yml", ".cmake.in"}
COLUMNS = 130
ANNOTATION = re.compile(r"/\*@.*?\*/|//@[^\n]*", re.S)
# The rooms that stand on the public headers alone, and what else of src they may use.
LENT = {"src/owned": ("src/io/numbers/",), "src/io": ("src/owned/",), "src/text": (), "src/cli": (),
        "src/grad": ("src/owned/", "src/io/numbers/"), "src/klu": ("src/owned/", "src/operand/number_at.h")}
INCLUDED = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.M)
PUBLIC = Path("src/sparsewright.h")
WORDS = 35
DOCUMENTS = ("*.md", "bench/*.md", "conformance/*.md", "conformance/findings/README.md", "cuda/README.md", "cuda/measures.md", "examples/*.md",
             "fuzz/**/README.md", "proofs/GUIDE.md", "proofs/SOUNDNESS.md", "spec/README.md", "spec/formats.md", "spec/semantics.md", "src/**/README.md")
HEADERS = ("src/sparsewright*.h",)
NO_PROSE = re.compile(r"^[ ]*```.*?^[ ]*```$|<!--.*?-->|(?<=\n\n)    [^\n]*(?:\n    [^\n]*)*", re.M | re.S)
STOPS = re.compile(r"^(?=[ ]*(?:[-*] |\d+\. |#))|(?<!\\)\||(?<=[.?!;])[\")*]*\s|\n[ ]*\n", re.M)
SH = shutil.which("dash") or "sh"
# What dash cannot do and its parser takes, or another sh would: it fails when it is run, or does something else.
ONLY_BASH = re.compile(r"""(?:^|[\s;&|(!])(?:\[\[\s | function\s+[\w-]+[ ]*$ | source\s | set\s[^;&|]*\bpipefail\b)
  | <<< | \s=~\s | &>[^&] | (?:^|[;&|(!]|\b(?:if|while|until)\s)[ \t]*(?:\[|test)\s[^]\n;&|]*\s==\s | \$\{(?:!\w | \w+(?:[/^,[] | :\s*[0-9]))""", re.X | re.M)
COMMENT = re.compile(r"(?:^|(?<=\s))\#[^\n]*", re.M)


def is_source(path):
    """Planted faults are what they are."""
    if path.is_relative_to("proofs/faults"):
        return False
    if "".join(path.suffixes[-2:]) in SOURCES or path.suffix in SOURCES or path.name == "Makefile":
        return True
    with (ROOT / path).open("rb") as file:
        return file.read(2) == b"#!"


def says_what_it_is(text):
    """Whether a line of prose follows the licence."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#!")]
    line = re.sub(r'^\s*(/\*|//|\*|#|""")?\s*', "", lines[1]) if len(lines) > 1 else ""
    code = len(lines) < 2 or re.match(r"\s*(#\s*(include|define|ifn?def|if|pragma)\b|/\*@|//@)", lines[1])
    return not code and len(re.findall(r"[\w.`']+", line)) >= 2


def first_include(path, text):
    """The header that the first line behind the licence includes, or None."""
    lines = [line for line in text.splitlines() if line.strip() and LICENCE not in line]
    found = INCLUDED.match(lines[0]) if lines else None
    header = (ROOT / path).parent / found[1] if found else None
    return header if header and header.exists() else None


def top_problems(path, text):
    first = [line for line in text.splitlines() if line.strip() and not line.startswith("#!")][:1]
    if not first or LICENCE not in first[0]:
        return ["does not start with its licence"]
    if says_what_it_is(text):
        return []
    header = first_include(path, text)
    if header and says_what_it_is(header.read_text()):
        return []
    return ["neither says what it is behind its licence nor includes a header there that says it"]


def line_problems(path, text):
    wrong = []
    code = text
    if path.suffix in C_LIKE:
        code = ANNOTATION.sub(lambda match: re.sub(r"[^\n]", "", match[0]), text)
        wrong += [f"line {number} has {len(line)} columns" for number, line in enumerate(code.split("\n"), 1) if len(line) > COLUMNS]
    for number, line in enumerate(text.split("\n"), 1):
        wrong += [f"line {number} ends with a blank"] * (line != line.rstrip())
        wrong += [f"line {number} has a tab"] * ("\t" in line and path.name != "Makefile" and path.suffix != ".mk")
    return wrong + ["does not end with one line end"] * (not text.endswith("\n") or text.endswith("\n\n"))


def include_problems(path, text):
    for room, lent in LENT.items():
        if path.is_relative_to(room):
            headers = [Path(os.path.normpath(path.parent / name)) for name in INCLUDED.findall(text)]
            return [f"includes {header}, which is neither of {room} nor public" for header in headers
                    if header != PUBLIC and not str(header).startswith((room + "/", *lent))]
    return []


def syntax_problems(shell, text):
    """What a shell says of a script that it reads and does not run: the first line of it."""
    said = subprocess.run([shell, "-n"], input=text, text=True, stderr=subprocess.PIPE, env={**os.environ, "LC_ALL": "C"},
                          check=False)
    return [f"cannot be read: {said.stderr.strip().splitlines()[0]}"] if said.stderr.strip() else []


def shell_problems(text):
    interpreter = text.partition("\n")[0]
    if re.match(r"#!.*\bbash\b", interpreter):
        return syntax_problems("bash", text)
    if not re.match(r"#!.*\bsh\b", interpreter):
        return []
    code = COMMENT.sub("", text)
    wrong = [(code.count("\n", 0, found.start()) + 1 + found[0].startswith("\n"), found[0].strip())
             for found in ONLY_BASH.finditer(code)]
    return syntax_problems(SH, text) + [f"line {number}: `{what}` is for bash, not for sh" for number, what in wrong]


def problems_of(path, text):
    return top_problems(path, text) + line_problems(path, text) + include_problems(path, text) + shell_problems(text)


def sentences(text):
    """What ends with a full stop or a semicolon, a cell of a table, an item of a list, a heading; code is one word."""
    prose = re.sub(r"`[^`]*`", "code", NO_PROSE.sub("\n\n", text))
    return [" ".join(sentence.split()) for sentence in STOPS.split(re.sub(r"\]\([^)]*\)", "]", prose))]


def comments(text):
    """The comments of a header, a paragraph each, without annotations."""
    found = re.findall(r"/\*(?!@)(.*?)\*/", text, re.S)
    return "\n\n".join(re.sub(r"^(?=  +\S|\*\w+:|O\(|Status|SPW_)", "\n\n", re.sub(r"^[ ]*\*(?: (?=\S))?", "", comment, flags=re.M), flags=re.M)
                       for comment in found)


def sentence_problems(path, text):
    long = [sentence for sentence in sentences(comments(text) if path.suffix == ".h" else text)
            if len(re.findall(r"[^\W_][\w'.-]*", sentence)) > WORDS]
    return [f"a sentence of more than {WORDS} words: {sentence[:60]} ..." for sentence in long]


def documents():
    return [(path.relative_to(ROOT), path.read_text()) for pattern in DOCUMENTS + HEADERS for path in sorted(ROOT.glob(pattern))]


def main():
    sources = [path for path in (file.relative_to(ROOT) for file in packages.all_files()) if is_source(path)]
    wrong = [f"{path}: {problem}" for path in sources for problem in problems_of(path, (ROOT / path).read_text())]
    wrong += [f"{path}: {problem}" for path, text in documents() for problem in sentence_problems(path, text)]
    if wrong or not sources:
        sys.exit("\n".join([*wrong, f"style: {len(wrong)} problems"]))
    print(f"style: {len(sources)} files are as CONTRIBUTING.md says")
    if SH == "sh":
        print("style: there is no dash here: scripts were read by sh, which may take more")


if __name__ == "__main__":
    main()
