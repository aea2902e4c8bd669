#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""driver.py [options] --cases cases.jsonl PROFILE.json ...

Asks one library per profile every case, in a child process (ADAPTERS.md), and prints who is right,
too lax, too strict, wrong, or crashed. A crash, a timeout or a wrong answer is a result, not the
end of the run.

Exit codes
  0  the run is complete; what other libraries get wrong are findings, not failures
  1  a library whose profile says "must_be_right" was wrong, a case behaved otherwise than --xfail
     says, or an adapter broke the protocol, did not start, refused a case that its manifest
     covers, executed no case at all, or was given up
  2  the call, a profile or the file of cases is wrong
  4  interrupted: the report has the libraries that were finished, and --resume goes on from there
 70  the driver itself failed"""
import argparse
import fnmatch
import os
import random
import shutil
import sys
import time
import traceback
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from harness import heap  # noqa: E402
from judging import judge  # noqa: E402
from harness import profile_file  # noqa: E402
from cases import retype, store  # noqa: E402
from harness import xfail  # noqa: E402
from judging.control import Control, find  # noqa: E402
from harness.library import PROTOCOL, GivenUp, Library  # noqa: E402
from harness.progress import Progress, Reports, Stopped, finished, identity, result_of, stop_on_signals  # noqa: E402
from reports import clean, table  # noqa: E402

# What no adapter may do, whatever its library is like.
BREACHES = ("protocol", "refused")
HARMLESS = ("right", "unsupported")
# Bytes of answers of one library that wait to be judged together, and of those that a report has.
ROOM_FOR_QUESTIONS, ROOM_FOR_ANSWERS = 16 << 20, 64 << 20


def run_library(profile, cases, options):
    """The report about one library. Raises Stopped."""
    log_path = os.path.join(os.path.dirname(options.report) or ".", name_of(profile) + ".log")
    open(log_path, "wb").close()
    library = Library(profile, log_path, options)
    judging, results, problem, begun = Judging(profile, options), [], None, time.monotonic()
    progress = Progress(name_of(profile), len(cases), getattr(options, "stop", None))
    try:
        library.start()
        for case in cases:
            progress.at(len(results))
            results.append(library.run(case))
            judging.add(case, results[-1])
            library.give_up_if_hopeless()
    except GivenUp as error:
        problem = str(error)
    finally:
        end = library.stop()
    seconds = time.monotonic() - begun
    judging.settle()
    for result in results:
        if result["id"] in library.guilty:
            result["message"] = library.guilty[result["id"]]
            accepted = result["outcome"] == "too lax (survived)"
            result["outcome"] = "too lax (out of bounds)" if accepted else "crash"
    checked = heap.look_again(profile, [as_asked(*pair) for pair in zip(cases, results)], results,
                              log_path, options)
    return {**report_of(library, profile, cases, results, problem, end, seconds, options), "heap_check": checked and clean.line(checked)}


def name_of(profile):
    return profile["library"] + profile.get("twin", "")


class Judging:
    """Judges results of operations: the dense ones here, the sparse ones with the control's help, many at a time. What strangers
    answer is kept only as far as there is room for it."""

    def __init__(self, profile, options):
        self.profile, self.control = profile, Control(options.spw)
        self.pending, self.waiting, self.room = [], 0, ROOM_FOR_ANSWERS

    def add(self, case, result):
        length = result.pop("length", 0)
        if not result.pop("unjudged", False):
            self.keep(result, length)
            return
        self.pending.append((as_asked(case, result), result, length))
        self.waiting += length
        if self.waiting > ROOM_FOR_QUESTIONS:
            self.settle()

    def settle(self):
        checked = iter(self.lines([result["result"]["tensor"] for _, result, _ in self.pending if "tensor" in result["result"]]))
        for case, result, length in self.pending:
            got = result["result"]
            outcome, why = judge.outcome_of_result(case, got, next(checked) if "tensor" in got else None, self.profile)
            result["outcome"], result["message"] = outcome, clean.line(why) if why else result["message"]
            if outcome == "right":
                del result["result"]
            self.keep(result, length)
        self.pending, self.waiting = [], 0

    def lines(self, tensors):
        """What the control says of each; of one that it cannot read, that."""
        try:
            return self.control.lines(tensors)
        except (RuntimeError, ValueError) as error:
            if len(tensors) == 1:
                return [{"verdict": "malformed", "error": {"where": "the checker", "message": str(error)}}]
            return [line for tensor in tensors for line in self.lines([tensor])]

    def keep(self, result, length):
        if "result" not in result:
            return
        self.room -= length
        if self.room < 0:
            del result["result"]
            result["message"] = clean.line(f"{result['message']} (answers like it are too long to be kept)")


def as_asked(case, result):
    """In the type of values in which the library was asked."""
    return retype.in_type(case, result["dtype"]) if "dtype" in result else case


def report_of(library, profile, cases, results, problem, end, seconds, options):
    counts = Counter(result["outcome"] for result in results)
    kinds = getattr(options, "kinds", None) or Counter(map(judge.kind_of, cases))  # of all cases, also those that are not asked
    report = {"library": library.name, "version": library.version, "profile": name_of(profile),
              "released": released(profile, library.version),
              "must_be_right": profile["must_be_right"], "problem": problem, "at_stop": end,
              "unexplained": library.unexplained,
              "cases": sum(kinds.values()), "executed": len(results) - counts["unsupported"],
              "askable": judge.askable(library.manifest, kinds), "selection": selection(options),
              "not_asked": judge.not_asked(library.manifest),
              "questions": library.questions, "seconds": round(seconds, 3),
              "outcomes": {outcome: counts[outcome] for outcome in judge.OUTCOMES},
              "results": results}
    report["failures"] = failures(report)
    return {**clean.item(report), "identity": identity(profile, cases)}


def released(profile, version):
    """When that version came out, in words; "" where nobody has said. A build may be named behind a plus sign."""
    return profile.get("released", {}).get(str(version).partition("+")[0], "")


def failures(report):
    """Why the run fails on account of this library."""
    found = [f"adapter: {report['problem']}"] if report["problem"] else []
    if report["executed"] == 0:
        found.append("no case was executed")
    if report["must_be_right"] and report["at_stop"]:
        found.append(f"at stop: {report['at_stop']}")
    unexplained = report.get("unexplained", ())
    if report["must_be_right"] and unexplained:
        found.append(f"{len(unexplained)} deaths or breaches that did not happen again, the first at {unexplained[0]}")
    for outcome in judge.OUTCOMES:
        number = report["outcomes"][outcome]
        if number and (outcome in BREACHES
                       or (report["must_be_right"] and outcome not in HARMLESS)):
            found.append(f"{number} {outcome}")
    return found


def selected(entries, options):
    """Those of a book's cases to run, in the order of running."""
    chosen = [entry for entry in entries if is_chosen(entry, options)]
    index, count = options.shard
    chosen = chosen[index - 1::count]
    if options.seed is not None:
        random.Random(options.seed).shuffle(chosen)
    return chosen


def selection(options):
    """What the call left out, as it was written; {} where all cases are asked."""
    given = {"run": getattr(options, "run", ["*"]), "skip": getattr(options, "skip", []),
             "shard": list(getattr(options, "shard", (1, 1)))}
    everything = {"run": ["*"], "skip": [], "shard": [1, 1]}
    return {} if given == everything else given


def is_chosen(entry, options):
    names = entry[:2]  # id and group
    return (any(fnmatch.fnmatchcase(name, glob) for name in names for glob in options.run)
            and not any(fnmatch.fnmatchcase(name, glob) for name in names for glob in options.skip))


def shard(text):
    index, _, count = text.partition("/")
    if not (index.isdigit() and count.isdigit() and 1 <= int(index) <= int(count)):
        raise argparse.ArgumentTypeError("a shard is i/n, 1 <= i <= n")
    return int(index), int(count)


def parser():
    """Of the options: `spw conform` reads them first, and tells all that is wrong at once."""
    parser = argparse.ArgumentParser(usage=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--cases", required=True)
    parser.add_argument("--report", required=True, help="where to write the report, as JSON")
    parser.add_argument("--run", action="append", metavar="GLOB",
                        help="only cases whose id or group fits one of these; may be repeated")
    parser.add_argument("--skip", action="append", default=[], metavar="GLOB")
    parser.add_argument("--xfail", metavar="FILE", help="cases that are known not to be right; "
                        "every other one must be, and these must not")
    parser.add_argument("--shard", type=shard, default=(1, 1), metavar="i/n",
                        help="the i-th of n parts of the cases")
    parser.add_argument("--seed", type=int, help="run the cases in another order")
    parser.add_argument("-j", "--jobs", type=int, default=1, help="libraries at the same time")
    parser.add_argument("--timeout", type=float, default=10, help="seconds for one answer")
    parser.add_argument("--start-timeout", type=float, default=120, help="seconds for a start")
    parser.add_argument("--memory", type=int, default=4096, metavar="MiB",
                        help="memory of an adapter")
    parser.add_argument("--peers", default="build/conformance/peers", metavar="DIR",
                        help="where the peers are installed")
    parser.add_argument("--spw", default=find(), help="the program that judges sparse results")
    parser.add_argument("--plain", action="store_true",
                        help="leave out the adapters that are built with sanitizers")
    parser.add_argument("--resume", action="store_true", help="take over from the report what an "
                        "interrupted run has finished, and ask only the other libraries")
    parser.add_argument("--verbose", action="store_true", help="name every case that is not right")
    parser.add_argument("profiles", nargs="+", metavar="PROFILE.json")
    return parser


def parse_arguments():
    options = parser().parse_args()
    options.run = options.run or ["*"]
    os.environ["SPW"] = options.spw  # the one that judges also says what the rules are
    os.makedirs(os.path.dirname(options.report) or ".", exist_ok=True)
    return options


def read_everything(options):
    book = store.Book(options.cases)
    options.kinds, cases = book.kinds, list(book.read(selected(book.entries, options)))
    profiles = []
    for path in options.profiles:
        profiles.append(profile_file.read(path, options.peers))
        profiles += [] if options.plain else profile_file.sanitized(path, options.peers)
    expected = xfail.read(options.xfail) if options.xfail else None
    if not shutil.which(options.spw):
        raise ValueError(f"there is no program {options.spw}, which judges sparse results (--spw)")
    return cases, profiles, expected, [name for name, *_ in book.entries]


def finish(profile, cases, options, file, earlier):
    """One library's report, on file as soon as it is there; None if the run ends before."""
    known = earlier.get(name_of(profile))
    if known and known.get("identity") == identity(profile, cases):
        report = {**known, "failures": failures(known)}
    elif options.stop.is_set():
        return None
    else:
        try:
            report = run_library(profile, cases, options)
        except Stopped:
            return None
    file.add(report)
    return report


def main():
    options = parse_arguments()
    try:
        cases, profiles, expected, names = read_everything(options)
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    options.stop = stop_on_signals()
    file = Reports(options.report, PROTOCOL)
    earlier = finished(options.report) if options.resume else {}
    reports = []
    with ThreadPoolExecutor(max_workers=options.jobs) as pool:
        # What takes longest begins first: the heap check of one library is one process.
        first = sorted(range(len(profiles)), key=lambda number: not profiles[number].get("heap_check"))
        running = {number: pool.submit(finish, profiles[number], cases, options, file, earlier) for number in first}
        for number in range(len(profiles)):
            report = result_of(running[number])
            if report is None:
                continue
            if expected is not None:
                report["failures"] = xfail.failures(report, expected, BREACHES)
            reports.append(report)
            print(table.text(report, options.verbose), flush=True)
    if len(reports) > 1:
        print(table.matrix(reports))
    complete = len(reports) == len(profiles)
    if expected is not None and complete:
        for line in xfail.unmatched(expected, reports, names):
            reports[-1]["failures"].append(line)
            print(f"FAILED: {line}")
    if reports or not os.path.exists(options.report):  # what an earlier run has left is not lost for nothing
        file.write(reports, complete)
    if not complete:
        print(f"interrupted: {len(reports)} of {len(profiles)} libraries finished")
        return 4
    return 1 if any(report["failures"] for report in reports) else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        print("interrupted before anything was asked", file=sys.stderr)
        sys.exit(4)
    except Exception:  # the exit code 1 of an uncaught exception would look like a verdict
        traceback.print_exc()
        sys.exit(70)
