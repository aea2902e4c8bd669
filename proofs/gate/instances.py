# SPDX-License-Identifier: Apache-2.0
"""Are the kernels that are compiled for real value types the text that was proved for any value type? A unit of the proof
includes src/ops/values/any.h and a template, an instance of the library the header of a value type and the same template. Each
template, as the compiler gets it in an instance, has to be what it is in its unit, token by token, but for the types of
values and sums and the end of the names; and so has each header that both include. What is proved may not be replaced by
something else: a function that a template defines is defined nowhere else, and an instance includes whatever template
another one of the same functions does."""
import os
import re
import sys

sys.dont_write_bytecode = True
import framac  # noqa: E402
import proved  # noqa: E402
import source  # noqa: E402
from proved import ROOT  # noqa: E402

ANY = {"spw_any_value": "VAL", "spw_any_sum": "SUM", "spw_any_payload": "VAL", "spw_any_total": "TOTAL"}
MARK = re.compile(r'# \d+ "((?:\\.|[^"\\])*)"([ \d]*)')
ROUNDS_ONCE = "-ffp-contract=off"
READS_BITS = "-fno-strict-aliasing"


def parts(text):
    """(file relative to the root, its own lines) for each time that a file of the project is included."""
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
    return [(file, "\n".join(lines)) for file, lines in done + open_files if not file.startswith(("..", "<"))]


def tokens(part):
    return source.as_by_default(source.TOKEN.findall(source.code_of_all(part)))


def inclusions(text):
    """(file relative to the root, its own tokens) for each time that a file of the project is included."""
    return [(file, tokens(part)) for file, part in parts(text)]


def twins(text):
    """The functions with 64-bit indices that a unit has with 32-bit ones, too: one file, included twice, with annotations that are
    written alike. A macro or a predicate in them may stand for something else."""
    found = {}
    for number, (file, part) in enumerate(parts(text)):
        said = source.COMMENT_OR_TEXT.findall(part)
        for name, _ in definitions(tokens(part)):
            found[name] = number, (file, said)
    both = ((name, found[name], found[narrow(name)]) for name in found if narrow(name) != name and narrow(name) in found)
    return sorted(name for name, (first, one), (second, other) in both if first != second and one == other)


def narrow(name):
    return re.sub(r"_i64(?=_|$)", "_i32", name)


def is_template(file, generic):
    return file.startswith(generic.templates + "/")


def of_types(file, generic):
    """Does the file know of value types? There is one for any type in the proof, and others in the instances."""
    return file.startswith((generic.types + "/", generic.units + "/", generic.instances + "/"))


def definitions(words):
    """(name, whether only its file sees it) of each function that has its body in these tokens."""
    depth, begin = 0, 0
    for at, word in enumerate(words):
        if word == "{":
            name = named_before(words, at) if depth == 0 else ""
            if name:
                yield name, "static" in words[begin:at]
            depth += 1
        elif word == "}":
            depth -= 1
        if word in ";}" and depth == 0:
            begin = at + 1


def named_before(words, at):
    """The name in front of the parentheses that end before a place."""
    depth = 0
    for back in range(at - 1, 0, -1):
        depth += (words[back] == ")") - (words[back] == "(")
        if depth == 0:
            return words[back - 1] if words[back] == "(" and re.match(r"[A-Za-z_]", words[back - 1]) else ""
    return ""


def files_of(folder, *ends):
    return sorted(os.path.relpath(os.path.join(where, f), ROOT) for where, _, files in os.walk(os.path.join(ROOT, folder))
                  for f in files if f.endswith(ends))


def defined(command, unit):
    """What VAL, SUM and SPW_VALUE stand for at the end of an instance; and whether what N makes ends as SPW_VALUE does, too."""
    kept = [word for word in command[:command.index("-c")] if word not in ("-MMD", "-MP")]      # they write files
    said = framac.output_of([*kept, "-E", "-dM", unit], ROOT)
    macros = dict(re.findall(r"#define (\S+) (.*)", said))
    return {**{name: macros.get(name, "") for name in ("VAL", "SUM", "TOTAL", "SPW_VALUE")}, "N": "SPW_VALUE" in macros.get("N(name)", "")}


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


def size_problems(file, words):
    """A size tells one value type from another."""
    return ["%s: %s -- a template for any value type asks for no size" % (file, word)
            for word in sorted({"sizeof", "_Alignof", "alignof"} & set(words))]


def type_problems(file, words):
    """What a proof says of any value type are types and functions without a body: whatever else it had could be another thing in
    an instance."""
    out = ["%s: the body of %s -- it could be another one in an instance" % (file, name) for name, _ in definitions(words)]
    out += ["%s: '%s' -- it could be another one in an instance" % (file, word) for word in sorted({"enum", "="} & set(words))]
    depth, last = 0, []
    for word in words:
        depth += (word == "{") - (word == "}")
        last = [*last, word] if depth == 0 else last
        if word == ";" and depth == 0:
            if last[0] == "typedef" and last[-2] not in ANY:
                out.append("%s: the type %s -- it could be another one in an instance" % (file, last[-2]))
            last = []
    return out


def declarations(words):
    """The names of functions that are declared in these tokens, outside of bodies."""
    depth = 0
    for at, word in enumerate(words):
        depth += (word == "{") - (word == "}")
        if word == ";" and depth == 0 and words[at - 1] == ")":
            yield named_before(words, at)


class Proof:
    """What the units of a proof are made of, as a compiler gets it."""

    def __init__(self):
        self.texts = {}      # file -> its texts
        self.needs = {}      # template -> the other files that every unit with it includes, for more than their annotations
        self.homes = {}      # function -> the files that define it, for a unit each
        self.declared = set()    # functions that files of no value type declare
        self.wrong = []

    def add(self, text, generic):
        all_found = [(file, tuple(words)) for file, words in inclusions(text)]
        found = [(file, words) for file, words in all_found if not of_types(file, generic)]
        for file, words in all_found:
            self.wrong += type_problems(file, words) if of_types(file, generic) else []
            self.wrong += size_problems(file, words) if is_template(file, generic) else []
        filled = {file for file, words in found if words}
        for file, words in found:
            self.texts.setdefault(file, set()).add(words)
            self.declared |= set(declarations(words)) if not is_template(file, generic) else set()
            for name, _ in definitions(words):
                self.homes.setdefault(name, set()).add(file)
            if is_template(file, generic):
                self.needs[file] = self.needs.get(file, filled) & filled

    def as_instance(self, file, known, generic):
        """The texts of a file as an instance must have them."""
        return [as_instance(text, known) if is_template(file, generic) else list(text) for text in self.texts.get(file, ())]


def proof_of(generic, commands):
    """What is proved; and what is wrong with that."""
    proof, out = Proof(), []
    for unit in files_of(generic.units, ".c"):
        for command in commands[unit][:1]:
            text, problems = source.preprocess(command, unit)
            out += problems
            proof.add(text, generic)
    out += ["%s: no unit of %s proves it" % (file, generic.units) for file in files_of(generic.templates, ".inc")
            if file not in proof.texts and file not in proved.open_templates()]
    out += ["%s: proofs/units.txt says that it is not proved, and a unit includes it" % file
            for file in proved.open_templates() if file in proof.texts]
    return proof, out + proof.wrong


class Instance:
    """A file that compiles templates for a real type, as one compiler gets it."""

    def __init__(self, name, command, generic):
        self.name, self.command, self.generic = name, command, generic
        self.text, self.wrong = source.preprocess(command, name)
        self.known = defined(command, name)
        self.files = inclusions(self.text)
        self.templates = {file for file, _ in self.files if is_template(file, generic) and file not in proved.open_templates()}
        end = re.compile(r"_%s$" % re.escape(self.known["SPW_VALUE"]))
        self.offers = {end.sub("", name) for _, words in self.files for name, hidden in definitions(words) if not hidden}

    def problems(self, proof):
        out = self.wrong + source.pragma_problems(self.name, self.text)
        if ROUNDS_ONCE not in self.command:
            out.append("%s: compiled without %s -- a product and a sum would be rounded together" % (self.name, ROUNDS_ONCE))
        if READS_BITS not in self.command:
            out.append("%s: compiled without %s -- values are read as bits" % (self.name, READS_BITS))
        if not (self.known["VAL"] and self.known["SPW_VALUE"] and self.templates):
            return [*out, "%s: defines no VAL and SPW_VALUE, or includes no template" % self.name]
        return out + self.other_texts(proof) + self.lacks(proof) + self.other_homes(proof)

    def other_texts(self, proof):
        out = []
        for file, words in self.files:
            wanted = proof.as_instance(file, self.known, self.generic)
            of_template = file in self.templates and (words or file.endswith(".inc"))  # a header that is there already is empty
            if words not in wanted and (words and file in proof.texts or of_template):
                near = max(wanted, key=lambda w, words=words: common(w, words), default=[])
                out.append("%s: what it compiles of %s is not what is proved: %s" % (
                    self.name, file, source.first_difference(words, near) if near else "nothing of it is"))
        return out

    def lacks(self, proof):
        """Another file may have taken the guard of a header, or its place."""
        needed = set().union(*[proof.needs.get(file, ()) for file in self.templates])
        return ["%s: compiles nothing of %s, with which its templates are proved" % (self.name, file)
                for file in sorted(needed - {file for file, words in self.files if words})]

    def other_homes(self, proof):
        homes = {}
        for name, files in proof.homes.items():
            generic = any(is_template(file, self.generic) for file in files)
            homes[as_instance([name], self.known)[0] if generic else name] = files
        return ["%s: %s is defined in %s -- the one that is proved is in %s" % (self.name, name, file, " or ".join(sorted(homes[name])))
                for file, words in self.files for name, _ in definitions(words) if file not in homes.get(name, {file})] + [
                    "%s: %s is defined in %s -- it is proved elsewhere, and only declared here" % (self.name, name, file)
                    for file, words in self.files for name, _ in definitions(words) if name in proof.declared - homes.keys()]


def missing_templates(generic, proof, instances):
    """Templates that nothing compiles, and those that one instance leaves out and another one with the same functions does not."""
    out = ["%s: no instance compiles it" % file for file in sorted(proof.texts) if is_template(file, generic)
           and not any(file in one.templates for one in instances)]
    return out + ["%s: does not compile %s, and %s, which offers no more, does" % (one.name, file, other.name)
                  for one in instances for other in instances if other.offers <= one.offers
                  for file in sorted(other.templates - one.templates)]


def file_problems(instances):
    """What no file of the project may say to a preprocessor, of those that instances are made of."""
    out = []
    for file in sorted(set().union(*[source.own_files(one.text) for one in instances])):
        with open(os.path.join(ROOT, file), encoding="utf-8", errors="replace", newline="") as opened:
            out += source.text_problems(file, opened.read(), "real")
    return out


def common(one, other):
    return next((at for at, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))


def problems(settings=()):
    out = []
    folders = [folder for generic in proved.GENERIC for folder in (generic.units, generic.instances)]
    commands = source.all_commands([name for folder in folders for name in files_of(folder, ".c")], settings)
    for generic in proved.GENERIC:
        proof, wrong = proof_of(generic, commands)
        out += directive_problems(generic.templates) + wrong
        names = files_of(generic.instances, ".c")
        if not names:
            out.append("%s: no instance of what is proved for any value type" % generic.instances)
        instances = []
        for name in names:
            if len(commands[name]) < len(source.WAYS):
                out.append("%s: make does not say how it is compiled, in one command that is the same wherever it builds" % name)
            instances += [Instance(name, command, generic) for command in commands[name]]
        out += [p for one in instances for p in one.problems(proof)]
        out += missing_templates(generic, proof, instances) + file_problems(instances)
    return list(dict.fromkeys(out))


if __name__ == "__main__":
    wrong = problems()
    print("\n".join(["FAIL " + p for p in wrong] or ["instances: what is compiled is what is proved"]))
    sys.exit(bool(wrong))
