# SPDX-License-Identifier: Apache-2.0
"""The contracts of the public functions, word for word, as proofs/public_contracts.txt keeps them: a proof of a weaker
contract is a proof too, so a reader must see when what is promised changes."""
import hashlib
import os
import re

import across
import annotations
from annotations import squeeze

PROOFS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PINNED = os.path.join(PROOFS, "public_contracts.txt")
HEADER = os.path.join(os.path.dirname(PROOFS), "src", "sparsewright_core.h")
HEAD = """\
# What the public functions promise, as Frama-C reads it and as it was proved, macros expanded. Then, by hash, every
# definition that these contracts rest on. proofs/prove fails where this text is not what is proved;
# proofs/prove --pin writes it. Read the difference before you commit it: it is the promise that changes.
"""


def public_names(header):
    with open(header, encoding="utf-8") as file:
        text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", file.read(), flags=re.S)
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


def rests_on(text, meanings):
    """The names that a text uses, and those that their definitions use."""
    return closure(names_in(text), {name: names_in(said) for name, said in meanings.items()})


def pinned(programs, header=HEADER):
    """The text of proofs/public_contracts.txt."""
    proved, meanings, out, used, missing = across.definitions(programs), {}, [HEAD], set(), []
    for _, program in sorted(programs.items()):
        meanings.update(across.meanings(program))
    for name in public_names(header):
        if name not in proved:
            missing.append(name)
            continue
        said = annotations.clauses(proved[name][0].contract())
        out.append("\n%s\n%s" % (proved[name][0].prototype(), "".join("  %s;\n" % clause for clause in said)))
        used |= rests_on(" ".join([proved[name][0].prototype(), *said]), meanings)
    out.append("\n# Public, and not proved:\n%s\n# Definitions that the contracts rest on:\n" % "".join(m + "\n" for m in missing))
    out += ["%s %s\n" % (hashlib.sha256(squeeze(meanings[name]).encode()).hexdigest()[:16], name)
            for name in sorted(used) if name.startswith("enum ") or not meanings[name].startswith("enum ")]
    return "".join(out)


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
    return ["the contracts of the public functions are not those of %s (was: %s; is: %s) -- prove --pin writes it; read "
            "the difference" % (os.path.basename(path), " | ".join(map(annotations.short, gone)) or "nothing",
                                " | ".join(map(annotations.short, come)) or "nothing")]
