# SPDX-License-Identifier: Apache-2.0
"""The results of runs and the findings as a static site: a matrix of libraries and groups, a page for each
library and one for each finding. It needs no network, no script and no server: every link is a file of it."""
import html
import json
import re
from collections import Counter
from pathlib import Path

import findings
from reports import clean, reproduce
from reports.causes import causes
from reports.page import asset, css_class
from reports.table import COLUMNS, UNSAFE, counts_by_group, release, wrong
from schemas.vocabulary import SUITE

# Cases of one likely cause that are named, and characters of one that is shown.
NAMED, SHOWN = 12, 4000
RATED = {"memory safety": "unsafe", "crash": "unsafe", "hang": "unsafe", "convention": "right"}


def files_of(reports, cases, recipes):
    """From the name of each file to its text."""
    names = names_of(reports)
    found = findings.findings()
    pages = {"style.css": asset("page.css") + asset("site.css"),
             "index.html": index(reports, names, found)}
    for name, report in zip(names, reports):
        pages[name] = library(report, cases, recipes.get(report["profile"]), found)
    first = dict(reversed([(report["profile"], name) for name, report in zip(names, reports)]))
    for finding in found:
        pages[name_of(finding)] = page_of(finding, first)
    return pages


def names_of(reports):
    """The file of each report. Names come from reports: nothing of a path survives, and no two are alike."""
    names = []
    for report in reports:
        plain = re.sub(r"[^A-Za-z0-9_-]", "_", report["profile"])[:60]
        twins = sum(name.lower().startswith(f"library-{plain.lower()}.") for name in names)
        names.append(f"library-{plain}.{twins}.html" if twins else f"library-{plain}.html")
    return names


def name_of(finding):
    return f"finding-{finding.name}.html"


def text(item):
    return clean.of_html(item, SHOWN)


def page(title, body, up=True):
    way = '<nav><a href="index.html">All libraries</a></nav>' if up else ""
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{text(title)}</title>
<link rel="stylesheet" href="style.css">
</head>
<body>
<header>{way}
<h1>{text(title)}</h1></header>
<main>
{body}
</main>
</body>
</html>
"""


def table(kind, head, rows):
    cells = "".join(f"<th scope=\"col\">{cell}</th>" for cell in head)
    lines = "\n".join("<tr>" + "".join(row) + "</tr>" for row in rows)
    return (f'<div class="wide"><table class="{kind}">\n<thead><tr>{cells}</tr></thead>\n<tbody>\n{lines}\n'
            "</tbody></table></div>")


def cell(content, kind=""):
    return f'<td class="{kind}">{content}</td>' if kind else f"<td>{content}</td>"


def row_head(content, key=""):
    return f'<th scope="row" id="{key}">{content}</th>' if key else f'<th scope="row">{content}</th>'


def link(target, content):
    return f'<a href="{text(target)}">{text(content)}</a>'


# ---- All libraries ------------------------------------------------------------------------------

def index(reports, names, found):
    executed = sum(report["executed"] for report in reports)
    bad = sum(wrong(Counter(report["outcomes"])) for report in reports)
    body = [f"<p>Suite {SUITE}: {len({report['library'] for report in reports})} libraries, {executed} answers,"
            f" {bad} of them not right. {text(findings.count_text(found))}</p>",
            '<p class="legend"><span class="right">40</span> all right <span class="wrong">3/40</span> 3 of 40 not'
            ' right <span class="unsafe">3/40!</span> memory out of bounds, a crash or a hang among them,'
            " – not asked</p>",
            "<h2>Matrix</h2>", matrix(reports, names),
            "<h2>Findings</h2>", list_of(found)]
    return page("Sparse tensor conformance", "\n".join(body), up=False)


def matrix(reports, names):
    counts = [counts_by_group(report["results"]) for report in reports]
    groups = list(dict.fromkeys(group for by_group in counts for group in by_group))
    head = ["group", *(f"{link(name, report['profile'])} <small>{text(release(report))}</small>"
                       for name, report in zip(names, reports))]
    rows = [[row_head(text(group)), *(cell_of(name, group, by_group[group])
                                      for name, by_group in zip(names, counts))] for group in groups]
    rows.append([row_head("asked"), *(cell(text(report["executed"]), "none") for report in reports)])
    return table("matrix", head, rows)


def cell_of(target, group, counts):
    asked, bad = sum(counts.values()) - counts["unsupported"], wrong(counts)
    if not asked:
        return cell("–", "none")
    kind = kind_of(counts)
    said = f"{bad}/{asked}{'!' * (kind == 'unsafe')}" if bad else str(asked)
    return cell(link(f"{target}#group-{key_of(group)}", said), kind)


def kind_of(counts):
    if not wrong(counts):
        return "right"
    return "unsafe" if any(counts[outcome] for outcome in UNSAFE) else "wrong"


def key_of(group):
    return re.sub(r"[^a-z0-9-]", "_", group.lower())


def list_of(found):
    order = {kind: k for k, kind in enumerate(findings.KINDS)}
    rows = [[cell(text(f"{f.fields['library']} {f.fields['version']}")),
             cell(f'<span class="{RATED.get(f.fields["kind"], "wrong")}">{text(f.fields["kind"])}</span>'),
             cell(link(name_of(f), f.title)), cell(text(f.fields["upstream"]))]
            for f in sorted(found, key=lambda f: (order[f.fields["kind"]], f.fields["library"], f.name))]
    return table("list", ("library", "kind", "what", "upstream"), rows)


# ---- One library --------------------------------------------------------------------------------

def library(report, cases, recipe, found):
    own = [finding for finding in found if finding.fields["library"] == report["profile"]]
    body = [f"<p>{text(report['executed'])} of {text(report['askable'])} cases about its layouts and types were asked,"
            f" {wrong(Counter(report['outcomes']))} were not right.</p>",
            *(f'<p><span class="unsafe">failed</span> {text(failure)}</p>' for failure in report["failures"])]
    if own:
        body += ["<h2>Findings</h2>", list_of(own)]
    return page(f"{report['profile']} {release(report)}", "\n".join([
        *body, "<h2>Groups</h2>", groups_of(report), "<h2>Likely causes</h2>",
        *(causes_of(report, cases, recipe) or ["<p>Nothing was wrong.</p>"])]))


def groups_of(report):
    counts = counts_by_group(report["results"])
    rows = []
    for group, found in counts.items():
        numbers = [sum(found[outcome] for outcome in outcomes) for _, outcomes in COLUMNS]
        rows.append([row_head(text(group), f"group-{key_of(group)}"), *(cell(number or "–") for number in numbers)])
    return table("counts", ("group", *(title for title, _ in COLUMNS)), rows)


def causes_of(report, cases, recipe):
    parts = []
    for outcome, question, words, group in causes(report["results"]):
        first = group[0]
        named = ", ".join(text(result["id"]) for result in group[:NAMED])
        rest = f" and {len(group) - NAMED} more" if len(group) > NAMED else ""
        parts.append(f'<details class="item"><summary><span class="{css_class(outcome)}">{text(outcome)}</span>'
                     f" {text(question)}: {len(group)}<small>{text(words)}</small></summary><div>\n"
                     f"<h3>Cases</h3><p>{named}{rest}</p>\n{example(first, cases.get(first['id']), recipe)}</div></details>")
    return parts


def example(result, case, recipe):
    said = {key: result[key] for key in ("dtype", "verdict", "phase", "message", "rules", "result") if result.get(key)}
    parts = [f"<h3>What was said to {text(result['id'])}</h3>", pre(json.dumps(said, indent=1))]
    if case is None:  # of another version of the suite
        return "\n".join(parts)
    parts += ["<h3>What is right</h3>", pre(json.dumps(case["expect"]))]
    program = recipe and reproduce.program(recipe, case)
    parts += ["<h3>A program that asks the same</h3>", pre(program)] if program else [
        "<h3>The case</h3>", pre(json.dumps({key: case[key] for key in ("tensor", "dense", "file", "arguments")
                                             if key in case}))]
    return "\n".join(parts)


def pre(said):
    return f"<pre>{html.escape(clean.block(said[:SHOWN]))}{' …' * (len(said) > SHOWN)}</pre>"


# ---- One finding --------------------------------------------------------------------------------

def page_of(finding, names):
    fields, ((language, program),) = dict(finding.fields), finding.blocks
    shown = []
    for key, value in fields.items():
        told = text(value)
        if key == "library" and value in names:
            told = link(names[value], value)
        if key == "root":
            told = link(f"finding-{value}.html", value)
        shown.append(f"<dt>{text(key)}</dt><dd>{told}</dd>")
    body = [f"<dl>{''.join(shown)}</dl>", *map(paragraph, finding.sections()),
            f"<h2>Program</h2><p>In {text(language.replace('c++', 'C++').replace('python', 'Python'))}, without the suite.</p>",
            pre(program)]
    return page(finding.title, "\n".join(body))


def paragraph(section):
    """One that begins with a word between stars; what stands between backticks is code."""
    title, told = re.fullmatch(r"\*\*(.+?)\.\*\*\s+(.*)", section, re.S).groups()
    told = re.sub("`([^`]+)`", r"<code>\1</code>", text(told))
    return f"<h2>{text(title)}</h2><p>{told}</p>"


# ---- The folder ---------------------------------------------------------------------------------

def write(folder, files):
    """Whole or not at all. Raises OSError: a folder that is there and not empty is left as it is."""
    folder = Path(folder)
    if folder.exists() and any(folder.iterdir()):
        raise FileExistsError(f"{folder} is not empty")
    made = Path(f"{folder}.new")
    made.mkdir(parents=True)
    try:
        for name, content in files.items():
            (made / name).write_text(content, encoding="utf-8", errors="replace")
        if folder.exists():
            folder.rmdir()
        made.rename(folder)
    except OSError:
        for file in made.iterdir():
            file.unlink()
        made.rmdir()
        raise
