#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""hostile_adapter.py FAULT: adapters that mean harm, for hostile_test.py: none may cost the driver more time or memory
than its limits, spoil a report, or have an answer called right that is none."""
import base64
import json
import os
import subprocess
import sys
import time

FAULT = sys.argv[1]
ALL = {"layouts": ["csr", "coo"], "dtypes": ["float64"]}
MANIFEST = {"operations": {"check": ALL, "use": ALL, "to_dense": ALL, "convert": {**ALL, "to": {"csr": ["coo"], "coo": ["coo"]}}},
            "index_dtypes": ["int64"], "lacks": [], "names_rules": "some"}
ESCAPES = "\x1b]0;owned\x07\x1b[2J\x00\x85\u2028\u202egnp.\u2066DATA</script><b> # SKIP ]]>\ud800\r\nok 1 - all | `x`\n"
HUGE = 10**4000
LONG = 3 << 20


def dense(data):
    return {"dense": {"dtype": "float64", "shape": [2, 3], "data": data}}


def coo(indices, values):
    """indices and values: members without their types."""
    return {"tensor": {"spw": 1, "layout": "coo", "size": [2, 3], "indices": {"dtype": "int64", **indices},
                       "values": {"dtype": "float64", **values}}}


def honest(operation):
    """What is right of the cases of hostile_test.py: the tensor has 1 at (0, 1) and 2 at (1, 2)."""
    if operation == "to_dense":
        return dense([0, 1, 0, 0, 0, 2])
    return coo({"shape": [2, 2], "data": [0, 1, 1, 2]}, {"shape": [2], "data": [1, 2]})


def strided(count):
    """A few bytes that say so many elements."""
    return coo({"shape": [2, count], "strides": [0, 0], "length": 1, "fill": 0},
               {"shape": [count], "strides": [0], "length": 1, "fill": 0})


RESULTS = {
    "strides-of-a-million": lambda: strided(10**6),
    "strides-of-a-milliard": lambda: strided(10**9),
    "strides-of-more-than-there-is": lambda: strided(10**18),
    "values-of-a-milliard": lambda: coo({"shape": [2, 1], "data": [0, 0]},
                                        {"shape": [1, 10**9], "strides": [0, 0], "length": 1, "fill": 0}),
    "huge-shape": lambda: coo({"shape": [2, HUGE], "data": []}, {"shape": [HUGE], "data": []}),
    "huge-index": lambda: coo({"shape": [2, 1], "data": [HUGE, 0]}, {"shape": [1], "data": [1]}),
    "huge-number": lambda: coo({"shape": [2, 1], "data": [0, 1]}, {"shape": [1], "data": [HUGE]}),
    "many-dimensions": lambda: coo({"shape": [2] + [1] * 10**5, "data": [0, 0]}, {"shape": [1] * 10**5, "data": [1]}),
    "lying-lengths": lambda: coo({"shape": [2, 3], "data": [0, 0]}, {"shape": [9], "data": [1]}),
    "data-that-is-none": lambda: coo({"shape": [2, 1], "data": 5}, {"shape": [1], "data": {"0": 1}}),
    "long-data": lambda: coo({"shape": [2, 1], "data": [0] * (LONG // 3)}, {"shape": [1], "data": [1]}),
    "gigantic-base64": lambda: coo({"shape": [2, 1], "data": [0, 1]}, {"shape": [1], "data": [
        base64.b64encode(bytes(LONG // 4 * 3)).decode()]}),
    "hexadecimal-number": lambda: coo({"shape": [2, 1], "data": [0, 1]}, {"shape": [1], "data": ["0x1" + "f" * LONG]}),
    "strange-key": lambda: {"tensor": {**honest("")["tensor"], ESCAPES.replace("\x00", "").replace("\ud800", ""): [[]] * 9}},
    "nan-for-a-number": lambda: coo({"shape": [2, 2], "data": [0, 1, 1, 2]}, {"shape": [2], "data": [float("nan"), 2]}),
    "each-element-twice": lambda: coo({"shape": [2, 4], "data": [0, 0, 1, 1, 1, 1, 2, 2]}, {"shape": [4], "data": [1, 0, 2, 0]}),
    "zero-at-the-origin": lambda: coo({"shape": [2, 3], "data": [0, 0, 1, 0, 1, 2]}, {"shape": [3], "data": [0, 1, 2]}),
    "zeros-everywhere": lambda: coo({"shape": [2, 6], "data": [0, 0, 0, 1, 1, 1, 0, 1, 2, 0, 1, 2]},
                                    {"shape": [6], "data": [0, 1, 0, 0, 0, 2]}),
}
DEEP = {"nested-below-the-limit": 900, "nested-beyond-it": 10**5}


def answer_to(question):
    """The line to write, without its end."""
    name, operation = question["id"], question["operation"]
    if operation in ("check", "use"):
        said = {"id": name, "verdict": "accept"}
    else:
        said = {"id": name, "verdict": "accept", "result": honest(operation)}
    if FAULT in RESULTS:
        said["result"] = dense([7] * 6) if operation == "to_dense" else RESULTS[FAULT]()
    if FAULT in DEEP:
        return f'{{"id": {"[" * DEEP[FAULT]}{"]" * DEEP[FAULT]}, "verdict": "accept"}}'
    if FAULT == "answers-another-case":
        said["id"] = "csr/valid/other"
    if FAULT == "a-key-twice":
        return '{"id": "another", ' + json.dumps(said)[1:]
    if FAULT == "long-message":
        return json.dumps({"id": name, "verdict": "reject", "message": ESCAPES * (LONG // len(ESCAPES) // 6)})
    if FAULT == "long-rules":
        return json.dumps({"id": name, "verdict": "reject", "rules": ["5.1" * 9] * (LONG // 40), "phase": ["x"] * 9})
    if FAULT == "speaks-in-escapes":
        return json.dumps({"id": name, "verdict": "reject", "message": ESCAPES, "rules": [ESCAPES]})
    if FAULT == "answers-in-escapes":
        said["result"] = dense([ESCAPES] * 6) if operation == "to_dense" else coo(
            {"shape": [2, 1], "data": [0, ESCAPES]}, {"shape": [1], "data": [ESCAPES]})
        said["message"] = ESCAPES
    if FAULT == "line-without-end":
        return "x" * (6 << 20)
    return json.dumps(said)


def misbehave(name):
    """Before it answers."""
    if FAULT in ("progress-bar", "progress-bar-and-death"):
        sys.stderr.write("\r[=====>     ] malloc:1:2" * (LONG // 24))
        sys.stderr.flush()
        if FAULT == "progress-bar-and-death":
            os.abort()
    if FAULT == "floods-stderr":
        while True:
            os.write(2, b"x" * (1 << 20))
    if FAULT == "never-answers":
        time.sleep(600)
    if FAULT == "answers-byte-by-byte":
        while True:
            os.write(1, b" ")
            time.sleep(0.001)
    if FAULT == "closes-its-output":
        os.close(1)
        time.sleep(600)
    if FAULT == "leaves-a-child":  # in a session of its own, with all pipes open
        subprocess.Popen(["sleep", "600"], stdin=0, stdout=1, stderr=2, start_new_session=True)
        os._exit(0)
    if FAULT == "hoards-in-a-grandchild" and os.fork() == 0:
        if os.fork() == 0:
            hoard = [b"x" * (16 << 20) + str(k).encode() for k in range(40)]
            time.sleep(600 + len(hoard))
        time.sleep(600)
    if FAULT == "hoards-in-a-grandchild":
        time.sleep(600)
    if FAULT == "plants-links":
        link = os.path.join(os.environ["TMPDIR"], "link-" + name.replace("/", "-"))
        os.symlink(os.environ["VICTIM"], link)
        os.mkdir(link + "-closed")
        os.chmod(link + "-closed", 0)


def end():
    """After it is told to stop."""
    if FAULT == "never-stops-talking":
        while True:
            os.write(1, b" ")
            time.sleep(0.001)


def main():
    hello = {"ready": True, "name": FAULT, "version": "0", "manifest": MANIFEST}
    if FAULT == "speaks-in-escapes":
        hello.update(name=ESCAPES, version=ESCAPES)
    if FAULT == "long-name":
        hello.update(name="x" * LONG, version=["y"] * 9)
    if FAULT == "long-manifest":
        hello["manifest"] = {**MANIFEST, "lacks": ["batched"] * (LONG // 12)}
    for line in sys.stdin:
        question = json.loads(line)
        if question["cmd"] == "stop":
            return end()
        if question["cmd"] == "start":
            print(json.dumps(hello), flush=True)
            continue
        misbehave(question["id"])
        text = answer_to(question)
        print(text + ("\n" + text) * (FAULT == "answers-twice"), flush=True)
    return None


if __name__ == "__main__":
    main()
