# SPDX-License-Identifier: Apache-2.0
"""The provers' verdicts of the last full run, as one file. A line `unit FILE digest goals smoke-tests` for
each unit that passed, after it a line `function NAME goals` for each of its functions, and a line
`hash prover verdict seconds` for each goal.

WP names a verdict by a hash of the goal. Only verdicts are kept, no proofs: replaying them is quick but
is not a proof, which is why `prove` without --cached and --changed never reads them. A unit whose text, as
the parser gets it, is the one that passed with the same tools needs no goals to be made and looked up."""
import hashlib
import os
import re
from dataclasses import dataclass, field

COMMITTED = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "verdicts.txt")
HEADER = "# Verdicts of proofs/prove --update, replayed by proofs/prove --cached: units with functions, then goals.\n"
MACRO = re.compile(r"# ?(?:define|undef) (\w+)")
NOT_GOALS = ("#", "unit ", "function ")
# An annotation, another comment, or a literal; what none of them is passes by.
PIECE = re.compile(r"""/\*@.*?\*/|//@[^\n]*|(?P<comment>/\*.*?\*/|//[^\n]*)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""", re.S)


@dataclass
class Passed:
    digest: str
    goals: int
    smoke: int
    functions: dict = field(default_factory=dict)    # name -> goals


def kept_blanks(piece):
    """Blanks have a meaning in a literal."""
    return re.sub(r"  +|\t", lambda m: "\0" * len(m[0]), piece) if piece[0] in "\"'" else piece


def essence(text):
    """A preprocessed text without what has no meaning: comments, markers of lines, blanks at the ends of lines, and macros that
    it does not use. Those are include guards and the names of files that were included."""
    text = PIECE.sub(lambda m: " " if m["comment"] else kept_blanks(m[0]), text)
    rows = [re.sub(r"[ \t]+", " ", row).strip() for row in text.split("\n")]
    rows = [row for row in rows if row and not re.match(r"# \d", row)]
    used = set(re.findall(r"[A-Za-z_]\w*", "\n".join(MACRO.sub("", row, count=1) for row in rows)))
    return "\n".join(row for row in rows if not MACRO.match(row) or MACRO.match(row)[1] in used)


def digest(text, *setting):
    """Names the text of a unit, and what else decides whether it passes."""
    return hashlib.sha256("\0".join([essence(text), *setting]).encode()).hexdigest()


def units(path):
    """file -> Passed of the units that passed."""
    found, last = {}, None
    if not os.path.exists(path):
        return found
    with open(path, encoding="utf-8") as file:
        for line in file:
            words = line.split()
            if words[0] == "unit":
                last = found[words[1]] = Passed(words[2], int(words[3]), int(words[4]))
            elif words[0] == "function":
                last.functions[words[1]] = int(words[2])
    return found


def as_text(unit, passed):
    return "unit %s %s %d %d\n" % (unit, passed.digest, passed.goals, passed.smoke) + "".join(
        "function %s %d\n" % row for row in sorted(passed.functions.items()))


def pack(path, cache, passed, keep):
    """Writes the verdicts of a cache directory and of units; `keep` adds to those of the other units."""
    lines, rows = {}, {}
    if keep and os.path.exists(path):
        rows = units(path)
        with open(path, encoding="utf-8") as file:
            lines = {line.split()[0]: line for line in file.read().splitlines() if not line.startswith(NOT_GOALS)}
    rows.update(passed)
    for entry in os.listdir(cache) if os.path.isdir(cache) else []:      # where no goal was looked up, there is none
        with open(os.path.join(cache, entry), encoding="utf-8") as file:
            v = dict(re.findall(r'"(\w+)": "?([^",}]*[^",} ])', file.read()))   # "time": 1. is not JSON
        key = entry.removesuffix(".json")
        lines[key] = "%s %s %s %s" % (key, v["prover"], v["verdict"], v.get("time", "0."))
    with open(path, "w", encoding="utf-8") as file:
        file.write(HEADER + "".join(as_text(u, rows[u]) for u in sorted(rows)) +
                   "".join(lines[k] + "\n" for k in sorted(lines)))


def unpack(path, cache):
    """Fills a cache directory for WP."""
    os.makedirs(cache, exist_ok=True)
    if not os.path.exists(path):
        return
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith(NOT_GOALS):
                continue
            key, prover, verdict, seconds = line.split()
            with open(os.path.join(cache, key + ".json"), "w", encoding="utf-8") as entry:
                entry.write('{ "prover": "%s", "verdict": "%s", "time": %s }\n' % (prover, verdict, seconds))
