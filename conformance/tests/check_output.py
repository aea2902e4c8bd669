#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_output.py SPW CASES.jsonl

Every case against case.schema.json, and every line that `spw check --json` prints about their
tensors (each level, all violations and the first alone, and some malformed files) against
spec/check-output.schema.json. Exit code 1 when something does not fit. Needs jsonschema-rs."""
import json
import os
import subprocess
import sys
from collections import Counter

import jsonschema_rs

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from cases.generate import tensors_of  # noqa: E402

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OPTIONS = ([], ["--first"], ["--level", "shape"], ["--level", "structure"])
MALFORMED = ("", "{", "[]", "\u0000", '{"spw": 2}', '{"spw": 1, "spw": 1}',
             '{"spw": 1, "layout": "dia"}',
             '{"spw": 1, "layout": "csr", "values": {"dtype": "int9", "shape": [1], "data": [1]}}')
MALFORMED_EXIT = 3


def validator(*path):
    with open(os.path.join(TOP, *path), encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema_rs.meta.validate(schema)
    return jsonschema_rs.Draft7Validator(schema)


def misfit(schema, item):
    """The first thing wrong, or None."""
    error = next(schema.iter_errors(item), None)
    return error and f"{'/'.join(map(str, error.instance_path))}: {error.message[:200]}"


def spw_lines(spw, options, text):
    done = subprocess.run([spw, "check", "--json", *options, "-"], input=text, text=True,
                          stdout=subprocess.PIPE, check=False)
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


def problems_of_cases(cases):
    for kind, items in ((validator("schemas", "case.schema.json"), ((case["id"], case) for case in cases)),
                        (validator("..", "spec", "tensor.schema.json"), distinct_tensors(cases).items())):
        for name, item in items:
            wrong = misfit(kind, item)
            if wrong:
                yield f"{name[:200]}: {wrong}"


def distinct_tensors(cases):
    """By their text: many operations are asked of the same tensor, which need not be looked at again."""
    return {json.dumps(tensor): tensor for case in cases for tensor in tensors_of(case)}


def problems_of_lines(schema, name, lines):
    for number, line in enumerate(lines, 1):
        wrong = misfit(schema, line)
        if wrong:
            yield f"spw check {name}, tensor {number}: {wrong}"


def problems_of_output(spw, cases, counts):
    schema = validator("..", "spec", "check-output.schema.json")
    tensors = list(distinct_tensors(cases))
    text = "".join(tensor + "\n" for tensor in tensors)
    for options in OPTIONS:
        name = " ".join(options) or "--all"
        _, lines = spw_lines(spw, options, text)
        counts["lines"] += len(lines)
        if len(lines) != len(tensors):
            yield f"spw check {name}: {len(lines)} lines about {len(tensors)} tensors"
        yield from problems_of_lines(schema, name, lines)
    for text in MALFORMED:
        code, lines = spw_lines(spw, [], text)
        counts["malformed"] += len(lines)
        if code != MALFORMED_EXIT or [line["verdict"] for line in lines] != ["malformed"]:
            yield f"spw check of {text!r}: exit code {code}, {lines}"
        yield from problems_of_lines(schema, repr(text), lines)


def main(spw, path):
    with open(path, encoding="utf-8") as file:
        cases = [json.loads(line) for line in file]
    counts = Counter(cases=len(cases))
    problems = [*problems_of_cases(cases), *problems_of_output(spw, cases, counts)]
    print(f"schemas: {counts['cases']} cases, {counts['lines']} lines of spw check --json,"
          f" {counts['malformed']} of malformed files: {len(problems)} problems")
    print("".join(f"  {problem}\n" for problem in problems[:20]), end="")
    return 1 if problems or not cases else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
