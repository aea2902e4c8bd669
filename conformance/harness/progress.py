# SPDX-License-Identifier: Apache-2.0
"""What a long run leaves and says while it runs: a report after every library that is finished, lines
with rate and remaining time, and an end in good order when it is interrupted."""
import glob
import hashlib
import json
import os
import shutil
import signal
import sys
import threading
import time
from concurrent.futures import wait

from harness.child import LIVE
from schemas.vocabulary import SUITE

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

INTERVAL = 10  # seconds between two lines about one library


class Stopped(Exception):
    """Somebody wants the run to end."""


class Progress:
    """One library's. Silent where a run is short."""

    def __init__(self, name, total, stop=None):
        self.name, self.total, self.stop = name, total, stop
        self.begun = self.said = time.monotonic()

    def at(self, done):
        if self.stop is not None and self.stop.is_set():
            raise Stopped
        now = time.monotonic()
        if now - self.said < INTERVAL:
            return
        self.said = now
        rate = done / (now - self.begun)
        left = f", about {(self.total - done) / rate:.0f} s left" if rate else ""
        print(f"{self.name}: {done} of {self.total} cases, {rate:.0f}/s{left}", file=sys.stderr, flush=True)


class Reports:
    """The file of reports, whole at every time."""

    def __init__(self, path, protocol):
        self.path, self.protocol, self.lock, self.found = path, protocol, threading.Lock(), {}

    def add(self, report):
        with self.lock:
            self.found[report["profile"]] = text_of(report)
            self.write_texts(self.found.values(), complete=False)

    def write(self, libraries, complete=True):
        self.write_texts(map(text_of, libraries), complete)

    def write_texts(self, texts, complete):
        head = json.dumps({"suite": SUITE, "protocol": self.protocol, "complete": complete, "libraries": []})
        text = head[:-len("]}")] + ", ".join(texts) + "]}"
        with open(self.path + ".new", "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(self.path + ".new", self.path)


def text_of(report):
    """JSON, for any reader: no NaN."""
    return json.dumps(report, allow_nan=False)


def identity(profile, cases):
    """Changes with what is asked, with the programs that the adapter's command names and the adapters here, and with how
    answers are read: by this suite, and by the program that SPW names."""
    own = sorted(path for room in ("harness", "judging", "schemas", "cases", "adapters") for path in glob.glob(os.path.join(TOP, room, "*.py")))
    own.append(shutil.which(os.environ.get("SPW", "")) or "")
    return digest({"cases": digest_of_cases(cases), "profile": profile,
                   "programs": [digest_of_file(path) for path in [*own, *profile["adapter"]] if os.path.isfile(path)]})[:16]


def digest_of_file(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def digest(what):
    return hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()


def digest_of_cases(cases, known=[((), None)]):
    """Of a list that does not change while it is asked: all libraries are asked the same one."""
    if known[0][0] is not cases:
        known[0] = (cases, digest(cases))
    return known[0][1]


def finished(path):
    """The libraries of an interrupted run's report by profile: none where there is no report, or it is complete."""
    try:
        with open(path, encoding="utf-8") as file:
            earlier = json.load(file)
        return {} if earlier["complete"] else {report["profile"]: report for report in earlier["libraries"]}
    except (OSError, ValueError, KeyError):
        return {}


# What waits is to look up so often, in seconds: a signal that comes just before a wait without end, or that another thread gets,
# is not handled before that ends.
HEARD = 0.5


def result_of(job):
    """The job's result; until it is there, signals are heard."""
    while not wait([job], timeout=HEARD).done:
        pass
    return job.result()


def stop_on_signals():
    """An event that an interrupt or a request to end sets; the second time they end at once."""
    stop = threading.Event()

    def handle(number, _):
        if stop.is_set():
            for child in list(LIVE):
                child.kill_all()
            os._exit(128 + number)
        stop.set()
        print("ending: what is finished is kept, --resume goes on", file=sys.stderr, flush=True)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, handle)
    return stop
