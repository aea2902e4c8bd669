# SPDX-License-Identifier: Apache-2.0
"""Are the kernels that are compiled for real value types the text that was proved for any value type? A unit of the proof
includes src/ops/values/any.h and a template, an instance of the library the header of a value type and the same template. Each
template, as the compiler gets it in an instance, has to be what it is in its unit, token by token, but for the types of
values and sums and the end of the names."""
import os
import re
import sys

sys.dont_write_bytecode = True
import framac  # noqa: E402
import proved  # noqa: E402
import source  # noqa: E402
from proved import ROOT  # noqa: E402

ANY = {"spw_any_value": "VAL", "spw_any_sum": "SUM", "spw_any_payload": "VAL"}
MARK = re.compile(r'# \d+ "((?:\\.|[^"\\])*)"([ \d]*)')
ROUNDS_ONCE = "-ffp-contract=off"


def inclusions(text):
    """(file relative to the root, its own tokens) for each time that a file is included."""
    done, open_files = [], []
    for line in text.split("\n"):
        m = MARK.match(line)
        if m:
            file = os.path.relpath(os.path.normpath(os.path.join(ROOT, m[1])), ROOT)
            if "1" in m[2].split() or not open_files:
                open_files.append((file, []))
            elif "2" in m[2].split():
                done.append(open_files.pop())
        elif open_files:
            open_files[-1][1].append(line)
    return [(file, source.as_by_default(source.TOKEN.findall(source.code_of_all("\n".join(lines))))) for file, lines in done + open_files]


def templates_in(text, folder):
    return [(file, words) for file, words in inclusions(text) if file.startswith(folder + "/")]


def files_of(folder, *ends):
    return sorted(os.path.relpath(os.path.join(where, f), ROOT) for where, _, files in os.walk(os.path.join(ROOT, folder))
                  for f in files if f.endswith(ends))


def defined(command, unit):
    """What VAL, SUM and SPW_VALUE stand for at the end of an instance; and whether what N makes ends as SPW_VALUE does, too."""
    kept = [word for word in command[:command.index("-c")] if word not in ("-MMD", "-MP")]      # they write files
    said = framac.output_of([*kept, "-E", "-dM", unit], ROOT)
    macros = dict(re.findall(r"#define (\S+) (.*)", said))
    return {**{name: macros.get(name, "") for name in ("VAL", "SUM", "SPW_VALUE")}, "N": "SPW_VALUE" in macros.get("N(name)", "")}


def as_instance(words, known):
    """The tokens of a template, as they are proved, as an instance must have them."""
    ends = re.compile(r"(\w+_(?:%s))$" % "|".join(map(re.escape, proved.INSTANCES)))
    out = []
    for word in words:
        if word in ANY:
            out += source.TOKEN.findall(known[ANY[word]])
        elif word.endswith("_any"):
            out.append("%s_%s" % (word[:-len("_any")], known["SPW_VALUE"]))
        else:
            out.append("%s_%s" % (word, known["SPW_VALUE"]) if known["N"] and ends.match(word) else word)
    return out


def directive_problems(templates):
    """A template asks for nothing: what else could tell a value type from another? What it defines is in the tokens."""
    out = []
    for file in files_of(templates, ".inc"):
        with open(os.path.join(ROOT, file), encoding="utf-8") as opened:
            out += ["%s: #%s %s -- a template for any value type asks for nothing" % (file, name, rest)
                    for name, rest in source.directives(source.code_of(source.spliced(opened.read())))
                    if name not in ("include", "define", "undef")]
    return out


def proved_texts(generic, settings):
    """file -> the texts that are proved of it; and what is wrong with that."""
    units = files_of(generic.units, ".c")
    texts, out = {}, []
    for unit, commands in source.all_commands(units, settings).items():
        for command in commands[:1]:
            text, problems = source.preprocess(command, unit)
            out += problems
            for file, words in templates_in(text, generic.templates):
                texts.setdefault(file, set()).add(tuple(words))
    out += ["%s: no unit of %s proves it" % (file, generic.units) for file in files_of(generic.templates, ".inc")
            if file not in texts and file not in proved.open_templates()]
    out += ["%s: proofs/units.txt says that it is not proved, and a unit includes it" % file for file in proved.open_templates() if file in texts]
    return texts, out


def instance_problems(instance, command, texts, folder):
    text, out = source.preprocess(command, instance)
    if ROUNDS_ONCE not in command:
        out.append("%s: compiled without %s -- a product and a sum would be rounded together" % (instance, ROUNDS_ONCE))
    known = defined(command, instance)
    found = [(file, words) for file, words in templates_in(text, folder) if file not in proved.open_templates()]
    if not (known["VAL"] and known["SPW_VALUE"] and found):
        return [*out, "%s: defines no VAL and SPW_VALUE, or includes no template" % instance]
    for file, words in found:
        wanted = [as_instance(proof, known) for proof in texts.get(file, ())]
        if words not in wanted:
            near = max(wanted, key=lambda w: common(w, words), default=[])
            out.append("%s: what it compiles of %s is not what is proved: %s" % (
                instance, file, source.first_difference(words, near) if near else "nothing of it is"))
    return out


def common(one, other):
    return next((at for at, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))


def problems(settings=()):
    out = []
    for generic in proved.GENERIC:
        texts, wrong = proved_texts(generic, settings)
        out += directive_problems(generic.templates) + wrong
        instances = files_of(generic.instances, ".c")
        if not instances:
            out.append("%s: no instance of what is proved for any value type" % generic.instances)
        for instance, commands in source.all_commands(instances, settings).items():
            if len(commands) < len(source.WAYS):
                out.append("%s: make does not say how it is compiled" % instance)
            for command in commands:
                out += instance_problems(instance, command, texts, generic.templates)
    return list(dict.fromkeys(out))


if __name__ == "__main__":
    wrong = problems()
    print("\n".join(["FAIL " + p for p in wrong] or ["instances: what is compiled is what is proved"]))
    sys.exit(bool(wrong))
