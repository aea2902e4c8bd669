# SPDX-License-Identifier: Apache-2.0
"""An adapter as a child process: one line of JSON in, one line of JSON out. It is watched for time,
memory and what it writes to its standard error."""
import json
import os
import select
import signal
import subprocess
import time
from math import isfinite

from harness import logs

LONGEST_ANSWER = 4 << 20
LONGEST_LOG = 64 << 20  # of one answer
KEPT_LOG = 1 << 20  # of all that were longer together
DEEPEST = 32  # lists and objects in each other
GLANCE = 0.1  # seconds between two looks at a child that has not answered
PAGE_KIB = os.sysconf("SC_PAGE_SIZE") // 1024
# What many languages write and JSON does not have, as the protocol spells it: in a report it would be no JSON either.
SPELLED = {"NaN": "nan", "Infinity": "inf", "-Infinity": "-inf"}


LIVE = set()  # children that have not been killed


class Broken(Exception):
    """There is no answer. outcome: crash, timeout, sanitizer or protocol. memory: it touched what
    it must not. alive: it can be asked again. ended: for the memory that it took, by us."""

    def __init__(self, outcome, message, memory=False, alive=False, ended=False):
        super().__init__(message)
        self.outcome, self.memory, self.alive, self.ended = outcome, memory, alive, ended


class Child:
    def __init__(self, command, log_path, memory_mib, environment=None):
        self.log = open(log_path, "ab")
        self.log_path, self.memory_kib = log_path, memory_mib * 1024
        # A session of its own, so that the end of the child is also the end of its children.
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=self.log, start_new_session=True, env=environment)
        LIVE.add(self)
        os.set_blocking(self.process.stdin.fileno(), False)
        self.log_seen = os.fstat(self.log.fileno()).st_size
        self.rest, self.length = b"", 0  # what it has said besides, and the length of its last answer
        self.answers, self.taken = select.poll(), select.poll()
        self.answers.register(self.process.stdout, select.POLLIN)
        self.taken.register(self.process.stdin, select.POLLOUT)

    def ask(self, question, timeout, line=None):
        """line: the question as it is written, where that is known."""
        deadline = time.monotonic() + timeout
        self.send(line or json.dumps(question).encode() + b"\n", deadline)
        return self.answer(question, deadline - time.monotonic())

    def answer(self, question, timeout):
        """The next line that it says, to a question that it has been asked."""
        line = self.read_line(time.monotonic() + timeout)
        self.look()
        try:
            answer = self.parse(line)
        except Broken:
            self.expect_silence(question)  # who writes over memory may garble the answer, too
            raise
        if isinstance(answer.get("died"), int):
            raise self.end_of_life(answer["died"], alive=True)
        self.expect_silence(question)
        return answer

    def expect_silence(self, question):
        """Of a sanitizer and of valgrind."""
        log = self.new_log()
        report = logs.of_sanitizer(log)
        if report:
            raise Broken("sanitizer", logs.text_of(report), memory=logs.is_of_memory(report))
        report = logs.of_valgrind(log)
        if report and question["cmd"] == "run":  # some languages are noisy when they start
            raise Broken("sanitizer", logs.text_of(report), memory=True)

    def send(self, line, deadline):
        """Never blocks for good, whatever the child reads or does not."""
        try:
            while line:
                try:
                    line = line[os.write(self.process.stdin.fileno(), line):]
                except BlockingIOError:  # the pipe is full
                    self.wait(deadline, write=True)
        except BrokenPipeError:
            raise self.death() from None

    def read_line(self, deadline):
        while b"\n" not in self.rest:
            if len(self.rest) > LONGEST_ANSWER:
                raise Broken("protocol", "an answer without end")
            self.wait(deadline)
            piece = os.read(self.process.stdout.fileno(), 1 << 20)
            if not piece:
                raise self.death()
            self.rest += piece
            if b"\n" not in piece and time.monotonic() > deadline:
                raise Broken("timeout", "no whole answer in time")
        line, _, self.rest = self.rest.partition(b"\n")
        self.length = len(line)
        return line

    def wait(self, deadline, write=False):
        """Until the child can be written to or read from."""
        awaited = self.taken if write else self.answers
        while not awaited.poll(1000 * GLANCE):
            if time.monotonic() > deadline:
                raise Broken("timeout", "no answer in time")
            if self.process.poll() is not None and not awaited.poll(0):  # what it forked may keep its pipes open
                raise self.death()
            self.look()

    def look(self):
        """Is it within its limits?"""
        if self.resident_kib() > self.memory_kib:
            raise Broken("crash", f"took more than {self.memory_kib // 1024} MiB of memory", ended=True)
        if os.fstat(self.log.fileno()).st_size - self.log_seen > LONGEST_LOG:
            raise Broken("protocol", "standard error without end")

    def resident_kib(self):
        """Of it and of what it has forked: an adapter may answer in another process."""
        return sum(map(resident_kib, family_of(self.process.pid)))

    @staticmethod
    def parse(line):
        try:
            answer = json.loads(line.decode(), parse_constant=SPELLED.get, parse_float=number_or_text,
                                object_pairs_hook=object_of)
        except (ValueError, RecursionError) as error:
            why = "a key stands twice" if isinstance(error, Twice) else "not JSON"
            raise Broken("protocol", f"{why}: {line[:60]!r}") from None
        if not isinstance(answer, dict):
            raise Broken("protocol", f"not an object: {line[:60]!r}")
        if is_deep(answer):
            raise Broken("protocol", f"more than {DEEPEST} lists and objects in each other: {line[:60]!r}")
        return answer

    def new_log(self):
        """What it wrote to its standard error since the last look."""
        size = os.fstat(self.log.fileno()).st_size
        if size == self.log_seen:
            return b""
        with open(self.log_path, "rb") as file:
            file.seek(self.log_seen)
            found = file.read(LONGEST_LOG)
        self.log_seen = size
        if size > LONGEST_LOG:  # no run fills a disk
            self.log_seen = KEPT_LOG
            os.ftruncate(self.log.fileno(), KEPT_LOG)
        return found

    def death(self):
        """How it ended."""
        try:
            return self.end_of_life(self.process.wait(timeout=5))
        except subprocess.TimeoutExpired:
            return Broken("crash", "closed its output")

    def end_of_life(self, code, alive=False):
        """code: an exit code, or minus the number of a signal."""
        log = self.new_log()
        report = logs.of_sanitizer(log)
        if report:
            return Broken("sanitizer", logs.text_of(report), logs.is_of_memory(report), alive)
        if code >= 0:
            return Broken("crash", f"exit code {code}: {logs.last_line(log)}", alive=alive)
        name, heap = signal_name(-code), logs.of_heap(log)
        why = logs.text_of(heap) if heap else logs.last_line(log)
        return Broken("crash", f"{name}: {why}" if why else name,
                      bool(heap) or name in ("SIGSEGV", "SIGBUS"), alive)

    def stop(self, grace=5):
        """Asks it to end, then makes it. Returns what was wrong about its end, or ""."""
        deadline = time.monotonic() + grace
        try:
            self.send(b'{"cmd": "stop"}\n', deadline)
            self.process.stdin.close()
            problem = self.problem_of_end(deadline)
        except OSError as error:
            problem = str(error)
        except Broken as error:
            problem = str(error) if error.outcome != "timeout" else f"did not end in {grace:g} seconds"
        self.kill()
        return problem

    def problem_of_end(self, deadline):
        """It may say nothing more, but that a forked process of its own has died, and ends well."""
        while piece := self.last_words(deadline):
            self.rest += piece
            if len(self.rest) > LONGEST_ANSWER:
                raise Broken("protocol", "an answer without end")
        try:
            end = self.end_of_life(self.process.wait(timeout=max(0, deadline - time.monotonic())))
        except subprocess.TimeoutExpired:
            raise Broken("timeout", "no end in time") from None
        if self.process.returncode or end.outcome == "sanitizer":
            return str(end)
        answer = self.parse(self.rest.partition(b"\n")[0]) if self.rest else {}
        if isinstance(answer.get("died"), int):
            return str(self.end_of_life(answer["died"]))
        return f"answered: {self.rest[:60]!r}" if self.rest else ""

    def last_words(self, deadline):
        self.wait(deadline)
        if time.monotonic() > deadline:
            raise Broken("timeout", "no end in time")
        return os.read(self.process.stdout.fileno(), 1 << 20)

    def kill_all(self):
        """It and its own children; without waiting for the end."""
        LIVE.discard(self)
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def kill(self):
        self.kill_all()
        self.process.wait()
        for file in (self.process.stdin, self.process.stdout, self.log):
            try:
                file.close()
            except OSError:
                pass


class Twice(ValueError):
    """A key that an object has twice: readers differ in which they take."""


def object_of(pairs):
    found = dict(pairs)
    if len(found) < len(pairs):
        raise Twice
    return found


def is_deep(item):
    """Deeper than any answer is: who walks through it by recursion would fall."""
    level = [item]
    for _ in range(DEEPEST):
        level = [part for whole in level for part in (whole.values() if isinstance(whole, dict) else whole)
                 if isinstance(part, (list, dict))]
        if not level:
            return False
    return True


def number_or_text(digits):
    """JSON has numbers of any size: what is beyond a float is an infinity."""
    number = float(digits)
    return number if isfinite(number) else str(number)


def resident_kib(pid):
    try:
        with open(f"/proc/{pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * PAGE_KIB
    except (OSError, IndexError):
        return 0


def family_of(pid):
    """It, its children and theirs, as far as the kernel tells."""
    found = [pid]
    for parent in found:
        try:
            with open(f"/proc/{parent}/task/{parent}/children", encoding="ascii") as file:
                found += file.read().split()
        except OSError:
            pass
    return found


def end_strays(mark):
    """Ends what adapters have left behind in sessions of their own: processes of an environment with this entry."""
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/environ", "rb") as file:
                if mark.encode() in file.read().split(b"\0"):
                    os.kill(int(name), signal.SIGKILL)
        except OSError:
            pass


def signal_name(number):
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
