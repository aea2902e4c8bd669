# SPDX-License-Identifier: Apache-2.0
"""An adapter as a child process: one line of JSON in, one line of JSON out."""
import json
import os
import select
import signal
import subprocess
import time

LONGEST_ANSWER = 1 << 20


class Died(Exception):
    """The child ended before it answered."""


class TooSlow(Exception):
    """The child did not answer in time."""


class BadAnswer(Exception):
    """The child answered something that the protocol does not know."""


class Child:
    def __init__(self, command, log):
        # A session of its own, so that the end of the child is also the end of its children.
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=log, start_new_session=True)
        self.rest = b""

    def ask(self, question, timeout):
        try:
            self.process.stdin.write(json.dumps(question).encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise Died(self.how_it_ended()) from None
        return self.parse(self.read_line(time.monotonic() + timeout))

    def read_line(self, deadline):
        while b"\n" not in self.rest:
            if len(self.rest) > LONGEST_ANSWER:
                raise BadAnswer("an answer without end")
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                raise TooSlow("no answer in time")
            piece = os.read(self.process.stdout.fileno(), 65536)
            if not piece:
                raise Died(self.how_it_ended())
            self.rest += piece
        line, _, self.rest = self.rest.partition(b"\n")
        return line

    @staticmethod
    def parse(line):
        try:
            answer = json.loads(line)
        except ValueError:
            raise BadAnswer(f"not JSON: {line[:60]!r}") from None
        if not isinstance(answer, dict):
            raise BadAnswer(f"not an object: {line[:60]!r}")
        return answer

    def how_it_ended(self):
        try:
            code = self.process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            return "closed its output"
        return f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"

    def stop(self, grace=5):
        """Asks it to end, then makes it."""
        try:
            self.process.stdin.write(b'{"cmd": "stop"}\n')
            self.process.stdin.close()
            self.process.wait(timeout=grace)
        except (OSError, subprocess.TimeoutExpired):
            pass
        self.kill()

    def kill(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        try:
            self.process.stdin.close()
        except OSError:
            pass
        self.process.stdout.close()
