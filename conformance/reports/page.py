# SPDX-License-Identifier: Apache-2.0
"""The results as one HTML page that needs nothing else: a matrix, a filter, and every case with
input, expectation, answer and a program that asks the same. The matrix is plain HTML; the cases are
deflated text that the page's script unpacks."""
import base64
import json
import os
import re
import zlib

from reports import clean, reproduce
from reports.causes import causes
from reports.clean import of_html
from reports.table import UNSAFE, counts_by_group, release, wrong

HERE = os.path.dirname(os.path.abspath(__file__))
LIBRARY_KEYS = ("library", "version", "profile", "executed", "questions", "seconds", "failures")
RESULT_KEYS = ("dtype", "verdict", "phase", "message", "rules", "result")


def page(reports, cases, recipes):
    """recipes: reproductions by profile."""
    parts = {"/*STYLE*/": asset("page.css"), "/*SCRIPT*/": asset("page.js"), "<!--SUMMARY-->": summary(reports, cases),
             "<!--MATRIX-->": matrix(reports), "<!--CAUSES-->": likely_causes(reports), "<!--NOT-ASKED-->": not_asked(reports),
             "<!--DATA-->": packed(data(reports, cases, recipes))}
    # In one pass: what stands in a part is no place for another.
    return re.sub("|".join(map(re.escape, parts)), lambda mark: parts[mark.group()], asset("page.html"))


def asset(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return file.read()


def packed(item):
    squeeze = zlib.compressobj(9, wbits=-15)
    text = json.dumps(item, separators=(",", ":"), allow_nan=False).encode()
    return base64.b64encode(squeeze.compress(text) + squeeze.flush()).decode()


def data(reports, cases, recipes):
    outcomes = list(dict.fromkeys(result["outcome"] for report in reports
                                  for result in report["results"]))
    languages = sorted({recipe["language"] for recipe in recipes.values()})
    return {"cases": cases, "outcomes": outcomes,
            "operands": {language: {case["id"]: reproduce.operands(language, case)
                                    for case in cases} for language in languages},
            "libraries": [{**clean.item({key: report[key] for key in LIBRARY_KEYS}),
                           "recipe": recipes.get(report["profile"]),
                           "results": clean.item(results_of(report, outcomes))} for report in reports]}


def results_of(report, outcomes):
    """Case id to [number of the outcome, what was said]; without cases that were not asked."""
    return {result["id"]: [outcomes.index(result["outcome"]),
                           {key: result[key] for key in RESULT_KEYS if result.get(key)}]
            for result in report["results"] if result["outcome"] != "unsupported"}


def summary(reports, cases):
    libraries = len({report["library"] for report in reports})  # some are asked in several ways
    executed = sum(report["executed"] for report in reports)
    not_right = sum(executed_wrong(report) for report in reports)
    return (f"{len(cases)} cases, {libraries} {'library' if libraries == 1 else 'libraries'},"
            f" {executed} answers, {not_right} of them not right.")


def executed_wrong(report):
    return sum(wrong(counts) for counts in counts_by_group(report["results"]).values())


def matrix(reports):
    counts = [counts_by_group(report["results"]) for report in reports]
    groups = list(dict.fromkeys(group for found in counts for group in found))
    head = "".join(f"<th scope=col>{of_html(report['profile'])} "
                   f"<small>{of_html(release(report))}</small></th>" for report in reports)
    lines = [f"<thead><tr><th scope=col>group</th>{head}</tr></thead><tbody>"]
    for group in groups:
        cells = "".join(cell(report, group, found[group]) for report, found in zip(reports, counts))
        lines.append(f"<tr><th scope=row>{of_html(group)}</th>{cells}</tr>")
    executed = "".join(f"<td>{of_html(report['executed'])}</td>" for report in reports)
    lines.append(f"</tbody><tfoot><tr><th scope=row>asked</th>{executed}</tr></tfoot>")
    return "\n".join(lines)


def cell(report, group, counts):
    executed = sum(counts.values()) - counts["unsupported"]
    bad = wrong(counts)
    if not executed:
        return "<td class=none title='not asked'>–</td>"
    kind = "right" if not bad else "unsafe" if any(counts[o] for o in UNSAFE) else "wrong"
    text = f"{executed} ✓" if not bad else f"{bad}/{executed}{'!' if kind == 'unsafe' else ''}"
    title = ", ".join(f"{number} {outcome}" for outcome, number in counts.most_common())
    return (f"<td class={kind} title='{of_html(title)}'><button data-library="
            f"'{of_html(report['profile'])}' data-group='{of_html(group)}'>{text}</button></td>")


def likely_causes(reports):
    items = []
    for report in reports:
        for outcome, question, words, group in causes(report["results"]):
            items.append(
                f"<tr><td>{of_html(report['profile'])}</td>"
                f"<td><span class='{css_class(outcome)}'>{of_html(outcome)}</span></td>"
                f"<td>{of_html(question)}</td><td>{len(group)}</td>"
                f"<td>{of_html(words)} <a href='#{of_html(report['profile'])}/"
                f"{of_html(group[0]['id'])}'>{of_html(group[0]['id'])}</a></td></tr>")
    return "\n".join(items) or "<tr><td colspan=5>Nothing was wrong.</td></tr>"


def not_asked(reports):
    """What manifests leave out by hand, and why; libraries that say the same together."""
    who = {}
    for report in reports:
        for key, why in report.get("not_asked", ()):
            who.setdefault((key, why or "its manifest does not say why"), []).append(report["profile"])
    return "\n".join(f"<tr><td>{of_html(key)}</td><td>{of_html(why)}</td><td>{of_html(', '.join(names))}</td></tr>"
                     for (key, why), names in sorted(who.items())) or "<tr><td colspan=3>Everything was asked.</td></tr>"


def css_class(outcome):
    return "unsafe" if outcome in UNSAFE else "wrong"
