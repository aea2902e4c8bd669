#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""planted.py [--shard i/n] [FAULT ...]: how strong is the suite? Runs its cases against a small library with one
fault planted in it, fault after fault (adapters/planted_adapter.py), and expects every one to be
found, with the right outcome; and nothing to be found in the library without a fault. Exit code 1
where one is not. SPW names the program spw."""
import argparse
import os
import re
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

sys.dont_write_bytecode = True
TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [TOP, os.path.join(TOP, "adapters")]
from harness import driver  # noqa: E402
from cases import store  # noqa: E402
from judging import dense  # noqa: E402
from judging import judge  # noqa: E402
from judging import oracle  # noqa: E402
import grading  # noqa: E402
import spoiling  # noqa: E402
import summing  # noqa: E402
from cases.definitions import MOVES  # noqa: E402
from cases.tensors import BLOCKED  # noqa: E402
from judging.control import find  # noqa: E402

# No fault at all: a library that has floats and integers, one that has float64 only, one with all layouts and types, and
# those that sum in other orders.
HONEST = ("honest", "knows-doubles-only", "nd-honest", spoiling.HONEST, grading.HONEST, *summing.ORDERS)
# The outcome that must be among those of each fault. START: the adapter is given up at once.
START = "did not start"
# Faults of single operations: all cases of these in float64 are asked, and no others.
OF_OPERATIONS = {
    "adds-nan-times-zero": "addmm", "ignores-beta": "addmm", "takes-the-wrong-slice": "select",
    "narrows-too-far": "narrow", "forgets-what-is-twice": "index_select", "joins-once-too-few": "cat",
    "sums-without-a-type": "sum_dims", "sums-one-dimension": "sum_dims", "adds-without-alpha": "add_scaled",
    "subtracts-the-other-way": "sub", "multiplies-unions": "mul", "forgets-a-product": "matmul_sparse",
    "scales-by-nothing": "scale", "divides-by-nothing": "divide", "permutes-nothing": "permute",
    "drops-the-kept-dimension": "sum_dim", "sorts-nothing": "sort_indices",
    "sums-no-duplicates": "sum_duplicates", "eliminates-nothing": "eliminate_zeros", "keeps-what-a-step-left": "chain",
    "masks-nothing": "sparse_mask", "samples-nothing": "sampled_addmm", "softens-nothing": "softmax",
    "casts-nothing": "cast", "maps-wrongly": "unary", "solves-the-other-triangle": "triangular_solve",
    "finds-the-last-extreme": "reduce", "lists-a-zero": "nonzero", "cuts-nothing": "triangle", "multiplies-the-other-way": "kron",
    "adds-no-bias": "linear", "loses-what-is-too-much": "through_24",
    "packs-to-the-left": "through_24", "multiplies-the-first-matrices-only": "bmm", "stacks-once-too-few": "stack",
    "adds-itself-where-places-are-the-same": "add", "calls-what-is-twice-canonical": "sort_indices",
    "changes-the-type-in-a-chain": "chain", "lies-after-the-second-step": "chain", "softens-by-counting": "softmax",
    "divides-by-the-reciprocal": "divide", "denies-what-is-coalesced": "coalesce", "orders-into-coo": "sum_duplicates"}
# Faults of a library that checks COO of any dimensions: all cases of COO that torture and have int64 are asked.
LAX = "too lax (survived)"
OF_ND = {**dict.fromkeys((
    "nd-takes-more-sizes", "nd-ignores-dense-sizes", "nd-takes-negative-sizes", "nd-looks-at-nothing-in-empty-sizes",
    "nd-ignores-the-last-element", "nd-wraps-its-product", "nd-looks-at-three-dimensions",
    "nd-ignores-the-last-dimension", "nd-compares-numbers", "nd-cuts-indices", "nd-cuts-indices-to-16-bits",
    "nd-compares-with-the-largest-size", "nd-takes-the-size", "nd-orders-by-two-dimensions", "nd-ignores-the-last-pair",
    "nd-takes-what-is-twice", "nd-knows-no-order-without-dimensions", "nd-ignores-strides"), LAX),
    **dict.fromkeys(("nd-multiplies-what-is-not-empty", "nd-sees-half-a-wrap", "nd-orders-by-cut-numbers",
                     "nd-orders-by-the-last-dimension-first", "nd-cuts-what-it-orders",
                     "nd-wants-every-dimension-to-rise"), "too strict")}
# Faults of what is stored, of operations that keep that: no answer that they change may be called right.
OF_PATTERN = ("stores-zeros-besides", "stores-a-zero-at-the-end", "drops-zeros")
# Faults of operands: all cases of models that are called so are asked, in that type or in any. Each of their operations
# must show them.
OF_OPERANDS = {
    **dict.fromkeys(("transposes-blocks", "transposes-the-blocks-it-makes"), ("square-blocks", "")),
    **dict.fromkeys(("takes-32-bits-of-64", "takes-whole-numbers-for-doubles", "gives-32-bits-of-64",
                     "gives-doubles-for-whole-numbers"), ("whole-(ends|sums)", "int64")),
    "takes-32-bits-for-floats": ("whole-(ends|sums)", "int32"), "takes-8-bits-of-16": ("whole-(ends|sums)", "int16"),
    "takes-the-least-for-its-neighbour": ("whole-(ends|wraps)", "int8"),
    "takes-at-most-127": ("whole-(ends|wraps)", "uint8"), "gives-at-most-127": ("whole-(ends|sums)", "uint8"),
    "gives-the-largest-for-what-wraps": ("whole-(wraps|twice-beyond)", "int32"),
    "gives-the-largest-of-64-bits-for-what-wraps": ("whole-(wraps|twice-beyond)", "int64"),
    "casts-by-cutting": ("fractions|beyond-floats", ""), "casts-by-whole-numbers": ("fractions", ""),
    "adds-bools-mod-2": ("bools", "bool"), spoiling.KEEPS_BLOCKS: ("(duplicates|explicit-zeros|backwards)", "float64"),
    "rounds-to-float32": ("every-bit", "float64"), "rounds-to-bfloat16": ("every-bit", "float32"),
    **dict.fromkeys(("cuts-indices", "cuts-indices-it-makes"), ("far", "")), "cuts-offsets": ("many-elements", ""),
    "ignores-offsets-of-indices": ("indices-begin", ""),
    **dict.fromkeys(("ignores-offsets-of-values", "ignores-strides-of-values"),
                    ("values-(begin-later|with-gaps)|blocks-by-columns|operand-", "")),
    "flushes-float32": ("below-normal", "float32"), "flushes-float64": ("below-normal", "float64")}
# Operations whose results these faults do not change: a sum of what is in a block, sums that are small, and indices that
# become large only in the result.
UNCHANGED = {"transposes-blocks": ("from_dense", "sum"), "gives-at-most-127": ("sub", "sum_dim"), "adds-bools-mod-2": ("mul",),
             "cuts-indices": ("cat", "from_dense")}
IN_ORDER = ("coalesce", "sum_duplicates", "sort_indices", "eliminate_zeros")
SEEN_ONLY_BY = {spoiling.KEEPS_BLOCKS: IN_ORDER, "transposes-the-blocks-it-makes": ("convert", "from_dense"),
                "cuts-indices-it-makes": ("add", "cat", "convert", "from_dense", "transpose")}
# Operations that have to be among those asked.
SEEN_BY = {"gives-the-largest-of-64-bits-for-what-wraps": ("sum", "sum_dim"), "takes-8-bits-of-16": ("cat", "narrow")}
# Faults of sums: all questions about sums are asked that lay out CSR, or COO of three dimensions.
ONCE = ("add", "sub", "add_dense", "mul", "scale")  # these round once
HALVES = ("float16", "bfloat16")
SPECIAL = "/m-special-"


def must_show(fault, case):
    """Has the case to be answered wrongly? On the lattice, wherever a fault changes what is summed; where numbers are not
    finite, what takes part and should not, or should and does not."""
    operation, dtype = case["operation"], case["expect"]["dense"]["dtype"]
    if fault == "takes-small-numbers-for-zero":
        return operation == "matvec" and "tiny" in case["id"]
    if fault in ("skips-stored-zeros", "multiplies-what-is-not-stored"):
        return SPECIAL + ("zeros" if fault == "skips-stored-zeros" else "rows") in case["id"]
    if "/lattice" not in case["id"]:
        return False
    if fault == "takes-the-neighbours-column":
        return operation in oracle.PRODUCTS and operation not in ONCE
    if fault in ("sums-in-float16", "sums-in-bfloat16"):
        return operation not in ONCE or dtype not in HALVES
    if fault == "multiplies-in-tf32":
        return operation in oracle.PRODUCTS and dtype not in HALVES
    if fault == "multiplies-in-bfloat16":
        return operation in oracle.PRODUCTS and dtype != "bfloat16" and (operation, dtype) != ("mul", "float16")
    return operation not in ONCE or fault not in ("leaves-nan", "leaves-an-infinity")


FAULTS = {
    **OF_ND, **grading.FAULTS, **dict.fromkeys((*summing.FAULTS, *OF_OPERANDS, *OF_PATTERN), "wrong result"),
    "drops-an-entry": "wrong result", "doubles-an-entry": "wrong result",
    "swaps-rows-and-columns": "wrong result", "keeps-the-last-duplicate": "wrong result",
    "loses-the-sign-of-zero": "wrong result", "loses-payloads": "wrong result",
    "nan-for-nothing": "wrong result", "leaves-the-last-row-unwritten": "wrong result",
    "drops-a-dimension-of-one": "wrong result", "wrong-for-the-same-object": "wrong result",
    "wrong-for-equal-operands": "wrong result", "sum-is-off-by-one": "wrong result",
    **dict.fromkeys(OF_OPERATIONS, "wrong result"),
    **dict.fromkeys(("lies-after-the-second-step", "casts-nothing", "calls-what-is-twice-canonical",
                     "denies-what-is-coalesced", "orders-into-coo",
                     "changes-the-type-in-a-chain"), "wrong flag"),
    "answers-in-doubles": "wrong flag", "narrows-indices": "wrong flag",
    "ignores-the-layout": "wrong flag", "claims-what-is-not-sorted": "wrong flag",
    "unsorted-result": "invalid result", "wrong-offsets-in-the-result": "invalid result",
    "forgets-empty-rows-at-the-end": "invalid result",
    "accepts-everything": "too lax (survived)", "ignores-the-first-offset": "too lax (survived)",
    "ignores-the-last-offset": "too lax (survived)", "takes-slack": "too lax (survived)",
    "ignores-the-last-row": "too lax (survived)", "ignores-falling-offsets": "too lax (survived)",
    "ignores-falls-without-elements": "too lax (survived)",
    "takes-negative-indices": "too lax (survived)",
    "takes-one-index-too-large": "too lax (survived)", "ignores-the-first-index": "too lax (survived)",
    "ignores-order": "too lax (survived)", "takes-duplicates": "too lax (survived)",
    "takes-long-offsets": "too lax (survived)", "takes-short-values": "too lax (survived)",
    "reads-one-too-far": "too lax (out of bounds)", "reads-one-before": "too lax (out of bounds)",
    "breaks-memory-for-later": "too lax (out of bounds)",
    "aborts-when-used": "too lax (crash)", "writes-behind-its-own-block": "too lax (heap check)",
    "writes-over-its-answer": "too lax (heap check)", "writes-over-its-verdict": "sanitizer", "garbles-when-used": "protocol",
    "rejects-everything": "too strict", "rejects-empty-matrices": "too strict",
    "swaps-sizes": "too strict",
    "names-nothing": "wrong rule", "names-wrong-rules": "wrong rule",
    "frees-a-result-twice": "crash", "crashes-on-invalid": "crash", "ends-in-between": "crash", "takes-all-memory": "crash",
    "takes-too-much-in-a-fork": "crash",
    "hangs": "timeout", "speaks-garbage": "protocol", "answers-twice": "protocol",
    "answers-another": "protocol", "answers-nothing": "protocol",
    "floods-its-output": "protocol", "floods-its-errors": "protocol",
    "reports-of-a-sanitizer": "sanitizer", "undefined-behaviour": "sanitizer",
    "refuses-products": "refused", "supports-nothing": START, "dies-at-start": START,
    "hangs-at-start": START, "is-not-ready": START, "names-an-unknown-operation": START}
# Faults that cost a new child for each case.
DEADLY = ("breaks-memory-for-later", "reads-one-too-far", "reads-one-before", "aborts-when-used",
          "crashes-on-invalid", "answers-twice", "answers-another")
# Faults that only valgrind sees, which is slow: of two invalid tensors one shows it.
HEAP = ("writes-behind-its-own-block", "writes-over-its-answer", "writes-over-its-verdict", "garbles-when-used")
# Faults that cost a time limit each: a few cases are enough.
SLOW = ("hangs", "takes-all-memory", "takes-too-much-in-a-fork", "floods-its-errors", "floods-its-output")


# A library that differentiates place by place is slow: it is asked so many cases.
FEW = 60


def cases_for(fault, cases, everything):
    if fault in grading.KINDS:
        concerned = [case for case in everything if case["operation"] == "vjp" and grading.concerns(fault, case)]
        return concerned[::len(concerned) // (3 * FEW if fault == grading.HONEST else FEW) or 1]
    if fault in summing.KINDS:
        return [case for case in everything if ("sums" in case["expect"] or SPECIAL in case["id"])
                and case["operation"] not in MOVES and (case["id"].startswith("csr/") or case["operation"] == "bmm")]
    if fault in spoiling.KINDS:
        return [case for case in everything if case["operation"] != "check" and any(
            shows(case, name) for name in OF_OPERANDS if fault in (name, spoiling.HONEST))]
    if fault in OF_PATTERN:
        return [case for case in everything if case["operation"] in judge.PATTERN_KEPT and case["id"].endswith("float64-int64")
                and re.search("/(m-)?(explicit-zeros|all-zeros|scattered|duplicates-cancel|no-elements|ends-empty)", case["id"])]
    if fault in OF_OPERATIONS:
        return [case for case in everything if case["operation"] == OF_OPERATIONS[fault]
                and ("float32" if case["operation"] == "through_24" else "float64") in case["id"]]
    if fault.startswith("nd-"):
        return [case for case in everything if case["group"] == "torture" and case["id"].startswith("coo/")
                and case["id"].endswith("int64")]
    if fault in HEAP:
        return [case for case in cases if case["id"] in ("csr/5.1/1/int32", "csr/3.10/values-short/int32")]
    if fault in DEADLY:
        return [case for case in cases if case["group"] == "structure"][:8]
    if fault in SLOW:
        return [case for case in cases if case["operation"] == "sum"][:2]
    if FAULTS.get(fault) in (LAX, "wrong rule"):   # the checker's
        return [case for case in cases if case["operation"] == "check"]
    if FAULTS.get(fault) in ("wrong result", "wrong flag", "invalid result"):
        return [case for case in cases if case["operation"] != "check"]
    return cases


def shows(case, fault):
    """Is it a case of the models that show it, and where only blocks do, one that puts them in order?"""
    of_blocks = case["operation"] in IN_ORDER and case["id"].startswith(BLOCKED)
    return (fault != spoiling.KEEPS_BLOCKS or of_blocks) and is_about(case, *OF_OPERANDS[fault])


def is_about(case, models, dtype):
    """Is the case one of a model that is called so, in that type or any?"""
    _, _, name, *types = case["id"].split("/")
    return re.match(models, name.removeprefix("m-")) and types[-1].startswith(dtype)


def run(fault, cases, everything, folder):
    profile = {"library": fault, "must_be_right": True, "flags": {"narrow-index-dtype": "either"},
               "adapter": [sys.executable, "-B", os.path.join(TOP, "adapters", "planted_adapter.py"), fault],
               "uses": ["duplicates"] + ["unsorted"] * (fault in spoiling.KINDS or fault in grading.KINDS), "heap_check": fault in HEAP}
    limit = 1 if fault.startswith("hangs") else 30
    options = SimpleNamespace(report=os.path.join(folder, "report"), memory=300, timeout=limit,
                              start_timeout=limit if "start" in fault else 30, spw=find())
    return driver.run_library(profile, cases_for(fault, cases, everything), options)


def problem(fault, report, everything):
    found = {outcome for outcome, number in report["outcomes"].items() if number}
    wrong = found - {"right", "unsupported"}
    if fault in HONEST:
        if wrong or report["failures"] or report["executed"] < report["askable"] // 2:
            return f"{report['executed']} executed, {sorted(wrong)} {report['failures']}"
        return None
    expected = FAULTS[fault]
    seen = not report["executed"] if expected == START else expected in found
    if fault in HEAP:  # valgrind was asked, and what it has told is no longer the adapter's
        seen = seen and "asked again" in (report["heap_check"] or "") and ("protocol" in found) == (expected == "protocol")
    if not seen or not report["failures"]:
        return f"{expected} expected, found {sorted(found)}; {report['failures']}"
    if fault in grading.FAULTS:
        return rarely(fault, report)
    if fault in summing.FAULTS:
        return hidden(fault, report, everything)
    if fault in OF_OPERANDS:
        return unseen(fault, report, everything)
    if fault in OF_PATTERN:
        return called_right(fault, report, everything)
    return None


def rarely(fault, report):
    """Is a fault of gradients seen by few? Where the upstream gradient is 0, and so on, it does not show."""
    seen = report["outcomes"][grading.FAULTS[fault]]
    return None if 2 * seen > report["executed"] > 10 else f"seen by {seen} of {report['executed']} cases"


def called_right(fault, report, everything):
    """Which answers are wrong and were not called so? Those that are sparse and were made by this fault."""
    cases = {case["id"]: case for case in cases_for(fault, (), everything)}
    wrong = [result["id"] for result in report["results"] if result["outcome"] == "right" and is_spoiled(fault, cases[result["id"]])]
    return f"{len(wrong)} wrong answers called right: {wrong[:5]}" if wrong else None


def is_spoiled(fault, case):
    """Does it change the result?"""
    shape, pattern = case["expect"]["dense"]["shape"], judge.pattern_of(case)
    if case["operation"] in IN_ORDER or len(shape) != 2 or not pattern:
        return False
    layout = case.get("arguments", {}).get("to") or case["tensor"]["layout"]
    if fault == "stores-zeros-besides":
        return layout == "coo"
    if fault == "stores-a-zero-at-the-end":
        return layout in ("coo", "csr", "csc") and not pattern[-1]
    return layout in ("coo", "csr", "csc") and any(
        stored and not dense.plain(dense.bits_of(value, "float64"), "float64") for stored, value in zip(pattern, case["expect"]["dense"]["data"]))


def unseen(fault, report, everything):
    """Which operations were asked, should have shown the fault, and did not?"""
    outcomes = {result["id"]: result["outcome"] for result in report["results"]}
    asked = {case["operation"]: set() for case in cases_for(fault, (), everything)}
    for case in cases_for(fault, (), everything):
        asked[case["operation"]].add(outcomes[case["id"]])
    wanted = SEEN_ONLY_BY.get(fault, {*asked, *SEEN_BY.get(fault, ())} - {*UNCHANGED.get(fault, ())})
    missed = [operation for operation in wanted if asked.get(operation, {"right"}) - {"unsupported"} == {"right"}]
    return f"not seen by {' '.join(sorted(missed))}" if missed or not wanted else None


def hidden(fault, report, everything):
    outcomes = {result["id"]: result["outcome"] for result in report["results"]}
    wanted = [case["id"] for case in cases_for(fault, (), everything) if must_show(fault, case)]
    missed = [name for name in wanted if outcomes[name] != "wrong result"]
    return f"not seen by {len(missed)} of {len(wanted)} cases: {missed[:5]}" if missed or not wanted else None


# Models of the operations' cases that show most.
MODELS = ("one-row", "scattered", "ends-empty", "no-rows", "duplicates-four", "value-minus-0.0",
          "nan-payload", "explicit-zeros", "one-column", "m-scattered", "m-duplicates", "m-explicit",
          "m-backwards", "m-no-elements")


def chosen(cases):
    """Some hundred and fifty cases of all families: each fault costs a run of all of them."""
    checks, operations = [], []
    for case in cases:
        layout, what, name, *types = case["id"].split("/")
        if case["operation"] == "check":
            if layout in ("csr", "coo") and types == ["int32"] and (
                    case["group"] in ("structure", "canonical") or what in ("3.8", "3.10", "6.6")
                    or (case["group"] == "valid" and not name.startswith("values-"))):
                checks.append(case)
        elif layout in ("coo", "csr", "csc") and name.startswith(MODELS) and "column-major" not in name:
            operations.append(case)
    return checks + few_of_each(operations)


def few_of_each(cases):
    """Of each operation and layout, every twelfth or at least four."""
    by_kind = {}
    for case in cases:
        by_kind.setdefault((case["operation"], case["id"].split("/")[0]), []).append(case)
    return [case for found in by_kind.values()
            for case in found[::max(1, min(12, len(found) // 4))]]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shard", type=driver.shard, default=(1, 1), metavar="i/n", help="the i-th of n parts of the faults")
    parser.add_argument("names", nargs="*", metavar="FAULT")
    arguments = parser.parse_args()
    names, (index, count) = arguments.names, arguments.shard
    everything = list(store.kept().cases(lambda name, group: group not in ("axes", "spellings")))  # see axes_test.py
    cases = chosen(everything)
    faults = names or [*HONEST, *FAULTS][index - 1::count]
    missed = 0
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        reports = pool.map(lambda fault: run(fault, cases, everything, folder), faults)
        for fault, report in zip(faults, reports):
            why = problem(fault, report, everything)
            missed += bool(why)
            if why or names:
                print(f"{fault}: {why or 'found'}", flush=True)
    print(f"planted faults: {len(faults) - missed} of {len(faults)} as expected,"
          f" shard {index}/{count}, the libraries without a fault included" * (not names))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
