# SPDX-License-Identifier: Apache-2.0
"""The adapter's side of the protocol: serve(name, version, manifest, operations)."""
import json
import os
import sys
import traceback
from contextlib import contextmanager


# Why a library of Python is not asked cases with a flag, where its adapter has no reason of its own.
REASONS = {
    "batched": "its tensors have no batch dimensions", "claim": "its constructor takes no claim about order",
    "coo-nd": "its COO is a matrix", "declared": "its constructor takes no declared type of which it could find another",
    "hybrid": "its elements are numbers, and no arrays",
    "huge-array": "it copies arrays first, and a copy of this one has no room in memory",
    "huge-size": "it takes memory by the size of the matrix", "large-size": "it takes memory by the size of the matrix",
    "indices-not-2d": "it takes an array for each dimension: the adapter would have to take this one apart",
    "keepdim": "its sums have no such option", "negative-shape": "NumPy makes no array with a negative size",
    "negative-stride": "the adapter copies arrays into those of the library", "not-2d": "its tensors are matrices",
    "out-of-storage": "NumPy makes no array that leaves its storage", "sizeless": "its constructor wants a size",
    "sparse-dim-0": "its COO has at least one dimension",
    "strided": "the adapter copies arrays into those of the library",
    "strided-indices": "the adapter copies arrays into those of the library",
}


def with_reasons(manifest):
    """With a reason for each flag: its own, or the one that libraries share."""
    return {**manifest, "because": {**REASONS, **manifest.get("because", {})}}


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


def spelled(question, otherwise, ways):
    """The function for the spelling that the question asks. ways: from an operation and a spelling to one."""
    return ways[question["operation"], question["spelling"]] if "spelling" in question else otherwise


def with_spellings(operations, ways):
    """Entries of a manifest, with the spellings that there are."""
    found = {}
    for operation, spelling in ways:
        found.setdefault(operation, []).append(spelling)
    return {name: {**entry, "spellings": found[name]} if name in found else entry for name, entry in operations.items()}


def of_one(construct, function):
    """An operation on one matrix: function(matrix, arguments, question)."""
    def ask(question):
        matrix = construct(question)
        with asking("use"):
            return function(matrix, question["arguments"], question)
    return ask


def of_two(construct, function):
    """One on two, or on one with itself."""
    def ask(question):
        matrix = construct(question)
        other = question["arguments"].get("other")
        second = construct({**question, "other": other}, "other") if other else matrix
        with asking("use"):
            return function(matrix, second)
    return ask


def serve(name, version, manifest, operations, fork=True):
    """operations: from the name of an operation to a function of the question. What it returns is
    the result, if the operation has one: {"dense": ...} or {"tensor": ..., "claims": ...}. It raises
    Rejected, best by way of asking(), or Unsupported. Answers go to the real standard output only:
    what a library prints there would break the protocol.

    The questions are answered by a forked process, so that a crash does not cost loading the library
    again. fork=False is for libraries that cannot be forked once they are loaded."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    hello = {"ready": True, "name": name, "version": version, "manifest": with_reasons(manifest)}
    if not fork:
        return answer_all(answers, hello, operations)
    while True:
        worker = os.fork()
        if worker == 0:
            answer_all(answers, hello, operations)
            answers.flush()
            os._exit(0)
        died = os.waitstatus_to_exitcode(os.waitpid(worker, 0)[1])
        if died == 0:
            return None
        print(json.dumps({"died": died}), file=answers, flush=True)


def answer_all(answers, hello, operations):
    try:
        for line in sys.stdin:
            question = json.loads(line)
            if question["cmd"] == "stop":
                return
            if question["cmd"] == "start":
                answer = hello
            else:
                answer = {"id": question["id"], **answer_to(question, operations)}
            print(json.dumps(answer), file=answers, flush=True)
    except Exception:  # a fault of the adapter: no answer, and the driver hears of it
        traceback.print_exc()
        os._exit(1)


def answer_to(question, operations):
    try:
        result = operations[question["operation"]](question)
    except Rejected as error:
        rules = {"rules": error.rules} if error.rules else {}
        return {"verdict": "reject", "phase": error.phase, "message": str(error), **rules}
    except Unsupported as error:
        return {"verdict": "unsupported", "message": str(error)}
    return {"verdict": "accept", **({"result": result} if result else {})}


# What these give may be, or share, the operand. The others give something new.
SHARING = ("convert", "transpose", "permute", "select", "narrow", "coalesce", "sum_duplicates", "sort_indices", "eliminate_zeros", "cast", "triangle")
# These have no operand that could be asked twice.
NEVER_AGAIN = ("check", "use", "from_dense", "read", "chain", "vjp")


def with_again(operations):
    """Entries of a manifest, each with the spelling `again`: see answering()."""
    return {name: entry if name in NEVER_AGAIN else {**entry, "spellings": [*entry.get("spellings", ()), "again"]}
            for name, entry in operations.items()}


def answering(operations, result_of, construct=None, spoil=None):
    """For serve(), of functions that give what the library keeps: result_of makes a result of it. With
    `chain`: each step gets what the last one gave as `live`, and takes it for its first operand.
    With construct, the spelling `again`: the operand is made once and asked twice, and the second result
    counts. In between, spoil overwrites the first result where it is a new object."""
    def chain(question):
        for step in question["arguments"]["steps"]:
            question = {**question, **step, "live": operations[step["operation"]]({**question, **step})}
        return question["live"]

    def again(question, function):
        live = construct(question)
        first = function({**question, "live": live})
        if spoil and question["operation"] not in SHARING and first is not live:
            spoil(first)
        return function({**question, "live": live})

    def told(function):
        def ask(question):
            if question.get("spelling") == "again":
                question = {key: value for key, value in question.items() if key != "spelling"}
                found = again(question, function)
            else:
                found = function(question)
            with asking("use"):
                return result_of(found)
        return ask
    return {name: told(function) for name, function in {**operations, "chain": chain}.items()}


def attempt(*actions):
    """Each of them, whatever the others raise; then the first rejection of one, if any."""
    rejections = []
    for action in actions:
        try:
            with asking("use"):
                action()
        except Rejected as error:
            rejections.append(error)
    if rejections:
        raise rejections[0]
