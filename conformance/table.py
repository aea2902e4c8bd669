# SPDX-License-Identifier: Apache-2.0
"""The result of one library as text, at most 80 columns."""
from collections import Counter, defaultdict

COLUMNS = (("right", "right"), ("too lax", "lax"), ("too strict", "strict"),
           ("wrong rule", "rule"), ("crash", "crash"), ("timeout", "time"), ("protocol", "proto"),
           ("refused", "refus"), ("unsupported", "unsup"))
WIDTH = 80
SHOWN = 5


def text(report, verbose):
    lines = [f"{report['library']} {report['version']}: {report['executed']} of {report['cases']}"
             " cases executed", ""]
    lines += grid(report["results"])
    remarks = [*not_right(report["results"], verbose),
               *(f"FAILED: {failure}" for failure in report["failures"])]
    return "\n".join(lines + [""] * bool(remarks) + remarks) + "\n"


def grid(results):
    by_rule = defaultdict(Counter)
    for result in results:
        by_rule[result["rule"]][result["outcome"]] += 1
    yield row("rule", "run", [title for _, title in COLUMNS])
    for rule in sorted(by_rule, key=rule_order):
        yield counts_row(rule, by_rule[rule])
    yield counts_row("all", sum(by_rule.values(), Counter()))


def rule_order(rule):
    return (0, 0) if rule == "valid" else tuple(map(int, rule.split(".")))


def counts_row(name, counts):
    executed = sum(counts.values()) - counts["unsupported"]
    return row(name, executed or "-", [counts[outcome] or "-" for outcome, _ in COLUMNS])


def row(name, executed, cells):
    return f"{name:<6}{executed:>6}" + "".join(f"{cell:>7}" for cell in cells)


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
