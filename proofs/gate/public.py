# SPDX-License-Identifier: Apache-2.0
"""The contracts of the public functions, word for word, and of all others by hash, as proofs/public_contracts.txt keeps them: a
proof of a weaker contract is a proof too, so a reader must see when what is promised changes."""
import hashlib
import os
import re

import across
import annotations
import proved as lists
import source
from annotations import squeeze

PROOFS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PINNED = os.path.join(PROOFS, "public_contracts.txt")
HEADER = os.path.join(os.path.dirname(PROOFS), "src", "sparsewright_core.h")
CERTIFIED = os.path.join(os.path.dirname(HEADER), "sparsewright_certified.h")
HEAD = """\
# What the public functions promise, as Frama-C reads it and as it was proved, macros expanded. Then, by hash, the contract of
# every other proved function, and every definition that contracts rest on. Last, what code that is not proved has to keep.
# proofs/prove fails where this text is not what is proved; proofs/prove --pin writes it. Read the difference before you commit
# it: it is the promise that changes.
"""


def public_names(header):
    """Of the core's header, and of that of certified conversions, which is about proofs."""
    text = ""
    for name in (header, CERTIFIED) if header == HEADER and os.path.exists(CERTIFIED) else (header,):
        with open(name, encoding="utf-8") as file:
            text += re.sub(r"/\*.*?\*/|//[^\n]*", " ", file.read(), flags=re.S)
    return sorted(set(re.findall(r"\b(spw_\w+)\s*\(", text)))


def names_in(text):
    return set(re.findall(r"[A-Za-z_]\w*", text)) | set(re.findall(r"(?:struct|enum) \w+", text))


def closure(names, words):
    """Those of some names that are defined, and what their definitions use; words: the names in each definition."""
    found, todo = set(), names & words.keys()
    while todo:
        found |= todo
        todo = set().union(*(words[name] for name in todo)) & words.keys() - found
    return found


def short_hash(text):
    return hashlib.sha256(squeeze(text).encode()).hexdigest()[:16]


def contracts(programs):
    """name -> its prototype and contract, of each function with a body; of several units that have another one of a name, all."""
    found = {}
    for _, program in sorted(programs.items()):
        for f in program.functions:
            if f.body is not None and not f.ghost:
                found.setdefault(f.name, set()).add("%s\n%s" % (across.prototype(f), squeeze(f.contract)))
    return found


def pinned(programs, header=HEADER):
    """The text of proofs/public_contracts.txt."""
    proved, meanings, out, missing = across.definitions(programs), {}, [HEAD], []
    for _, program in sorted(programs.items()):
        meanings.update(across.meanings(program))
    public = sorted(public_names(header))
    for name in public:
        if name not in proved:
            missing.append(name)
            continue
        said = annotations.clauses(proved[name][0].contract())
        out.append("\n%s\n%s" % (proved[name][0].prototype(), "".join("  %s;\n" % clause for clause in said)))
    every = contracts(programs)
    used = closure(set().union(*(names_in(text) for texts in every.values() for text in texts)),
                   {name: names_in(said) for name, said in meanings.items()})
    out.append("\n# Public, and not proved:\n%s" % "".join(m + "\n" for m in missing))
    out += assumed_contracts(programs)
    out.append("\n# Contracts of other proved functions:\n")
    out += ["%s %s\n" % (short_hash("\n".join(sorted(texts))), name) for name, texts in sorted(every.items()) if name not in public]
    out.append("\n# Definitions that contracts rest on:\n")
    out += ["%s %s\n" % (short_hash(meanings[name]), name)
            for name in sorted(used) if name.startswith("enum ") or not meanings[name].startswith("enum ")]
    out.append("\n# What code that is not proved has to keep where it calls: a function, the names of what it requires, and who names it.\n")
    out += ["%s requires %s: %s\n" % one for one in required_of_others(programs)]
    return "".join(out)


def assumed_contracts(programs):
    """What is taken for given of functions that nobody has proved, word for word."""
    found = {}
    for _, program in sorted(programs.items()):
        for f in program.functions:
            if f.name in lists.assumed() and f.body is None:
                found.setdefault(f.name, set()).add("\n%s\n%s" % (
                    across.prototype(f), "".join("  %s;\n" % clause for clause in annotations.clauses(squeeze(f.contract)))))
    return ["\n# Taken for given, and not proved (assumed.txt):\n"] * bool(found) + [text for name in sorted(found) for text in sorted(found[name])]


# ---- what others have to keep ----------------------------------------------------------------------------------

def requires_of(function):
    """The names of the preconditions of a function."""
    said = [c for c in annotations.clauses(squeeze(function.contract)) if annotations.keyword(c) == "requires"]
    return [(re.match(r"requires (\w+):", c) or ["", "one without a name"])[1] for c in said]


def rooms_that_name():
    """identifier -> the folders of src, two deep, whose files name it and are not proved."""
    found, kinds = {}, [folder + "/" for generic in lists.GENERIC for folder in generic[1:]]
    for where, _, files in os.walk(os.path.join(lists.ROOT, "src")):
        for name in files if where != os.path.join(lists.ROOT, "src") else []:        # there the headers of users are
            file = os.path.relpath(os.path.join(where, name), lists.ROOT)
            if lists.is_proved(file) or file.startswith(tuple(kinds)) or not name.endswith((".c", ".h", ".inc", ".def")):
                continue
            with open(os.path.join(lists.ROOT, file), encoding="utf-8") as opened:
                code = source.code_of_all(opened.read())
            for word in set(re.findall(r"\b[a-z]\w*\b", code)):
                found.setdefault(word, set()).add("/".join(os.path.dirname(file).split("/")[:2]))
    return found


def required_of_others(programs):
    """(function, names of its preconditions, folders) of each one that code beside the proof names; a template by its name alone."""
    rooms, needs = rooms_that_name(), {}
    for _, program in sorted(programs.items()):
        own = across.statics(program)
        for f in program.functions:
            if f.body is not None and not f.ghost and f.name not in own and requires_of(f):
                needs.setdefault(lists.template_name(f.name), set()).update(requires_of(f))
    bases = {}
    for word, where in rooms.items():
        while word not in needs and "_" in word:
            word = word.rsplit("_", 1)[0]            # an instance
        bases.setdefault(word, set()).update(where)
    return [(name, ", ".join(sorted(said)), ", ".join(sorted(bases[name]))) for name, said in sorted(needs.items()) if name in bases]


def problems(text, path=PINNED):
    """Where the text differs from what the file keeps."""
    kept = ""
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            kept = file.read()
    if text == kept:
        return []
    old, new = kept.split("\n"), text.split("\n")
    gone = [line.strip() for line in old if line not in new][:3]
    come = [line.strip() for line in new if line not in old][:3]
    return ["the contracts of proved functions are not those of %s (was: %s; is: %s) -- prove --pin writes it; read "
            "the difference" % (os.path.basename(path), " | ".join(map(annotations.short, gone)) or "nothing",
                                " | ".join(map(annotations.short, come)) or "nothing")]
