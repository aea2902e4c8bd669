#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""conversions.py [--shard i/n] SPW CASES.jsonl ADAPTER

Every tensor and every dense operand of the cases, or a part of them, converted by our library: to dense, to
every layout, to blocks of several sizes, and from there back. What comes out must be valid, canonical and mean what the
suite's dense model says, by bits; what cannot be converted must be refused with the right numbers, and an
invalid tensor for the first rule that it violates. `spw convert` must write the same. Then the answers are
spoiled in every way that is known here, and each spoiled one must be found. Exit code 1 where something is
wrong."""
import argparse
import itertools
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from functools import lru_cache
from math import prod
from types import SimpleNamespace

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from judging import dense  # noqa: E402
from harness import driver  # noqa: E402
from harness.child import Broken, Child  # noqa: E402
from judging.control import Control  # noqa: E402
from cases.tensors import BLOCKED, array  # noqa: E402
from cases.generate import tensors_of  # noqa: E402
from judging.judge import PROTOCOL, blocks_of, index_dtype_of, order_of_coo  # noqa: E402
from judging.rules import first_phase, phases  # noqa: E402

LARGEST_INT32 = 2**31 - 1
# The adapter makes no array with more elements.
LARGEST = 2**24
# The model takes long for an operand with more places.
MANY = 2**14
EXIT_INVALID, EXIT_IMPOSSIBLE = 1, 2
# So many refusals are asked of the command, each in a process of its own.
REFUSED = 60
TOO_MANY = "size: place -1, other -1, -1 and -1"
FLAT = ("coo", "csr", "csc")


# ---- What a conversion must give ----------------------------------------------------------------

def meaning_of(operand):
    """Size, sparse dimensions, types and blocks of a tensor or dense array, and the bits of each position
    that is specified: in an array, those of elements that are not 0; `rest` has the bits of the others there."""
    if "layout" not in operand:
        dtype, size = operand["dtype"], operand["shape"]
        every = {k: (bits_of(value, dtype),) for k, value in enumerate(dense.elements(operand))}
        found = {k: bits for k, bits in every.items() if is_nonzero(*bits, dtype)}
        return SimpleNamespace(layout="dense", size=size, sparse=len(size), dtype=dtype, index_dtype="int64",
                               blocks=None, found=found, rest=every)
    size, sparse, found = dense.specified(operand)
    dtype = operand["values"]["dtype"]
    return SimpleNamespace(
        layout=operand["layout"], size=size, sparse=sparse, dtype=dtype, index_dtype=index_dtype_of(operand),
        blocks=blocks_of(operand) if operand["layout"] in BLOCKED else None, rest={},
        found={place: tuple(bits_of(value, dtype) for value in part) for place, part in found.items()})


def bits_of(value, dtype):
    """The same few values stand in most tensors. Of floats, -0.0 and 0.0 would be the same one."""
    return known_bits(value, dtype) if isinstance(value, (str, int)) else dense.bits_of(value, dtype)


known_bits = lru_cache(maxsize=1 << 16, typed=True)(dense.bits_of)


def is_nonzero(bits, dtype):
    parts = dense.plain(bits, dtype)
    return any(parts) if isinstance(parts, tuple) else parts != 0


def targets(meaning, turn):
    """Every layout; blocks of the tensor's own size, in turn of others, and of one that does not fit."""
    yield from (("dense", None), *((layout, None) for layout in FLAT))
    if meaning.sparse < 2:
        yield "bsr", [1, 1]
        return
    rows, columns = meaning.size[meaning.sparse - 2:meaning.sparse]
    sizes = [(divisor(rows, 3), divisor(columns, 4)), (1, divisor(columns, 9)), (divisor(rows, 9), 1)]
    for blocks in {tuple(meaning.blocks or sizes[0]), sizes[turn % 3]}:
        yield from ((layout, list(blocks)) for layout in BLOCKED)
    if 0 < rows < LARGEST and turn % 2:
        yield "bsr", [rows + 1, 1]
    if 0 < columns < LARGEST and not turn % 2:
        yield "bsc", [1, 2 * columns]


def divisor(extent, most):
    """The largest that is not more than `most`."""
    return max(k for k in range(1, most + 1) if extent % k == 0)


def obstacles(meaning, to, blocks):
    """What stands in the way, as the adapter says it; any of them may be named."""
    if to == "dense":
        return
    rows, columns = (meaning.size[meaning.sparse - 2:meaning.sparse] if meaning.sparse > 1 else (1, 1))
    b0, b1 = blocks or (1, 1)
    if to != "coo" and meaning.sparse < 2:
        yield "dimensions", -1, -1, meaning.sparse, 2
        return
    for k, (extent, block) in enumerate(((rows, b0), (columns, b1))):
        if to in BLOCKED and extent % block:
            yield "blocks", meaning.sparse - 2 + k, -1, extent, block
            return
    if meaning.index_dtype == "int32":
        extents = meaning.size[:meaning.sparse] if to == "coo" else [0] * (meaning.sparse - 2) + [rows // b0, columns // b1]
        for k, extent in enumerate(extents):
            if extent > LARGEST_INT32:
                yield "index", k, -1, extent, LARGEST_INT32
    counts = counts_of(meaning, to, (b0, b1))
    for batch, count in enumerate(counts):
        if count != counts[0]:
            yield "batches", 0, batch, counts[0], count
            return


def counts_of(meaning, to, blocks):
    """How many cells each batch of the result has."""
    if to == "coo" or len(meaning.size) < 3:
        return []
    rows, columns = meaning.size[meaning.sparse - 2:meaning.sparse]
    area = rows * columns
    cells = Counter(batch for batch, *_ in {
        (k // area, k % area // columns // blocks[0], k % columns // blocks[1]) for k in meaning.found})
    return [cells[batch] for batch in range(prod(meaning.size[:meaning.sparse - 2]))]


def specified_after(meaning, to, blocks):
    """The positions of the result with their bits: whole blocks, with the rest of what is in them."""
    if to not in BLOCKED:
        return meaning.found
    rows, columns = meaning.size[meaning.sparse - 2:meaning.sparse]
    zero, whole = zeros(meaning) if meaning.found else (), {}
    for place in meaning.found:
        row, column = place // columns, place % columns  # the rows of all batches, one behind the other
        first = (row - row % rows % blocks[0]) * columns + column - column % blocks[1]
        for k in range(prod(blocks)):
            at = first + k // blocks[1] * columns + k % blocks[1]
            whole[at] = meaning.found.get(at) or meaning.rest.get(at, zero)
    return whole


def zeros(meaning):
    """What a position has where nothing is specified."""
    return (dense.bits_of(dense.zero(meaning.dtype), meaning.dtype),) * prod(meaning.size[meaning.sparse:])


def largest_array(meaning, to, blocks):
    """Elements of the longest array that the result or a step on the way may need."""
    if to == "dense":
        return prod(meaning.size)
    sparse = meaning.size[:meaning.sparse]
    lines = max(sparse[-2:], default=0) if to != "coo" or meaning.layout != "coo" else 0
    return max(lines, prod(sparse[:-2]) * (1 + lines))


# ---- Asking -------------------------------------------------------------------------------------

def job(name, operand, to, blocks, meaning=None):
    return SimpleNamespace(name=f"{name} to {to}{'' if not blocks else ' {}x{}'.format(*blocks)}", operand=operand,
                           to=to, blocks=blocks, meaning=meaning or meaning_of(operand), rules=None)


def question(item):
    operand = "tensor" if "layout" in item.operand else "dense"
    operation = "to_dense" if item.to == "dense" else "convert" if operand == "tensor" else "from_dense"
    arguments = {} if item.to == "dense" else {"to": item.to, **({"blocksize": item.blocks} if item.blocks else {})}
    return {"cmd": "run", "id": item.name, "operation": operation, "guard": "after", operand: item.operand,
            "arguments": arguments}


class Adapter:
    def __init__(self, command, folder):
        self.child = Child([command], os.path.join(folder, "log"), 4096)
        self.child.ask({"cmd": "start", "protocol": PROTOCOL}, 60)
        self.turn = 0

    def answer(self, item):
        """Arrays stand before the wall and behind it in turn."""
        self.turn += 1
        try:
            return self.child.ask({**question(item), "guard": ("after", "before")[self.turn % 2]}, 60)
        except Broken as error:
            raise Broken(error.outcome, f"{item.name}: {error}") from None


def jobs_of(cases, shard, counts):
    """All conversions of what is valid, and one of what is not."""
    index, count = shard
    for kind, jobs in itertools.islice(operands_of(cases), index - 1, None, count):
        counts[kind] += 1
        yield from jobs


def operands_of(cases):
    """What each operand is, once, with its jobs."""
    seen = set()
    for case in cases:
        for tensor in tensors_of(case):
            text = json.dumps(tensor)
            rules = case["expect"].get("rules", []) if tensor is case.get("tensor") else []
            if text in seen or (not rules and tensor is not case.get("tensor") and "duplicates" in case["flags"]):
                continue
            seen.add(text)
            yield ("invalid", invalid_job(case, rules, len(seen))) if rules else ("valid", valid_jobs(case["id"], tensor, len(seen)))
        if case["operation"] == "from_dense" and json.dumps(case["dense"]) not in seen:
            seen.add(json.dumps(case["dense"]))
            yield "arrays", valid_jobs(case["id"], case["dense"], len(seen))
    for turn, (name, tensor) in enumerate(duplicates()):
        yield "duplicates", valid_jobs(name, tensor, turn)


# Sums that tell the order and the rounding of additions, wraps and the sign of zero; cases for all libraries
# have none that depend on them.
DUPLICATES = {
    "bool": [[1, 1], [0, 0], [0, 1]], "uint8": [[200, 100, 1]], "int8": [[127, 1], [-128, -1], [100, 100, 100]],
    "int16": [[32767, 2]], "int32": [[2**31 - 1, 1]], "int64": [[2**63 - 1, 1], [-2**63, -1]],
    "float16": [[2048, 1, 1], [65504, 16], [65504, 15], ["0x1p-24", "0x1p-24"], ["-0.0", "-0.0"], [1, "0x1.8p-11"]],
    "bfloat16": [[256, 1, 1], [256, 3], ["0x1.fep127", "0x1p119"], ["-0.0", "-0.0"]],
    "float32": [[2**24, 1, 1], [1, 1, 2**24], ["0x1.fffffep127", "0x1p103"], ["-0.0", "-0.0"], [1, -1], ["inf", 1]],
    "float64": [[2**53, 1, 1], [1, 1, 2**53], ["0x1.fffffffffffffp1023", "0x1p970"], ["-0.0", "-0.0"]],
    "complex64": [[[2**24, "-0.0"], [1, "-0.0"], [1, 1]]], "complex128": [[[2**53, 1], [1, 1], [1, "-0.0"]]]}


def duplicates():
    """Each list at a place of its own in COO, and in a row of CSR that is out of order."""
    for dtype, lists in DUPLICATES.items():
        found = [(k, value) for k, values in enumerate(lists) for value in values]
        values = array(dtype, [len(found)], [value for _, value in found])
        places = [k for k, _ in found]
        coo = {"spw": 1, "layout": "coo", "size": [7, 2], "values": values,
               "indices": array("int64", [2, len(found)], [*places, *([1] * len(found))])}
        ends = [sum(k < row for k in places) for row in range(8)]
        csr = {"spw": 1, "layout": "csr", "size": [7, 4], "values": values,
               "compressed_indices": array("int64", [8], ends), "plain_indices": array("int64", [len(found)], [1] * len(found))}
        yield from ((f"{tensor['layout']}/duplicates/{dtype}", tensor) for tensor in (coo, csr))


def valid_jobs(name, operand, turn):
    meaning = meaning_of(operand)
    for to, blocks in targets(meaning, turn):
        if to != "dense" or meaning.layout != "dense":
            yield job(name, operand, to, blocks, meaning)


def invalid_job(case, rules, turn):
    """One that is only out of order is put in order first."""
    violated = first_phase(rules)
    if violated == {"5.6"}:
        yield from valid_jobs(case["id"], case["tensor"], turn)
        return
    to = ("dense", *FLAT, *BLOCKED)[turn % 6]
    item = job(case["id"], case["tensor"], to, [1, 1] if to in BLOCKED else None, SimpleNamespace())
    item.rules = [rule for rule in phases() if rule in violated]
    yield item


# ---- Judging ------------------------------------------------------------------------------------

def problem_of(item, answer, checked):
    """What is wrong about an answer, or None. checked: what the control says of its tensor."""
    if item.rules:
        right = answer["verdict"] == "reject" and answer.get("rules") == item.rules[:1]
        return None if right else f"{answer['verdict']} {answer.get('rules')}, not for {item.rules[0]}"
    expected = [f"{name}: place {place}, other {other}, {lhs} and {rhs}"
                for name, place, other, lhs, rhs in obstacles(item.meaning, item.to, item.blocks)]
    if answer["verdict"] == "reject" and not expected and answer["message"] == TOO_MANY:
        return None if largest_array(item.meaning, item.to, item.blocks) > 2**59 else "refused for its size"
    if answer["verdict"] == "unsupported":
        large = largest_array(item.meaning, item.to, item.blocks) > LARGEST and not expected
        return None if large else f"unsupported: {answer['message']}"
    if answer["verdict"] == "reject":
        return None if answer["message"] in expected else f"{answer['message']}, not {expected}"
    if expected:
        return f"accepted in spite of {expected}"
    result = answer["result"]
    return problem_of_dense(item, result["dense"]) if item.to == "dense" else problem_of_tensor(item, result, checked)


def problem_of_dense(item, got):
    """By bits, and from what is specified: nothing else is anything but zero bits."""
    meaning = item.meaning
    if (got["dtype"], got["shape"]) != (meaning.dtype, meaning.size):
        return f"{got['dtype']} {got['shape']}, not {meaning.dtype} {meaning.size}"
    positions = range(prod(meaning.size[:meaning.sparse]))
    zero = zeros(meaning) if positions else ()
    wanted = [bits for k in positions for bits in meaning.found.get(k, zero)]
    return difference(wanted, [bits_of(value, meaning.dtype) for value in got["data"]])


def difference(wanted, found):
    if len(wanted) != len(found):
        return f"{len(found)} elements, not {len(wanted)}"
    return next((f"element {k} is {found[k]!r}, not {wanted[k]!r}" for k in range(len(wanted))
                 if wanted[k] != found[k]), None)


def problem_of_tensor(item, result, checked):
    tensor, meaning = result.get("tensor"), item.meaning
    if not tensor:
        return "no sparse result"
    if checked["verdict"] != "valid":
        return f"the result is {checked['verdict']}: {checked['violations'][:1] or checked['error']}"
    got = meaning_of(tensor)
    blocks = item.blocks or (meaning.blocks if item.to in BLOCKED else None)
    for name, found, wanted in (
            ("layout", got.layout, item.to), ("size", tensor.get("size"), meaning.size), ("blocks", got.blocks, blocks),
            ("sparse dimensions", got.sparse, meaning.sparse), ("type", got.dtype, meaning.dtype),
            ("index type", got.index_dtype, meaning.index_dtype)):
        if found != wanted:
            return f"{name} {found}, not {wanted}"
    if item.to == "coo" and (tensor.get("coalesced") is not True or order_of_coo(tensor) != (True, True)):
        return "COO that is not coalesced, or does not say so"
    wanted = specified_after(meaning, item.to, item.blocks)
    if set(got.found) != set(wanted):
        return f"position {min(set(got.found) ^ set(wanted))} is specified on one side only"
    return next((f"position {k} is {got.found[k]}, not {wanted[k]}" for k in wanted if got.found[k] != wanted[k]), None)


def judged(spw, pairs):
    """(item, answer, problem) of each pair; the control looks at all tensors at once."""
    with_tensors = [answer["result"]["tensor"] for _, answer in pairs if "tensor" in answer.get("result", ())]
    lines = iter(Control(spw).lines(with_tensors))
    for item, answer in pairs:
        checked = next(lines) if "tensor" in answer.get("result", ()) else None
        yield item, answer, problem_of(item, answer, checked)


def jobs_back(pairs):
    """From each result to the layout that it came from; and from dense, where nothing tells that dimensions were
    batches or dense ones, only of matrices."""
    for item, answer in pairs:
        result = answer.get("result")
        if item.rules or not result or item.meaning.layout in ("dense", item.to):
            continue
        operand = result.get("tensor", result.get("dense"))
        if item.to != "dense" or len(item.meaning.size) == item.meaning.sparse == 2:
            yield job(f"{item.name} and back", operand, item.meaning.layout, item.meaning.blocks)


# ---- The command --------------------------------------------------------------------------------

def options_of(item):
    """--canonicalize withdraws a false claim to be coalesced, which the library refuses: there the command goes without it."""
    blocks = ["--blocksize", "{}x{}".format(*item.blocks)] if item.blocks else []
    return "convert", "--to", item.to, *blocks, *([] if item.rules == ["6.7"] else ["--canonicalize"])


def file_of(item):
    operand = item.operand
    return operand if "layout" in operand else {"spw": 1, "layout": "dense", "values": operand}


def problems_of_command(spw, pairs, counts):
    """`spw convert` must write what the adapter gave, and nothing where that was refused."""
    together = {}
    for item, answer in pairs:
        if answer["verdict"] == "accept":
            together.setdefault(options_of(item), []).append((item, answer["result"]))
        elif answer["verdict"] == "reject":
            together.setdefault(None, []).append((item, bool(item.rules)))
    refused = together.pop(None, [])
    for options, items in together.items():
        code, lines = run_command(spw, options, [item for item, _ in items])
        counts["command"] += len(lines)
        if code or len(lines) != len(items):
            yield f"spw {' '.join(options)}: exit code {code}, {len(lines)} of {len(items)} tensors"
            continue
        for (item, result), line in zip(items, lines):
            if not is_same(line, result):
                yield f"{item.name}: spw convert gives {json.dumps(line)[:200]}"
    for item, invalid in refused[::1 + len(refused) // REFUSED]:
        code, lines = run_command(spw, options_of(item), [item])
        counts["command-refused"] += 1
        if code != (EXIT_INVALID if invalid else EXIT_IMPOSSIBLE) or lines:
            yield f"{item.name}: refused, and spw convert ends with {code} and {len(lines)} tensors"


def is_same(line, result):
    """Of an array, the file's may be written shorter, or with strides."""
    if "tensor" in result:
        return line == result["tensor"]
    got, wanted = line["values"], result["dense"]
    return line["layout"] == "dense" and [got["dtype"], got["shape"], dense.elements(got)] == [
        wanted["dtype"], wanted["shape"], wanted["data"]]


def run_command(spw, options, items):
    text = "".join(json.dumps(file_of(item)) + "\n" for item in items)
    done = subprocess.run([spw, *options, "-", "-"], input=text, text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


# ---- Spoiled answers ----------------------------------------------------------------------------

def spoiled(answer, spoil):
    """The answer with a fault, or None where it has no room for this one."""
    copy = json.loads(json.dumps(answer))
    result = copy.get("result", {})
    spoil(copy, result.get("tensor"), result.get("dense") or result.get("tensor", {}).get("values"))
    return copy if copy != answer else None


def of_values(change):
    def spoil(_, __, values):
        if values:
            values["data"] = change(values["data"], values["dtype"])
    return spoil


def of_indices(member, change):
    def spoil(_, tensor, __):
        if tensor and tensor.get(member, {}).get("data"):
            tensor[member]["data"] = change(tensor[member]["data"])
    return spoil


def of_tensor(change):
    def spoil(_, tensor, __):
        if tensor:
            change(tensor)
    return spoil


def end_line_late(data):
    return [*data[:-2], data[-2] + 1, data[-1]] if len(data) > 2 and data[-2] < data[-1] else data


def reverse_cells(tensor):
    if tensor["layout"] == "coo" and tensor["values"]["shape"][1:] == [] and tensor["indices"]["shape"][0]:
        nse, flat = tensor["indices"]["shape"][1], tensor["indices"]["data"]
        tensor["indices"]["data"] = [k for d in range(0, len(flat), nse or 1) for k in flat[d:d + nse][::-1]]
        tensor["values"]["data"].reverse()


def drop_last_cell(tensor):
    if tensor["layout"] == "coo" and tensor["values"]["shape"][1:] == [] and tensor["values"]["data"]:
        rows, nse = tensor["indices"]["shape"]
        tensor["indices"]["data"] = [k for at, k in enumerate(tensor["indices"]["data"]) if (at + 1) % nse]
        tensor["indices"]["shape"], tensor["values"]["shape"] = [rows, nse - 1], [nse - 1]
        tensor["values"]["data"].pop()


def grow_size(tensor):
    if tensor["layout"] == "coo" and tensor["indices"]["shape"][0]:
        tensor["size"][0] += 1


def retype_indices(tensor):
    for member in set(tensor) & {"indices", "plain_indices", "compressed_indices"}:
        tensor[member]["dtype"] = "int64" if tensor[member]["dtype"] == "int32" else "int32"
    tensor["index_dtype"] = index_dtype_of(tensor)


def unclaim(tensor):
    tensor.pop("coalesced", None)


def other(value, dtype):
    return [other(value[0], dense.PARTS[dtype]), value[1]] if isinstance(value, list) else 0 if value != 0 else 1


def without(*texts):
    def change(data, _):
        return [0 if value in texts else [0 if part in texts else part for part in value]
                if isinstance(value, list) else value for value in data]
    return change


def refuse(answer, _, __):
    if answer["verdict"] == "accept":
        answer.update(verdict="reject", message="batches: place 0, other 1, 3 and 4")


def take(answer, _, __):
    if answer["verdict"] == "reject":
        answer.update(verdict="accept", result={"dense": {"dtype": "float64", "shape": [], "data": [0]}})


def misname(answer, _, __):
    if answer["verdict"] == "reject":
        answer["rules"] = ["1.5"] if answer.get("rules") != ["1.5"] else ["1.1"]
        answer["message"] = answer["message"].replace(" and ", " and 1")


SPOILS = {
    "changes-the-last-value": of_values(lambda data, dtype: data[:-1] + [other(v, dtype) for v in data[-1:]]),
    "changes-the-first-value": of_values(lambda data, dtype: [other(v, dtype) for v in data[:1]] + data[1:]),
    "loses-signs-of-zero": of_values(without("-0.0", "-0x0p+0", -0.0)),
    "loses-payloads": of_values(lambda data, _: ["nan" if str(v).startswith("bits:") else v for v in data]),
    "moves-an-element": of_indices("plain_indices", lambda data: [*data[:-1], data[-1] + 1]),
    "moves-an-element-of-coo": of_indices("indices", lambda data: [*data[:-1], data[-1] + 1]),
    "ends-a-line-late": of_indices("compressed_indices", end_line_late),
    "reverses-coo": of_tensor(reverse_cells), "drops-the-last-cell": of_tensor(drop_last_cell),
    "grows-the-size": of_tensor(grow_size), "retypes-indices": of_tensor(retype_indices),
    "claims-nothing": of_tensor(unclaim), "refuses": refuse, "takes-everything": take, "misnames": misname}
# One answer of so many is spoiled; the number has no divisor in common with the turns above.
SAMPLED = 31


def problems_of_spoils(spw, pairs, counts):
    for name, spoil in SPOILS.items():
        changed = [(item, answer) for item, answer in ((i, spoiled(a, spoil)) for i, a in pairs) if answer]
        counts["spoiled"] += len(changed)
        missed = [item.name for item, _, problem in judged(spw, changed) if not problem]
        if missed or not changed:
            yield f"{name}: {len(changed)} answers spoiled, {len(missed)} not found: {missed[:1]}"


# ---- All of it ----------------------------------------------------------------------------------

# None of these may be 0.
COUNTED = ("valid", "arrays", "invalid", "duplicates", "conversions", "back", "reject", "command", "command-refused", "spoiled")


def is_too_large(case):
    """The model looks through all places: not those of sizes that torture, nor the many of lines that reach far, whose
    cases are conversions themselves."""
    if case["phase"] == "use" and case["operation"] != "read":
        operand = case["tensor"].get("size", ()) if "tensor" in case else case["dense"]["shape"]
        return prod(operand) > MANY
    return (case["group"] == "torture" and case["tensor"]["layout"] == "coo" and case["expect"]["verdict"] == "valid"
            and prod(n for n in case["tensor"].get("size", ()) if n) > LARGEST)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shard", type=driver.shard, default=(1, 1), metavar="i/n", help="the i-th of n parts of the operands")
    for name in ("spw", "cases", "adapter"):
        parser.add_argument(name)
    arguments = parser.parse_args()
    spw = arguments.spw
    with open(arguments.cases, encoding="utf-8") as file:
        # The axes are asked of the adapter as cases.
        cases = [case for case in map(json.loads, file) if case["group"] not in ("axes", "spellings") and not is_too_large(case)]
    counts, problems, asked = Counter(), [], []
    with tempfile.TemporaryDirectory() as folder:
        adapter = Adapter(arguments.adapter, folder)
        jobs = jobs_of(cases, arguments.shard, counts)
        try:
            for turn in ("conversions", "back"):
                pairs = [(item, adapter.answer(item)) for item in jobs]
                counts[turn] = len(pairs)
                for item, answer, problem in judged(spw, pairs):
                    counts[answer["verdict"]] += 1
                    if problem:
                        problems.append(f"{item.name}: {problem}")
                asked += pairs
                jobs = jobs_back(pairs)
        except Broken as error:
            problems.append(f"the adapter broke: {error}")
        finally:
            adapter.child.stop()
    problems += problems_of_command(spw, asked, counts)
    problems += [] if problems else problems_of_spoils(spw, asked[::SAMPLED], counts)
    print(f"conversions: {counts['valid']} valid tensors, {counts['arrays']} arrays, {counts['invalid']} invalid tensors,"
          f" {counts['duplicates']} with sums:"
          f" {counts['conversions']} conversions and {counts['back']} back, {counts['reject']} refused,"
          f" {counts['unsupported']} too large; {counts['command']} of spw convert, {counts['command-refused']} refused;"
          f" {counts['spoiled']} spoiled answers: {len(problems)} problems")
    print("".join(f"  {problem[:1000]}\n" for problem in problems[:20]), end="")
    return 1 if problems or not all(counts[name] for name in COUNTED) else 0


if __name__ == "__main__":
    sys.exit(main())
