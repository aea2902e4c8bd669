# SPDX-License-Identifier: Apache-2.0
"""One library under test: its adapter, started again when it has to be, asked case after case."""
import json
import os
import re
import sys
import tempfile

from judging import judge
from cases import retype
from harness.child import Broken, Child, end_strays
from judging.judge import PROTOCOL
from reports import clean
from schemas.vocabulary import OPERATIONS

# A library that breaks this often without one answer in between is given up. To break is easy to
# understand where the tensor is invalid and time is not lost: it counts a tenth.
PATIENCE = 40
LONGEST_NAME = 200
# A sanitizer ends the program where an allocation fails, which a library may well survive: the
# adapter without the sanitizer is the one to judge that.
REFUSED_ALLOCATION = re.compile("requested allocation size|out of memory|out-of-memory")
# How bad an outcome is, where the same question got two.
WORST = ("sanitizer", "crash", "timeout", "protocol", "refused", "wrong result", "too lax", "too strict",
         "wrong rule", "unsupported", "right")


class GivenUp(Exception):
    """There is no point in asking this adapter any more."""

    def __init__(self, why):
        super().__init__(clean.line(why))


def guards_of(manifest):
    """Where an adapter can put a wall beside an array."""
    return manifest.get("guards") or ["after"]


class Library:
    def __init__(self, profile, log_path, options):
        self.profile, self.log_path, self.options = profile, log_path, options
        self.child = self.manifest = None
        self.name, self.version = profile["library"], "?"
        self.broken_in_a_row = self.questions = 0
        self.last = None  # the question that was answered last, by the child that is still alive
        self.written = (None, "", "")  # the case that was asked last, as it is written
        self.guilty = {}  # cases that were found later to have broken memory
        self.unexplained = []  # deaths and breaches of a question that was answered when it was asked again, and for which no other is to blame
        self.folder = tempfile.TemporaryDirectory(prefix="conformance-", ignore_cleanup_errors=True)  # files of an adapter, which may die before it can remove them
        self.late = set()  # ids of questions whose answers may still come: a death was told in their place

    def start(self):
        try:
            environment = {**os.environ, "TMPDIR": self.folder.name, **self.profile.get("environment", {})}
            self.child = Child(self.profile["adapter"], self.log_path, self.options.memory,
                               environment)
            hello = self.child.ask({"cmd": "start", "protocol": PROTOCOL},
                                   self.options.start_timeout)
        except (OSError, Broken) as error:
            raise GivenUp(f"did not start: {error}") from None
        problem = judge.problem_of_hello(hello)
        if problem:
            raise GivenUp(f"did not start: {problem}")
        known, self.name, self.version = (self.name, self.version), *(clean.line(hello.get(key), LONGEST_NAME) for key in ("name", "version"))
        if self.manifest is not None and (self.name, self.version, hello["manifest"]) != (*known, self.manifest):
            self.name, self.version = known
            raise GivenUp("when it was started again, it was another library or had another manifest")
        self.manifest = hello["manifest"]

    def run(self, case):
        """One result. A sparse one that looks right has still to be judged: "unjudged"."""
        asked = retype.for_manifest(self.manifest, case)
        found = self.run_in_type(asked)
        if asked is not case and found["outcome"] != "unsupported":
            found["dtype"] = (asked["tensor"]["values"] if "tensor" in asked else asked["dense"])["dtype"]
        return found

    def run_in_type(self, case):
        readings = judge.readings_for(case, self.profile)
        if not judge.covers(self.manifest, case) or not judge.is_promised(case, readings):
            return self.result(case, "unsupported")
        found = [self.asked(case, guard) for guard in self.guards(case)]
        worst = min(found, key=lambda result: WORST.index(result["outcome"]))
        accepted = [result for result in found if result.get("verdict") == "accept"]
        if case["expect"]["verdict"] == "invalid" and accepted and worst["outcome"] in (
                "too lax", "right"):
            return self.used(case, worst if worst in accepted else accepted[0])
        return worst

    def give_up_if_hopeless(self):
        if self.broken_in_a_row >= PATIENCE:
            raise GivenUp("broke again and again, without one answer in between")

    def guards(self, case):
        """Validators of invalid tensors are asked twice: arrays before and behind the wall."""
        able = guards_of(self.manifest)
        if "rules" in case["expect"] and case["operation"] == "check":
            return able
        return ["after"] if "after" in able else able[:1]  # most read too far, not too early

    def was_refused_memory(self, error):
        """By a sanitizer, which the library without one is not."""
        return self.profile.get("twin") and REFUSED_ALLOCATION.search(str(error))

    def asked(self, case, guard):
        try:
            answer = self.ask(case, case["operation"], guard)
        except Broken as error:
            if self.was_refused_memory(error):
                return self.result(case, "unsupported", message=str(error))
            return self.result(case, error.outcome, message=f"{error} (guard {guard})")
        outcome, why = judge.outcome_of_verdict(case, answer, self.manifest,
                                               judge.readings_for(case, self.profile))
        said = {key: answer[key] for key in ("verdict", "phase", "rules") if key in answer}
        if answer["verdict"] == "accept" and OPERATIONS[case["operation"]].result:
            large = judge.too_much(case, answer["result"])
            if large:
                return self.result(case, "wrong result" if outcome == "right" else outcome, message=large, **said)
            said.update(result=answer["result"], length=answer["length"], **({"unjudged": True} if outcome == "right" else {}))
        return self.result(case, outcome, message=why, **said)

    def used(self, case, accepted):
        """What becomes of an invalid tensor that was accepted."""
        if "tensor" not in case or not judge.covers_operation(self.manifest, case, "use"):
            return accepted
        really = False
        for guard in guards_of(self.manifest):
            try:
                really |= self.ask(case, "use", guard)["verdict"] != "unsupported"
            except Broken as error:
                if error.outcome == "protocol":
                    return self.result(case, "protocol", verdict="accept", message=f"{error} (use, guard {guard})")
                if self.was_refused_memory(error):
                    continue
                kind = "out of bounds" if error.memory else "crash"
                return self.result(case, f"too lax ({kind})", verdict="accept", phase="use",
                                   message=f"{error} (guard {guard})")
        if accepted["outcome"] == "too lax" and really:
            return {**accepted, "outcome": "too lax (survived)"}
        return accepted

    def ask(self, case, operation, guard):
        """An answer that has the right form. What dies of a question may die of an earlier one, which
        left memory broken behind: only a question that breaks a fresh child is to blame. Nor is an adapter
        to blame for a breach that happens neither in a fresh child nor behind the same question again: a
        library wrote over the answer, here and not there."""
        earlier, question = self.last, (case, operation, guard)
        try:
            return self.ask_once(*question)
        except Broken as error:
            breach = error.outcome == "protocol"
            if not breach and (earlier is None or error.outcome not in ("crash", "sanitizer")):
                raise
            answer = self.ask_once(*question)
            again = self.together(earlier, question) if earlier else None
            if breach and again and again.outcome == "protocol":
                raise error
            if not breach and again and again.outcome in ("crash", "sanitizer") and not again.ended:
                self.guilty[earlier[0]["id"]] = clean.line(f"the next question died: {error}")
            elif not error.ended:
                self.unexplained.append(clean.line(f"{case['id']}: {error}"))
            return answer

    def together(self, earlier, question):
        """How the question breaks a fresh child that has answered the earlier one; None if it does not."""
        self.renew()
        try:
            self.ask_once(*earlier)
        except Broken:  # for a reason of its own: that says nothing of this question
            self.renew()
            return None
        try:
            self.ask_once(*question)
        except Broken as error:
            return error
        finally:
            self.renew()
        return None

    def ask_once(self, case, operation, guard):
        if not self.child:
            self.start()
        question = {"cmd": "run", "id": self.id_of(case), "operation": operation, "guard": guard}
        self.questions += 1
        try:
            answer = self.child.ask(question, self.limit(), self.line_of(question, case))
            while isinstance(answer.get("id"), str) and answer["id"] in self.late:
                self.late.remove(answer["id"])
                answer = self.child.answer(question, self.limit())
            problem = judge.problem_of_answer(answer, question["id"], operation)
            if problem:
                raise Broken("protocol", problem)
        except Broken as error:
            self.last = None
            if error.alive:
                self.late.add(question["id"])
            else:
                self.renew()
            understandable = case["expect"]["verdict"] == "invalid" and error.outcome != "timeout"
            self.broken_in_a_row += 0.1 if understandable else 1
            raise
        self.broken_in_a_row = 0
        self.last = (case, operation, guard)
        return {**answer, "length": self.child.length}

    def id_of(self, case):
        """The case's, and where the answer to an earlier question of that id may still come, another."""
        name, again = case["id"], 1
        while name in self.late:
            again += 1
            name = f"{case['id']} ({again})"
        return name

    def line_of(self, question, case):
        """The question with its operands. A case is asked several times, and written once."""
        if self.written[0] is not case:
            operands = {key: case[key] for key in ("tensor", "dense", "file", "spelling") if key in case}
            self.written = (case, json.dumps(operands)[1:-1], json.dumps(case.get("arguments", {})))
        _, operands, arguments = self.written
        head = json.dumps({**question, "arguments": {}})[:-len("{}}")]
        end = "{}" if question["operation"] == "use" else arguments
        return f"{head}{end}{', ' * bool(operands)}{operands}}}\n".encode()

    def renew(self):
        """The next question is asked of a fresh child."""
        self.last = None
        self.late.clear()
        if self.child:
            self.child.kill()
        self.child = None

    @staticmethod
    def result(case, outcome, **said):
        rule = case["expect"].get("rules", ["valid"])[0]
        found = {"id": case["id"], "group": case["group"], "rule": rule, "outcome": outcome, **said}
        found["message"] = clean.line(found.get("message", ""))
        return found

    def stop(self):
        """What was wrong about its end, or "". It has as long as for an answer."""
        problem = clean.line(self.child.stop(self.limit())) if self.child else ""
        self.child = None
        end_strays("TMPDIR=" + self.folder.name)
        self.folder.cleanup()
        return problem

    def limit(self):
        return max(self.options.timeout, self.profile.get("seconds", 0))


def command_of(profile, path, peers):
    """The adapter's command with its variables filled in: $PEER is the folder of the peer,
    $ADAPTERS that of the adapters that are built."""
    here = os.path.dirname(os.path.abspath(path))
    peer = os.path.join(os.path.abspath(peers), profile["library"])
    programs = os.environ.get("SPW_ADAPTERS") or os.path.join(os.path.dirname(os.path.abspath(peers)), "adapters")
    words = [word.replace("$PEER", peer).replace("$ADAPTERS", programs)
             for word in profile["adapter"]]
    program = os.path.normpath(os.path.join(here, words[0])) if "/" in words[0] else words[0]
    own = os.path.join(peer, "bin", "python")
    python = [own if os.path.exists(own) else sys.executable] if program.endswith(".py") else []
    return [*python, program, *words[1:]]
