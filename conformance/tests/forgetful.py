#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""forgetful.py [FORGETS]: a library that answers by definition, and forgets one thing about its operands. See axes_test.py."""
import json
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from cases import coverage, definitions  # noqa: E402
from judging import dense  # noqa: E402
from schemas.vocabulary import LAYOUTS, OPERATIONS  # noqa: E402

FORGETS = sys.argv[1] if __name__ == "__main__" and len(sys.argv) > 1 else ""
ALL = {"layouts": list(LAYOUTS), "dtypes": list(dense.DTYPES)}
MANIFEST = {"operations": {name: ALL for name, entry in OPERATIONS.items() if "dense" in entry.result and entry.operand == "tensor" and name != "vjp"},
            "index_dtypes": ["int32", "int64"], "names_rules": "none", "lacks": []}


def contiguous(member):
    return {"dtype": member["dtype"], "shape": member["shape"], "data": member["data"]}


def changed(member, change):
    """With other elements, of which there are as many."""
    return {"dtype": member["dtype"], "shape": member["shape"], "data": change(dense.elements(member))}


def forgotten(tensor):
    """The operand as such a library reads it."""
    values, zero = tensor["values"], dense.zero(tensor["values"]["dtype"])
    first = tensor.get("indices", tensor.get("plain_indices"))
    nse = first["shape"][-1]
    if FORGETS == "values-strided":
        return {**tensor, "values": contiguous(values)}
    if FORGETS == "indices-placed":
        return {name: contiguous(member) if name.endswith("indices") else member for name, member in tensor.items()}
    if FORGETS == "unsorted":
        return {**tensor, "values": changed(values, lambda found: found[::-1])}
    if FORGETS in ("batch-1", "batch-2", "batch-hybrid"):
        part = len(dense.elements(values)) // max(1, values["shape"][0])
        return {**tensor, "values": changed(values, lambda found: found[:part] * values["shape"][0])}
    if FORGETS in ("hybrid-1", "hybrid-2"):
        return {**tensor, "values": changed(values, lambda found: [n if k == 0 else zero for k, n in enumerate(found)])}
    if FORGETS in ("claimed", "duplicates", "zeros", "nd", "nd-hybrid") and nse:
        other = [7, 7] if isinstance(zero, list) else 1 if values["dtype"] == "bool" else 7
        return {**tensor, "values": changed(values, lambda found: [*found[:-1], zero if FORGETS != "zeros" else other])}
    return tensor


def applies(question):
    states = [coverage.states_of(tensor, operation, given) for operation, tensor, given in coverage.operands_of(question)]
    return FORGETS in {coverage.form_of(question["tensor"])}.union(*states)


def answer(question):
    if FORGETS and applies(question):
        question = {**question, "tensor": forgotten(question["tensor"])}
        if FORGETS == "same-object":
            other = question["tensor"]
            question["arguments"] = {"other": {**other, "values": changed(other["values"], lambda found: found[1:] + found[:1])}}
    found = definitions.meaning(question)
    data = list(found["data"])
    if FORGETS == "live" and question["operation"] == "chain" and data:
        data[0] = data[-1] if data[0] != data[-1] else [9, 9] if isinstance(data[0], list) else 9
    return {"dtype": found["dtype"], "shape": list(found["shape"]), "data": data}


def main():
    for line in sys.stdin:
        question = json.loads(line)
        if question["cmd"] == "stop":
            return
        if question["cmd"] == "start":
            said = {"ready": True, "name": "forgetful", "version": "0", "manifest": MANIFEST}
        else:
            try:
                said = {"id": question["id"], "verdict": "accept", "result": {"dense": answer(question)}}
            except IndexError as error:
                said = {"id": question["id"], "verdict": "reject", "message": str(error)}
        print(json.dumps(said), flush=True)


if __name__ == "__main__":
    main()
