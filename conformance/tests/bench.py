#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench.py [OUT.json]: how many questions a second get through an adapter in C, one in C that answers in
processes of their own, and one in Python, and how much of that is the driver's own time. Each is asked every
case of the suite that it covers, an invalid tensor twice, with either guard. A second is one of processor
time, of driver and adapter together: the clock says besides what else the machine does. SPW names the program
spw; the adapters in C are in $ADAPTERS (default build/conformance/adapters), that in Python needs nothing but
Python."""
import json
import os
import resource
import sys
import tempfile
import time
from types import SimpleNamespace

sys.dont_write_bytecode = True
TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, TOP)
from harness import driver  # noqa: E402
from cases import generate  # noqa: E402
from judging.control import find  # noqa: E402
from planted import SPECIAL  # noqa: E402

REPEAT = 3
# Questions a second that are wanted.
WANTED = {"c": 2000, "c-isolated": 2000, "python": 1000}
READINGS = {"c": {"flags": {}}, "c-isolated": {"flags": {}},
            "python": {"flags": {"narrow-index-dtype": "either"}, "uses": ["duplicates"]}}


def adapters():
    programs = os.environ.get("ADAPTERS", os.path.join(TOP, "..", "build/conformance/adapters"))
    return {"c": [os.path.join(programs, "ours_adapter")],
            "c-isolated": [os.path.join(programs, "lying_adapter"), "nothing", "isolated"],
            "python": [sys.executable, "-B", os.path.join(TOP, "adapters", "planted_adapter.py")]}


def measure(name, command, cases, folder):
    profile = {"library": name, "adapter": command, "must_be_right": True, **READINGS[name]}
    options = SimpleNamespace(report=os.path.join(folder, "report"), memory=4096, timeout=60,
                              start_timeout=60, spw=find())
    before, begun = cpu_times(), time.perf_counter()
    report = driver.run_library(profile, cases, options)
    seconds, after = time.perf_counter() - begun, cpu_times()
    if report["failures"] or not report["executed"]:
        sys.exit(f"bench: {name}: {report['failures'] or 'nothing executed'}")
    own, adapters_own = (1e6 * (b - a) / report["questions"] for a, b in zip(before, after))
    return {"executed": report["executed"], "questions": report["questions"],
            "questions_per_second": 1e6 / (own + adapters_own),
            "questions_per_second_of_the_clock": report["questions"] / seconds,
            "driver_cpu_microseconds_per_question": own,
            "adapter_cpu_microseconds_per_question": adapters_own}


def cpu_times():
    """Of this process, and of its children that have ended: on a busy machine the honest measure."""
    return [used.ru_utime + used.ru_stime for used in
            (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))]


def main(out=None):
    cases = list(generate.all_cases())
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, command in adapters().items():
            # That in Python computes with Python's numbers, which no special one is.
            asked = [case for case in cases if name != "python" or SPECIAL not in case["id"]]
            runs = [measure(name, command, asked, folder) for _ in range(REPEAT)]
            # The best of a few: what else the machine does only takes time away.
            results[name] = best = max(runs, key=lambda run: run["questions_per_second"])
            print(f"conformance, adapter {name}: {best['questions_per_second']:.0f} questions a second of processor"
                  f" time (wanted {WANTED[name]}), {best['questions_per_second_of_the_clock']:.0f} of the clock; a"
                  f" question: driver {best['driver_cpu_microseconds_per_question']:.0f} us, adapter"
                  f" {best['adapter_cpu_microseconds_per_question']:.0f} us; {best['executed']} cases,"
                  f" {best['questions']} questions", flush=True)
    if out:
        with open(out, "w", encoding="utf-8") as file:
            json.dump(results, file, indent=1)


if __name__ == "__main__":
    main(*sys.argv[1:])
