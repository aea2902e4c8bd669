#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""vocabulary.py write    writes what is generated from vocabulary.json
vocabulary.py check    is it up to date? Exit code 1 if not

vocabulary.json is the one table of operations, of their arguments and of the flags of cases. An
operation has a name, an `operand` (tensor, dense or file), `arguments` that it needs and `optional`
ones, the forms that its `result` may have, and `any_dtype` where the type of the result is the
library's choice. An argument has a `kind`; a flag may name rules that it `excuses`. The driver and
the lint read the table; generated from it are parts of the two schemas and of ADAPTERS.md, and
what adapters in C know of it (adapters/c/operations.h)."""
import json
import re
import sys
from pathlib import Path
from types import SimpleNamespace

TOP = Path(__file__).resolve().parents[1]
LAYOUTS = ("coo", "csr", "csc", "bsr", "bsc")
TABLE = json.loads((TOP / "schemas/vocabulary.json").read_text(encoding="utf-8"))
SUITE = TABLE["suite"]
BLANK = {"arguments": [], "optional": [], "any_dtype": False}
OPERATIONS = {entry["name"]: SimpleNamespace(**{**BLANK, **entry}) for entry in TABLE["operations"]}
ARGUMENTS = {entry["name"]: entry["kind"] for entry in TABLE["arguments"]}
FLAGS = tuple(sorted(entry["name"] for entry in TABLE["flags"]))
# The rules that a flag is about: who permits it does not have to notice these.
EXCUSES = {entry["name"]: tuple(entry["excuses"]) for entry in TABLE["flags"] if "excuses" in entry}
# No case asks these: the driver does.
NOT_IN_CASES = ("use",)

STEP = {"type": "object", "additionalProperties": False, "required": ["operation", "arguments"],
        "properties": {"operation": {"type": "string"}, "arguments": {"type": "object"}}}
STEPS = {"type": "array", "items": STEP}
# With respect to what a gradient is asked: the tensor, the array of its values, or an argument.
WRT = ("tensor", "values", "x", "y", "dense", "other")
NUMBERS = {"type": "array", "items": {"type": "integer"}}
TENSOR = {"description": "See spec/tensor.schema.json.", "type": "object"}
SCHEMAS = {"layout": {"enum": list(LAYOUTS)}, "array": {"$ref": "#/definitions/array"},
           "tensor": TENSOR, "tensors": {"type": "array", "items": TENSOR},
           "integer": {"type": "integer"}, "integers": NUMBERS, "number": {"type": "number"},
           "boolean": {"type": "boolean"}, "steps": STEPS, "step": STEP, "operand": {"enum": list(WRT)},
           "dtype": {"type": "string"}, "function": {"type": "string"}}
# The kit for adapters in C asks for one step after the other, and has the arguments of a single one among those of its question.
NOT_IN_C = ("steps", "step")


# ---- What is generated --------------------------------------------------------------------------

def with_enum(text, key, names):
    """The text of a schema with the enum behind a key replaced."""
    pattern = re.compile(rf'("{key}": \{{[^{{}}]*?"enum": \[)[^\]]*?(\n *\])', re.S)
    lines = wrapped([f'"{name}"' for name in names], len(pattern.search(text).group(2)))
    return pattern.sub(lambda match: match.group(1) + "\n" + lines + match.group(2), text, count=1)


def wrapped(words, indent):
    lines = [" " * indent]
    for k, word in enumerate(words):
        piece = word + "," * (k + 1 < len(words))
        if len(lines[-1]) + len(piece) > 98 and lines[-1].strip():
            lines.append(" " * indent)
        lines[-1] += (" " if lines[-1].strip() else "") + piece
    return "\n".join(lines)


def case_schema(text):
    text = with_enum(text, "operation", [n for n in OPERATIONS if n not in NOT_IN_CASES])
    text = with_enum(text, "items", FLAGS)
    lines = [f'        "{name}": {json.dumps(SCHEMAS[kind])}' for name, kind in ARGUMENTS.items()]
    pattern = re.compile(r'("arguments": \{.*?"properties": \{\n).*?(\n      \})', re.S)
    return pattern.sub(lambda match: match.group(1) + ",\n".join(lines) + match.group(2), text, count=1)


def protocol_schema(text):
    return with_enum(text, "operation", OPERATIONS)


def manual(text):
    for name, rows in (("operations", operation_rows()), ("arguments", argument_rows()),
                       ("flags", flag_rows())):
        pattern = re.compile(rf"(<!-- {name}:begin -->\n).*?(<!-- {name}:end -->)", re.S)
        table = "\n".join(rows) + "\n"
        text = pattern.sub(lambda match, new=table: match.group(1) + new + match.group(2), text)
    return text


def operation_rows():
    yield "| operation | operand | asks | arguments | result |"
    yield "|---|---|---|---|---|"
    for name, entry in OPERATIONS.items():
        given = [f"`{word}`" for word in entry.arguments] + [f"`{word}`?" for word in entry.optional]
        result = " or ".join(f"`{form}`" for form in entry.result) or "none"
        result += ", of any type" * entry.any_dtype
        yield f"| `{name}` | `{entry.operand}` | {entry.asks} | {' '.join(given)} | {result} |"


def argument_rows():
    yield "| argument | kind | is |"
    yield "|---|---|---|"
    for entry in TABLE["arguments"]:
        yield f"| `{entry['name']}` | {entry['kind']} | {entry['asks']} |"


def flag_rows():
    yield "| flag | the case has | excuses |"
    yield "|---|---|---|"
    for entry in TABLE["flags"]:
        yield f"| `{entry['name']}` | {entry['means']} | {' '.join(entry.get('excuses', []))} |"


def header():
    lines = ["/* SPDX-License-Identifier: Apache-2.0 */",
             "/* Operations and their arguments: generated from vocabulary.json by vocabulary.py. */",
             "#ifndef SPW_CONFORMANCE_OPERATIONS_H", "#define SPW_CONFORMANCE_OPERATIONS_H", ""]
    lines += macro("KIT_OPERATIONS(X)", [f'X({name.upper()}, "{name}")' for name in OPERATIONS])
    lines += ["", "/* Each by its kind; `dense` has a field of its own, as it is an operand besides. */"]
    kinds = sorted(set(SCHEMAS) - set(NOT_IN_C))
    lines += macro(f"KIT_ARGUMENTS({', '.join(kind.upper() for kind in kinds)})",
                   [f"{kind.upper()}({name})" for name, kind in ARGUMENTS.items()
                    if name != "dense" and kind not in NOT_IN_C])
    return "\n".join([*lines, "", "#endif", ""])


def macro(head, items):
    lines = [f"#define {head}", *(f"  {item}" for item in items)]
    return [f"{line:<98} \\" for line in lines[:-1]] + lines[-1:]


GENERATED = {"schemas/case.schema.json": case_schema, "schemas/protocol.schema.json": protocol_schema,
             "ADAPTERS.md": manual, "adapters/c/operations.h": lambda text: header()}


def out_of_date():
    for name, maker in GENERATED.items():
        path = TOP / name
        if not path.parent.exists():  # the installed suite has no adapters in C
            continue
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        made = maker(text)
        if made != text:
            yield path, made


def main(arguments):
    if arguments == ["write"]:
        for path, text in out_of_date():
            path.write_text(text, encoding="utf-8")
            print(f"written: {path.relative_to(TOP)}")
        return 0
    if arguments == ["check"]:
        names = [str(path.relative_to(TOP)) for path, _ in out_of_date()]
        print(f"out of date: {' '.join(names)}: run conformance/schemas/vocabulary.py write" if names
              else f"vocabulary: {len(OPERATIONS)} operations, what is generated is up to date")
        return 1 if names else 0
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
