# SPDX-License-Identifier: Apache-2.0
"""From the answer of an adapter to an outcome. Written positively: only what is known to be right
is "right"."""

import lint

# "unsupported": the manifest does not cover the case, which is then not run.
# "refused": the adapter calls a case unsupported that its manifest covers.
OUTCOMES = ("right", "too lax", "too strict", "wrong rule", "crash", "timeout", "protocol",
            "refused", "unsupported")
ANSWERS = ("accept", "reject", "unsupported")


def expected_answer(case, readings):
    """accept, reject or either. readings: what the library's profile says about flags. Where it
    says different things about the flags of one case, either answer is right."""
    said = {readings[flag] for flag in case["flags"] if flag in readings}
    if len(said) > 1:
        return "either"
    if said:
        return said.pop()
    return "accept" if case["expect"]["verdict"] == "valid" else "reject"


def covers(manifest, case):
    """Does the manifest promise an answer to the case?"""
    tensor = case["tensor"]
    names = ("indices",) if tensor["layout"] == "coo" else ("compressed_indices", "plain_indices")
    return (tensor["layout"] in manifest["layouts"]
            and all(tensor[name]["dtype"] in manifest["index_dtypes"] for name in names)
            and tensor["values"]["dtype"] in manifest["dtypes"]
            and not set(case["flags"]) & set(manifest["lacks"]))


def outcome(case, answer, manifest, readings):
    given = answer["verdict"]
    if given == "unsupported":
        return "refused"
    expected = expected_answer(case, readings)
    if expected not in ("either", given):
        return "too lax" if given == "accept" else "too strict"
    named = answer.get("rules", [])
    if given == "reject" and not rules_are_right(named, case, manifest):
        return "wrong rule"
    return "right"


def rules_are_right(named, case, manifest):
    """A library need not name rules. It may name some of those violated, and one that claims to
    name all must name all of the first phase in which something is wrong."""
    violated = case["expect"].get("rules", [])
    if manifest["names_rules"] == "all":
        return bool(named) and set(named) == first_phase(violated)
    if manifest["names_rules"] == "some":
        return bool(named) and set(named) <= set(violated)
    return not named


def first_phase(rules):
    first = min(map(phase, rules), default=0)
    return {rule for rule in rules if phase(rule) == first}


def phase(rule):
    """1 shape, 2 structure, 3 canonical."""
    if rule in ("5.6", "6.7"):
        return 3
    return 2 if rule.startswith("5.") or rule in ("6.5", "6.6") else 1


def problem_of_manifest(manifest):
    if not isinstance(manifest, dict):
        return "manifest is not an object"
    for key in ("layouts", "index_dtypes", "dtypes", "lacks"):
        if not is_strings(manifest.get(key)):
            return f"manifest.{key} is not a list of strings"
    unknown = set(manifest["lacks"]) - set(lint.FLAGS)
    if unknown:
        return f"manifest.lacks names unknown flags: {' '.join(sorted(unknown))}"
    if manifest.get("names_rules") not in ("none", "some", "all"):
        return "manifest.names_rules is not none, some or all"
    return None


def problem_of_answer(answer, case):
    if answer.get("id") != case["id"]:
        return f"answered {answer.get('id')!r}"
    if answer.get("verdict") not in ANSWERS:
        return f"verdict {answer.get('verdict')!r}"
    if not is_strings(answer.get("rules", [])) or not isinstance(answer.get("message", ""), str):
        return "rules or message of a wrong type"
    return None


def is_strings(items):
    return isinstance(items, list) and all(isinstance(item, str) for item in items)
