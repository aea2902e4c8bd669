# SPDX-License-Identifier: Apache-2.0
"""What is proved, made from proofs/status.json: every function, in proofs/STATUS.md; and how any table gets between its
markers."""
import hashlib
import json
import os
import re

import verdicts

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
        since = len(status["units"]) - len(unchanged_since(last))
        out[0] += " One run from nothing, of commit %s, proved all of its %d goals in %d min, %d units at a time; %s." % (
            last["commit"], last["goals"], round(last["seconds"] / 60), last["jobs"],
            "%d of %d units changed since, and only what is new in them was proved since" % (since, len(status["units"])) if since else "nothing changed since")
    else:
        out[0] += " This text was proved unit by unit, as each changed, and not yet in one run from nothing."
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


def record_problems(status):
    """Every figure must follow from the verdicts, which have the digest of what was proved: nobody types one."""
    recorded, out = verdicts.units(verdicts.COMMITTED), []
    told = {}
    for f in status["functions"]:
        told.setdefault(f["unit"], {})[f["name"]] = f["goals"] if f["goals"] == f["proved"] else -1
    for u in status["units"]:
        known = recorded.get(u["file"])
        if not known or (u["goals"], u["proved"], u["smoke"], u["smoke_failed"]) != (known.goals, known.goals, known.smoke, 0) \
                or told.get(u["file"], {}) != known.functions:
            out.append("proofs/status.json says otherwise of %s than the verdicts: prove --cached --update" % u["file"])
    sums_ = {name: sum(u[name] for u in status["units"]) for name in ("goals", "proved", "axioms", "admits", "smoke", "smoke_failed")}
    if [status["goals"], status["proved"], status["axioms"], status["admits"], status["smoke"]] != [
            *(sums_[name] for name in ("goals", "proved", "axioms", "admits")), {"run": sums_["smoke"], "failed": sums_["smoke_failed"]}]:
        out.append("proofs/status.json: its sums are not those of its units: prove --cached --update")
    return out + run_problems(status)


def known_as(digest):
    """What a run from nothing keeps of the digest of a unit."""
    return digest[:16]


def unchanged_since(last):
    """The units that are what a run from nothing proved."""
    return {unit for unit, passed in verdicts.units(verdicts.COMMITTED).items() if last["units"].get(unit) == known_as(passed.digest)}


def run_mark(last):
    """What the script writes beside the figures of a run from nothing: whoever types one has another."""
    return hashlib.sha256(json.dumps({k: v for k, v in last.items() if k != "mark"}, sort_keys=True).encode()).hexdigest()[:16]


def run_problems(status):
    """A run from nothing is told in figures that the script wrote, or not at all."""
    last = status["from_nothing"]
    if not last:
        return []
    unchanged = unchanged_since(last)
    same = [u for u in status["units"] if u["file"] in unchanged]
    kept = sum(u["goals"] for u in same)
    if last.get("mark") != run_mark(last) or last["proved"] != last["goals"] or kept > last["goals"] \
            or len(same) == len(last["units"]) and kept != last["goals"] \
            or last["seconds"] * last["jobs"] < max((u["seconds"] for u in same), default=0):
        return ["proofs/status.json: the last run from nothing cannot have been so: make prove, with --update"]
    return []


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
    wrong = record_problems(status) + (mutants_problems() if check else [])
    print("".join(problem + "\n" for problem in wrong), end="")
    return int(bool(wrong) or check and stale)
