# SPDX-License-Identifier: Apache-2.0
"""The adapter's side of the protocol: serve(name, version, manifest, operations)."""
import json
import os
import sys
from contextlib import contextmanager


class Unsupported(Exception):
    """The question cannot be put to the library: answered "unsupported"."""


class Rejected(Exception):
    """The library says that something is wrong: answered "reject"."""

    def __init__(self, message, phase="validate", rules=None):
        super().__init__(message)
        self.phase, self.rules = phase, rules


@contextmanager
def asking(phase):
    """What the library raises inside is its rejection. What is raised outside is a fault of the
    adapter, and ends it. phase: construct, validate or use."""
    try:
        yield
    except (Rejected, Unsupported):
        raise
    except Exception as error:  # whatever it raises, it does not take the tensor
        raise Rejected(f"{type(error).__name__}: {error}", phase) from None


def serve(name, version, manifest, operations):
    """operations: from the name of an operation to a function of the question. What it returns is
    the result, if the operation has one: {"dense": ...} or {"tensor": ..., "claims": ...}. It raises
    Rejected, best by way of asking(), or Unsupported. Answers go to the real standard output only:
    what a library prints there would break the protocol."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        question = json.loads(line)
        if question["cmd"] == "stop":
            return
        if question["cmd"] == "start":
            answer = {"ready": True, "name": name, "version": version, "manifest": manifest}
        else:
            answer = {"id": question["id"], **answer_to(question, operations)}
        print(json.dumps(answer), file=answers, flush=True)


def answer_to(question, operations):
    try:
        result = operations[question["operation"]](question)
    except Rejected as error:
        rules = {"rules": error.rules} if error.rules else {}
        return {"verdict": "reject", "phase": error.phase, "message": str(error), **rules}
    except Unsupported as error:
        return {"verdict": "unsupported", "message": str(error)}
    return {"verdict": "accept", **({"result": result} if result else {})}
