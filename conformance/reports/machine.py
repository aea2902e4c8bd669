# SPDX-License-Identifier: Apache-2.0
"""The results for other programs: JUnit and TAP; and a badge."""
import xml.etree.ElementTree as ET

from reports.clean import line, of_tap
from schemas.vocabulary import SUITE

BROKEN = ("crash", "timeout", "sanitizer", "protocol", "refused")
GREEN, YELLOW, RED = "#116329", "#7d4e00", "#a40e26"


def junit(reports):
    """One suite a library. Not asked is skipped, broken is an error, wrong a failure."""
    root = ET.Element("testsuites", name=f"sparsewright conformance {SUITE}")
    for report in reports:
        counts = report["outcomes"]
        broken = sum(counts[outcome] for outcome in BROKEN) + len(report["failures"])
        wrong = sum(counts.values()) - counts["right"] - counts["unsupported"] - sum(
            counts[outcome] for outcome in BROKEN)
        suite = ET.SubElement(root, "testsuite", name=line(f"{report['library']} {report['version']}"),
                              tests=str(len(report["results"]) + len(report["failures"])),
                              failures=str(wrong), errors=str(broken),
                              skipped=str(counts["unsupported"]), time=str(report["seconds"]))
        for result in report["results"]:
            junit_case(suite, report, result)
        for failure in report["failures"]:
            item = ET.SubElement(suite, "testcase", classname=line(report["profile"]), name="the run")
            ET.SubElement(item, "error", message=line(failure))
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def junit_case(suite, report, result):
    item = ET.SubElement(suite, "testcase", classname=line(f"{report['profile']}.{result['group']}"),
                         name=line(result["id"]))
    outcome = result["outcome"]
    if outcome == "unsupported":
        ET.SubElement(item, "skipped")
    elif outcome != "right":
        kind = "error" if outcome in BROKEN else "failure"
        ET.SubElement(item, kind, type=line(outcome), message=line(result["message"] or outcome))


def tap(reports):
    lines = ["TAP version 13", f"# sparsewright conformance {SUITE}",
             f"1..{sum(len(report['results']) + len(report['failures']) for report in reports)}"]
    number = 0
    for report in reports:
        for result in report["results"]:
            number += 1
            outcome = result["outcome"]
            fine = outcome in ("right", "unsupported")
            lines.append(f"{'ok' if fine else 'not ok'} {number} - " + of_tap(f"{report['profile']} {result['id']}")
                         + " # SKIP not in the manifest" * (outcome == "unsupported"))
            if not fine:
                lines.append("# " + of_tap(f"{outcome}: {result['message']}"))
        for failure in report["failures"]:
            number += 1
            lines.append(f"not ok {number} - " + of_tap(f"{report['profile']} {failure}"))
    return "\n".join(lines) + "\n"


def badge(reports):
    """Red where something was wrong; else yellow where most of what is about the library's layouts and
    types was not asked, because its manifest leaves it out, or where the call chose among the cases; else green."""
    executed, askable = (sum(report[key] for report in reports) for key in ("executed", "askable"))
    wrong = executed - sum(report["outcomes"]["right"] for report in reports)
    good = executed > 0 and not wrong and not any(report["failures"] for report in reports)
    left, text = "sparse conformance", f"{executed} of {askable} asked, {wrong} wrong"
    width, x = 7 * len(left) + 10, 7 * len(text) + 10
    partial = 2 * executed < askable or any(report.get("selection") for report in reports)
    colour = RED if not good else YELLOW if partial else GREEN
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width + x}" height="20" role="img"'
            f' aria-label="{left}: {text}">\n<rect width="{width}" height="20" fill="#444"/>'
            f'<rect x="{width}" width="{x}" height="20" fill="{colour}"/>\n'
            f'<g fill="#fff" font-family="Verdana,sans-serif" font-size="11">'
            f'<text x="5" y="14">{left}</text><text x="{width + 5}" y="14">{text}</text></g>\n</svg>\n')
