#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""planted_adapter.py FAULT: a small library of its own, in plain Python, with one fault planted in
it (or none: "honest"). planted.py sees that the suite's cases find every one."""
import ctypes
import json
import mmap
import os
import sys
import time
from math import prod

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from judging import dense  # noqa: E402
from judging import judge  # noqa: E402
from judging import oracle  # noqa: E402
import grading  # noqa: E402
import spoiling  # noqa: E402
import summing  # noqa: E402
from cases import definitions  # noqa: E402
from schemas.vocabulary import OPERATIONS  # noqa: E402

FAULT = sys.argv[1] if __name__ == "__main__" and len(sys.argv) > 1 else "honest"
LAYOUTS = ["coo", "csr", "csc"]
ALL = {"layouts": LAYOUTS, "dtypes": ["int32", "float32", "float64"]}
TO = {"to": {layout: LAYOUTS for layout in LAYOUTS}}
# Of these it knows COO of any dimensions.
FLAT = {"bmm": {}, "stack": {}}
# Every operation but reading and gradients (grading.py): what an operation is comes from its definition.
MANIFEST = {
    "operations": {name: {**ALL, **FLAT.get(name, {"lacks": ["coo-nd"]}), **(TO if "to" in entry.arguments and entry.operand == "tensor" else {})}
                   for name, entry in OPERATIONS.items() if entry.operand != "file" and name != "vjp"},
    "index_dtypes": ["int32", "int64"], "names_rules": "some", "guards": ["after", "before"],
    "lacks": ["batched", "hybrid", "sizeless", "declared", "claim", "strided", "strided-indices",
              "negative-stride", "out-of-storage", "negative-shape", "huge-array", "huge-size",
              "large-size", "sparse-dim-0", "indices-not-2d", "mixed-index-dtypes",
              "index-range"]}


# Faults that write outside a block of their own where the lengths of arrays differ.
WRITES_BEHIND = ("writes-behind-its-own-block", "writes-over-its-answer", "writes-over-its-verdict")
broken = False


class Rejected(Exception):
    """Carries the id of the rule."""


def is_(*names):
    return FAULT in names


# Faults of one that knows COO of any dimensions, and checks nothing else.
OF_ND = FAULT.startswith("nd-")
if OF_ND:
    of_coo = {"layouts": ["coo"], "dtypes": ALL["dtypes"]}
    MANIFEST["operations"] = {"check": of_coo, "use": of_coo}
    MANIFEST["lacks"] = ["sizeless", "declared", "negative-stride", "out-of-storage", "negative-shape", "huge-array"]


# Those that sum floats have every type of floats.
OF_SUMS = FAULT in summing.KINDS
if OF_SUMS:
    for entry in MANIFEST["operations"].values():
        entry["dtypes"] = list(oracle.USUAL)


# Those that spoil operands have all layouts, and arrays of any strides.
OF_OPERANDS = FAULT in spoiling.KINDS
if OF_OPERANDS:
    MANIFEST["operations"] = dict(spoiling.manifest_entries())
    MANIFEST["lacks"] = []


# Those that differentiate do nothing else.
OF_GRADIENTS = FAULT in grading.KINDS
if OF_GRADIENTS:
    MANIFEST["operations"] = dict(grading.manifest_entries())
    MANIFEST["lacks"] = []


# ---- The library --------------------------------------------------------------------------------

def check(tensor):
    if OF_ND:
        return check_nd(tensor, tensor["size"], tensor["indices"]["shape"])
    if is_("rejects-everything"):
        raise Rejected("3.1")
    if is_("accepts-everything", *WRITES_BEHIND, "garbles-when-used", "breaks-memory-for-later", "reads-one-too-far", "reads-one-before", "aborts-when-used"):
        return
    size = tensor["size"]
    if len(size) != 2 or min(size) < 0:
        dimensions = "6.3" if tensor["layout"] == "coo" else "3.1"
        raise Rejected(dimensions if len(size) != 2 else "3.12")
    if tensor["layout"] == "coo":
        return check_coo(tensor, size)
    compressed, plain, values = (tensor[name] for name in ("compressed_indices", "plain_indices", "values"))
    major, minor = size if tensor["layout"] == "csr" else size[::-1]
    if not compressed["shape"]:
        raise Rejected("3.2")
    if len(plain["shape"]) != 1:
        raise Rejected("3.3")
    if not values["shape"]:
        raise Rejected("3.4")
    if len(values["shape"]) != 1:
        raise Rejected("3.1")
    if compressed["shape"] != [major + 1] and not is_("takes-long-offsets"):
        raise Rejected("3.8")
    if values["shape"] != plain["shape"] and not is_("takes-short-values"):
        raise Rejected("3.10")
    check_structure(dense.elements(compressed), dense.elements(plain), major, minor)


def check_structure(offsets, indices, major, minor):
    nse = len(indices)
    if offsets[0] != 0 and not is_("ignores-the-first-offset"):
        raise Rejected("5.1")
    if offsets[major] != nse and not (is_("ignores-the-last-offset") or (
            is_("takes-slack") and offsets[major] < nse)):
        raise Rejected("5.2")
    pairs = list(zip(offsets, offsets[1:]))
    if is_("ignores-the-last-row"):
        pairs = pairs[:-1]
    if any(not 0 <= b - a <= minor for a, b in pairs) and not is_("ignores-falling-offsets") \
            and not (is_("ignores-falls-without-elements") and nse == 0):
        raise Rejected("5.3")
    if any(k < 0 for k in indices) and not is_("takes-negative-indices"):
        raise Rejected("5.4")
    limit = minor + 1 if is_("takes-one-index-too-large") else minor
    if any(k >= limit for k in indices[1 if is_("ignores-the-first-index") else 0:]):
        raise Rejected("5.5")
    rows = [indices[a:b] for a, b in pairs]
    order = (lambda a, b: a <= b) if is_("takes-duplicates") else (lambda a, b: a < b)
    if not is_("ignores-order") and any(not order(a, b) for row in rows for a, b in zip(row, row[1:])):
        raise Rejected("5.6")


def check_coo(tensor, size):
    shape, values = tensor["indices"]["shape"], tensor["values"]
    if values["shape"] == [] or values["shape"][0] != shape[1]:
        raise Rejected("6.2")
    if len(values["shape"]) != 1:
        raise Rejected("6.3")
    for d in (0, 1):
        row = dense.elements(tensor["indices"])[d * shape[1]:(d + 1) * shape[1]]
        if any(k < 0 for k in row):
            raise Rejected("6.5")
        if any(k >= (size[d] if not is_("swaps-sizes") else size[1 - d]) for k in row):
            raise Rejected("6.6")


def check_nd(tensor, size, shape):
    """COO of any dimensions, dense ones too."""
    values = tensor["values"]["shape"]
    if len(shape) != 2:
        raise Rejected("6.1")
    if not values or values[0] != shape[1]:
        raise Rejected("6.2")
    if len(size) != shape[0] + len(values) - 1 and not (is_("nd-takes-more-sizes") and len(size) > shape[0]):
        raise Rejected("6.3")
    dense_size = size[shape[0]:][:len(values) - 1]
    if values[1:] != dense_size and not is_("nd-ignores-dense-sizes"):
        raise Rejected("6.4")
    if min(size, default=0) < 0 and not is_("nd-takes-negative-sizes"):
        raise Rejected("3.12")
    if tensor["indices"]["dtype"] not in ("int32", "int64"):
        raise Rejected("1.3")
    if any(n > largest(tensor) for n in size[:shape[0]]):
        raise Rejected("1.6")
    check_product(size)
    if 0 in size and is_("nd-looks-at-nothing-in-empty-sizes"):
        return
    flat = dense.elements(tensor["indices"]) if not is_("nd-ignores-strides") else tensor["indices"]["data"]
    rows = [flat[d * shape[1]:(d + 1) * shape[1]] for d in range(shape[0])]
    places = list(zip(*rows)) if rows else [()] * shape[1]
    check_places(places[:-1] if is_("nd-ignores-the-last-element") else places, size[:shape[0]])
    if tensor.get("coalesced") and shape[0] + (not is_("nd-knows-no-order-without-dimensions")):
        check_claim(places, size)


def largest(tensor):
    return 2**31 - 1 if tensor["indices"]["dtype"] == "int32" else 2**63 - 1


def check_product(size):
    product = prod(size)
    if is_("nd-multiplies-what-is-not-empty"):
        product = prod(n for n in size if n)
    if is_("nd-wraps-its-product"):
        product %= 2**64
    if is_("nd-sees-half-a-wrap"):
        product = max(prod(size[:d]) % 2**64 for d in range(len(size) + 1))
    if product >= 2**63:
        raise Rejected("3.11")


def check_places(places, size):
    """Is each index of each place inside?"""
    dims = range(len(size))
    if is_("nd-looks-at-three-dimensions"):
        dims = dims[:3]
    if is_("nd-ignores-the-last-dimension"):
        dims = dims[:-1]
    if is_("nd-compares-numbers"):
        places, size, dims = [(number(place, size),) for place in places], [prod(size)], range(1)
    if is_("nd-cuts-indices"):
        places = [tuple(cut(k, 32) for k in place) for place in places]
    if is_("nd-cuts-indices-to-16-bits"):
        places = [tuple(cut(k, 16) for k in place) for place in places]
    for d in dims:
        limit = max(size) if is_("nd-compares-with-the-largest-size") else size[d] + is_("nd-takes-the-size")
        if any(place[d] < 0 for place in places):
            raise Rejected("6.5")
        if any(place[d] >= limit for place in places):
            raise Rejected("6.6")


def check_claim(places, size):
    keys = places
    if is_("nd-orders-by-cut-numbers"):
        keys = [cut(number(place, size), 32) for place in places]
    if is_("nd-orders-by-the-last-dimension-first"):
        keys = [place[::-1] for place in places]
    if is_("nd-orders-by-two-dimensions"):
        keys = [(*place[:2], k) for k, place in enumerate(places)]
    if is_("nd-cuts-what-it-orders"):
        keys = [tuple(cut(k, 32) for k in place) for place in places]
    if is_("nd-wants-every-dimension-to-rise"):
        if any(a > b for before, after in zip(places, places[1:]) for a, b in zip(before, after)):
            raise Rejected("6.7")
    pairs = list(zip(keys, keys[1:]))
    if is_("nd-ignores-the-last-pair"):
        pairs = pairs[:-1]
    if any(a > b or (a == b and not is_("nd-takes-what-is-twice")) for a, b in pairs):
        raise Rejected("6.7")


def number(place, size):
    """Of a place in row-major order."""
    found = 0
    for k, n in zip(place, size):
        found = found * n + k
    return found


def cut(k, bits):
    return (k + 2**(bits - 1)) % 2**bits - 2**(bits - 1)


def use(tensor, guard):
    if is_("aborts-when-used") and "data" in tensor["values"]:
        os.abort()
    if is_(*WRITES_BEHIND) and lengths_differ(tensor):
        libc = ctypes.CDLL(None)
        libc.malloc.restype = ctypes.c_void_p
        ctypes.c_char.from_address(libc.malloc(ctypes.c_size_t(8)) + 8).value = b"x"
    if is_("reads-one-too-far") and guard == "after":
        touch(guarded(guard), 0)
    if is_("reads-one-before") and guard == "before":
        touch(guarded(guard), -1)


def lengths_differ(tensor):
    return tensor["values"]["shape"] != tensor["plain_indices"]["shape"]


def is_garbled(question):
    over = {"writes-over-its-answer": "use", "writes-over-its-verdict": "check"}.get(FAULT)
    if over:
        return question["operation"] == over and lengths_differ(question["tensor"])
    return is_("answers-another") or is_("garbles-when-used") and question["operation"] == "use"


def guarded(guard):
    """An empty array before an unreadable page, or behind one."""
    memory = mmap.mmap(-1, 2 * mmap.PAGESIZE)
    start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    wall = start + mmap.PAGESIZE if guard == "after" else start
    ctypes.CDLL(None).mprotect(ctypes.c_void_p(wall), ctypes.c_size_t(mmap.PAGESIZE), 0)
    return wall if guard == "after" else start + mmap.PAGESIZE


def touch(address, step):
    return ctypes.c_char.from_address(address + step).value


def to_dense(tensor):
    tensor = dict(tensor)
    values = dict(tensor["values"], data=list(tensor["values"]["data"]))
    if is_("drops-an-entry") and values["data"]:
        values["data"][-1] = 0
    if is_("doubles-an-entry") and values["data"]:
        values["data"][0] = 2 * values["data"][0] if isinstance(values["data"][0], int) else 7
    if is_("loses-the-sign-of-zero"):
        values["data"] = [0 if value == "-0.0" else value for value in values["data"]]
    if is_("loses-payloads"):
        values["data"] = ["nan" if str(value).startswith("bits:") else value for value in values["data"]]
    tensor["values"] = values
    if is_("keeps-the-last-duplicate") and tensor["layout"] == "coo":
        tensor = without_duplicates(tensor)
    if is_("swaps-rows-and-columns") and tensor["layout"] != "coo":
        tensor["layout"] = "csc" if tensor["layout"] == "csr" else "csr"
        tensor["size"] = tensor["size"][::-1]
    return dense.dense_of(tensor)


def without_duplicates(tensor):
    count = tensor["indices"]["shape"][1]
    flat = tensor["indices"]["data"]
    last = {(flat[k], flat[count + k]): tensor["values"]["data"][k] for k in range(count)}
    places = list(last)
    return {**tensor, "indices": {**tensor["indices"], "shape": [2, len(places)],
                                  "data": [p[d] for d in (0, 1) for p in places]},
            "values": {**tensor["values"], "shape": [len(places)], "data": list(last.values())}}


def is_a_lie_of_chains(question):
    """Each step alone is right; what comes of two is not what it says of itself."""
    return is_("lies-after-the-second-step") and len(question["arguments"].get("steps", ())) >= 2


def sparse(member, layout, index_dtype, is_stored, unsorted=False):
    """The elements of a dense matrix that are not 0, or are stored; bits say what is 0."""
    rows, columns = member["shape"]
    written, dtype = dense.elements(member), member["dtype"]
    kept = [(k // columns, k % columns, value) for k, value in enumerate(written)
            if dense.plain(dense.bits_of(value, dtype), dtype) or value == "-0.0" or is_stored[k]]
    if layout == "csc":
        kept.sort(key=lambda entry: (entry[1], entry[0]))
    if layout == "coo" and is_("stores-zeros-besides"):
        kept = [(0, 0, 0)] * (rows * columns > 0) + [entry for row, column, value in kept for entry in ((row, column, value), (row, column, 0))]
    if is_("stores-a-zero-at-the-end") and rows * columns and kept[-1:] != [(rows - 1, columns - 1, kept[-1][2] if kept else 0)]:
        kept.append((rows - 1, columns - 1, 0))
    if is_("drops-zeros"):
        kept = [entry for entry in kept if dense.plain(dense.bits_of(entry[2], dtype), dtype) or entry[2] == "-0.0"]
    if unsorted or is_("unsorted-result"):
        kept = [entry for _, entry in sorted(enumerate(kept), key=lambda pair: (pair[1][layout == "csc"], -pair[0]))]
    data = [value for *_, value in kept]
    index_dtype = "int32" if is_("narrows-indices") else index_dtype
    result = {"spw": 1, "layout": layout, "size": [rows, columns],
              "values": {"dtype": dtype, "shape": [len(data)], "data": data}}
    if layout == "coo":
        result["indices"] = {"dtype": index_dtype, "shape": [2, len(data)],
                             "data": [entry[d] for d in (0, 1) for entry in kept]}
        return result
    major = 0 if layout == "csr" else 1
    offsets = [sum(entry[major] < k for entry in kept) for k in range(member["shape"][major] + 1)]
    if is_("wrong-offsets-in-the-result") and data:
        offsets[-1] += 1
    if is_("forgets-empty-rows-at-the-end"):
        while len(offsets) > 1 and offsets[-1] == offsets[-2]:
            offsets.pop()
    result["compressed_indices"] = {"dtype": index_dtype, "shape": [len(offsets)], "data": offsets}
    result["plain_indices"] = {"dtype": index_dtype, "shape": [len(data)],
                               "data": [entry[1 - major] for entry in kept]}
    return result


# ---- The adapter --------------------------------------------------------------------------------

def result_of(question):
    """By the operation's definition, in the form that comes first among those of its result."""
    if OF_GRADIENTS:
        return grading.result_of(question, FAULT)
    if OF_OPERANDS:
        question = spoiling.spoiled(question, FAULT)
    operation, arguments = question["operation"], question["arguments"]
    tensor = question.get("tensor")
    if OF_SUMS:
        a = summing.dense_result(question, FAULT)
    elif OF_OPERANDS:
        a = spoiling.meaning(question, FAULT)
    else:
        a = spoiled(question, definitions.meaning(question, tensor and to_dense(tensor)))
    if OPERATIONS[operation].result[0] == "dense" or len(a["shape"]) != 2:
        if is_("answers-in-doubles"):
            a = {**a, "dtype": "float64"}
        return {"dense": a}
    # The suite's own pattern: what a library does wrong about it is planted.
    is_stored = judge.pattern_of(question) if tensor and operation in judge.PATTERN_KEPT else [0] * len(a["data"])
    index_dtype = tensor.get("indices", tensor.get("plain_indices"))["dtype"] if tensor else "int64"
    layout = tensor["layout"] if tensor and is_("ignores-the-layout") else arguments.get(
        "to", tensor and tensor["layout"])
    if operation in IN_ORDER and layout in spoiling.BLOCKED:
        return {"tensor": spoiling.blocks_in_order(tensor, operation, FAULT)}
    if layout in spoiling.BLOCKED:
        return {"dense": a} if "dense" in OPERATIONS[operation].result else {
            "tensor": spoiling.made(spoiling.blocked(a, layout, index_dtype, arguments["blocksize"], is_stored), FAULT)}
    lies = is_("claims-what-is-not-sorted") or is_a_lie_of_chains(question)
    claims = {"sorted": True} if lies else {}
    if operation == "sort_indices" and is_("calls-what-is-twice-canonical"):
        claims = {"canonical": True}
    if operation == "coalesce" and is_("denies-what-is-coalesced"):
        claims = {"coalesced": False}
    if operation in IN_ORDER and not is_(*UNSORTED):
        return {"tensor": in_order(tensor, operation, "coo" if is_("orders-into-coo") else layout), "claims": claims}
    return {"tensor": spoiling.made(sparse(a, layout, index_dtype, is_stored, lies), FAULT), "claims": claims}


# These keep what is stored: zeros, and for one of them what is there twice.
IN_ORDER = ("coalesce", "sum_duplicates", "sort_indices", "eliminate_zeros")
UNSORTED = ("unsorted-result", "claims-what-is-not-sorted", "wrong-offsets-in-the-result",
            "forgets-empty-rows-at-the-end", "narrows-indices")


def in_order(tensor, operation, layout):
    places = list(dense.tensor_places(tensor)[0])
    dtype, values = tensor["values"]["dtype"], list(dense.elements(tensor["values"]))
    stored = [(place[-2:], value) for place, value in zip(places, values)]
    by_column = tensor["layout"] == "csc"
    if not is_("sorts-nothing"):
        stored.sort(key=lambda entry: entry[0][::-1] if by_column else entry[0])
    if operation in ("coalesce", "sum_duplicates") and not is_("sums-no-duplicates"):
        together = {}
        for place, value in stored:
            together.setdefault(place, []).append(value)
        stored = [(place, dense.total(found, dtype)) for place, found in together.items()]
    if operation == "eliminate_zeros" and not is_("eliminates-nothing"):
        stored = [entry for entry in stored if dense.plain(dense.bits_of(entry[1], dtype), dtype)]
    result = {"spw": 1, "layout": layout, "size": tensor["size"],
              "values": {"dtype": dtype, "shape": [len(stored)], "data": [v for _, v in stored]}}
    index_dtype = tensor.get("indices", tensor.get("plain_indices"))["dtype"]
    if layout == "coo":
        flat = [place[d] for d in (0, 1) for place, _ in stored]
        return {**result, "indices": {"dtype": index_dtype, "shape": [2, len(stored)], "data": flat}}
    major = 1 if by_column else 0
    offsets = [sum(place[major] < k for place, _ in stored) for k in range(tensor["size"][major] + 1)]
    return {**result, "compressed_indices": {"dtype": index_dtype, "shape": [len(offsets)], "data": offsets},
            "plain_indices": {"dtype": index_dtype, "shape": [len(stored)],
                              "data": [place[1 - major] for place, _ in stored]}}


PLACES = ("indices", "compressed_indices", "plain_indices")


def spoiled(question, a):
    """Faults of single operations."""
    operation, other = question["operation"], question["arguments"].get("other")
    data, shape = list(a["data"]), a["shape"]
    if operation in ("matvec", "matmat"):
        if is_("leaves-the-last-row-unwritten") and data:
            data[-1] = 12345
        if is_("nan-for-nothing"):
            data = ["nan" if value == 0 else value for value in data]
        if is_("drops-a-dimension-of-one"):
            shape = [extent for extent in shape if extent != 1]
    if operation == "add" and data and (is_("wrong-for-the-same-object") and not other or is_(
            "wrong-for-equal-operands") and other == question["tensor"]):
        data[-1] = 12345
    if operation == "add" and other and is_("adds-itself-where-places-are-the-same") and all(
            other.get(name) == question["tensor"].get(name) for name in PLACES):
        return definitions.meaning({**question, "arguments": {}}, to_dense(question["tensor"]))
    if operation == "softmax" and is_("softens-by-counting"):
        return definitions.meaning(question, {**to_dense(question["tensor"]), "data": [0] * prod(question["tensor"]["size"])})
    if operation == "triangular_solve" and is_("solves-the-other-triangle"):
        return definitions.meaning({**question, "arguments": {**question["arguments"], "upper": not question["arguments"]["upper"]}},
                                   to_dense(question["tensor"]))
    if operation == "divide" and is_("divides-by-the-reciprocal"):
        reciprocal = 1 / question["arguments"]["alpha"]
        return {**a, "data": [dense.number_of(n) * reciprocal for n in to_dense(question["tensor"])["data"]]}
    if operation == "through_24" and is_("loses-what-is-too-much"):
        return {**a, "data": [0 if k % 2 and data[k - 1] else n for k, n in enumerate(data)]}
    if operation == "through_24" and is_("packs-to-the-left"):
        return {**a, "data": [n for k in range(0, len(data), 2) for n in ((data[k] or data[k + 1]), data[k + 1] if data[k] else 0)]}
    if operation == "chain" and is_("changes-the-type-in-a-chain"):
        return {**a, "dtype": "float32"}
    arguments = question["arguments"]
    spoils = {"adds-nan-times-zero": operation in ("addmm", "addmv") and "nan" in arguments["dense"]["data"],
              "ignores-beta": operation == "addmm" and arguments["beta"] == 3,
              "takes-the-wrong-slice": operation == "select" and arguments["index"] > 0,
              "narrows-too-far": operation == "narrow" and arguments["start"] > 0,
              "forgets-what-is-twice": operation == "index_select" and len(
                  set(arguments["indices"])) < len(arguments["indices"]),
              "sums-without-a-type": operation == "sum_dims" and "dtype" in arguments, "sums-one-dimension": operation == "sum_dims",
              "adds-without-alpha": operation == "add_scaled" and arguments["alpha"] != 1,
              "joins-once-too-few": operation == "cat" and len(arguments["others"]) == 2,
              "subtracts-the-other-way": operation == "sub", "multiplies-unions": operation == "mul",
              "forgets-a-product": operation == "matmul_sparse", "scales-by-nothing": operation == "scale",
              "divides-by-nothing": operation == "divide",
              "multiplies-the-first-matrices-only": operation == "bmm" and shape[0] > 1,
              "stacks-once-too-few": operation == "stack",
              "masks-nothing": operation == "sparse_mask", "samples-nothing": operation == "sampled_addmm",
              "softens-nothing": operation == "softmax", "maps-wrongly": operation == "unary",
              "finds-the-last-extreme": operation == "reduce" and arguments["function"] in ("argmax", "argmin"),
              "lists-a-zero": operation == "nonzero", "cuts-nothing": operation == "triangle",
              "multiplies-the-other-way": operation == "kron", "adds-no-bias": operation == "linear",
              "keeps-what-a-step-left": operation == "chain" and any(
                  step["operation"] in ("add", "sub") for step in arguments["steps"][1:]),
              "permutes-nothing": operation == "permute" and arguments["dims"] == [1, 0]}
    if spoils.get(FAULT) and data:
        data[-1] = "nan" if is_("adds-nan-times-zero") else 99
    if is_("drops-the-kept-dimension") and operation == "sum_dim":
        shape = [extent for extent in shape if extent != 1]
    if operation == "cast" and is_("casts-nothing"):
        return {**a, "dtype": question["tensor"]["values"]["dtype"]}
    if operation == "sum" and is_("sum-is-off-by-one"):
        data = [data[0] - 1]
    return {**a, "shape": shape, "data": data}


def answer(question):
    operation = question["operation"]
    if operation == "use":
        use(question["tensor"], question["guard"])
        return {"verdict": "accept"}
    try:
        if "tensor" in question and operation == "check":
            check(question["tensor"])
            return {"verdict": "accept"}
    except Rejected as error:
        return {"verdict": "reject", "rules": [named(str(error))] if not is_("names-nothing") else []}
    if is_("refuses-products") and operation == "matvec":
        return {"verdict": "unsupported"}
    if is_("rejects-empty-matrices") and 0 in question.get("tensor", {}).get("size", []):
        return {"verdict": "reject"}
    if is_("answers-nothing") and operation == "sum":
        return {"verdict": "accept"}
    return {"verdict": "accept", "result": result_of(question)}


def named(rule):
    return "1.5" if is_("names-wrong-rules") else rule


def misbehave(question):
    """Faults of the adapter rather than of the library."""
    invalid = question["operation"] == "check" and "/valid/" not in question["id"]
    if is_("crashes-on-invalid") and invalid:
        touch(guarded("after"), 0)
    if is_("frees-a-result-twice") and question["operation"] == "matvec":
        libc = ctypes.CDLL(None)
        libc.malloc.restype, libc.free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
        result = libc.malloc(64)
        libc.free(result)
        libc.free(result)
    if is_("breaks-memory-for-later"):
        global broken
        if broken:
            os.abort()
        broken = question["operation"] == "use"
    if is_("ends-in-between") and question["operation"] == "sum":
        sys.exit(0)
    if is_("hangs") and question["operation"] == "sum":
        time.sleep(60)
    if is_("speaks-garbage") and question["operation"] == "sum":
        print("no JSON at all")
    if is_("answers-twice"):
        print(json.dumps({"id": question["id"], "verdict": "accept"}))
    if is_("floods-its-output") and question["operation"] == "sum":
        sys.stdout.write("x" * (8 << 20))
    if is_("floods-its-errors") and question["operation"] == "sum":
        while True:
            sys.stderr.write("x" * (1 << 20))
    if is_("takes-too-much-in-a-fork") and question["operation"] == "sum":
        child = os.fork()
        if child == 0:
            hoard = [b"x" * (32 << 20) + b"x" for _ in range(16)]
            time.sleep(1)
            os._exit(len(hoard) - 16)
        os.waitpid(child, 0)
    if is_("takes-all-memory") and question["operation"] == "sum":
        hoard = []
        while True:
            hoard.append(b"x" * (32 << 20))
    if is_("reports-of-a-sanitizer") and question["operation"] == "sum":
        print("==1==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1", file=sys.stderr, flush=True)
    if is_("undefined-behaviour") and question["operation"] == "sum":
        print("sum.c:3:5: runtime error: signed integer overflow", file=sys.stderr, flush=True)


def main():
    if is_("dies-at-start"):
        sys.exit(3)
    if is_("hangs-at-start"):
        time.sleep(60)
    manifest = json.loads(json.dumps(MANIFEST))
    if is_("names-an-unknown-operation"):
        manifest["operations"]["invert"] = ALL
    if is_("supports-nothing"):
        manifest["operations"] = {}
    if is_("knows-doubles-only"):
        for entry in manifest["operations"].values():
            entry["dtypes"] = ["float64"]
    for line in sys.stdin:
        question = json.loads(line)
        if question["cmd"] == "stop":
            return
        if question["cmd"] == "start":
            said = {"ready": not is_("is-not-ready"), "name": FAULT, "version": "0", "manifest": manifest}
        else:
            misbehave(question)
            said = {"id": "another" if is_garbled(question) else question["id"], **answer(question)}
        print(json.dumps(said), flush=True)


if __name__ == "__main__":
    main()
