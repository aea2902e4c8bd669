# SPDX-License-Identifier: Apache-2.0
"""Cases that are known not to be right. A line of the file: LIBRARY GLOB [OUTCOME]; # begins a
comment. Strict: every case that fits must be wrong (with that outcome), every other one right."""
import fnmatch

from judging import judge

HARMLESS = ("right", "unsupported")


def read(path):
    lines = []
    with open(path, encoding="utf-8") as file:
        for number, text in enumerate(file, 1):
            words = text.split("#")[0].split(maxsplit=2)
            if len(words) == 1 or (len(words) == 3 and words[2].strip() not in judge.OUTCOMES):
                raise ValueError(f"{path}:{number}: a line is LIBRARY GLOB [OUTCOME]")
            if words:
                outcome = words[2].strip() if len(words) == 3 else None
                lines.append((f"{path}:{number}", words[0], words[1], outcome))
    return lines


def failures(report, lines, breaches):
    """Why the run fails on account of this library."""
    found = [f"adapter: {report['problem']}"] if report["problem"] else []
    if report["executed"] == 0:
        found.append("no case was executed")
    if report["at_stop"]:
        found.append(f"at stop: {report['at_stop']}")
    found += [f"a death or breach that did not happen again: {text}" for text in report.get("unexplained", ())]
    for result in report["results"]:
        outcome = result["outcome"]
        expected = [line for line in lines if fits(line, report, result)]
        allowed = [line for line in expected if line[3] in (None, outcome)]
        if expected and outcome == "right":
            found.append(f"{result['id']} is right, though {expected[0][0]} says that it is not")
        elif outcome not in HARMLESS and (not allowed or outcome in breaches):
            found.append(f"{result['id']}: {outcome}")
    return found


def fits(line, report, result):
    return (line[1] in (report["profile"], report["library"], "*")
            and fnmatch.fnmatchcase(result["id"], line[2]))


def unmatched(lines, reports, names):
    """Lines that no executed case fits, though all that they fit were to run; or none of all `names` of cases: the file is out of
    date, or has a slip."""
    for line in lines:
        ran = [result for report in reports for result in report["results"] if fits(line, report, result)]
        if any(result["outcome"] != "unsupported" for result in ran):
            continue
        fit = [name for name in names if fnmatch.fnmatchcase(name, line[2])]
        if not fit or {*fit} <= {result["id"] for report in reports for result in report["results"]}:
            yield f"{line[0]} fits no case that was executed"
