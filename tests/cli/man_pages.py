#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""man_pages.py SPW FOLDER: the man pages in a folder render without a warning, and show every word of
the help that they are made from, in its order."""
import re
import subprocess
import sys
from pathlib import Path


def words(text):
    return [word.rstrip(":").casefold() for word in text.split()]


def rendered(page):
    """The text of a page, and what the typesetter complains about."""
    done = subprocess.run(["groff", "-man", "-ww", "-Tascii", "-P-cbou", "-rHY=0", "-rLL=140n", page], text=True,
                          check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.stdout, done.stderr + (f"exit code {done.returncode}" if done.returncode else "")


def first_missing(expected, shown):
    """The first word that does not come after those before it, or None."""
    waiting = iter(shown)
    return next((word for word in expected if word not in waiting), None)


def main():
    spw, folder = sys.argv[1:]
    problems, pages = [], sorted(Path(folder).glob("spw*.1"))
    for page in pages:
        command = page.stem.split("-", 1)[1:]
        help_text = subprocess.run([spw, *command, "--help"], text=True, check=True, stdout=subprocess.PIPE).stdout
        text, complaints = rendered(page)
        missing = first_missing(words(re.sub("^Usage:", "", help_text)), words(text))
        problems += [f"{page.name}: {complaints}"] * bool(complaints)
        problems += [f"{page.name}: '{missing}' of the help is not in its place"] * (missing is not None)
        problems += [f"{page.name}: no description in its NAME"] * (not re.search(rf"^NAME\n +{page.stem} - \w+", text, re.M))
    if problems or len(pages) < 2:
        sys.exit("\n".join(problems) or f"man pages: only {len(pages)}")
    print(f"man pages: {len(pages)} show the whole help")


if __name__ == "__main__":
    main()
