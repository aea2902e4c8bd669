# SPDX-License-Identifier: Apache-2.0
"""Is the text that is proved the text that is compiled? Frama-C has a preprocessor command, macros and system headers of its
own. So the sources may ask the preprocessor few things only (proved.txt lists them), no line may hide from what Frama-C
prints, and what is left of each unit after the compiler's preprocessor and after Frama-C's is compared, token by token."""
import concurrent.futures
import os
import re
import shlex
import subprocess
import tempfile

import framac
import proved
from proved import ROOT

DIRECTIVES = {"include", "define", "undef", "ifdef", "ifndef", "if", "elif", "else", "endif", "error", ""}
COMMENT_OR_TEXT = re.compile(r"""(?P<annotation>/\*@.*?\*/|//@[^\n]*)|/\*.*?\*/|//[^\n]*
                                 |(?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')""", re.S | re.X)
MARK = re.compile(r'# (\d+) "((?:\\.|[^"\\])*)"')
TOKEN = re.compile(r"""[A-Za-z_]\w*|\.?\d(?:[eEpP][+-]|[\w.])*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\S""")
# INT32_C makes a long of a number for Frama-C, and none for glibc.
RESERVED = re.compile(r"(?:__|_[A-Z]|Frama_C_)\w*|fc_stdlib|defined_in|U?INT\w+_C")
NUMBER = re.compile(r"(0[xX][0-9a-fA-F]+|\d+)([uUlL]*)$")


# ---- the source files --------------------------------------------------------------------------------

def spliced(text):
    return text.replace("\\\n", "")


def code_of(text):
    """The same lines without plain comments and literals."""
    def blank(m):
        return m[0] if m["annotation"] else '""' if m["text"] else re.sub(r"[^\n]", " ", m[0])
    return COMMENT_OR_TEXT.sub(blank, text)


def directives(code):
    for line in code.split("\n"):
        m = re.match(r"\s*#\s*(\w*)(.*)", line)
        if m:
            yield m[1], m[2].strip()


def guard_of(code):
    """The name of an include guard, where it goes around the whole file. A header that includes itself for each index type has
    what stands there behind `#elif defined IDX`."""
    m = re.match(r"\s*#\s*ifndef (SP\w+_(?:H|ACSL|INC))\s*\n\s*#\s*define \1\s*\n", code)
    if not m or not re.search(r"#\s*endif\s*$", code):
        return ""
    depth = 0
    lines = [name for name, rest in directives(code) if (name, rest) != ("elif", "defined IDX")]
    for at, name in enumerate(lines):
        depth += name.startswith("if")
        depth -= name == "endif"
        if depth == 0 and at + 1 < len(lines) or name in ("else", "elif") and depth == 1:
            return ""
    return m[1]


def allowed(kind, more=""):
    """What the sources may have of a kind; `more`: and what a list of exceptions adds."""
    return proved.values(kind) + [value.removeprefix(kind + " ") for value in proved.values(more) if value.startswith(kind + " ")]


def text_problems(file, text, more=""):
    out = []
    strange = re.search(r"[^\n -~]", text)
    if strange:
        out.append("%s: the character U+%04X -- only printable ASCII and new lines" % (file, ord(strange[0])))
    twins = re.search(r"\?\?[=/'()!<>-]|%:|<%|<:", text)
    if twins:
        out.append("%s: '%s' -- not every preprocessor reads trigraphs and digraphs alike" % (file, twins[0]))
    for m in re.finditer(r"\\\n", text):
        start = text.rfind("\n", 0, m.start()) + 1
        while start and text[:start].endswith("\\\n"):
            start = text.rfind("\n", 0, start - 1) + 1
        if not re.match(r"[ \t]*#[ \t]*define\b", text[start:]):
            out.append("%s: a line that goes on behind a backslash -- in a #define only" % file)
            break
    code = code_of(spliced(text))
    words = re.findall(r"(?<![\w\\])[A-Za-z_]\w*", code)
    return out + reserved_problems(file, words, allowed("reserved", more)) + directive_problems(file, code, more)


def reserved_problems(where, words, known):
    """Names that belong to compilers or to Frama-C, and types of a system whose size two systems may not agree on."""
    return ["%s: the reserved name %s -- it may mean one thing to the compiler and another to the prover" % (where, word)
            for word in sorted(set(words) - set(known)) if RESERVED.fullmatch(word)] + [
                "%s: the type %s -- proofs/proved.txt lists those that are the same for the compiler and the prover" % (where, word)
                for word in sorted(set(words) - set(proved.values("type"))) if re.fullmatch(r"[A-Za-z]\w*_t", word)]


def defaults():
    """name -> how the sources define a macro that the build may define: what the prover sees of it."""
    return {re.match(r"\w+", said)[0]: said for said in proved.values("default")}


def without_defaults(code):
    """Without `#ifndef NAME`, `#define NAME ...`, `#endif` around what the build may define, where it is that to the letter."""
    for name, said in defaults().items():
        code = re.sub(r"^#ifndef %s\n#define %s\n#endif$" % (name, re.escape(said)), "", code, flags=re.M)
    return code


def directive_problems(file, code, more):
    out, known = [], {*allowed("condition", more), guard_of(code)}
    code = without_defaults(re.sub(r"[ \t]+$", "", code, flags=re.M))
    headers = {"<%s>" % h for h in allowed("header", more)}
    included = {"SPW_TEMPLATE", "SPW_VALUE_TEMPLATE"}
    for name, rest in directives(code):
        if name not in DIRECTIVES:
            out.append("%s: #%s -- not among the directives of proved code" % (file, name))
        elif name in ("ifdef", "ifndef", "if", "elif"):
            asked = set(re.findall(r"[A-Za-z_]\w*", rest)) - {"defined"} - known
            if asked or not re.search("[A-Za-z_]", rest) and rest != "0":
                out.append("%s: #%s asks for %s -- proofs/proved.txt lists what a condition may ask for" % (
                    file, name, ", ".join(sorted(asked)) or rest))
        elif name in ("define", "undef") and re.match(r"\w*", rest)[0] in defaults():
            out.append("%s: #%s %s -- the build may define it, so it stands between #ifndef and #endif, as proofs/proved.txt has it" % (
                file, name, rest))
        elif name == "include" and not (rest == '""' or rest in headers or rest in included):
            out.append("%s: #include %s -- proofs/proved.txt lists the system headers" % (file, rest))
    return out


def pieces(text):
    """(file, its lines) of a preprocessed text, in order."""
    at, file = 0, ""
    for m in re.finditer(r'^# \d+ "((?:\\.|[^"\\])*)"[^\n]*\n', text, re.M):
        yield file, text[at:m.start()]
        at, file = m.end(), m[1]
    yield file, text[at:]


def is_ours(file):
    """A file of the project; what lies elsewhere was given to `prove` by name."""
    return not file.startswith(("/usr/", "<"))


def own_files(seen):
    """The files of the project that a unit is made of, relative to the root."""
    found = {os.path.relpath(os.path.join(ROOT, f), ROOT) for f, _ in pieces(seen) if f and is_ours(f)}
    return sorted(f for f in found if os.path.isfile(os.path.join(ROOT, f)))


def hidden_problems(unit, seen):
    """What Frama-C's parser takes as a directive of its own."""
    out = []
    share = framac.share()
    for file, text in pieces(seen):
        if file.startswith("/usr/") and not file.startswith(share):
            out.append("%s: includes %s, which is not of the project" % (unit, file))
        if is_ours(file):
            code = code_of(text)
            out += ["%s: %s in %s -- no pragma in what is proved: it may hide text from what Frama-C prints" % (unit, line.strip(), file)
                    for line in re.findall(r"^\s*#\s*(?!define\b|undef\b|include\b|\d)[^\n]*", code, re.M) if line.strip() != "#"]
    return list(dict.fromkeys(out))


# ---- the compiler's text and the prover's ---------------------------------------------------------------

def value(token):
    """A whole number by its value and whether it is unsigned: the headers of two systems spell it otherwise."""
    m = NUMBER.match(token)
    if not m or token.startswith("0") and token.isdigit() and token.strip("0"):
        return token
    return "%d%s" % (int(m[1], 0) if m[1].strip("0") else 0, "u" if "u" in m[2].lower() else "")


def tokens(text):
    """The tokens of the project's own lines, numbers by value and without parentheses of their own."""
    out = []
    own = "\n".join(code_of_all(lines) for file, lines in pieces(text) if is_ours(file))
    own = re.sub(r"^\s*#[^\n]*", "", own, flags=re.M)
    for word in as_by_default(TOKEN.findall(own)):
        out.append(value(word))
        while len(out) >= 3 and out[-1] == ")" and out[-3] == "(" and re.match(r"\d", out[-2]):
            out[-3:] = [out[-2]]
    return out


def code_of_all(text):
    """Without comments, annotations too; literals stay."""
    return COMMENT_OR_TEXT.sub(lambda m: m[0] if m["text"] else " ", text)


def replaced_by_the_build():
    """NAME or NAME(argument) -> its text: the macros that the Makefile may define for a unit."""
    return dict(value.split("=", 1) for value in proved.values("build"))


def as_by_default(words):
    """Tokens with what the sources say in place of what the build says: where it has an argument, with the same one."""
    for head, text in replaced_by_the_build().items():
        name, argument = re.fullmatch(r"(\w+)(?:\((\w+)\))?", head).groups()
        words = replaced(words, TOKEN.findall(text), TOKEN.findall(defaults()[name][len(head):]), argument)
    return words


def replaced(words, old, new, argument):
    """Tokens with `new` for `old`, in both of which an argument may stand once, right before a closing parenthesis."""
    out, at = [], 0
    front = old[:old.index(argument)] if argument else old
    if front[0] not in words:
        return words
    while at < len(words):
        if words[at:at + len(front)] != front:
            out.append(words[at])
            at += 1
            continue
        end = at + len(front)
        given = words[end:closing(words, end)] if argument else []
        out += [one for word in new for one in (given if word == argument else [word])]
        at = end + len(given) + len(old) - len(front) - bool(argument)
    return out


def closing(words, at):
    """Where the parenthesis closes that was opened before a place."""
    depth = 1
    while at < len(words):
        depth += (words[at] == "(") - (words[at] == ")")
        if depth == 0:
            break
        at += 1
    return at


# What make may run for an object beside one command of a compiler. Whatever else it runs may change the object.
AROUND_A_COMPILER = re.compile(r"mkdir -p [^\s;|&<>`$]+(?:; echo '([^;|&<>`$]*)' \| cmp -s - (\S+/flags) \|\| echo '\1' > \2)?")


def compile_commands(units, settings):
    """unit -> how the Makefile compiles it; nothing where that is more than one command, or another one where users build."""
    with tempfile.TemporaryDirectory() as tmp:
        found, strange = commands_in(os.path.relpath(os.path.join(tmp, "b"), ROOT), units, settings)
    usual, others = commands_in("build", units, ["-B", *settings])
    if strange or others:
        return {}
    usual.update(commands_in("build", units, ["-B", *settings], ["all"])[0])
    return {u: command for u, command in found.items() if command[:-1] == usual.get(u, [])[:-1]}


def commands_in(build, units, settings, goals=()):
    """What make says that it does for objects in a folder: how it compiles them, and what else it runs. `goals`: where it makes
    those, whose settings hold for all that they need."""
    objects = {u: os.path.join(build, "obj", u[:-2] + ".o") for u in units}
    said = framac.output_of(["make", "-n", "-k", "B=" + build, *settings, *(goals or objects.values())], ROOT)
    found, strange = {}, []
    for line in said.split("\n"):
        unit = next(iter(re.findall(r" -c (\S+\.c) -o ", line)), "")
        if unit in objects and unit not in found and re.fullmatch(r"[^;|&<>`$]* -c \S+ -o " + re.escape(objects[unit]), line):
            found[unit] = shlex.split(line)
        elif line and not AROUND_A_COMPILER.fullmatch(line):
            strange.append(line)
    return found, strange


# Undefined behaviour that WP does not see but a compiler often does, and what they would let pass otherwise.
SUSPICIOUS = ["-Wall", "-Wextra", "-Wuninitialized", "-Wold-style-definition", "-Wcast-qual", "-Wpointer-arith", "-Werror",
              "-Wno-missing-prototypes", "-Wno-unused"]
OF_COMPILER = {"gcc": ["-Wsequence-point", "-Wmaybe-uninitialized", "-Wstrict-aliasing", "-Wnull-dereference"],
               "clang": ["-Wunsequenced", "-Wconditional-uninitialized", "-fsyntax-only"]}
WAYS = [["CC=gcc"], ["CC=gcc", "OPENMP=1"], ["CC=clang"]]
KNOWN_COMPILERS = tuple(OF_COMPILER)


def preprocess(command, unit):
    """The unit after the compiler's preprocessor with the flags of its compilation; and which of them may not be there."""
    kept, out, skip = [], [], False
    macros = replaced_by_the_build()
    for word in command:
        if skip or word in ("-MMD", "-MP", "-c", unit) or word in KNOWN_COMPILERS:
            skip = False
            kept += [word] * (word in (*KNOWN_COMPILERS, unit))
        elif word == "-o":
            skip = True
        elif word.startswith("-D") and word[2:].split("=")[0] in macros:
            name, said = (word[2:] + "=").split("=", 1)
            kept.append(word)
            if said.removesuffix("=") != macros[name]:
                out.append("%s: the build defines %s as %s -- proofs/proved.txt has %s" % (unit, name, said, macros[name]))
        else:
            kept.append(word)
            if not any(re.fullmatch(flag, word) for flag in proved.values("flag")):
                out.append("%s: the build compiles it with %s -- proofs/proved.txt lists the flags that change no meaning" % (unit, word))
    done = subprocess.run([*kept, "-E"], cwd=ROOT, env=framac.environment(ROOT), text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode:
        out.append("%s: the compiler's preprocessor fails: %s" % (unit, done.stderr.strip()[-300:]))
    return done.stdout, out


def first_difference(compiled, seen):
    for at, (a, b) in enumerate(zip(compiled, seen)):
        if a != b:
            return "'%s' and '%s'" % (" ".join(compiled[max(0, at - 4):at + 3]), " ".join(seen[max(0, at - 4):at + 3]))
    return "one ends before the other"


def pragma_problems(unit, text):
    return ["%s: #pragma %s -- proofs/proved.txt lists what the compiler may be told" % (unit, p)
            for file, lines in pieces(text) if is_ours(file)
            for p in re.findall(r"^\s*#\s*pragma\s+([^\n]*)", lines, re.M) if " ".join(p.split()) not in proved.values("pragma")]


def compiled_problems(unit, seen, commands):
    """`commands`: ways to compile the unit."""
    proved_tokens = tokens(seen)
    out = reserved_problems(unit, proved_tokens, ["_Bool"])       # a name may be pasted together; bool is a macro
    if re.search(r"\[ (?:(?:const|volatile|restrict) )*static ", " ".join(proved_tokens)):
        out.append("%s: 'static' in the brackets of a parameter -- compilers take the pointer for one that is never null" % unit)
    for command in commands:
        text, problems = preprocess(command, unit)
        out += problems + pragma_problems(unit, text)
        if not problems and tokens(text) != proved_tokens:
            out.append("%s: what is compiled is not what is proved: %s" % (unit, first_difference(tokens(text), proved_tokens)))
    return list(dict.fromkeys(out))


def compiler_problems(unit, commands):
    """What the compilers say of the unit, with the flags of its compilation and more warnings."""
    out = []
    for command in commands:
        kept = [*command[:command.index("-o")], *SUSPICIOUS, *OF_COMPILER[command[0]], "-MF", os.devnull, "-o", os.devnull]
        done = subprocess.run(kept, cwd=ROOT, env=framac.environment(ROOT), text=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
        if done.returncode:
            said = [line for line in done.stderr.split("\n") if " error: " in line] or [done.stderr.strip()[-300:]]
            out += ["%s says: %s" % (command[0], line) for line in said]
    return list(dict.fromkeys(out))


# WP takes an address for the number that it is, and int64_t for long long: such a pointer points to what it takes for other memory.
CAST_OF_AN_ADDRESS = re.compile(r"CStyleCastExpr 0x\w+ <[^>]*> '([^']*)'(?::'[^']*')? <(IntegralToPointer|PointerToIntegral|BitCast)[ >]")


def cast_problems(unit, commands):
    """Casts between pointers and integers, and between pointers to types that are not one, as clang reads the unit."""
    out = []
    for command in commands:
        if command[0] != "clang":
            continue
        kept = [*command[:command.index("-o")], "-fsyntax-only", "-fno-color-diagnostics", "-Xclang", "-ast-dump", "-MF", os.devnull]
        for kind, how in sorted(set(CAST_OF_AN_ADDRESS.findall(framac.output_of(kept, ROOT)))):
            out.append("%s: a cast to '%s' (%s) -- WP does not see that it is other memory" % (unit, kind, how))
    return out


def all_commands(units, settings):
    """unit -> the ways in which it is compiled."""
    with concurrent.futures.ThreadPoolExecutor() as pool:
        ways = list(pool.map(lambda way: compile_commands(units, [*settings, *way]), WAYS))
    for commands in ways[1:2]:           # whoever sets CFLAGS=-fopenmp compiles every unit so
        for unit in commands:
            commands[unit].insert(1, "-fopenmp")
    return {u: [way[u] for way in ways if u in way] for u in units}


def problems(unit, seen, commands):
    """`seen`: what framac.seen gives; `commands`: ways to compile the unit."""
    out = []
    for file in own_files(seen) if seen else [unit]:
        with open(os.path.join(ROOT, file), encoding="utf-8", errors="replace", newline="") as opened:
            out += text_problems(file, opened.read())
    if not seen:
        return [*out, "%s: does not parse: the preprocessor fails" % unit]
    out += hidden_problems(unit, seen)
    if len(commands or []) < len(WAYS):
        out.append("%s: make does not say how it is compiled, in one command that is the same wherever it builds" % unit)
    return out + compiled_problems(unit, seen, commands)
