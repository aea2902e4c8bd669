# SPDX-License-Identifier: Apache-2.0
"""What an adapter writes to its standard error, searched in time that grows with its length alone: a literal is
found first, and a pattern looks at a few bytes around it. No pattern reads a text that a stranger may make long."""
import re

LONGEST_LINE = 4096  # bytes of a line, on either side of what was found in it
NEAR = 64  # bytes before a literal that tell whether it is meant
HITS = 10000  # places of one literal that are looked at
SHOWN = 300  # characters of a line that a message has
BEFORE_SANITIZER = re.compile(rb"(?:ERROR|WARNING): \w+\Z")
BEFORE_RUNTIME = re.compile(rb":\d+:\d+\Z")
BEFORE_VALGRIND = re.compile(rb"==\d+== \Z")
VALGRIND = (b"Invalid read", b"Invalid write", b"Invalid free", b"Mismatched free", b"Source and destination overlap")
HEAP = (b"free()", b"malloc", b"realloc()", b"corrupted", b"double free", b"stack smashing")
# Of AddressSanitizer, but not of memory that was touched.
NOT_TOUCHED = (b"FPE", b"ILL", b"stack-overflow", b"allocat", b"calloc-overflow", b"out of memory", b"out-of-memory",
               b"odr-violation")


def of_sanitizer(said):
    """The first report of a sanitizer, in bytes, or None."""
    named, kind = first(said, b"Sanitizer: ", BEFORE_SANITIZER)
    undefined, _ = first(said, b": runtime error: ", BEFORE_RUNTIME)
    if kind and not 0 <= undefined < named:
        return kind.group() + rest_of_line(said, named)
    return line_around(said, undefined) if undefined >= 0 else None


def of_valgrind(said):
    """Its first complaint, in bytes, or None."""
    places = [at for at, prefix in (first(said, word, BEFORE_VALGRIND) for word in VALGRIND) if prefix]
    return rest_of_line(said, min(places)) if places else None


def of_heap(said):
    """The first line of the C library's about a heap that is broken, in bytes, or None."""
    places = [at for at in map(said.find, HEAP) if at >= 0]
    return line_around(said, min(places)) if places else None


def is_of_memory(report):
    return b"Address" in report and not any(word in report for word in NOT_TOUCHED)


def first(said, word, before):
    """Where a word stands that such a text stands right before, and the match of that; (-1, None) where it does not."""
    at = said.find(word)
    for _ in range(HITS):
        if at < 0:
            break
        found = before.search(said[max(0, at - NEAR):at])
        if found:
            return at, found
        at = said.find(word, at + len(word))
    return -1, None


def rest_of_line(said, at):
    end = said.find(b"\n", at, at + LONGEST_LINE)
    return said[at:end if end >= 0 else at + LONGEST_LINE]


def line_around(said, at):
    begin = max(0, at - LONGEST_LINE)
    return said[max(begin, said.rfind(b"\n", begin, at) + 1):at] + rest_of_line(said, at)


def text_of(line):
    return line.decode(errors="replace").strip()[:SHOWN]


def last_line(said):
    lines = said[-LONGEST_LINE:].decode(errors="replace").strip().splitlines()
    return lines[-1].strip()[:SHOWN] if lines else ""
