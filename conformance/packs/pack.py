# SPDX-License-Identifier: Apache-2.0
"""A pack: the cases as files that need neither driver nor adapter, with all that they rest on, and the hashes of it all."""
import base64
import gzip
import hashlib
import json
import os
import subprocess
from pathlib import Path

from cases import store
from judging.rules import phase
from schemas.vocabulary import SUITE, TABLE as VOCABULARY

TOP = Path(__file__).resolve().parents[1]


def beside(name, at_home):
    """What lies in the suite where it is installed, and elsewhere in the repository."""
    return next(path for path in (TOP / name, TOP.parent / at_home) if path.exists())


COPIED = {"LICENSE": beside("LICENSE", "LICENSE"), "tensor.schema.json": beside("tensor.schema.json", "spec/tensor.schema.json"),
          "README.md": "packs/README.md", "use_pack.py": "packs/use_pack.py", "use_pack.c": "packs/use_pack.c",
          "case.schema.json": "schemas/case.schema.json", "vocabulary.json": "schemas/vocabulary.json"}
SAYS = {"rules.json": "rules", "semantics.json": "semantics"}


def texts(topic):
    """The texts of the rules, or of the statements of what operations give, as the command SPW has them."""
    lines = subprocess.run([os.environ.get("SPW", "spw"), "list", topic, "--json"], stdout=subprocess.PIPE, check=True).stdout
    return [json.loads(line) for line in lines.splitlines()]


def tier(case):
    """required: nothing that a library may be unable to express, or may define otherwise."""
    rules = case["expect"].get("rules", ())
    return "optional" if case["flags"] or (rules and all(phase(rule) == "canonical" for rule in rules)) else "required"


def described(case, formulas, asks):
    """The case with its tier, a comment and a source: where its truth stands."""
    rules = case["expect"].get("rules", ())
    if case["operation"] != "check":
        comment, source = asks[case["operation"]], f"vocabulary.json: {case['operation']}"
    elif rules:
        comment, source = "violates " + "; ".join(f"{rule}: {formulas[rule]}" for rule in rules), f"rules.json: {', '.join(rules)}"
    else:
        comment, source = "a valid tensor, which must be accepted", "rules.json"
    return {**case, "tier": tier(case), "comment": case.get("comment", comment), "source": case.get("source", source)}


def lines_of(cases):
    """By operation, compressed; equal cases give equal bytes."""
    by_operation = {}
    for case in cases:
        by_operation.setdefault(case["operation"], []).append(json.dumps(case) + "\n")
    return {f"cases/{operation}.jsonl.gz": gzip.compress("".join(lines).encode(), mtime=0) for operation, lines in by_operation.items()}


def export(folder):
    """Raises OSError: a folder that is there and not empty is left as it is."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise FileExistsError(f"{folder} is not empty")
    files = {name: (TOP / source).read_bytes() for name, source in COPIED.items()}
    said = {name: texts(topic) for name, topic in SAYS.items()}
    files |= {name: (json.dumps(entries, indent=1) + "\n").encode() for name, entries in said.items()}
    formulas = {rule["rule"]: rule["formula"] for rule in said["rules.json"]}
    asks = {operation["name"]: operation["asks"] for operation in VOCABULARY["operations"]}
    cases = [described(case, formulas, asks) for case in store.kept().cases()]
    files |= lines_of(cases)
    for case in cases:
        if "file" in case:
            name = f"files/{case['id'].replace('/', '-')}.{case['file']['format']}"
            files[name] = base64.b64decode(case["file"]["base64"])
    for name, content in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)
    pack = {"suite": SUITE, "cases": len(cases), "required": sum(case["tier"] == "required" for case in cases), "license": "Apache-2.0",
            "sha256": {name: hashlib.sha256(content).hexdigest() for name, content in sorted(files.items())}}
    (folder / "pack.json").write_text(json.dumps(pack, indent=1) + "\n", encoding="utf-8")
    return pack
