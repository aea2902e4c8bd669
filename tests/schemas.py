#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""schemas.py [SPW]: validates the JSON files of examples/ and what `spw check --json` says about them and
about malformed and invalid input against the schemas of spec/. SPW is build/spw unless named."""
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TYPES = {"null": type(None), "boolean": bool, "integer": int, "number": (int, float), "string": str,
         "array": list, "object": dict}
DENSE = ('{"spw": 1, "layout": "dense", "values": {"dtype": "int8", "shape": [], "data": [7]}}',
         '{"spw": 1, "layout": "dense", "size": [2, 1], "dtype": "float32", "values": {"dtype": "float32", "shape": [2, 1], "length": 2, "fill": 0.5}}')
TEXTS = {"$schema", "title", "description", "definitions"}


class Schema:
    """As much of JSON Schema, draft 7, as the files of spec/ use; another keyword is an error."""

    def __init__(self, path):
        self.root = json.loads(path.read_text())

    def allows(self, value, schema=None):
        schema = self.root if schema is None else schema
        if isinstance(schema, bool):
            return schema
        if "$ref" in schema:
            return self.allows(value, self.root["definitions"][schema["$ref"].removeprefix("#/definitions/")])
        return all(self.keyword(name, wanted, value, schema) for name, wanted in schema.items() if name not in TEXTS)

    def keyword(self, name, wanted, value, schema):
        if name in ("then", "else"):
            return True
        if name == "if":
            return self.allows(value, schema.get("then" if self.allows(value, wanted) else "else", True))
        if name in ("oneOf", "anyOf", "allOf"):
            count = sum(self.allows(value, one) for one in wanted)
            return {"oneOf": count == 1, "anyOf": count > 0, "allOf": count == len(wanted)}[name]
        if name == "type":
            return isinstance(value, TYPES[wanted]) and (wanted == "boolean" or not isinstance(value, bool))
        if name in ("enum", "const"):
            return any(same(value, one) for one in (wanted if name == "enum" else [wanted]))
        if name in ("minimum", "maximum"):
            return not is_number(value) or (value >= wanted if name == "minimum" else value <= wanted)
        if name in ("minLength", "pattern"):
            if not isinstance(value, str):
                return True
            return len(value) >= wanted if name == "minLength" else re.search(wanted, value) is not None
        if name in ("items", "minItems", "maxItems", "uniqueItems"):
            return not isinstance(value, list) or self.list_keyword(name, wanted, value)
        if name in ("properties", "required", "additionalProperties"):
            return not isinstance(value, dict) or self.object_keyword(name, wanted, value, schema)
        raise ValueError(f"keyword {name} is not implemented here")

    def list_keyword(self, name, wanted, value):
        if name == "items":
            return all(self.allows(one, wanted) for one in value)
        if name == "uniqueItems":
            return len({json.dumps(one) for one in value}) == len(value)
        return len(value) >= wanted if name == "minItems" else len(value) <= wanted

    def object_keyword(self, name, wanted, value, schema):
        if name == "required":
            return set(wanted) <= set(value)
        if name == "properties":
            return all(self.allows(value[key], one) for key, one in wanted.items() if key in value)
        others = [one for key, one in value.items() if key not in schema.get("properties", {})]
        return all(self.allows(one, wanted) for one in others)


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def same(a, b):
    return a == b and isinstance(a, bool) == isinstance(b, bool)


def json_lines(text):
    return [json.loads(line) for line in text.splitlines()]


def changed(tensor, key, value):
    return json.dumps({**tensor, key: value})


def reports_of(spw, text):
    """What spw says about a file of several tensors that comes from standard input."""
    done = subprocess.run([spw, "check", "--json", "-"], input=text, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 3):
        sys.exit(f"spw check: exit status {done.returncode}: {done.stderr}")
    return json_lines(done.stdout)


def main():
    spw = ROOT / (sys.argv[1] if sys.argv[1:] else "build/spw")
    tensor_schema = Schema(ROOT / "spec/tensor.schema.json")
    report_schema = Schema(ROOT / "spec/check-output.schema.json")
    tensors = [json.loads(path.read_text()) for path in sorted(ROOT.glob("examples/*.spw.json"))]
    for path in sorted(ROOT.glob("examples/*.spw.jsonl")):
        tensors += json_lines(path.read_text())
    tensors += [json.loads(text) for text in DENSE]
    problems, reports = [], []
    for tensor in tensors:
        if not tensor_schema.allows(tensor):
            problems.append(f"an example is not what tensor.schema.json describes: {tensor}")
        wrong = [] if tensor["layout"] != "dense" else [changed(tensor, "index_dtype", "int64"), changed(tensor, "coalesced", True)]
        wrong += [changed(tensor, "layout", "dia"), changed(tensor, "unheard", 0), changed(tensor, "values", 1)]
        problems += [f"tensor.schema.json allows {text}" for text in wrong if tensor_schema.allows(json.loads(text))]
        right = [json.dumps(tensor), changed(tensor, "size", [-1]), changed(tensor, "dtype", "int8")]
        for text in right + wrong + [changed(tensor, "size", [2**63]), "{"]:
            reports += reports_of(spw, text)
    for report in reports:
        if not report_schema.allows(report):
            problems.append(f"a report is not what check-output.schema.json describes: {report}")
        for key in report:
            if report_schema.allows({k: v for k, v in report.items() if k != key}):
                problems.append(f"check-output.schema.json does not demand {key}")
    verdicts = {report["verdict"] for report in reports}
    if problems or verdicts != {"valid", "invalid", "malformed"}:
        sys.exit("\n".join(problems + [f"schemas: {len(problems)} problems, verdicts {sorted(verdicts)}"]))
    print(f"schemas: {len(tensors)} examples and {len(reports)} reports are what they describe")


if __name__ == "__main__":
    main()
