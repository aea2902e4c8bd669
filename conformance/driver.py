#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""driver.py [options] --cases cases.jsonl PROFILE.json ...

Asks one library per profile for its verdict on every case, in a child process (ADAPTERS.md), and
prints a table of rules for each. A crash, a timeout or a wrong answer is a result, not the end of
the run.

Exit codes
  0  the run is complete; what other libraries get wrong are findings, not failures
  1  a library whose profile says "must_be_right" was wrong, or an adapter broke the protocol, did
     not start, refused a case that its manifest covers, executed no case at all, or was given up
  2  the call, a profile or the file of cases is wrong
 70  the driver itself failed"""
import argparse
import json
import os
import sys
import traceback
from collections import Counter

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import judge  # noqa: E402
import lint  # noqa: E402
import table  # noqa: E402
from child import BadAnswer, Child, Died, TooSlow  # noqa: E402

PROTOCOL = 1
READINGS = ("accept", "reject", "either")
# What no adapter may do, whatever its library is like.
BREACHES = ("protocol", "refused")
# A library that breaks this often without one answer in between is given up.
PATIENCE = 25


class GivenUp(Exception):
    """There is no point in asking this adapter any more."""


class Library:
    """One adapter, restarted when it has to be."""

    def __init__(self, profile, log, timeout, start_timeout):
        self.profile, self.log = profile, log
        self.timeout, self.start_timeout = timeout, start_timeout
        self.child = self.manifest = None
        self.name, self.version = profile["library"], "?"
        self.broken_in_a_row = 0

    def start(self):
        try:
            self.child = Child(self.profile["adapter"], self.log)
            hello = self.child.ask({"cmd": "start", "protocol": PROTOCOL}, self.start_timeout)
        except (OSError, Died, TooSlow, BadAnswer) as error:
            raise GivenUp(f"did not start: {error}") from None
        problem = judge.problem_of_manifest(hello.get("manifest"))
        if hello.get("ready") is not True or problem:
            raise GivenUp(f"did not start: {problem or 'not ready'}")
        self.name, self.version = str(hello.get("name")), str(hello.get("version"))
        self.manifest = hello["manifest"]

    def run(self, case):
        """One result: id, rule, outcome and what was said."""
        if not judge.covers(self.manifest, case):
            return self.result(case, "unsupported")
        if not self.child:
            self.start()
        try:
            question = {"cmd": "run", "id": case["id"], "tensor": case["tensor"]}
            answer = self.child.ask(question, self.timeout)
            problem = judge.problem_of_answer(answer, case)
            if problem:
                raise BadAnswer(problem)
        except Died as error:
            return self.broken(case, "crash", error)
        except TooSlow as error:
            return self.broken(case, "timeout", error)
        except BadAnswer as error:
            return self.broken(case, "protocol", error)
        self.broken_in_a_row = 0
        outcome = judge.outcome(case, answer, self.manifest, self.profile["flags"])
        said = {key: answer[key] for key in ("verdict", "message", "rules") if key in answer}
        return self.result(case, outcome, **said)

    def broken(self, case, outcome, error):
        self.drop()
        self.broken_in_a_row += 1
        return self.result(case, outcome, message=str(error))

    def result(self, case, outcome, **said):
        rule = case["expect"].get("rules", ["valid"])[0]
        return {"id": case["id"], "rule": rule, "outcome": outcome, **said}

    def drop(self):
        if self.child:
            self.child.kill()
        self.child = None

    def stop(self):
        if self.child:
            self.child.stop()
        self.child = None


def run_library(profile, cases, options):
    log_path = os.path.join(os.path.dirname(options.report) or ".", profile["library"] + ".log")
    with open(log_path, "wb") as log:
        library = Library(profile, log, options.timeout, options.start_timeout)
        results, problem = [], None
        try:
            library.start()
            for case in cases:
                results.append(library.run(case))
                if library.broken_in_a_row >= PATIENCE:
                    raise GivenUp(f"broke {PATIENCE} times in a row")
        except GivenUp as error:
            problem = str(error)
        finally:
            library.stop()
    counts = Counter(result["outcome"] for result in results)
    report = {"library": library.name, "version": library.version, "profile": profile["library"],
              "must_be_right": profile["must_be_right"], "problem": problem,
              "cases": len(cases), "executed": len(results) - counts["unsupported"],
              "outcomes": {outcome: counts[outcome] for outcome in judge.OUTCOMES},
              "results": results}
    report["failures"] = failures(report)
    return report


def failures(report):
    """Why the run fails on account of this library."""
    found = [f"adapter: {report['problem']}"] if report["problem"] else []
    if report["executed"] == 0:
        found.append("no case was executed")
    for outcome in judge.OUTCOMES:
        number = report["outcomes"][outcome]
        harmless = outcome in ("right", "unsupported")
        if number and (outcome in BREACHES or (report["must_be_right"] and not harmless)):
            found.append(f"{number} {outcome}")
    return found


def read_profile(path):
    with open(path, encoding="utf-8") as file:
        profile = json.load(file)
    if set(profile) != {"library", "adapter", "must_be_right", "flags"}:
        raise ValueError(f"{path}: needs library, adapter, must_be_right and flags")
    for flag, reading in profile["flags"].items():
        if flag not in lint.FLAGS or reading not in READINGS:
            raise ValueError(f"{path}: flag {flag}: {reading}")
    here = os.path.dirname(os.path.abspath(path))
    program = os.path.normpath(os.path.join(here, profile["adapter"][0]))
    python = [sys.executable] if program.endswith(".py") else []
    profile["adapter"] = [*python, program, *profile["adapter"][1:]]
    return profile


def parse_arguments():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--cases", required=True)
    parser.add_argument("--report", required=True, help="where to write the report, as JSON")
    parser.add_argument("--timeout", type=float, default=10, help="seconds for one case")
    parser.add_argument("--start-timeout", type=float, default=60, help="seconds for a start")
    parser.add_argument("--verbose", action="store_true", help="name every case that is not right")
    parser.add_argument("profiles", nargs="+", metavar="PROFILE.json")
    return parser.parse_args()


def main():
    options = parse_arguments()
    try:
        cases = lint.read_cases(options.cases)
        profiles = [read_profile(path) for path in options.profiles]
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    reports = []
    for profile in profiles:
        reports.append(run_library(profile, cases, options))
        print(table.text(reports[-1], options.verbose), flush=True)
    with open(options.report, "w", encoding="utf-8") as file:
        json.dump({"protocol": PROTOCOL, "libraries": reports}, file, indent=1)
    return 1 if any(report["failures"] for report in reports) else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Exception:  # the exit code 1 of an uncaught exception would look like a verdict
        traceback.print_exc()
        sys.exit(70)
