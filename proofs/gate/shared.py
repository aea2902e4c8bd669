# SPDX-License-Identifier: Apache-2.0
"""Do all files of the library see one declaration of each function, and one definition of each type that such a declaration
rests on? A macro before a header changes both for one file alone: what is proved there would not be what others call. Asked of
the compiler, with the flags of each file: of what it declares, and of what its preprocessor leaves of types."""
import concurrent.futures
import os
import re
import subprocess
import tempfile

import framac
import proved
import public
import source
from proved import ROOT

DECLARED = re.compile(r"^/\* (?P<file>[^\n]*?):\d+:(?P<kind>\w\w) \*/ extern (?P<said>[^\n]*?);(?: /\* \((?P<names>[^\n)]*)\)[^\n]*)?$", re.M)
NO_CODE = {"-MMD", "-MP", "-c"}


def compiled_files():
    """The sources of the library, and the units of the proof beside them."""
    there = [os.path.relpath(os.path.join(where, f), ROOT) for where, _, files in os.walk(os.path.join(ROOT, "src"))
             for f in files if f.endswith(".c")]
    return sorted({*there, *proved.units(ROOT)})


def prototype(said, names):
    """A declaration without the names of its parameters, which a definition has."""
    for name in filter(None, re.split(r"[,\s]+", names or "")):
        said = re.sub(r"\b%s\b(?=[,)\[])" % re.escape(name), "", said, count=1)
    return re.sub(r"\s+(?=[,)*])|(?<=\*)\s+", "", said)


def read_declarations(text):
    """name -> how it is declared, of the functions of the project."""
    found = {}
    for m in DECLARED.finditer(text):
        name = re.search(r"(\w+) \(", m["said"])
        if name and source.is_ours(m["file"]):
            found.setdefault(name[1], set()).add(prototype(m["said"], m["names"]))
    return found


def items(words):
    """What stands between two semicolons outside of braces."""
    depth, out = 0, []
    for word in words:
        depth += (word in "({[") - (word in ")}]")
        if word == ";" and depth == 0:
            yield out
            out = []
        else:
            out.append(word)
        if word == "}" and depth == 0 and out and out[0] not in ("typedef", "struct", "enum", "union"):
            out = []                                     # the body of a function


def of_a_value_type(file):
    """Each value type has functions of its own, by the same names."""
    file = os.path.relpath(os.path.normpath(os.path.join(ROOT, file)), ROOT)
    return file.startswith(tuple(folder + "/" for generic in proved.GENERIC for folder in (generic.types, generic.units)))


def read_bodies(text):
    """name -> all its tokens, of the functions that headers bring a body of."""
    found = {}
    for file, lines in source.pieces(text):
        if file.endswith(".h") and source.is_ours(file) and "{" in lines and not of_a_value_type(file):
            words = source.TOKEN.findall(re.sub(r"^\s*#[^\n]*", "", source.code_of_all(lines), flags=re.M))
            depth, start = 0, 0
            for at, word in enumerate(words):
                depth += (word == "{") - (word == "}")
                if depth == 0 and word in ";}":
                    said = words[start:at + 1]
                    named = [one for one, after in zip(said, said[1:]) if after == "(" and not one.startswith("_") and one != "("]
                    name = named[0] if named and word == "}" else ""
                    if name and "static" in said[:4]:
                        found[name] = " ".join(said)
                    start = at + 1
    return found


def read_types(text):
    """name -> its definition, of types: each by its tag and by the name that a typedef gives it."""
    found = {}
    own = "\n".join(source.code_of_all(lines) for file, lines in source.pieces(text) if source.is_ours(file))
    for words in items(source.TOKEN.findall(re.sub(r"^\s*#[^\n]*", "", own, flags=re.M))):
        said = [word for word in words if word not in ("extern", "static")]
        if said and said[0] == "typedef":
            found[said[-1]] = " ".join(said)
        if "{" in said and re.match(r"(?:typedef )?(?:struct|union|enum) \w+ \{", " ".join(said[:4])):
            start = said.index("{")
            found["%s %s" % (said[start - 2], said[start - 1])] = " ".join(said[start:])
    return found


def bare(command):
    return [word for word in command[:command.index("-o")] if word not in NO_CODE]


def seen_by(unit, command):
    """What one file sees: its declarations, its types, and the functions of headers; None where it does not compile."""
    kept = bare(command)
    with tempfile.TemporaryDirectory() as tmp:
        path = os.path.join(tmp, "declared")
        done = subprocess.run([*kept, "-w", "-fsyntax-only", "-aux-info", path], cwd=ROOT, env=framac.environment(ROOT), check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if done.returncode or not os.path.exists(path):
            return None
        with open(path, encoding="utf-8") as file:
            declared = read_declarations(file.read())
    text = framac.output_of([*kept, "-w", "-E"], ROOT)
    return declared, read_types(text), read_bodies(text)


def types_in(said):
    """What stands before a name or a star in a definition: no member."""
    return set(re.findall(r"(?:(?:struct|enum|union) )?[A-Za-z_]\w*(?= [A-Za-z_*])", said))


def problems(commands_of, settings=(), jobs=2):
    """Of all files; or of units by name (unit -> ways in which it is compiled), each beside its headers alone."""
    if commands_of:
        return [problem for unit, commands in sorted(commands_of.items()) for command in commands[:1]
                for problem in named_problems(unit, command)]
    files = compiled_files()
    commands, _ = source.commands_in("build", files, ["-B", *settings, "CC=gcc"])
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        seen = dict(zip(commands, pool.map(lambda one: seen_by(*one), commands.items())))
    return [*("%s: make does not say how it is compiled" % f for f in files if f not in commands),
            *("%s: the compiler does not say what it declares" % f for f, one in seen.items() if one is None),
            *differences({f: one for f, one in seen.items() if one})]


def named_problems(unit, command):
    """A header has to say in a unit what it says where nothing stands before it."""
    seen = {unit: seen_by(unit, command)}
    for header in source.own_files(framac.output_of([*bare(command), "-w", "-E"], ROOT)):
        if header.endswith(".h"):
            alone = [word if word != unit else header for word in command]
            seen[header] = seen_by(header, [*alone[:1], "-x", "c", *alone[1:]])
    return differences({file: one for file, one in seen.items() if one})[:3]


def differences(seen):
    """Each function of several files is declared alike in all of them, and so are the types that it takes and returns. A function
    that a header defines has one body."""
    out, known, known_bodies = [], {}, {}
    for file, (declared, types, bodies) in sorted(seen.items(), key=lambda one: (not proved.is_proved(one[0]), one[0])):
        words = {name: types_in(text) for name, text in types.items()}
        for name, said in sorted(bodies.items()):
            first, where = known_bodies.setdefault(name, (said, file))
            if first != said:
                out.append("%s: the body of %s, of a header, is another one in %s -- a macro before a header?" % (file, name, where))
        for name, said in sorted(declared.items()):
            rests = {one: types[one] for one in public.closure(public.names_in(" ".join(said)), words)}
            first, first_rests, where = known.setdefault(name, (said, rests, file))
            if first != said or len(said) > 1:
                out.append("%s: %s is declared as %s, in %s as %s -- a macro before a header?" % (
                    file, name, " and ".join(sorted(said)), where, " and ".join(sorted(first))))
            out += ["%s: the type %s, which %s takes or returns, is another one in %s -- a macro before a header?" % (file, one, name, where)
                    for one in sorted(rests) if first_rests.get(one, rests[one]) != rests[one]]
            first_rests.update({one: text for one, text in rests.items() if one not in first_rests})
    return out
