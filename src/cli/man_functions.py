#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""man_functions.py VERSION MAP FOLDER HEADER...: writes a page of section 3 for every function that the public headers
declare into a folder, from nothing but their comments, and sparsewright.3, which lists them. MAP names those functions that
libsparsewright_io shows: the others are in libsparsewright."""
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

sys.dont_write_bytecode = True
from man_pages import escaped  # noqa: E402

SECTION = re.compile(r"/\* -+ (.*?) -+ \*/$")
FUNCTION = re.compile(r"\b(spw_\w+)\(")
TYPE = r"^typedef \w+ \w+ \{[^\n]*\} \w+;\n|^typedef \w+ \w+ \{.*?^\} \w+;\n|^typedef [^{;]*;\n|^enum \{.*?\};[^\n]*\n"
LISTED = re.compile(r"(\s+)(\S(?:.*?\S)?)(?:\s{2,}(\S.*)|)$")


@dataclass
class Entry:
    """Functions that share a comment, or a comment of a section."""
    text: list
    declarations: list = field(default_factory=list)
    section: str = ""
    notes: list = field(default_factory=list)  # what the section says of all
    before: str = ""  # the function that "the same" is about

    @property
    def names(self):
        return [FUNCTION.search(declaration)[1] for declaration in self.declarations]


def comment_lines(comment):
    """A comment without its marks; indentation beyond them stays."""
    lines = re.sub(r"^/\*|\*/$", "", comment).splitlines()
    return [re.sub(r"^ ?\* ?", "", line).rstrip() if number else line.strip() for number, line in enumerate(lines)]


def pieces(text):
    """The comments, declarations and blank lines of a header, each as (kind, text)."""
    text = re.sub(r'^(?:#.*|extern "C" \{|\})\n', "type;\n", text, flags=re.M)
    text = re.sub(TYPE, "type;\n", text, flags=re.M | re.S)
    for found in re.finditer(r"^(/\*.*?\*/)\n|^(\w[^;]*;)(?:[ ]*(/\*.*?\*/))?\n|^[ ]*\n", text, re.M | re.S):
        if found[1]:
            yield "comment", found[1]
        elif found[2] and FUNCTION.search(found[2]):
            yield "declaration", found[2]
            if found[3]:
                yield "remark", found[3]
        elif found[2]:
            yield "type", found[2]
        else:
            yield "blank", ""


def entries_of(text):
    """What a header says of its functions, and of them together."""
    found, section, notes, comment, last, original = [], "", [], None, None, ""
    for kind, piece in pieces(text):
        if kind == "comment" and SECTION.match(piece):
            section, notes, comment, last = SECTION.match(piece)[1], [], None, None
        elif kind == "comment":
            comment, last = comment_lines(piece), None
        elif kind == "declaration" and last and comment is None:
            last.declarations.append(piece)
        elif kind == "declaration":
            last = Entry(comment or [], [piece], section, notes, original)
            if not " ".join(last.text).startswith("The same"):
                original = last.names[0].removesuffix("_size").removesuffix("_work")
            found.append(last)
            comment = None
        elif kind == "remark" and last:
            last.text = last.text + ["", f"{last.names[-1]}: " + " ".join(comment_lines(piece)).strip()]
        elif kind == "type":
            comment, last = None, None
        elif kind == "blank":
            notes = notes + [comment] if comment else notes
            comment, last = None, None
    return found


def whole_rows(lines):
    """Rows of a table that go on below as one line."""
    row = ""
    for line in lines:
        row = f"{row} {line.strip()}" if row else line
        if not row.startswith("|") or row.endswith("|"):
            yield row
            row = ""
    if row:
        yield row


def roff_of(lines):
    """A comment as roff: rows of a table and what is indented become items of a list, which the lines below continue."""
    roff, item = [], False
    for line in whole_rows(lines):
        cells = [cell.strip() for cell in line.strip("| ").split("|")] if line.startswith("|") else None
        listed = None if cells else LISTED.match(line)
        if not line:
            roff.append(".PP")
            item = False
        elif cells and set(line) <= set("|- "):
            continue
        elif cells and line.lstrip("|").strip() and not re.match(r"\|\s+\|", line):
            roff += [".TP", escaped(cells[0]), escaped("; ".join(cell for cell in cells[1:] if cell) or "")]
            item = True
        elif cells:
            roff.append(escaped(" ".join(cell for cell in cells if cell)))
        elif listed and listed[3]:
            roff += [".TP", escaped(listed[2]), escaped(listed[3])]
            item = True
        else:
            if item and not line.startswith(" "):
                roff.append(".PP")
                item = False
            roff.append(escaped(line.strip()))
    return [line for line in roff if line.strip()]


def first_sentence(lines):
    """Of a comment; what a semicolon within parentheses separates stays together."""
    paragraph = " ".join("\n".join(lines).strip().split("\n\n")[0].split())
    for found in re.finditer(r"(?<=[^.]{3})\.(?:\s|$)|;\s", paragraph):
        sentence = paragraph[:found.start()]
        if sentence.count("(") == sentence.count(")"):
            return sentence
    return paragraph


def summary_of(entry):
    """What the function gives, for a reader who sees this line alone: "The same" has a name, and what is written needs none."""
    sentence = re.sub(r"^\*\w+: ", "", first_sentence(entry.text))
    if entry.before:
        sentence = re.sub(r"^The same(?: answer| result| bits)?\b,?", f"{entry.before},", sentence)
    if len(sentence.split()) < 3:
        print(f"man_functions.py: the comment of {entry.names[0]} begins with a sentence that says nothing: {sentence!r}", file=sys.stderr)
    return sentence


def page(name, entry, others, library, version):
    head = [f'.TH "{name.upper()}" 3 "" "{escaped(version)}" "Library Functions"', ".SH NAME",
            f"{', '.join(map(escaped, entry.names))} \\- {escaped(summary_of(entry))}",
            ".SH LIBRARY", f"{library} (\\-l{library[3:]})",
            ".SH SYNOPSIS", ".nf", "#include <sparsewright.h>", ".PP"]
    synopsis = [escaped(line) for declaration in entry.declarations for line in declaration.splitlines()] + [".fi"]
    notes = [".SH NOTES", *(line for note in entry.notes for line in [".PP", *roff_of(note)])] if entry.notes else []
    see = [".SH SEE ALSO", " ,\n".join(f".BR {escaped(other)} (3)" for other in others)]
    return "\n".join([*head, *synopsis, ".SH DESCRIPTION", *roff_of(entry.text), *notes, *see, ""])


def overview(headers, version):
    lines = [f'.TH "SPARSEWRIGHT" 3 "" "{escaped(version)}" "Library Functions"', ".SH NAME",
             "sparsewright \\- sparse tensors, checked, converted and multiplied", ".SH SYNOPSIS", "#include <sparsewright.h>",
             ".SH DESCRIPTION"]
    for header, entries in headers:
        lines += [f'.SS "{escaped(header)}"']
        for entry in entries:
            lines += [".TP", f".B {escaped(', '.join(f'{name}(3)' for name in entry.names))}", escaped(summary_of(entry))]
    return "\n".join([*lines, ""])


def main():
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    version, folder = f"sparsewright {sys.argv[1]}", Path(sys.argv[3])
    in_io = set(re.findall(r"^(spw_\w+);$", Path(sys.argv[2]).read_text(), re.M))
    headers = [(Path(header).name, entries_of(Path(header).read_text())) for header in sys.argv[4:]]
    folder.mkdir(parents=True, exist_ok=True)
    for _, entries in headers:
        for entry in entries:
            near = [name for other in entries if other.section == entry.section for name in other.names]
            for name in entry.names:
                others = ["sparsewright", *(other for other in near if other not in entry.names)]
                library = "libsparsewright_io" if name in in_io else "libsparsewright"
                (folder / f"{name}.3").write_text(page(name, entry, others, library, version))
    (folder / "sparsewright.3").write_text(overview(headers, version))


if __name__ == "__main__":
    main()
