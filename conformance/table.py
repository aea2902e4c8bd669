# SPDX-License-Identifier: Apache-2.0
"""The result of one library as text, at most 80 columns."""
from collections import Counter, defaultdict

COLUMNS = (("right", ("right",)), ("lax", ("too lax (harmless)", "too lax")),
           ("unsafe", ("too lax (out of bounds)", "too lax (crash)")), ("strict", ("too strict",)),
           ("wrong", ("wrong result", "wrong flag", "invalid result", "wrong rule")),
           ("crash", ("crash", "sanitizer")), ("time", ("timeout",)),
           ("proto", ("protocol", "refused")), ("unsup", ("unsupported",)))
WIDTH = 80
SHOWN = 5


def text(report, verbose):
    lines = [f"{report['library']} {report['version']}: {report['executed']} of {report['cases']}"
             f" cases executed, {rate(report)}", ""]
    lines += grid(report["results"])
    remarks = [*not_right(report["results"], verbose),
               *(f"FAILED: {failure}"[:WIDTH] for failure in report["failures"])]
    return "\n".join(lines + [""] * bool(remarks) + remarks) + "\n"


def rate(report):
    questions, seconds = report["questions"], report["seconds"]
    return f"{questions} questions in {seconds:.1f} s" if questions else "no questions"


def grid(results):
    by_group = defaultdict(Counter)
    for result in results:
        by_group[result["group"]][result["outcome"]] += 1
    yield row("group", "run", [title for title, _ in COLUMNS])
    for group in by_group:
        yield counts_row(group, by_group[group])
    yield counts_row("all", sum(by_group.values(), Counter()))


def counts_row(name, counts):
    executed = sum(counts.values()) - counts["unsupported"]
    cells = [sum(counts[outcome] for outcome in outcomes) for _, outcomes in COLUMNS]
    return row(name, executed or "-", [cell or "-" for cell in cells])


def row(name, executed, cells):
    return f"{name:<16}{executed:>6}" + "".join(f"{cell:>6}" for cell in cells)


def not_right(results, verbose):
    by_outcome = defaultdict(list)
    for result in results:
        if result["outcome"] not in ("right", "unsupported"):
            by_outcome[result["outcome"]].append(result)
    for outcome, found in by_outcome.items():
        yield f"{outcome}: {len(found)}"
        shown = found if verbose else found[:SHOWN]
        for result in shown:
            said = result.get("message") or " ".join(result.get("rules", []))
            yield f"  {result['id']}  {said}".replace("\n", " ")[:WIDTH].rstrip()
        if len(shown) < len(found):
            yield f"  and {len(found) - len(shown)} more, see the report"
