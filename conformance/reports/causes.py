# SPDX-License-Identifier: Apache-2.0
"""Groups the results that are not right by what is likely to be one and the same cause: the same
outcome, of the same question, with the same words, numbers and layouts aside."""
import re
from collections import defaultdict

from reports import clean

HARMLESS = ("right", "unsupported")
# The worst first.
ORDER = ("too lax (out of bounds)", "too lax (heap check)", "crash", "sanitizer", "wrong result", "invalid result",
         "too lax (crash)", "timeout", "wrong flag", "too strict", "too lax", "too lax (survived)",
         "wrong rule", "protocol", "refused")
LAYOUT = re.compile(r"\b(coo|csr|csc|bsr|bsc)(_array|_matrix)?\b", re.I)
VARYING = re.compile(r"0x[0-9a-f]+|-?\d[\d.]*(e[+-]?\d+)?|'[^']*'|\[[^\[\]]*\]", re.I)
GUARD = re.compile(r" ?\(guard \w+\)$")


def causes(results):
    """(outcome, question, words, results), the worst outcome first, then the most frequent."""
    groups = defaultdict(list)
    for result in results:
        if result["outcome"] not in HARMLESS:
            groups[result["outcome"], question(result), words(result)].append(result)
    found = [(*key, group) for key, group in groups.items()]
    return sorted(found, key=lambda cause: (ORDER.index(cause[0]), -len(cause[3]), cause[1]))


def question(result):
    """The rule of a check, else the operation."""
    _, what, *_ = result["id"].split("/")
    return f"rule {what}" if what[0].isdigit() else what


def words(result):
    """The message without what differs from case to case."""
    text = GUARD.sub("", clean.line(result.get("message") or " ".join(result.get("rules", []))))
    return " ".join(VARYING.sub("…", LAYOUT.sub("LAYOUT", text)).split())[:120]
