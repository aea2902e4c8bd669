# SPDX-License-Identifier: Apache-2.0
"""What is proved, made from proofs/status.json: every function, in proofs/STATUS.md; and how any table gets between its
markers."""
import hashlib
import json
import os
import re

PROOFS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MUTANTS = os.path.join(PROOFS, "SOUNDNESS.md")


def put(document, name, text):
    """The document with this text between the markers of that name; ValueError where they are not in it."""
    begin, end = "<!-- %s:begin -->" % name, "<!-- %s:end -->" % name
    if begin not in document or end not in document:
        raise ValueError("lacks the markers %s and %s" % (begin, end))
    before, rest = document.split(begin, 1)
    return "%s%s\n%s\n%s%s" % (before, begin, text, end, rest.split(end, 1)[1])


def made_of(text):
    """A line that names a table of mutants and what it was made of: the verdicts and the reasons of survivors."""
    found = hashlib.sha256(text.encode())
    for name in ("mutant_verdicts.json", "mutants.json"):
        with open(os.path.join(PROOFS, name), "rb") as file:
            found.update(file.read())
    return "<!-- of %s -->" % found.hexdigest()[:16]


def mutants_problems():
    """The table of mutants is written by proofs/mutants alone, and speaks of files that are there."""
    with open(MUTANTS, encoding="utf-8") as file:
        m = re.search(r"<!-- mutants:begin -->\n(.*)\n(<!-- of \w+ -->)\n<!-- mutants:end -->", file.read(), re.S)
    if not m or made_of(m[1]) != m[2]:
        return ["the table of mutants in proofs/SOUNDNESS.md is not made of mutant_verdicts.json: proofs/mutants --table"]
    return ["the table of mutants in proofs/SOUNDNESS.md has %s, which is not there: proofs/mutants --table" % file
            for file in re.findall(r"^\| `([^`]+)`", m[1], re.M) if not os.path.exists(os.path.join(PROOFS, "..", file))]


def as_json(status):
    """JSON with one function a line, so that differences can be read."""
    text = json.dumps(status, indent=1, ensure_ascii=False)
    def flat(m):
        return "  " + json.dumps(json.loads(m[0]), ensure_ascii=False)
    return re.sub(r"^  \{[^{}]*\}", flat, text, flags=re.M) + "\n"


MEANING = {"L2": "exactly what the rule says", "L1": "ranges and other invariants kept", "L0": "nothing undefined"}


def summary(functions):
    """How many functions and goals a level has."""
    out = ["| level | says | functions | goals proved |", "|---|---|---|---|"]
    for count, level in levels(functions):
        goals = goals_of([f for f in functions if (f["level"] or "none") == level])
        out.append("| %s | %s | %d | %s |" % (level, MEANING.get(level, ""), count, goals))
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
            base, ", ".join(sorted({f["instance"] for f in fs if f["instance"]})),
            ", ".join(sorted({f["level"] or "none" for f in fs})), goals_of(fs), file))
    return out


def every_lemma(units):
    """Of units that have no function: a lemma of every index and value type is told once."""
    out = ["| lemmas | goals proved | file |", "|---|---|---|"]
    for unit in units:
        names = sorted({re.sub(r"_i(32|64)(_any)?$", "", name) for name in unit.get("lemmas", [])})
        if names:
            out.append("| %s | %s | `%s` |" % (", ".join("`%s`" % name for name in names), goals_of([unit]), unit["file"]))
    return ["", "Statements about what several functions come to, one after another:", "", *out] if len(out) > 2 else []


def sums(status):
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
    if status["parameters"]:
        out += ["Parameters, for every choice of which it is proved: " + ", ".join("`%s`" % p for p in status["parameters"]) + ".", ""]
    if status["open"]:
        out += ["Kernels of products without a recorded proof: " + ", ".join("`%s`" % p for p in status["open"]) + ".", ""]
    return "\n".join([*out, ", ".join("%d functions of level %s" % pair for pair in levels(functions)) + "."])


def levels(functions):
    """Level and number of functions: int32 and int64 instances are functions of their own, but one that several units
    include and prove is one."""
    names = sorted({f["level"] for f in functions}, reverse=True)
    return [(len({(f["file"], f["name"]) for f in functions if f["level"] == name}), name or "none") for name in names]


def whole(status):
    functions = [f for f in status["functions"] if f["level"] != "lemma"]
    return "\n".join([
        "<!-- SPDX-License-Identifier: Apache-2.0 -->", "# What is proved", "",
        "`proofs/prove --table` writes this file from `proofs/status.json`; [SOUNDNESS.md](SOUNDNESS.md) says what a",
        "proof rests on and what the levels mean. What is not listed is not proved.", "",
        sums(status), "", *summary(functions), "", *every_function(functions), *every_lemma(status["units"]), ""])


def main(status_path, units, check):
    with open(status_path, encoding="utf-8") as file:
        status = json.load(file)
    missing = set(units) ^ {u["file"] for u in status["units"]}
    if missing:
        print("proofs/status.json is of other files: %s -- proofs/prove --update" % " ".join(sorted(missing)))
        return 1
    path, written, old = os.path.join(os.path.dirname(status_path), "STATUS.md"), whole(status), ""
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            old = file.read()
    stale = written != old
    if stale and check:
        print("stale: what is proved, in STATUS.md: proofs/prove --table")
    elif stale:
        with open(path, "w", encoding="utf-8") as file:
            file.write(written)
    wrong = mutants_problems() if check else []
    print("".join(problem + "\n" for problem in wrong), end="")
    return int(check and (stale or bool(wrong)))
