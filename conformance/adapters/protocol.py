# SPDX-License-Identifier: Apache-2.0
"""The adapter's side of the protocol: serve(name, version, manifest, judge)."""
import json
import os
import sys


def serve(name, version, manifest, judge):
    """judge(tensor) returns (verdict, message) or (verdict, message, rules). Answers go to the
    real standard output only: what a library prints there would break the protocol."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        question = json.loads(line)
        if question["cmd"] == "stop":
            return
        if question["cmd"] == "start":
            answer = {"ready": True, "name": name, "version": version, "manifest": manifest}
        else:
            verdict, message, *rules = judge(question["tensor"])
            answer = {"id": question["id"], "verdict": verdict, "message": message}
            if rules:
                answer["rules"] = rules[0]
        print(json.dumps(answer), file=answers, flush=True)
