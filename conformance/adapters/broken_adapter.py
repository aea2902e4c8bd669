#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""broken_adapter.py FAULT: wrong adapters, for selftest.py to see the driver notice."""
import json
import math
import os
import signal
import sys
import time

MANIFEST = {"operations": {"check": {"layouts": ["csr"], "dtypes": ["float32"]}},
            "index_dtypes": ["int32"], "lacks": ["batched"], "names_rules": "none"}


def start(fault):
    if fault == "dies-at-start":
        sys.exit(3)
    if fault == "hangs-at-start":
        time.sleep(60)
    if fault == "says-why-it-is-not-ready":
        return {"ready": False, "message": "there is no device"}
    if fault == "says-halves-of-characters-at-start":
        return {"ready": False, "message": "there is no \ud800"}
    manifest = dict(MANIFEST)
    if fault == "names-a-type-of-halves":
        manifest["index_dtypes"] = ["\ud800"]
    if fault in ("writes-nan", "dies-of-every-second"):
        manifest["operations"] = {"to_dense": {"layouts": ["csr"], "dtypes": ["float32"]}}
    if fault == "names-more-than-is-asked":
        manifest["operations"] = {**MANIFEST["operations"], "to_dense": MANIFEST["operations"]["check"]}
    if fault == "supports-nothing":
        manifest["operations"] = {}
    if fault == "bad-manifest":
        del manifest["lacks"]
    if fault == "unknown-flag":
        manifest["lacks"] = ["batches"]
    if fault == "unknown-type":
        manifest["operations"] = {"check": {"layouts": ["csr"], "dtypes": ["float_32"]}}
    if fault == "unknown-index-type":
        manifest["index_dtypes"] = ["int32", "int_64"]
    if fault.endswith("-in-use"):
        manifest["operations"] = {**MANIFEST["operations"], "use": MANIFEST["operations"]["check"]}
    if fault.startswith("names-"):
        manifest["names_rules"] = "all" if fault == "names-one-of-all" else "some"
    protocol = {"protocol": 3} if fault == "another-protocol" else {}
    version = str(os.getpid()) if fault == "starts-again-as-another" else "0"
    return {"ready": fault != "not-ready", **protocol, "name": fault, "version": version, "manifest": manifest}


asked = []  # of this process


def die_of(report):
    print(f"==1==ERROR: AddressSanitizer: {report}", file=sys.stderr, flush=True)
    os._exit(99)


def run(fault, name, operation):
    """Most faults hit only invalid tensors, so that what works can be seen to be counted too."""
    invalid = "valid" not in name
    if fault == "reports-after-its-answer" and "csr/valid/a" in asked:
        die_of("heap-use-after-free on address 0x1")
    if fault == "has-no-memory-in-use" and operation == "use":
        die_of("requested allocation size 0xffffffffff exceeds maximum supported size")
    if operation == "use" and len(asked) >= {"answers-another-in-use": 0, "answers-another-later-in-use": 1,
                                             "answers-another-much-later-in-use": 2}.get(fault, math.inf):
        return json.dumps({"id": "another", "verdict": "accept"})
    asked.append(name)
    if (fault == "crashes" and invalid) or len(asked) == {"dies-of-the-third": 3, "starts-again-as-another": 2,
                                                          "dies-of-every-second": 2}.get(fault):
        os.kill(os.getpid(), signal.SIGSEGV)
    if fault == "exits" and invalid:
        sys.exit(9)
    if fault == "hangs" and invalid:
        time.sleep(60)
    if fault == "hangs-for-a-while":
        time.sleep(3)
    if fault == "speaks-garbage" and invalid:
        return "no JSON at all"
    if fault == "speaks-without-end":
        sys.stdout.write("x" * (1 << 22))
    verdict = {"accepts-all": "accept", "has-no-memory-in-use": "accept", "answers-another-in-use": "accept",
               "answers-another-later-in-use": "accept", "answers-another-much-later-in-use": "accept",
               "rejects-all": "reject", "unsupported-all": "unsupported",
               "invents-a-verdict": "maybe"}.get(fault, "reject" if invalid else "accept")
    answer = {"id": "another" if fault == "wrong-id" else name, "verdict": verdict}
    if fault == "writes-nan":
        dense = {"dtype": "float32", "shape": [2, 3], "data": [math.nan, math.inf, -math.inf, 0, 0, "BEYOND"]}
        return json.dumps({**answer, "verdict": "accept", "result": {"dense": dense}}).replace('"BEYOND"', "-1e999")
    if fault == "dies-of-every-second":
        return json.dumps({**answer, "verdict": "accept", "result": {"dense": {"dtype": "float32", "shape": [2, 3], "data": [0] * 6}}})
    rules = {"names-wrong-rule": ["5.5"], "names-nothing": [], "names-right": ["5.2"],
             "names-one-of-all": ["5.2"]}.get(fault)
    if rules is not None and verdict == "reject":
        answer["rules"] = rules
    if fault == "dies-after-its-answer" and name == "csr/valid/a":
        return json.dumps(answer) + "\n" + json.dumps({"died": -11})
    if fault == "says-halves-of-characters":
        answer["message"] = "\ud800"
    if fault == "hangs-trickles":
        for _ in range(100):
            sys.stdout.write(" ")
            sys.stdout.flush()
            time.sleep(0.04)
    return json.dumps(answer)


def end(fault):
    if fault == "aborts-at-stop":
        os.abort()
    if fault == "exits-with-1-at-stop":
        sys.exit(1)
    if fault == "hangs-at-stop":
        time.sleep(60)
    if fault == "leaks-at-stop":
        print("==1==ERROR: LeakSanitizer: detected memory leaks", file=sys.stderr, flush=True)
    if fault == "dies-in-a-fork-at-stop":
        print(json.dumps({"died": -11}), flush=True)
    if fault == "answers-stop":
        print(json.dumps({"verdict": "accept"}), flush=True)


def main(fault):
    for line in sys.stdin:
        question = json.loads(line)
        if question["cmd"] == "stop":
            return end(fault)
        starting = question["cmd"] == "start"
        print(json.dumps(start(fault)) if starting else run(fault, question["id"], question["operation"]), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
