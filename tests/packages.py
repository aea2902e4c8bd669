#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""packages.py: every header and every program that the sources, recipes, scripts and documents of this
repository use comes from a package that .ci/install-packages installs, or lies on a bare Debian 12.

A machine that somebody works on has more than it was given on purpose: what rests on that is found
here, and not by the first reader who starts from nothing. Asks dpkg which package a file is from and
what a package draws in; where there is no dpkg it says so and passes. A script may use what it has looked
for with `command -v`. What a package gives may be there from elsewhere: then files of no package pass."""
import ast
import functools
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# What Debian 12 has not got: the project does without, and says so. Where it lies beside PATH, as the Makefile looks.
OPTIONAL = {"nvcc": "/usr/local/cuda/bin", "cuobjdump": "/usr/local/cuda/bin", "compute-sanitizer": "/usr/local/cuda/bin",
            "ncu": "/usr/local/cuda/bin", "nvidia-smi": "/usr/bin", "clang-19": "/usr/bin"}
OPTIONAL_HEADERS = re.compile(r"cuda|cooperative_groups|cu[a-z]+\.h$|mkl|nvtx")
BARE = ("make", "git", "ca-certificates", "apt")  # and the packages of priority "required"
FOLDERS = ("/usr/sbin", "/usr/bin", "/sbin", "/bin", "/usr/local/sbin", "/usr/local/bin")


# ---- What Debian knows -----------------------------------------------------------------------------------

class Debian:
    """The installed packages, and which of them a bare machine has after .ci/install-packages."""

    def __init__(self, named):
        self.package_of, self.depends, self.provides, required = {}, {}, {}, []
        fields = "${db:Status-Status}\t${Package}\t${Priority}\t${Pre-Depends}, ${Depends}\t${Provides}\n"
        for line in output_of("dpkg-query", "-W", "-f", fields).splitlines():
            status, package, priority, depends, provides = line.split("\t")
            if status == "installed":
                self.depends[package] = [names(choice) for choice in depends.split(",") if names(choice)]
                for virtual in names(provides.replace(",", "|")):
                    self.provides.setdefault(virtual, []).append(package)
                if priority == "required":
                    required.append(package)
        for path in Path("/var/lib/dpkg/info").glob("*.list"):
            package = path.stem.partition(":")[0]
            for line in path.read_text(errors="replace").splitlines():
                if line.startswith(("/usr/include/", "/usr/lib/gcc/", "/usr/lib/llvm", *FOLDERS)):
                    self.package_of[merged(line)] = package
        self.covered = self.closure([*required, *BARE, *named])
        self.elsewhere = [package for package in named if package not in self.depends]

    def closure(self, packages):
        """These packages and all that they draw in: of several choices the first, which apt takes."""
        reached, waiting = set(), list(packages)
        while waiting:
            package = waiting.pop()
            if package not in reached:
                reached.add(package)
                if package not in self.depends:
                    waiting += self.provides.get(package, [])
                waiting += [choices[0] for choices in self.depends.get(package, [])]
        return reached

    def packages_of(self, path):
        """Of a file, and of what may stand in for it where it is one of several alternatives; [] if of none."""
        choices = [path, path.resolve()]
        alternative = Path("/var/lib/dpkg/alternatives") / path.name
        if alternative.exists():
            choices += [Path(line) for line in alternative.read_text().splitlines() if line.startswith("/")]
        return sorted({self.package_of[merged(str(choice))] for choice in choices if merged(str(choice)) in self.package_of})

    def problem(self, path):
        """Why a file cannot be counted on, or None."""
        packages = self.packages_of(path)
        if self.covered.intersection(packages) or (self.elsewhere and not packages):
            return None
        return f"{path} is from {' or '.join(packages) or 'no package'}, which .ci/install-packages does not install"


def names(choices):
    """The packages of "a (>= 1) | b:any"."""
    found = [re.split(r"[ (:]", choice.strip())[0] for choice in choices.split("|")]
    return [name for name in found if name]


def merged(path):
    """/bin is /usr/bin."""
    return re.sub(r"^/usr(?=/(?:s?bin|lib)/)", "", path)


def output_of(*command, stdin=""):
    return subprocess.run(command, cwd=ROOT, input=stdin, text=True, check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT).stdout


# ---- Headers -----------------------------------------------------------------------------------------------

INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*<([^>]+)>", re.M)


@functools.lru_cache(maxsize=None)
def include_folders():
    """Where the compiler looks, and where the recipes tell it to."""
    said = "".join(output_of(compiler, "-E", "-Wp,-v", "-x", "c++", "-") for compiler in ("gcc", "clang"))
    flags = "".join(path.read_text() for path in files_like("Makefile", "*.mk"))
    return [Path(line.strip()) for line in said.splitlines() if line.startswith(" /")] + \
           [Path(folder) for folder in re.findall(r"-(?:isystem|I) ?(/usr/\S+?)[,)\s]", flags)] + \
           sorted(Path("/usr/include").glob("python3.*"))  # python/rules.mk asks Python where its headers are


def headers_of(text):
    return INCLUDE.findall(text)


def header_problem(debian, name, needed):
    """Why a header cannot be counted on, or None. Not needed: where it is missing, the build does without."""
    if OPTIONAL_HEADERS.match(name) or any(ROOT.joinpath(folder, name).exists() for folder in ("src", "cuda")):
        return None
    for folder in include_folders():
        if (folder / name).exists():
            return debian.problem(folder / name)
    return f"there is no <{name}> here" if needed else None


# ---- Programs ----------------------------------------------------------------------------------------------

KEYWORDS = set("if then else elif fi while until do done esac ! { } time".split())
PREFIXES = {"env", "exec", "sudo", "nice", "nohup", "xargs", "command", "timeout", "eval"}
SHELLS = {"sh", "bash"}
TOKEN = re.compile(r"""(?P<blank>[ \t\r]+|\\\n) | (?P<comment>\#[^\n]*) | (?P<here><<-?[ ]*['"\\]?(?P<end>\w+)['"]?)
  | (?P<redirect>[0-9]*(?:>>|>\||[<>]&?|<<<)[ \t]*) | (?P<operator>\n|;;|&&|\|\||[;&|()]) | (?P<word>.)""", re.X | re.S)


def commands_of(script):
    """The names in command position of a shell script, without its functions and what it has looked for."""
    found, known, waiting = [], set(), [script]
    while waiting:
        found += scan(list(tokens_of(waiting.pop(), waiting)), known, waiting)
    return [name for name in found if name not in known]


def tokens_of(text, substitutions):
    """Words and operators. What stands in $( ) or ` ` goes to the substitutions, and is a $ in the word."""
    at = 0
    while at < len(text):
        match = TOKEN.match(text, at)
        kind = match.lastgroup if match.lastgroup != "end" else "here"
        at = match.end()
        if kind == "here":
            line_end = (text.find("\n", at) + 1) or len(text)
            rest, body = text[at:line_end], text[line_end:]
            closing = re.search(rf"^\t*{match['end']}$", body, re.M)
            at, text = 0, rest + (body[closing.end():] if closing else "")
        elif kind == "word":
            word, at = word_at(text, match.start(), substitutions)
            yield "word", word
        elif kind in ("operator", "redirect"):
            yield kind, match[0].strip(" \t") or "\n"


def word_at(text, at, substitutions):
    """The word that begins there, without its quotes, and where it ends."""
    word, quoted = "", False
    while at < len(text):
        rest = text[at:]
        if rest.startswith(("$((", "${")):
            end = closing_of(text, at + 1)
            word += "$"
        elif rest.startswith(("$(", "<(", ">(")):
            end = closing_of(text, at + 1)
            substitutions.append(text[at + 2:end - 1])
            word += "$"
        elif text[at] == "`":
            end = (text.find("`", at + 1) + 1) or len(text)
            substitutions.append(text[at + 1:end - 1])
            word += "$"
        elif text[at] == "'" and not quoted:
            end = (text.find("'", at + 1) + 1) or len(text)
            word += text[at + 1:end - 1]
        elif text[at] == "\\":
            end = at + 2
            word += text[at + 1:end]
        elif text[at] == '"':
            end, quoted = at + 1, not quoted
        elif not quoted and text[at] in " \t\r\n;&|()<>":
            break
        else:
            end = at + 1
            word += text[at]
        at = end
    return word, at


def closing_of(text, at):
    """Behind the bracket that closes the one at a place; quoted ones do not count."""
    pairs, depth, quote = {"(": ")", "{": "}"}, 0, ""
    opening = text[at]
    while at < len(text):
        if text[at] == "\\":
            at += 1
        elif quote:
            quote = "" if text[at] == quote else quote
        elif text[at] in "'\"":
            quote = text[at]
        elif text[at] in (opening, pairs[opening]):
            depth += 1 if text[at] == opening else -1
            if not depth:
                return at + 1
        at += 1
    return at


def scan(tokens, known, scripts):
    """Walks over the tokens of one script; gives the words in command position. To what is known it adds
    the functions that are defined and the programs that are looked for, to the scripts those of sh -c."""
    found, expecting, pattern, prefix, at = [], True, False, "", 0
    while at < len(tokens):
        kind, text = tokens[at]
        following = tokens[at + 1:at + 3]
        at += 1
        if kind == "redirect":
            at += 1
        elif pattern:
            pattern = (kind, text) != ("operator", ")") and text != "esac"
            expecting = not pattern
        elif kind == "operator":
            pattern = text == ";;" and not skips_to_esac(tokens, at)
            expecting, prefix = text != ")", ""
        elif following == [("operator", "("), ("operator", ")")] and expecting:
            known.add(text)
            at += 2
        elif prefix == "command" and text == "-v":
            known.update(word for _, word in following[:1])
            expecting = False
        elif re.match(r"\w+\+?=$", text) and following[:1] == [("operator", "(")]:
            while at < len(tokens) and tokens[at] != ("operator", ")"):
                at += 1
            at += 1
        elif not expecting:
            if prefix in SHELLS and (" " in text or "\n" in text):
                scripts.append(text)
                prefix = ""
        elif text in KEYWORDS or re.match(r"\w+\+?=", text):
            pass
        elif text == "case":
            while at < len(tokens) and tokens[at][1] != "in":
                at += 1
            at, pattern = at + 1, True
            at += tokens[at:at + 1] == [("operator", "\n")]
        elif text in ("for", "[["):
            expecting = False
        elif prefix and (text.startswith(("-", "$")) or text.isdigit()):
            expecting = not text.startswith("$")
        elif text in PREFIXES:
            found.append(text)
            prefix = text
        else:
            found.append(text)
            expecting, prefix = False, text
    return found


def skips_to_esac(tokens, at):
    while at < len(tokens) and tokens[at] == ("operator", "\n"):
        at += 1
    return tokens[at:at + 1] == [("word", "esac")]


def recipes_of(makefile):
    """The recipes of a makefile and what it gives to $(shell), as shell scripts; its variables become $."""
    scripts = []
    text = re.sub(r"\\\n[ \t]*", " ", makefile)
    while True:  # from the inside out
        shells = re.search(r"\$\(shell ((?:[^()$]|\$\$|\$(?!\())*)\)", text)
        inner = shells or re.search(r"\$[({][^(){}]*[)}]", text)
        if not inner:
            break
        if shells:
            scripts.append(shells[1])
        text = text[:inner.start()] + "\0" + text[inner.end():]
    lines = [line.lstrip("\t@+- ") for line in text.splitlines() if line.startswith("\t")]
    return [script.replace("$$", "$").replace("\0", "$") for script in [*lines, *scripts]]


def c_commands(text):
    """What a C program gives to the shell in literals."""
    literal = r'"((?:[^"\\]|\\.)*)"'
    calls = re.findall(rf"\b(?:system|popen)\(\s*((?:{literal}\s*)+)", text)
    return [re.sub(r'\\(["\\])', r"\1", "".join(re.findall(literal, call[0]))) for call in calls]


def python_commands(text):
    """What may be programs: the first word of a list that is given to a function that runs something, or
    that is called a command."""
    found = []
    for node in ast.walk(ast.parse(text)):
        values = []
        if isinstance(node, ast.Call) and re.search("run|call|output|popen|need|tool", getattr(node.func, "attr", getattr(node.func, "id", "")), re.I):
            values = node.args[:1]
        elif isinstance(node, ast.Assign) and re.search("command|argv", ast.unparse(node.targets[0])):
            values = [node.value]
        values = [value.elts[0] if isinstance(value, (ast.List, ast.Tuple)) and value.elts else value for value in values]
        found += [value.value for value in values if isinstance(value, ast.Constant) and isinstance(value.value, str)]
    return [word for word in found if re.fullmatch(r"[a-z][\w.+-]*", word)]


DOCUMENTED = re.compile(r"^```(?:sh|console)\n(.*?)^```$", re.M | re.S)


def documented_commands(text):
    lines = [line for block in DOCUMENTED.findall(text) for line in block.splitlines()]
    return [line[2:] if line.startswith("$ ") else line for line in lines if line.startswith(("$ ", "make", "git"))]


@functools.lru_cache(maxsize=None)
def builtins():
    return set(output_of("bash", "-c", "compgen -b; compgen -k").split()) | {"time"}


def program_problem(debian, name, certain):
    """Why a program cannot be counted on, or None. Not certain: the name may be of something else."""
    if "/" in name or "$" in name or not name or name in builtins() or name in OPTIONAL or not re.match(r"\w", name):
        return None
    path = shutil.which(name, path=":".join(FOLDERS)) or shutil.which(name)
    if path:
        return debian.problem(Path(path))
    return f"there is no program {name} here" if certain else None


# ---- All of it ---------------------------------------------------------------------------------------------

@functools.lru_cache(maxsize=None)
def all_files():
    """Of the repository, or of what was unpacked without one."""
    if (ROOT / ".git").exists():         # and may be somebody else's, as where root builds
        listed = output_of("git", "-c", "safe.directory=*", "ls-files", "-co", "--exclude-standard")
        files = [ROOT / name for name in listed.splitlines()]
    else:
        files = [path for path in ROOT.rglob("*") if "__pycache__" not in path.parts and path.relative_to(ROOT).parts[0] != "build"]
    return [path for path in files if path.is_file()]


def files_like(*patterns):
    return [path for path in all_files() if any(path.match(pattern) for pattern in patterns)]


def uses(path):
    """(headers, programs that are certain, words that may be programs) of a file."""
    if path.suffix in (".c", ".h", ".inc", ".cpp", ".cu", ".cuh", ".def"):
        text = path.read_text(errors="replace")
        return headers_of(text), [name for script in c_commands(text) for name in commands_of(script)], []
    if path.suffix == ".mk" or path.name == "Makefile":
        return [], [name for script in recipes_of(path.read_text()) for name in commands_of(script)], []
    if path.suffix == ".md":
        return [], [name for line in documented_commands(path.read_text()) for name in commands_of(line)], []
    with path.open("rb") as file:
        first = file.readline(100).decode(errors="replace")
    if path.suffix == ".sh" or re.match(r"#!.*\b(ba)?sh\b", first):
        return [], commands_of(path.read_text()), []
    if path.suffix == ".py" or re.match(r"#!.*python", first):
        return [], [], python_commands(path.read_text())
    return [], [], []


def main():
    if not shutil.which("dpkg-query"):
        print("packages: skipped, there is no dpkg here")
        return
    named = [line.split()[0] for line in output_of(".ci/install-packages", "--list").splitlines()]
    peers = [word for path in files_like("conformance/peers/*/install")
             for line in re.findall(r"install-packages --package (.*)", path.read_text()) for word in line.split()]
    debian, debian_of_peers = Debian(named), Debian([*named, *peers])
    problems, headers, programs = [], set(), set()
    for path in all_files():
        place = path.relative_to(ROOT)
        of_peers = str(place).startswith(("conformance/adapters/", "conformance/findings/", "fuzz/examples/", "bench/peers/"))
        included, certain, possible = uses(path)
        found = [header_problem(debian_of_peers if of_peers else debian, name, not of_peers) for name in included]
        found += [program_problem(debian, name, True) for name in certain]
        found += [program_problem(debian, name, False) for name in possible]
        problems += [f"{place}: {problem}" for problem in found if problem]
        headers.update(included)
        programs.update(name for name in certain if name not in builtins() and re.fullmatch(r"[\w.+-]+", name))
    for problem in dict.fromkeys(problems):
        print(f"packages: {problem}")
    if problems or not headers or not programs:
        sys.exit(f"packages: {len(set(problems))} problems")
    print(f"packages: {len(headers)} headers and {len(programs)} programs come from what .ci/install-packages installs")


if __name__ == "__main__":
    main()
