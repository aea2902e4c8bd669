#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""report.py --cases cases.jsonl REPORT.json... [--profiles DIR] [--junit FILE] [--tap FILE]
[--html FILE] [--badge FILE]

Writes the results of runs in other forms. Several reports are put together. Of an interrupted run they
say that it was one; where it has finished no library, nothing is written, and the exit code is 4."""
import argparse
import json
import os
import sys

sys.dont_write_bytecode = True
TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, TOP)
from cases import store  # noqa: E402
from reports import machine, page, table  # noqa: E402


def parse_arguments():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--cases", required=True)
    parser.add_argument("--profiles", default=os.path.join(TOP, "profiles"))
    parser.add_argument("--junit")
    parser.add_argument("--tap")
    parser.add_argument("--html")
    parser.add_argument("--badge", help="a small picture: how much is right")
    parser.add_argument("reports", nargs="+")
    return parser.parse_args()


def libraries_of(path):
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    if report["libraries"] and not report["complete"]:
        report["libraries"][-1]["failures"].append("the run was interrupted: libraries after this one were not asked")
    return report["libraries"]


def recipes_of(reports, folder):
    """The reproductions of the libraries' profiles."""
    found = {}
    for report in reports:
        path = os.path.join(folder, report["profile"].removesuffix("-asan") + ".json")
        path = path if os.path.exists(path) else os.path.join(folder, "profile.json")
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                recipe = json.load(file).get("reproduction")
            if recipe:
                found[report["profile"]] = recipe
    return found


def main():
    options = parse_arguments()
    reports = [report for path in options.reports for report in libraries_of(path)]
    if not reports:
        print("interrupted before any library was finished: nothing is written")
        return 4
    written = {result["id"] for report in reports for result in report["results"]}
    cases = list(store.Book(options.cases).cases(lambda name, group: name in written))
    makers = {"junit": lambda: machine.junit(reports), "tap": lambda: machine.tap(reports),
              "badge": lambda: machine.badge(reports),
              "html": lambda: page.page(reports, cases, recipes_of(reports, options.profiles))}
    for name, maker in makers.items():
        if getattr(options, name):
            path = getattr(options, name)
            with open(path + ".new", "w", encoding="utf-8") as file:  # the old one stays until this is whole
                file.write(maker())
            os.replace(path + ".new", path)
    if len(options.reports) > 1:
        print(table.matrix(reports))
    return 0


if __name__ == "__main__":
    sys.exit(main())
