#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""man_pages.py SPW FOLDER: writes spw.1 and a page for each command into a folder, from nothing but
what SPW prints of itself with --help and --version."""
import re
import subprocess
import sys
from pathlib import Path


def said(*command):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout


def commands_of(help_text):
    """{command: what it does} of the list below "Commands:"."""
    listed = re.search(r"^Commands:\n((?:  .*\n)+)", help_text, re.M)
    if not listed:
        sys.exit("man_pages.py: the help lists no commands")
    found = {}
    for line in listed[1].splitlines():
        usage, _, summary = line.strip().partition("  ")
        found.setdefault(usage.split()[0], summary.strip())
    return found


def purpose_of(help_text):
    """Its first sentence, as the line of a list."""
    sentence = re.search(r"\n\n([A-Z].*?)\.(?:\s|$)", help_text, re.S)[1]
    return sentence[0].lower() + " ".join(sentence.split())[1:]


def escaped(line):
    """Without what roff understands, and with the characters of ASCII that it would make nicer."""
    for character, name in (("\\", "\\e"), ("-", "\\-"), ("'", "\\(aq"), ("^", "\\(ha"), ("~", "\\(ti"), ("`", "\\(ga")):
        line = line.replace(character, name)
    return "\\&" + line if line.startswith(".") else line


def body_of(help_text):
    """The help as roff: a line that ends with a colon above indented ones is a heading, what is indented stays as it is."""
    lines, roff, verbatim = help_text.splitlines(), [], False
    for line, following in zip(lines, lines[1:] + [""]):
        indented = line.startswith(" ") or (verbatim and not line and following.startswith(" "))
        if indented != verbatim:
            roff.append(".nf" if indented else ".fi")
            verbatim = indented
        if re.match(r"\S.*:$", line) and following.startswith(" "):
            roff.append(f'.SH "{escaped(line[:-1].upper())}"')
        elif line or verbatim:
            roff.append(escaped(line))
        elif roff and roff[-1] != ".PP":
            roff.append(".PP")
    return roff + [".fi"] * verbatim


def page(name, summary, help_text, version, others):
    """A page in the man macros; usage lines are the synopsis."""
    usage = re.match(r"Usage: (.*(?:\n +.*)*)\n", help_text)
    rest = help_text[usage.end():].lstrip("\n") if usage else help_text
    header = [f'.TH "{name.upper()}" 1 "" "{escaped(version)}" "User Commands"', ".SH NAME", f"{escaped(name)} \\- {escaped(summary)}"]
    synopsis = [".SH SYNOPSIS", ".nf", *(escaped(line.strip()) for line in usage[1].splitlines()), ".fi"] if usage else []
    see_also = [".SH SEE ALSO", " ,\n".join(f".BR {escaped(other)} (1)" for other in others)]
    return "\n".join([*header, *synopsis, ".SH DESCRIPTION", *body_of(rest), *see_also, ""])


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    spw, folder = sys.argv[1], Path(sys.argv[2])
    version, help_text = said(spw, "--version").strip(), said(spw, "--help")
    commands = commands_of(help_text)
    names = ["spw", *(f"spw-{command}" for command in commands)]
    pages = {"spw": (purpose_of(help_text), help_text)}
    pages |= {f"spw-{command}": (summary, said(spw, command, "--help")) for command, summary in commands.items()}
    folder.mkdir(parents=True, exist_ok=True)
    for name, (summary, text) in pages.items():
        others = [other for other in names if other != name] if name == "spw" else ["spw"]
        (folder / f"{name}.1").write_text(page(name, summary, text, version, others))


if __name__ == "__main__":
    main()
