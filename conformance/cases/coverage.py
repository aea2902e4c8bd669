#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""coverage.py write    writes COVERAGE.md: how many cases ask each operation with each state and form of its operand
coverage.py check    is it up to date, and does every operation get each state in each form that makes sense? Exit code 1 if not

States, forms and types are read off the tensors of the cases, whoever made them: nothing is believed."""
import sys
from collections import Counter, defaultdict
from math import prod
from pathlib import Path

sys.dont_write_bytecode = True
TOP = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TOP))
from cases import axes, store  # noqa: E402
from cases.operands import STATES  # noqa: E402
from judging import dense, judge  # noqa: E402
from schemas.vocabulary import OPERATIONS  # noqa: E402

FILE = TOP / "COVERAGE.md"
FORMS = tuple(axes.FORMS)
LARGE = 1000  # elements
HEAD = """# What the cases cover

For contributors to the suite, and for readers of its results. `cases/coverage.py write` counts the cases, and
`conformance/check` compares. A case with several states or operations counts in each.
"""


# ---- Read off a case -------------------------------------------------------------------------------

def operands_of(case):
    """Each operation that a case asks, with its first operand, which of a later step is None."""
    if case["operation"] != "chain":
        yield case["operation"], case["tensor"], case.get("arguments", {})
        return
    tensor = case["tensor"]
    for step in case["arguments"]["steps"]:
        yield step["operation"], tensor, step["arguments"]
        tensor = None


def form_of(tensor):
    if tensor["layout"] == "coo":
        dims = tensor["indices"]["shape"][0]
        tail = len(tensor["values"]["shape"]) - 1
        return ("nd-hybrid" if tail else "nd") if dims != 2 else f"hybrid-{min(tail, 2)}" if tail else "plain"
    batch = len(tensor["compressed_indices"]["shape"]) - 1
    tail = len(tensor["values"]["shape"]) - batch - 1 - 2 * (tensor["layout"] in ("bsr", "bsc"))
    return "batch-hybrid" if batch and tail else f"batch-{min(batch, 2)}" if batch else f"hybrid-{min(tail, 2)}" if tail else "plain"


def states_of(tensor, operation, arguments):
    if tensor is None:
        return {"live"}
    ordered, once = judge.order_of_tensor(tensor)
    found = {*["unsorted"] * (not ordered), *["duplicates"] * (not once), *["zeros"] * has_zeros(tensor)}
    indices = [member for name, member in tensor.items() if name.endswith("indices")]
    if is_laid_out(tensor["values"]):
        found.add("values-strided")
    if any(map(is_laid_out, indices)):
        found.add("indices-placed")
    if operation in ("add", "sub", "mul", "matmul_sparse") and "other" not in arguments:
        found.add("same-object")
    if ordered and once:
        found.add("claimed" if tensor.get("coalesced") else "unclaimed")
    return found


def has_zeros(tensor):
    """Is a whole cell stored that is 0?"""
    values = dense.elements(tensor["values"])
    nse = judge.first_array(tensor)["shape"][-1]
    cells = nse * (len(dense.elements(judge.first_array(tensor))) // nse if tensor["layout"] != "coo" and nse else 1)
    size = len(values) // cells if cells else 0
    return any(not any(map(is_nonzero, values[k:k + size])) for k in range(0, len(values), size)) if size else False


def is_nonzero(value):
    return any(map(is_nonzero, value)) if isinstance(value, list) else value != 0


def is_laid_out(member):
    return bool(member.get("offset") or member.get("strides", dense.row_major(member["shape"])) != dense.row_major(member["shape"]))


# ---- Counting --------------------------------------------------------------------------------------

class Counts:
    def __init__(self, cases):
        self.states, self.forms, self.pairs, self.axis = defaultdict(Counter), defaultdict(Counter), Counter(), Counter()
        self.total = 0
        for case in cases:
            self.total += 1
            if "tensor" in case and case["operation"] != "check":
                self.add(case)

    def add(self, case):
        first = case["tensor"]
        form, layout = form_of(first), first["layout"]
        nse = judge.first_array(first)["shape"][-1]
        self.axis["more than 1000 elements"] += nse > LARGE
        self.axis["rows times columns 2^31 or more"] += prod(first.get("size", [])) >= 2**31
        self.axis["a 0 in a batch or dense dimension"] += form not in ("plain", "nd") and 0 in first["size"]
        for operation, tensor, arguments in operands_of(case):
            self.forms[operation][form] += 1
            for state in states_of(tensor, operation, arguments):
                self.states[operation][state] += 1
                self.pairs[operation, layout_of(case, layout), state, form] += 1
            self.axis["a spelling"] += "spelling" in case
            self.axis["same object twice"] += operation in ("sub", "mul", "matmul_sparse") and "other" not in arguments


def layout_of(case, layout):
    """Of the operand of a chain's last step, where another one is converted first."""
    steps = case.get("arguments", {}).get("steps", [])
    return next((step["arguments"]["to"] for step in steps[:-1] if step["operation"] == "convert"), layout)


def missing(counts):
    """What makes sense, and no case asks."""
    for operation in axes.LINES:
        for layout in axes.LAYOUTS:
            for state in axes.states_of(operation, layout):
                for form in axes.forms_of(operation, layout):
                    possible = axes.fits(operation, layout)({"state": state, "form": form})
                    if possible and not counts.pairs[operation, layout, state, form]:
                        yield f"{operation} of {layout}: nobody asks {state} in the form {form}"


def written(counts):
    asked = [name for name in OPERATIONS if counts.forms[name] and name not in ("check", "use")]
    return "\n".join([
        HEAD, f"There are {counts.total} cases. Of operations on tensors:\n", *table("state", asked, STATES, counts.states), "",
        "`unclaimed`: sorted, each place once, and nothing claimed. `claimed`: and claimed to be so. `zeros`: a cell of zeros.",
        "`indices-placed`: COO indices by column, compressed ones within a storage. `live`: what another operation left.", "",
        *table("form", asked, FORMS, counts.forms), "",
        "`batch-2` and `hybrid-2`: two such dimensions. `nd`: COO with another number of sparse dimensions than two.", "",
        "| besides | cases |", "|---|---|", *(f"| {name} | {number} |" for name, number in sorted(counts.axis.items())), ""])


def table(what, names, columns, counts):
    yield f"| operation, by {what} | " + " | ".join(columns) + " |"
    yield "|---|" + "---|" * len(columns)
    for name in names:
        yield f"| `{name}` | " + " | ".join(str(counts[name][column] or "") for column in columns) + " |"


def main(arguments):
    if arguments not in (["write"], ["check"]):
        print(__doc__, file=sys.stderr)
        return 2
    counts = Counts(store.kept().cases())
    problems = list(missing(counts))
    if arguments == ["write"]:
        FILE.write_text(written(counts), encoding="utf-8")
    elif FILE.read_text(encoding="utf-8") != written(counts):
        problems.append("COVERAGE.md is out of date: run conformance/cases/coverage.py write")
    print("".join(f"{line}\n" for line in problems), end="")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
