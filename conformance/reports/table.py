# SPDX-License-Identifier: Apache-2.0
"""The results as text, at most 80 columns: a table for each library, and one of all."""
import textwrap
from collections import Counter, defaultdict

from reports import clean
from reports.causes import causes

COLUMNS = (("right", ("right",)), ("lax", ("too lax (survived)", "too lax")),
           ("unsafe", ("too lax (out of bounds)", "too lax (crash)", "too lax (heap check)")), ("strict", ("too strict",)),
           ("wrong", ("wrong result", "wrong flag", "invalid result", "wrong rule")),
           ("crash", ("crash", "sanitizer")), ("time", ("timeout",)),
           ("proto", ("protocol", "refused")), ("unsup", ("unsupported",)))
UNSAFE = ("too lax (out of bounds)", "too lax (heap check)", "too lax (crash)", "crash", "sanitizer", "timeout")
WIDTH = 80
SHOWN = 12
CELL = 9
FINDINGS = "findings: what is not right in other libraries does not fail make conform"
LEGEND = ("ok: everything asked was right; 3/40: 3 of 40 were not; !: memory out of bounds, a crash "
          "or a hang among them; -: not asked")


def text(report, verbose):
    head = clean.line(f"{report['library']} {release(report)}: {report['executed']} of {report['cases']}"
            f" cases executed, {rate(report)}")
    lines = [*textwrap.wrap(head, WIDTH), ""]
    lines += grid(report["results"])
    said = [report.get("heap_check"), f"at stop: {report['at_stop']}" if report.get("at_stop") else None,
            *([f"deaths or breaches that did not happen again: {len(report['unexplained'])}"] if report.get("unexplained") else [])]
    findings = not report["must_be_right"] and wrong(sum(counts_by_group(report["results"]).values(), Counter()))
    said += [FINDINGS] if findings else []
    remarks = [*(line for remark in said if remark for line in textwrap.wrap(clean.line(f"({remark})", 2000), WIDTH)),
               *not_right(report["results"], verbose),
               *(clean.line(f"FAILED: {failure}")[:WIDTH] for failure in report["failures"])]
    return printed(lines + [""] * bool(remarks) + remarks)


def printed(lines):
    """Each as one line of a terminal, whatever it quotes."""
    return "".join((text if text.isprintable() else clean.line(text)) + "\n" for text in lines)


def release(report):
    """The version, and when it came out as far as that is known."""
    said = report.get("released")
    return f"{report['version']}, {said}" if said else str(report["version"])


def rate(report):
    questions, seconds = report["questions"], report["seconds"]
    return f"{questions} questions in {seconds:.1f} s" if questions else "no questions"


def grid(results):
    by_group = counts_by_group(results)
    yield row("group", "run", [title for title, _ in COLUMNS])
    for group in by_group:
        yield counts_row(group, by_group[group])
    yield counts_row("all", sum(by_group.values(), Counter()))


def counts_by_group(results):
    by_group = defaultdict(Counter)
    for result in results:
        by_group[result["group"]][result["outcome"]] += 1
    return by_group


def counts_row(name, counts):
    executed = sum(counts.values()) - counts["unsupported"]
    cells = [sum(counts[outcome] for outcome in outcomes) for _, outcomes in COLUMNS]
    return row(name, executed or "-", [cell or "-" for cell in cells])


def row(name, executed, cells):
    return f"{clean.line(name):<16}{executed:>6}" + "".join(
        f"{cell:>{max(6, len(title) + 1)}}" for cell, (title, _) in zip(cells, COLUMNS))


def not_right(results, verbose):
    found = causes(results)
    for outcome, question, words, group in found if verbose else found[:SHOWN]:
        yield clean.line(f"{outcome}, {question}: {len(group)}")[:WIDTH]
        yield f"  {clean.line(words)}"[:WIDTH].rstrip()
        for result in group if verbose else group[:1]:
            yield f"  {clean.line(result['id'])}"[:WIDTH]
    if len(found) > SHOWN and not verbose:
        rest = sum(len(cause[3]) for cause in found[SHOWN:])
        yield f"and {rest} results of {len(found) - SHOWN} other likely causes, see the report"


# ---- All libraries -----------------------------------------------------------------------------

def matrix(reports):
    """Library by group; several tables below each other where one would be too wide."""
    across = (WIDTH - 16) // CELL
    parts = [reports[k:k + across] for k in range(0, len(reports), across)]
    lines = [line for part in parts for line in matrix_part(part)]
    return printed(lines + textwrap.wrap(LEGEND, WIDTH))


def matrix_part(reports):
    counts = [counts_by_group(report["results"]) for report in reports]
    groups = list(dict.fromkeys(group for found in counts for group in found))
    yield f"{'':<16}" + "".join(f"{clean.line(report['profile'])[:CELL - 1]:>{CELL}}" for report in reports)
    for group in groups:
        yield f"{clean.line(group)[:16]:<16}" + "".join(f"{cell(found[group]):>{CELL}}" for found in counts)
    totals = [sum(found.values(), Counter()) for found in counts]
    yield f"{'executed':<16}" + "".join(f"{report['executed']:>{CELL}}" for report in reports)
    yield f"{'not right':<16}" + "".join(f"{wrong(total) or '-':>{CELL}}" for total in totals)
    yield ""


def cell(counts):
    executed = sum(counts.values()) - counts["unsupported"]
    if not executed:
        return "-"
    if not wrong(counts):
        return "ok"
    mark = "!" if any(counts[outcome] for outcome in UNSAFE) else ""
    return f"{wrong(counts)}/{executed}{mark}"


def wrong(counts):
    return sum(number for outcome, number in counts.items()
               if outcome not in ("right", "unsupported"))
