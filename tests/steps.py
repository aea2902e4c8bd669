#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""steps.py NAME [--first TARGET...] [--beside TARGET...] [--then TARGET...]: makes targets, and says what happens.

Each target is a numbered step with the time that it took the last time and with its log in build/log/NAME. While it runs,
a line every ten seconds says how far it is. Those of --first come first, one after the other; then those of --then in their
order, and at the same time, on another core, those of --beside, which must change nothing that others read. The first
step that fails is the last: the end of its log is printed."""
import argparse
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PULSE = 10  # seconds
SHOWN = 200  # lines of the log of a step that failed
WIDTH = 110


def last_line(path):
    """The last line of a log that says something."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - 4000))
        lines = [line.strip() for line in file.read().decode(errors="replace").splitlines() if line.strip()]
    lines = [line for line in lines if not line.startswith("make")] or lines
    return lines[-1][:WIDTH] if lines else ""


def environment():
    """Without the jobs of the make that runs this: each step has its own."""
    words = os.environ.get("MAKEFLAGS", "").split(" ")
    kept = " ".join(word for word in words if not word.startswith(("-j", "--jobserver")))
    return {**os.environ, "MAKEFLAGS": kept, "CHECKING": "1"}


class Steps:
    def __init__(self, name, count):
        self.name, self.count, self.number = name, count, 0
        self.logs = ROOT / "build/log" / name
        self.logs.mkdir(parents=True, exist_ok=True)
        self.times = ROOT / "build/log" / f"{name}.json"
        self.before = json.loads(self.times.read_text()) if self.times.exists() else {}
        self.took, self.failed, self.children, self.lock = {}, [], set(), threading.Lock()

    def say(self, text):
        with self.lock:
            print(text, flush=True)

    def begin(self, target, log):
        with self.lock:
            self.number += 1
            number = self.number
        last = f"{self.before[target]:.0f} s the last time; " if target in self.before else ""
        self.say(f"[{number}/{self.count}] {target} ({last}log: {log.relative_to(ROOT)})")
        return number

    def end(self, number, target, log, seconds, code):
        if code == 0:
            self.say(f"[{number}/{self.count}] {target}: {seconds:.0f} s. {last_line(log)}")
            with self.lock:
                self.took[target] = seconds
                self.times.write_text(json.dumps({**self.before, **self.took}, indent=1) + "\n")
            return
        with self.lock:
            self.failed.append(target)
        lines = log.read_text(errors="replace").splitlines()[-SHOWN:]
        self.say("\n".join([*lines, f"[{number}/{self.count}] {target}: FAILED after {seconds:.0f} s; log: {log.relative_to(ROOT)}"]))

    def run(self, target, *options):
        log = self.logs / f"{target.replace('/', '-')}.log"
        start = time.monotonic()
        with log.open("wb") as out:
            number = self.begin(target, log)
            child = subprocess.Popen(["make", "--no-print-directory", *options, target], cwd=ROOT, env=environment(), stdout=out,
                                     stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True)
            self.children.add(child)
            while True:
                try:
                    code = child.wait(PULSE)
                    break
                except subprocess.TimeoutExpired:
                    self.say(f"  {time.monotonic() - start:4.0f} s {target}: {last_line(log)}")
            self.children.discard(child)
        self.end(number, target, log, time.monotonic() - start, code)

    def run_all(self, targets, *options):
        for target in targets:
            if self.failed:
                return
            self.run(target, *options)

    def stop(self):
        self.failed.append("stopped")
        for child in list(self.children):
            os.killpg(child.pid, signal.SIGTERM)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name")
    for which in ("first", "beside", "then"):
        parser.add_argument(f"--{which}", nargs="*", default=[], metavar="TARGET")
    options = parser.parse_args()
    start = time.monotonic()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    steps = Steps(options.name, len(options.first) + len(options.beside) + len(options.then))
    try:
        steps.run_all(options.first)
        # What was made first is not asked about again.
        made = [word for target in options.first for word in ("-o", target)]
        beside = threading.Thread(target=steps.run_all, args=(options.beside, *made))
        beside.start()
        steps.run_all(options.then, *made)
        beside.join()
    except KeyboardInterrupt:
        steps.stop()
        sys.exit(f"{options.name}: stopped")
    if steps.failed:
        sys.exit(f"{options.name}: failed: {' '.join(steps.failed)}")
    print(f"{options.name}: {steps.number} steps passed, {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()
