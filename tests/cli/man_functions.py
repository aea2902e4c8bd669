#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""man_functions.py FOLDER HEADER...: every function that the headers declare has a page in a folder, which renders without a
warning and shows its declaration and every word of the comment above it, in order."""
import concurrent.futures
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from man_pages import first_missing, rendered  # noqa: E402

DECLARED = re.compile(r"^(?!typedef )[a-z][\w *]*?\b(spw_[a-z0-9_]+)\([^;{]*\);", re.M)


def comment_above(text, at):
    """The comment that ends above a place without a blank line between, or ""."""
    above = text[:at].rpartition("\n\n")[2]
    return above[:above.find("*/")] if above.startswith("/*") else ""


def words(text):
    return [word.strip("|*:;") for word in text.split() if word.strip("|*:;")]


def problems_of(folder, name, declaration, comment):
    page = folder / f"{name}.3"
    if not page.exists():
        return [f"{name} has no page"]
    text, complaints = rendered(page)
    synopsis = text.partition("\nSYNOPSIS\n")[2].partition("\nDESCRIPTION\n")
    lost = first_missing(words(declaration), words(synopsis[0]))
    missing = first_missing(words(comment.replace("/*", "")), words(synopsis[2]))
    return [*[f"{page.name}: {complaints}"] * bool(complaints),
            *[f"{page.name}: '{lost}' of the declaration is not in its place"] * (lost is not None),
            *[f"{page.name}: '{missing}' of the comment is not in its place"] * (missing is not None),
            *[f"{page.name}: no description in its NAME"] * (not re.search(r"^NAME\n\s+spw_[\w,\s]+\s-\s+\S", text, re.M))]


def main():
    folder, jobs = Path(sys.argv[1]), []
    for header in sys.argv[2:]:
        text = Path(header).read_text()
        jobs += [(folder, found[1], found[0], comment_above(text, found.start())) for found in DECLARED.finditer(text)]
    overview, complaints = rendered(folder / "sparsewright.3")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        problems = [problem for found in pool.map(lambda job: problems_of(*job), jobs) for problem in found]
    problems += [f"sparsewright.3: {complaints}"] * bool(complaints)
    problems += [f"sparsewright.3 does not name {name}" for _, name, _, _ in jobs if f"{name}(3)" not in overview]
    if problems or len(jobs) < 50:
        sys.exit("\n".join(problems) or f"pages of functions: only {len(jobs)}")
    print(f"pages of functions: {len(jobs)} show their declarations and comments")


if __name__ == "__main__":
    main()
