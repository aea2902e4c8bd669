# SPDX-License-Identifier: Apache-2.0
"""From the answer of an adapter to an outcome. Written positively: only what is known to be right
is "right"."""
from math import prod

from cases import definitions
from cases.tensors import BLOCKED
from judging import dense
from judging import lint
from judging import oracle
from judging.rules import first_phase
from schemas.vocabulary import EXCUSES, FLAGS, LAYOUTS, OPERATIONS, WRT

OUTCOMES = ("right", "too lax (out of bounds)", "too lax (crash)", "too lax (heap check)",
            "too lax (survived)", "too lax", "too strict", "wrong result", "wrong flag",
            "invalid result", "wrong rule", "crash", "timeout", "sanitizer", "protocol", "refused",
            "unsupported")
# "unsupported": the manifest does not cover the case, which is then not run.
# "refused": the adapter calls a case unsupported that its manifest covers.
PROTOCOL = 2
ANSWERS = ("accept", "reject", "unsupported")
PHASES = ("construct", "validate", "use")
CLAIMS = ("sorted", "canonical", "coalesced")
# The layout that a transpose may have, besides that of its operand.
TURNED = {"csr": "csc", "csc": "csr"}
EXACT_FLAGS = {"negative-zero", "nan"}
# Flags of which a profile says what becomes of bits: no tensor may be refused for them.
OF_BITS = EXACT_FLAGS | {"subnormal"}
# And of one that says whether what is stored has to be what the operand stores: PATTERN_KEPT.
ZEROS = "explicit-zeros"
OF_RESULTS = OF_BITS | {ZEROS}
# What these give is stored where the operands store something, zeros too (spec(out) == spec(t)), and from a dense array where it is not 0.
PATTERN_KEPT = {*definitions.MOVES} - {"to_dense", "eliminate_zeros"}
# A result is not gone through that has more elements than these, and so many times the elements of what is expected.
SPARE, ROOM = 4096, 8
MOST_DIMENSIONS = 64
MAYBE = 0.5  # how often -0.0 of a dense array is stored
MOST_WORDS = 1000  # in a list of a manifest
# What a library says of its own faults.
INTERNAL = ("INTERNAL ASSERT", "internal error", "please report a bug")


# ---- What is expected ---------------------------------------------------------------------------

def expected_answer(case, readings):
    """accept, reject or either. readings: what the library's profile says about flags. A flag
    excuses the rules that it is about, and no others."""
    if case["expect"]["verdict"] == "valid" and "rules" not in case["expect"]:
        return strictest({readings[flag] for flag in case["flags"] if flag in readings and flag not in OF_RESULTS}, "accept")
    said = set()
    for rule in case["expect"].get("rules", ["no rule"]):
        flags = [flag for flag in case["flags"] if rule in EXCUSES.get(flag, ())]
        said |= {readings.get(flag, "reject") for flag in flags} or {"reject"}
    return strictest(said)


def strictest(said, otherwise=None):
    return next((answer for answer in ("reject", "either", "accept") if answer in said), otherwise)


def readings_for(case, profile):
    """What the profile says about flags, for the operation of the case."""
    if case["operation"] == "check":
        return profile["flags"]
    return {**profile["flags"], **dict.fromkeys(profile.get("uses", ()), "accept")}


def is_promised(case, readings):
    """An operation on a tensor that violates a rule is asked only where the library permits it."""
    return (case["operation"] == "check" or "rules" not in case["expect"]
            or expected_answer(case, readings) == "accept")


def covers(manifest, case):
    """Does the manifest promise an answer to the case?"""
    return covers_operation(manifest, case, case["operation"])


def askable(manifest, kinds):
    """kinds: how many cases there are of each kind_of. How many are about a layout or a file format that the library has, in types that it has? What else the
    manifest leaves out, operations and flags, is left out by choice."""
    entries = list(manifest["operations"].values()) if manifest else []
    had = {key: {kind for entry in entries for kind in entry.get(key, ())} for key in ("formats", "layouts")}
    dtypes = {dtype for entry in entries for dtype in entry["dtypes"]}
    indices = {*(manifest or {}).get("index_dtypes", ()),
               *(dtype for entry in entries for dtype in entry.get("index_dtypes", ()))}
    return sum(count for (key, name, dtype, index_dtype), count in kinds.items()
               if name in had[key] and (dtype is None or dtype in dtypes) and (index_dtype is None or index_dtype in indices))


def kind_of(case):
    """A layout or a format, the type of values where it matters, and that of indices."""
    operand = OPERATIONS[case["operation"]].operand
    if operand == "file":
        return "formats", case["file"]["format"], None, None
    if operand == "dense":
        return "layouts", case["arguments"]["to"], None, None
    tensor = case["tensor"]
    return ("layouts", tensor["layout"], None if "retype" in case else tensor["values"]["dtype"],
            tensor.get("indices", tensor.get("plain_indices"))["dtype"])


def covers_operation(manifest, case, operation):
    entry = manifest["operations"].get(operation)
    if entry is None or case.get("spelling", "") not in ("", *entry.get("spellings", ())) or set(case["flags"]) & {*manifest["lacks"], *entry.get("lacks", ())}:
        return False
    if OPERATIONS[operation].operand == "file":
        return (case["file"]["format"] in entry["formats"]
                and case["expect"].get("dense", {}).get("dtype", "float64") in entry["dtypes"])
    if OPERATIONS[operation].operand == "dense":
        return (case["arguments"]["to"] in entry["layouts"]
                and case["dense"]["dtype"] in entry["dtypes"])
    if operation == "chain" and not covers_steps(manifest, case):
        return False
    if operation == "vjp" and not covers_gradient(manifest, entry, case):
        return False
    tensor = case["tensor"]
    names = ("indices",) if tensor["layout"] == "coo" else ("compressed_indices", "plain_indices")
    index_dtypes = entry.get("index_dtypes", manifest["index_dtypes"])
    return (tensor["layout"] in entry["layouts"]
            and all(tensor[name]["dtype"] in index_dtypes for name in names)
            and {tensor["values"]["dtype"], case.get("arguments", {}).get(
                "dtype", tensor["values"]["dtype"])} <= set(entry["dtypes"])
            and ("to" not in OPERATIONS[operation].arguments
                 or case["arguments"]["to"] in entry["to"].get(tensor["layout"], ())))


def covers_steps(manifest, case):
    """Does the manifest promise every step, in each layout that the tensor may have by then?"""
    known, layouts = manifest["operations"], {case["tensor"]["layout"]}
    dtype = case["tensor"]["values"]["dtype"]
    for step in case["arguments"]["steps"]:
        entry, to = known.get(step["operation"]), step["arguments"].get("to")
        if (entry is None or dtype not in entry["dtypes"] or set(case["flags"]) & set(entry.get("lacks", ()))
                or not layouts <= {*entry["layouts"]} & {*known["chain"]["layouts"]}):
            return False
        if to and not all(to == layout or to in entry["to"].get(layout, ()) for layout in layouts):
            return False
        layouts = {to} if to else layouts
        if step["operation"] == "transpose":
            layouts |= {TURNED.get(layout, layout) for layout in layouts}
    return layouts <= {*known["chain"]["layouts"]}


def covers_gradient(manifest, entry, case):
    """Does it promise the operation itself in that layout, and its gradient with respect to that operand?"""
    of, layout = case["arguments"]["of"], case["tensor"]["layout"]
    itself, to = manifest["operations"].get(of["operation"], {"layouts": ()}), of["arguments"].get("to")
    return (case["arguments"]["wrt"] in entry["of"].get(of["operation"], ()) and layout in itself["layouts"]
            and (to is None or to in itself["to"].get(layout, ())))


# ---- Verdicts and results -----------------------------------------------------------------------

def outcome_of_verdict(case, answer, manifest, readings):
    """An outcome and why. "accept" of an invalid tensor is "too lax" until it has been used."""
    given = answer["verdict"]
    if given == "unsupported":
        return "refused", answer.get("message", "")
    expected, why = expected_answer(case, readings), answer.get("message") or f"{given}ed"
    if given == "reject" and expected == "accept" and is_refusal(why, manifest):
        return "unsupported", why
    if expected not in ("either", given):
        return ("too lax" if given == "accept" else "too strict"), why
    if given == "reject" and not rules_are_right(answer.get("rules", []), case, manifest):
        return "wrong rule", " ".join(answer.get("rules", [])) or "none named"
    return "right", answer.get("message", "")


def is_refusal(message, manifest):
    """Does the library say, in words that the manifest quotes, that it has no such operation? An internal error is none."""
    return not any(word in message for word in INTERNAL) and any(word in message for word in manifest.get("refuses", ()))


def rules_are_right(named, case, manifest):
    """A library need not name rules. It may name some of those violated, and one that claims to
    name all must name all of the first phase in which something is wrong."""
    violated = case["expect"].get("rules", [])
    if case["operation"] != "check":
        return True
    if manifest["names_rules"] == "all":
        return bool(named) and set(named) == first_phase(violated)
    if manifest["names_rules"] == "some":
        return bool(named) and set(named) <= set(violated)
    return not named


def outcome_of_result(case, got, checked, profile):
    """Of a result of either kind. What a stranger says ends no run, whatever it does to who reads it."""
    large = too_much(case, got)
    if large:
        return "wrong result", large
    try:
        if case["operation"] == "vjp":
            return outcome_of_gradient(case, got, checked, profile)
        if "dense" in got:
            return outcome_of_dense(case, got["dense"], profile)
        return outcome_of_tensor(case, got, checked, profile)
    except (ArithmeticError, LookupError, TypeError, ValueError, MemoryError, RecursionError) as error:
        return "wrong result", f"it cannot be read: {error!r}"


def too_much(case, got):
    """Why nobody goes through a result, which has the right form: its arrays have many more elements than what is expected. A few
    bytes may say as many as they like."""
    expected = case["expect"].get("dense", {"shape": []})["shape"]
    room = SPARE + ROOM * prod(max(1, extent) for extent in expected)
    arrays = got["tensor"] if "tensor" in got else got
    for name, member in arrays.items():
        if not lint.is_array(member):
            continue
        if len(member["shape"]) > MOST_DIMENSIONS:
            return f"{name} of {len(member['shape'])} dimensions"
        data = member.get("data")
        if prod(map(abs, member["shape"])) > room or (isinstance(data, list) and len(data) > room):
            return f"{name} of more than {room} elements, for a result of size {expected}"
    return None


def outcome_of_gradient(case, got, checked, profile):
    """Of a sparse operand it is stored where the operand stores something, and nowhere else, or dense where the profile says that it is
    full; of anything else dense."""
    operand = differentiated(case)
    if operand is None or is_full(case, profile):
        if "dense" in got:
            return outcome_of_dense(case, got["dense"], profile)
        outcome, why = outcome_of_dense(case, dense.dense_of(got["tensor"]), profile)
        return (outcome, why) if outcome != "right" else ("wrong flag", "sparse, where a dense gradient is right")
    kept = dense.dense_of(marked(operand))["data"]
    full, nothing = case["expect"]["dense"], dense.zero(operand["values"]["dtype"])
    masked = {**full, "data": [n if times else nothing for n, times in zip(full["data"], kept)]}
    case = {**case, "expect": {**case["expect"], "dense": masked, "layout": operand["layout"],
                               **({"blocksize": blocks_of(operand)} if operand["layout"] in BLOCKED else {})}}
    if "tensor" in got:
        return outcome_of_tensor(case, got, checked, profile)
    outcome, why = outcome_of_dense(case, got["dense"], profile)
    if outcome == "right" or dense.difference(full, got["dense"]) is None:
        return "wrong flag", "dense, where the gradient has to be stored at the places of the operand only"
    return outcome, why


def is_full(case, profile):
    name = case["arguments"]["of"]["operation"]
    return bool({name, f"{name}/{case['tensor']['layout']}"} & set(profile.get("full_gradients", ())))


def differentiated(case):
    """The sparse operand of a gradient; None if it is dense, or the array of values."""
    wrt = case["arguments"]["wrt"]
    return case["tensor"] if wrt == "tensor" else case["arguments"]["of"]["arguments"]["other"] if wrt == "other" else None


def outcome_of_dense(case, got, profile):
    """Of a dense result, which has the right form: see problem_of_result. Signs of zeros and bits
    of NaN count where the case is about them and the profile does not read them as either. Sums of
    floats are judged by what is summed."""
    expected = case["expect"]["dense"]
    exact = any(profile["flags"].get(flag) != "either" for flag in EXACT_FLAGS & set(case["flags"]))
    any_dtype = OPERATIONS[last_operation(case)].any_dtype
    try:
        other_type = None if dense.misfit(expected, got, any_dtype=True) else dense.misfit(expected, got, any_dtype)
        any_dtype = any_dtype or bool(other_type)
        if "sums" in case["expect"]:
            why = dense.misfit(expected, got, any_dtype) or oracle.problem(case, got, profile)
        else:
            if oracle.may_flush(case, profile) and not dense.misfit(expected, got):
                expected = dense.flushed(expected, got)
            why = dense.difference(expected, got, exact, any_dtype)
    except dense.Misfit as error:
        return "wrong result", str(error)
    except oracle.NotJudged as error:
        return "unsupported", f"not judged: {error}"
    if why:
        return "wrong result", f"{other_type}, and {why}" if other_type else why
    return ("wrong flag", other_type) if other_type else ("right", "")


def last_operation(case):
    """Of a chain, that of its last step."""
    return case["arguments"]["steps"][-1]["operation"] if case["operation"] == "chain" else case["operation"]


def outcome_of_tensor(case, result, checked, profile):
    """Of a sparse result. checked: the line of `spw check --json` about it."""
    tensor, claims = result["tensor"], result.get("claims", {})
    if checked["verdict"] == "malformed":
        return "invalid result", f"{checked['error']['where']}: {checked['error']['message']}"
    rules = {violation["rule"]: violation["message"] for violation in checked["violations"]}
    order = {rule: rules.pop(rule) for rule in ("5.6", "6.7") if rule in rules}
    if rules or checked["verdict"] not in ("valid", "invalid"):
        return "invalid result", "; ".join(f"{rule}: {text}" for rule, text in rules.items())
    _, size = dense.tensor_places(tensor)
    if size != case["expect"]["dense"]["shape"]:  # before anything of that size is made
        return "wrong result", f"shape {size}, not {case['expect']['dense']['shape']}"
    outcome, why = outcome_of_dense(case, dense.dense_of(tensor), profile)
    if outcome != "right":
        return outcome, why
    placed = order_of_tensor(tensor)
    return (outcome_of_order(placed, claims, order, profile)
            or outcome_of_pattern(case, tensor, profile)
            or outcome_of_kind(case, tensor, placed, claims, profile))


def outcome_of_order(placed, claims, order, profile):
    """Canonical, or claimed not to be, or permitted not to be. placed: as order_of_tensor says."""
    if "6.7" in order:
        return "wrong flag", f"coalesced, but {order['6.7']}"
    is_sorted, is_unique = placed
    for claim in CLAIMS:
        needed = is_sorted if claim == "sorted" else is_sorted and is_unique
        if claims.get(claim) and not needed:
            return "wrong flag", f"claimed to be {claim}, which it is not"
    if "5.6" not in order:
        return None
    for fault, flag in ((not is_sorted, "unsorted"), (not is_unique, "duplicates")):
        denied = claims.get("sorted" if flag == "unsorted" else "canonical") is False
        permitted = flag in profile.get("uses", ()) or profile["flags"].get(flag) in ("accept", "either")
        if fault and not denied and not permitted:
            return "invalid result", f"5.6: {order['5.6']}"
    return None


def outcome_of_pattern(case, tensor, profile):
    """Is that stored which has to be, and no element more often than the operands store it?"""
    if case["operation"] not in (*PATTERN_KEPT, "vjp"):
        return None
    shape, lost = case["expect"]["dense"]["shape"], "dense" in case and oracle.may_flush(case, profile)
    free = lost or profile["flags"].get(ZEROS) == "either"
    wanted = pattern_of(case)
    if tensor["layout"] in BLOCKED:
        wanted = whole_blocks(wanted, tensor, shape)
    for k, (most, times) in enumerate(zip(wanted, dense.dense_of(marked(tensor))["data"])):
        if times > max(most, 1):
            return "wrong result", f"element {dense.place_of(k, shape)} is stored {times} times, not {max(most, 1)}"
        if not free and most != MAYBE and (times == 0) != (most == 0):
            said = "stored, and nobody has specified it" if times else "not stored, though it is specified"
            return "wrong result", f"element {dense.place_of(k, shape)} is {said}"
    return None


def pattern_of(case):
    """How often each element of the result is stored, at most; never, where it has to be 0."""
    if case["operation"] == "vjp":
        return dense.dense_of(marked(differentiated(case)))["data"]
    if "tensor" not in case:
        bits = [(dense.bits_of(value, case["dense"]["dtype"]), case["dense"]["dtype"]) for value in dense.elements(case["dense"])]
        return [1 if is_nonzero(dense.plain(*pair)) else MAYBE if is_nonzero(pair[0]) else 0 for pair in bits]
    others = {name: list(map(marked, value)) if name == "others" else value for name, value in case.get("arguments", {}).items()}
    return definitions.meaning({**case, "tensor": marked(case["tensor"]), "arguments": others})["data"]


def is_nonzero(bits):
    return any(bits) if isinstance(bits, tuple) else bits != 0


def marked(tensor):
    """With 1 for each element that it stores."""
    return {**tensor, "values": {"dtype": "int64", "shape": tensor["values"]["shape"], "length": 1, "fill": 1}}


def whole_blocks(counts, tensor, shape):
    """A block is stored when an element of it is."""
    first = len(tensor["compressed_indices"]["shape"]) - 1
    (rows, columns), (b0, b1) = shape[first:first + 2], blocks_of(tensor)
    tail, found = prod(shape[first + 2:]), {}

    def block(k):
        batch, within = divmod(k // tail, rows * columns)
        return batch, within // columns // b0, within % columns // b1
    for k, count in enumerate(counts):
        found[block(k)] = max(count, found.get(block(k), 0))
    return [found[block(k)] for k in range(len(counts))]


def order_of_tensor(tensor):
    return (order_of_coo if tensor["layout"] == "coo" else order_of_compressed)(tensor)


def order_of_coo(tensor):
    return order_of(list(dense.CooPlaces(tensor)))


def order_of_compressed(tensor):
    places = list(dense.CompressedPlaces(tensor))
    if tensor["layout"] in ("csc", "bsc"):
        places = [(batch, column, row) for batch, row, column in places]
    return order_of(places)


def order_of(places):
    """Is it sorted, and is no place there twice?"""
    return all(a <= b for a, b in zip(places, places[1:])), len(set(places)) == len(places)


def outcome_of_kind(case, tensor, placed, claims, profile):
    """Layout, block size, index type, order and number of elements of a right result."""
    to = case["expect"].get("layout")
    if to and tensor["layout"] != to:
        return "wrong flag", f"layout {tensor['layout']}, not {to}"
    blocks = case["expect"].get("blocksize") or case.get("arguments", {}).get("blocksize")
    if blocks and blocks != blocks_of(tensor):
        return "wrong flag", f"block size {blocks_of(tensor)}, not {blocks}"
    stored = first_array(tensor)["shape"][-1]
    if case["expect"].get("elements", stored) != stored:
        return "wrong result", f"{stored} elements, not {case['expect']['elements']}"
    is_sorted, is_unique = placed
    wanted = case["expect"].get("order")
    if wanted and not (is_sorted and (is_unique or wanted == "sorted")):
        return "wrong result", f"not {wanted}"
    denied = [claim for claim in CLAIMS if claims.get(claim) is False and (wanted == "canonical" or wanted == claim)]
    if denied:
        return "wrong flag", f"{wanted} as it has to be, and claimed not to be {denied[0]}"
    promised = profile.get("index_dtype", "kept")
    if promised == "kept" and "tensor" in case:
        promised = index_dtype_of(case["tensor"])
    found = index_dtype_of(tensor)
    if promised not in ("free", "kept", found):
        return "wrong flag", f"index type {found}, not {promised}"
    return "right", ""


def blocks_of(tensor):
    """The dimensions of a block stand behind those of the batches and that of the elements."""
    first = len(tensor["compressed_indices"]["shape"])
    return tensor["values"]["shape"][first:first + 2]


def index_dtype_of(tensor):
    return first_array(tensor)["dtype"]


def first_array(tensor):
    return tensor["indices" if tensor["layout"] == "coo" else "plain_indices"]


# ---- Are manifest and answers well formed? ------------------------------------------------------

def problem_of_hello(hello):
    """Of the answer to "start": an adapter that is not ready may say why."""
    if hello.get("ready") is not True:
        why = hello.get("message")
        return f"not ready: {why[:300]}" if isinstance(why, str) and why else "not ready"
    if hello.get("protocol", PROTOCOL) != PROTOCOL:
        return f"it speaks protocol {hello['protocol']!r}, not {PROTOCOL}"
    return problem_of_manifest(hello.get("manifest"))


def problem_of_manifest(manifest):
    if not isinstance(manifest, dict):
        return "manifest is not an object"
    for key in ("index_dtypes", "lacks"):
        if not is_strings(manifest.get(key)):
            return f"manifest.{key} is not a list of strings"
    problem = problem_of_types(manifest["index_dtypes"])
    if problem:
        return f"manifest.index_dtypes: {problem}"
    if manifest.get("names_rules") not in ("none", "some", "all"):
        return "manifest.names_rules is not none, some or all"
    if not is_strings(manifest.get("refuses", [])) or not all(manifest.get("refuses", [])):
        return "manifest.refuses is not a list of texts"
    if not is_strings(manifest.get("guards", [])) \
            or set(manifest.get("guards", [])) - {"after", "before"}:
        return "manifest.guards is not a list of after and before"
    if not isinstance(manifest.get("operations"), dict):
        return "manifest.operations is not an object"
    lacks = set(manifest["lacks"])
    for name, entry in manifest["operations"].items():
        if name not in OPERATIONS or not isinstance(entry, dict):
            return f"manifest.operations.{name} is not known"
        problem = problem_of_entry(name, entry)
        if problem:
            return f"manifest.operations.{name}: {problem}"
        lacks |= set(entry.get("lacks", ()))
    because = manifest.get("because", {})
    if not isinstance(because, dict) or not is_strings([*because.values()]) or not all(because.values()):
        return "manifest.because is not an object of texts"
    unknown = lacks - set(FLAGS)
    if unknown:
        return f"manifest.lacks names unknown flags: {' '.join(sorted(unknown))}"
    return None


def not_asked(manifest):
    """What a manifest leaves out by hand: "a flag", or "operation/flag", and why, or None where it does not say."""
    if not manifest:
        return []
    because = manifest.get("because", {})
    keys = [*manifest["lacks"], *(f"{name}/{flag}" for name, entry in manifest["operations"].items() for flag in entry.get("lacks", ()))]
    return [[key, because.get(key) or because.get(key.rpartition("/")[2])] for key in dict.fromkeys(keys)]


def problem_of_entry(name, entry):
    reads, chooses = OPERATIONS[name].operand == "file", "to" in OPERATIONS[name].arguments
    for key in ("formats" if reads else "layouts", "dtypes"):
        if not is_strings(entry.get(key)):
            return f"{key} is not a list of strings"
    for key in ("lacks", "index_dtypes", "spellings"):
        if not is_strings(entry.get(key, [])):
            return f"{key} is not a list of strings"
    if chooses and OPERATIONS[name].operand == "tensor" and not (isinstance(entry.get("to"), dict)
                                  and all(map(is_strings, entry["to"].values()))):
        return "to is not an object of lists of layouts"
    of = entry.get("of", {})
    if not isinstance(of, dict) or not all(map(is_strings, of.values())) or (name == "vjp") != ("of" in entry):
        return "of is an object of lists of operands, and vjp has it"
    if set(of) - set(OPERATIONS) or {wrt for given in of.values() for wrt in given} - set(WRT):
        return "of has unknown operations or operands"
    if not reads and set(entry["layouts"]) - set(LAYOUTS):
        return "layouts has unknown ones"
    return problem_of_types([*entry["dtypes"], *entry.get("index_dtypes", ())])


def problem_of_types(dtypes):
    unknown = {*dtypes} - {*dense.DTYPES}
    return f"unknown types: {' '.join(sorted(unknown))}" if unknown else None


def problem_of_answer(answer, name, operation):
    """name: the id of the question."""
    if answer.get("id") != name:
        return f"answered {answer.get('id')!r}"
    if answer.get("verdict") not in ANSWERS:
        return f"verdict {answer.get('verdict')!r}"
    if not is_strings(answer.get("rules", [])) or not isinstance(answer.get("message", ""), str):
        return "rules or message of a wrong type"
    if sum(map(len, answer.get("rules", ()))) > MOST_WORDS:
        return "rules that are none"
    if answer.get("phase", "use") not in PHASES:
        return f"phase {answer['phase']!r}"
    if not OPERATIONS[operation].result or answer["verdict"] != "accept":
        return None
    return problem_of_result(answer.get("result"), operation)


def is_element(value):
    return all(isinstance(part, (int, float, str)) for part in (value if isinstance(value, list) and len(value) == 2 else [value]))


def problem_of_result(result, operation):
    if not isinstance(result, dict) or len({"dense", "tensor"} & set(result)) != 1:
        return "no result, neither dense nor tensor"
    if "tensor" in result:
        if "tensor" not in OPERATIONS[operation].result:
            return f"a sparse result of {operation}"
        claims = result.get("claims", {})
        if not isinstance(claims, dict) or set(claims) - set(CLAIMS) \
                or not all(isinstance(claim, bool) for claim in claims.values()):
            return "claims are not known ones"
        return next(lint.problems_of_tensor(result["tensor"]), None)
    if "dense" not in OPERATIONS[operation].result:
        return f"a dense result of {operation}"
    member = result["dense"]
    if not lint.is_array(member) or set(member) != {"dtype", "shape", "data"} \
            or not isinstance(member["data"], list):
        return "dense is not an object of dtype, shape and data"
    if not all(map(is_element, member["data"])):
        return "elements are numbers, texts, or pairs of them"
    return None


def is_strings(items):
    return isinstance(items, list) and len(items) <= MOST_WORDS and all(isinstance(item, str) for item in items)
