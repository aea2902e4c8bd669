# SPDX-License-Identifier: Apache-2.0
"""The table of what is proved, in README.md between two markers, made from proofs/status.json; and how any table
gets between its markers."""
import json
import re


def put(document, name, text):
    """The document with this text between the markers of that name; ValueError where they are not in it."""
    begin, end = "<!-- %s:begin -->" % name, "<!-- %s:end -->" % name
    if begin not in document or end not in document:
        raise ValueError("lacks the markers %s and %s" % (begin, end))
    before, rest = document.split(begin, 1)
    return "%s%s\n%s\n%s%s" % (before, begin, text, end, rest.split(end, 1)[1])


def as_json(status):
    """JSON with one function a line, so that differences can be read."""
    text = json.dumps(status, indent=1, ensure_ascii=False)
    def flat(m):
        return "  " + json.dumps(json.loads(m[0]), ensure_ascii=False)
    return re.sub(r"^  \{[^{}]*\}", flat, text, flags=re.M) + "\n"


MEANING = {"L2": "exactly what the rule says", "L1": "ranges and other invariants kept", "L0": "nothing undefined"}


def summary(functions):
    """How many functions and goals a level has: int32 and int64 instances are functions of their own."""
    out = ["| level | says | functions | goals proved |", "|---|---|---|---|"]
    for level in sorted({f["level"] for f in functions}, reverse=True):
        fs = [f for f in functions if f["level"] == level]
        out.append("| %s | %s | %d | %s |" % (level or "none", MEANING.get(level, ""), len(fs), goals_of(fs)))
    return out


def goals_of(functions):
    proved, goals = sum(f["proved"] for f in functions), sum(f["goals"] for f in functions)
    return "%d" % goals if proved == goals else "**%d of %d**" % (proved, goals)


def every_function(functions):
    groups = {}
    for f in functions:
        base = f["name"].removesuffix("_" + f["instance"]) if f["instance"] else f["name"]
        groups.setdefault((f["file"], base), []).append(f)
    out = ["| function | instances | level | goals proved | file |", "|---|---|---|---|---|"]
    for (file, base), fs in sorted(groups.items()):
        out.append("| `%s` | %s | %s | %s | `%s` |" % (
            base, ", ".join(sorted(f["instance"] for f in fs if f["instance"])),
            ", ".join(sorted({f["level"] or "none" for f in fs})), goals_of(fs), file))
    return out


def markdown(status):
    functions = [f for f in status["functions"] if f["level"] != "lemma"]
    lemmas = [f for f in status["functions"] if f["level"] == "lemma"]
    out = ["%d of %d goals proved, %d of %d smoke tests passed, %d axioms, %d admits; Frama-C %s, %s. "
           "%d lemmas are functions too, with %s goals." % (
               status["proved"], status["goals"], status["smoke"]["run"] - status["smoke"]["failed"],
               status["smoke"]["run"], status["axioms"], status["admits"], status["frama_c"],
               ", ".join("%s %s" % p for p in sorted(status["provers"].items())), len(lemmas), goals_of(lemmas)), ""]
    last = status["from_nothing"]
    if last:
        out[0] += " The last run from nothing proved %d of %d goals in %d min, %d units at a time." % (
            last["proved"], last["goals"], round(last["seconds"] / 60), last["jobs"])
    if status["assumed"]:
        out += ["Assumed contracts: " + ", ".join("`%s`" % a for a in status["assumed"]) + ".", ""]
    out += [*summary(functions), "", "<details><summary>Every function</summary>", ""]
    return "\n".join([*out, *every_function(functions), "", "</details>"])


def main(status_path, readme_path, units, check):
    with open(status_path, encoding="utf-8") as file:
        status = json.load(file)
    missing = set(units) ^ {u["file"] for u in status["units"]}
    if missing:
        print("proofs/status.json is of other files: %s -- proofs/prove --update" % " ".join(sorted(missing)))
        return 1
    with open(readme_path, encoding="utf-8") as file:
        readme = file.read()
    try:
        new = put(readme, "proofs", markdown(status))
    except ValueError as error:
        print("%s %s" % (readme_path, error))
        return 1
    if check:
        if new != readme:
            print("the table of proofs in README.md is stale: proofs/prove --table")
        return int(new != readme)
    if new != readme:
        with open(readme_path, "w", encoding="utf-8") as file:
            file.write(new)
    return 0
