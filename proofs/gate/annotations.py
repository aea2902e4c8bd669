# SPDX-License-Identifier: Apache-2.0
"""Reads the program text that Frama-C prints after parsing, and judges its annotations.

Frama-C prints every annotation it kept, macros expanded, and every loop as `while (1)`: what is not
in this text is not proved, so it is this text that is judged and not the source file.
"""
import re
from dataclasses import dataclass, field

TOKEN = re.compile(r"""/\*@(?P<star>.*?)\*/ | //@(?P<line>[^\n]*) | /\*.*?\*/ | //[^\n]*
                     | (?P<text>"(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*')""", re.S | re.X)
INNER = re.compile(r"/@(?P<star>.*?)@/", re.S)
LOGIC = re.compile(r"\s*(?:(?:check|admit|strong|weak)\s+)*(?:lemma|axiom|axiomatic|predicate|logic|inductive|type|model|volatile|"
                   r"invariant|global|module|import)\b")
FRAMA_C_S_OWN = ("__builtin_", "__sync_", "__fc_", "__va_")
NOT_CALLS = {"if", "else", "while", "for", "switch", "return", "sizeof", "_Alignof", "_Static_assert", "__attribute__"}


@dataclass
class Function:
    name: str
    head: str                    # all that stands before the body, or before the semicolon
    contract: str
    ghost: bool
    body: list | None = None     # (is annotation, text) pairs; None for a declaration


@dataclass
class Program:
    functions: list = field(default_factory=list)
    annotations: list = field(default_factory=list)
    code: str = ""
    logic: dict = field(default_factory=dict)     # name of a predicate or logic function -> its text
    overloads: list = field(default_factory=list) # names of logic that are defined twice
    declared: list = field(default_factory=list)  # types, constants, variables: their texts


def squeeze(text):
    return " ".join(text.split())


def short(text, size=70):
    text = squeeze(text)
    return text if len(text) <= size else text[:size - 3] + "..."


def tokens(text):
    """(is annotation, is ghost, text) triples; comments are dropped, literals emptied."""
    def plain(piece):
        return re.sub(r"#[^\n]*", "", piece)

    at, out = 0, []
    for m in TOKEN.finditer(text):
        out.append((False, False, plain(text[at:m.start()])))
        at = m.end()
        annotation = m["star"] if m["star"] is not None else m["line"]
        if annotation is None:
            if m["text"] is not None:
                out.append((False, False, '""'))
            continue
        if not annotation.lstrip().startswith("ghost"):
            out.append((True, False, annotation))
            continue
        ghost, here = annotation.lstrip()[len("ghost"):], 0
        for inner in INNER.finditer(ghost):
            out.append((False, True, ghost[here:inner.start()]))
            out.append((True, True, inner["star"]))
            here = inner.end()
        out.append((False, True, ghost[here:]))
    out.append((False, False, plain(text[at:])))
    return [t for t in out if t[2].strip()]


def read(text):
    """A printed program. What Frama-C itself declares, __builtin_ functions with their contracts, is left out: no source
    of ours may use such names."""
    program = Program()
    depth, head, contract, body, function = 0, "", "", [], ""
    for annotation, ghost, piece in tokens(text):
        if annotation:
            if depth and function:
                program.annotations.append(piece)
                body.append((True, piece))
                continue
            for name, said in logic_definitions(piece):
                if name in program.logic:
                    program.overloads.append(name)
                program.logic[name] = said
            if LOGIC.match(piece):
                program.annotations.append(piece)
                contract = ""
            else:
                contract = piece
            head = head if depth else ""
            continue
        start = 0
        for m in re.finditer(r"[{};]", piece):
            if m[0] == "{":
                if depth == 0:
                    head, start = head + piece[start:m.start()], m.end()
                    function, body = function_name(head), []
                    head += "" if function else "{"
                depth += 1
            elif m[0] == "}":
                depth -= 1
                if depth == 0 and function:
                    body.append((False, piece[start:m.start()]))
                    start = m.end()
                    program.annotations.append(contract)
                    program.functions.append(Function(function, squeeze(head), contract, ghost, body))
                    head, contract, function = "", "", ""
            elif depth == 0:
                head += piece[start:m.start()]
                start = m.end()
                close(program, head, contract, ghost)
                head, contract = "", ""
        if depth and function:
            body.append((False, piece[start:]))
        else:
            head += piece[start:]
    program.code = "\n".join([*program.declared, *(f.head for f in program.functions),
                              *(t for f in program.functions for a, t in f.body or [] if not a)])
    return program


def close(program, head, contract, ghost):
    """A declaration without a body ends here."""
    name = function_name(head)
    if name.startswith(FRAMA_C_S_OWN):
        return
    if contract:
        program.annotations.append(contract)
    if name and "typedef" not in head.split():
        program.functions.append(Function(name, squeeze(head), contract, ghost))
    elif head.strip():
        program.declared.append(squeeze(head))


def function_name(head):
    head = re.sub(r"\{.*", "", head, flags=re.S)
    if "=" in head:
        return ""
    m = re.match(r"[^\[(]*?(\w+)\s*\(", head)        # the size of an array may have parentheses too
    return m[1] if m else ""


def logic_definitions(annotation):
    starts = [m.start() for m in re.finditer(r"(?:^|(?<=[;\s]))(?:predicate|logic)\b", annotation)]
    for at, end in zip(starts, starts[1:] + [len(annotation)]):
        text = squeeze(annotation[at:end])
        m = re.match(r"predicate (\w+)|logic .*?(\w+)\s*(?:\{[^}]*\})?\s*[(=;]", text)
        if m:
            yield m[1] or m[2], text


def calls(function):
    code = " ".join(text for annotation, text in function.body or [] if not annotation)
    return set(re.findall(r"\b([A-Za-z_]\w*)\s*\(", code)) - NOT_CALLS


# ---- what is wrong with the annotations ------------------------------------------------------------

CLAUSES = {"requires", "ensures", "assigns", "terminates", "exits", "loop invariant", "loop assigns", "loop variant",
           "assert", "predicate", "logic", "lemma"}
FORBIDDEN = {
    "axiom": "an axiom is not proved: write a ghost lemma function",
    "axiomatic": "an axiomatic block is not proved: define the predicate or logic function",
    "admit": "an admitted clause is not proved",
    "assume": "an assumption is not proved",
    "inductive": "nobody checks that an inductive definition is positive: define it recursively",
    "check_lemma": "write a lemma, which is proved",
    "allocates": "WP ignores it",
    "frees": "WP ignores it",
    "no_wp": "WP makes no goal of a clause with this name",
}
UNSOUND = {
    "union": "WP takes its members for separate memory",
    "volatile": "WP takes two reads for equal",
    "asm": "WP does not look into it",
    "__asm__": "WP does not look into it",
    "double": "WP 25 gives zero literals no sign",
    "float": "WP 25 gives zero literals no sign",
    "__attribute__": "it may change what the compiled function does, or where it is",
    "restrict": "WP does not check that nothing overlaps",
    "longjmp": "WP does not follow it",
}


def clauses(text):
    """The clauses of an annotation. A binder has a semicolon of its own."""
    out, piece = [], ""
    for part in text.split(";"):
        piece += part
        if len(re.findall(r"\\(?:let|forall|exists|lambda)\b", piece)) > piece.count(";"):
            piece += ";"
            continue
        if piece.strip():
            out.append(squeeze(piece))
        piece = ""
    return out


def keyword(clause):
    words = clause.split()
    return " ".join(words[:2]) if words[0] == "loop" else re.match(r"\W*\w*", words[0])[0]


# ---- parameters: what a proof is about without knowing it ---------------------------------------------------
# A block of declared logic functions says nothing that could be wrong, and a C function without a body whose whole contract
# is that it returns what such a function of its arguments returns is any function: the proof holds whatever it is.

DECLARED = re.compile(r"logic \w+ (\w+)(?: ?\((?:\w+ \w+)(?:, \w+ \w+)*\))?")
TELLS = re.compile(r"terminates \\true; exits \\false; ensures meaning: \\result == (\w+)(?:\(([^()]*(?:\(\w+\)[^()]*)*)\))?; "
                   r"assigns \\nothing;")


def declared_only(text):
    """The names of an axiomatic block that holds declarations of logic functions of values and nothing else: no axiom, no
    definition, nothing that reads memory. None where it is anything else."""
    block = re.fullmatch(r"axiomatic \w+ \{ (.*;) \}", squeeze(re.sub(r"//[^\n]*", "", text)))
    pieces = [DECLARED.fullmatch(piece.strip()) for piece in block[1].split(";")[:-1]] if block else [None]
    return [m[1] for m in pieces] if all(pieces) else None


def parameters(program):
    """The logic functions that are only declared."""
    return {name for text in program.annotations for name in declared_only(text) or []}


def told_by(function, program):
    """The logic function that a function without a body is, if that is all its contract says: it returns what a declared
    function of its arguments, all of them in their order, returns. None of a function of any other kind."""
    said = TELLS.fullmatch(squeeze(function.contract))
    head = re.fullmatch(r"(?:extern )?\w+ \w+ ?\((?:void|(\w+ \w+(?:, \w+ \w+)*))\)", function.head)
    if function.body is not None or function.ghost or not said or not head or said[1] not in parameters(program):
        return None
    if any(leads_to_memory(one.split()[0], program) for one in (head[1] or "").split(", ") if one):
        return None
    if not same_types(declaration(said[1], program), function.head):
        return None
    arguments = ["\\old(%s)" % one.split()[1] for one in head[1].split(", ")] if head[1] else []
    return said[1] if (said[2].split(", ") if said[2] else []) == arguments else None


def declaration(name, program):
    """How a logic function is declared."""
    return next((m[0].strip() for text in program.annotations if declared_only(text)
                 for m in re.finditer(r"logic \w+ %s\b[^;]*" % re.escape(name), squeeze(text))), "")


def same_types(logic, head):
    """Are the types of a declared logic function those of the C function, or integer for a whole number? Of another type of C, the
    logic function could not be what the C function is: the proof would not hold for every choice."""
    said = re.fullmatch(r"logic (\w+) \w+(?: ?\((.*)\))?", logic)
    code = re.fullmatch(r"(?:extern )?(\w+) \w+ ?\((.*)\)", head)
    if not said or not code:
        return False
    pairs = [(said[1], code[1]), *zip((one.split()[0] for one in said[2].split(", ")) if said[2] else [],
                                      (one.split()[0] for one in code[2].split(", ")) if code[2] != "void" else [])]
    whole = re.compile(r"int|unsigned|_Bool|u?int(?:8|16|32|64)_t")
    return all(a == b or a == "integer" and whole.fullmatch(b) for a, b in pairs)


def leads_to_memory(name, program, inside=False):
    """Does a type hold pointers, or is it an array? What a pointer to void points to is nothing that a proof could speak of."""
    for text in program.declared:
        other = re.fullmatch(r"typedef (.*?)(\w+)((?:\[[^\[\]]*\])*)", text)
        tag = re.match(r"((?:struct|enum) \w+) \{(.*)\}", text)
        said = other[1] if other and other[2] == name else tag[2] if tag and tag[1] == name else None
        if said is None:
            continue
        said = re.sub(r"\bvoid(?: const)? ?\*(?=\w+ ?;)", "", said)
        used = set(re.findall(r"(?:(?:struct|enum) )?[A-Za-z_]\w*", said)) - {name}
        if "*" in said or "(" in said or other and other[3] and not inside or any(leads_to_memory(u, program, True) for u in used):
            return True
    return False


def problems(program):
    out = []
    for text in program.annotations:
        if declared_only(text):
            continue
        out += ["unexpected clause '%s' in: %s -- the gate knows what WP does with %s only" % (
            keyword(c), short(text), ", ".join(sorted(CLAUSES))) for c in clauses(text) if keyword(c) not in CLAUSES]
        words = set(re.findall(r"\\?\w+", text))
        out += ["forbidden '%s' in: %s -- %s" % (w, short(text), FORBIDDEN[w]) for w in sorted(words & FORBIDDEN.keys())]
        if re.search(r"\b(?:requires|assumes)\s+(?:\w+\s*:\s*)*\\false\b", text):
            out.append("'requires \\false' or 'assumes \\false' in: %s -- nothing can satisfy it" % short(text))
        if re.search(r"\\from\b", text) and "assigns" in words:
            out.append("'\\from' in: %s -- WP does not prove it: drop it" % short(text))
        if re.search(r"\bloop variant\b[^;]*\bfor\b", text):
            out.append("a relation in: %s -- nobody checks that it is well-founded" % short(text))
        if re.search(r"\bbreaks\b|\bcontinues\b|\b(?:type|global|strong|weak|data) invariant\b", text):
            out.append("a clause that WP ignores in: %s -- use a loop invariant or a predicate" % short(text))
    for function in program.functions:
        if function.body is not None:
            out += contract_problems(function) + loop_problems(function) + read_through_result(function, program)
    out += code_problems(program) + logic_problems(program) + enumeration_problems(program)
    out += ["forbidden '%s' in the code -- %s" % (w, UNSOUND[w]) for w in UNSOUND if re.search(r"\b%s\b" % w, program.code)]
    out += recursion_problems(program.logic)
    return out


CONSTANT = re.compile(r"(?:static )?(?:(?:struct|enum) )?[\w ]+ const \w+(?: ?\[\w+\])*")


def code_problems(program):
    """Calls that cannot be seen as calls, and functions whose definition another unit may bring."""
    out = []
    names = {f.name for f in program.functions}
    if re.search(r"\(\s*\*[^()]*\)\s*\(", program.code) or any(
            t.startswith("typedef") and re.search(r"\w\s*\(", re.sub(r"\{.*\}", "", t)) for t in program.declared):
        out.append("a function pointer or function type in the code -- WP does not know what it calls")
    for f in program.functions:
        code = " ".join(text for annotation, text in f.body or [] if not annotation)
        taken = {w for w in re.findall(r"\b([A-Za-z_]\w*)\b(?!\s*\()", code) if w in names}
        out += ["%s: the address of %s is taken -- WP does not know who calls it then" % (f.name, w) for w in sorted(taken)]
        if "inline" in f.head.split() and "static" not in f.head.split():
            out.append("%s: inline without static -- another unit may bring another body" % f.name)
    for text in program.declared:
        if not re.match(r"typedef\b", text) and not re.match(r"(?:struct|enum)\b[^;=]*\{.*\}\s*$|(?:struct|enum) \w+$", text) \
                and not CONSTANT.fullmatch(text.split("=")[0].strip()):
            out.append("a variable of the file: %s -- proved code keeps no state, and no contract speaks of it" % short(text))
    return out


# ---- enumerated types --------------------------------------------------------------------------------------
# Frama-C asks for no proof that a value fits where an integer becomes one of an enumerated type or the other way round, and WP
# takes it for unchanged. So such a conversion is accepted only where nothing can be lost. What is converted without a word
# in the printed program has one range on both sides.

WIDE = {"long", "long long", "int64_t"}
CAST = re.compile(r"(?<![\w\]])(?<!if )(?<!while )(?<!switch )\((?:const )?((?:enum )?[A-Za-z_][\w ]*?)(?: const)?\)\s*(?=[\w*&(~!-])")


def enumerated(program):
    """The names of enumerated types, each with its enumerators."""
    found = {}
    for text in program.declared:
        tag = re.match(r"(enum \w+) (\{.*\})", text)
        other = re.fullmatch(r"typedef (?:const )?(.+?)(?: const)? (\w+)", text)
        if tag:
            found[tag[1]] = set(re.findall(r"[{,] (\w+)", tag[2]))
        elif other and other[1] in found:
            found[other[2]] = found[other[1]]
    return found


def of_enumerated_type(program, types):
    """The names of what is declared with such a type, or points to one."""
    types = set(types)
    for text in program.declared:
        other = re.fullmatch(r"typedef\b(.*?)(\w+)(?:\[.*)?", text)
        if other and re.search(r"(?<![\w])(?:%s)\b" % "|".join(map(re.escape, types)), other[1]):
            types.add(other[2])
    return set(re.findall(r"(?<!\w)(?:%s)(?: const)?(?:\s|\*|const\b)+(\w+)" % "|".join(map(re.escape, sorted(types))), program.code))


def operand(code, at):
    """What a cast before this place applies to."""
    depth, start = 0, at
    while at < len(code):
        depth += (code[at] in "([") - (code[at] in ")]")
        if depth < 0 or depth == 0 and at > start and code[at] in ";,?:{}= " :
            break
        at += 1
    return code[start:at]


def enumeration_problems(program):
    types, out = enumerated(program), []
    if not types:
        return out
    held = of_enumerated_type(program, types)
    for f in program.functions:
        code = squeeze(" ".join(text for annotation, text in f.body or [] if not annotation))
        for m in CAST.finditer(code):
            what = operand(code, m.end())
            names = set(re.findall(r"[A-Za-z_]\w*", what))
            to = m[1] in types and not only_enumerators(code, what, types[m[1]])
            if to or m[1] not in types and m[1] not in WIDE and names & held and "sizeof" not in names:
                out.append("%s: the conversion (%s)%s -- WP does not ask whether a value of an enumerated type fits" % (f.name, m[1], short(what, 40)))
    for name, text in ((name, text) for text in program.declared for name in re.findall(r"^(enum \w+) \{", text)):
        if any(not -2**31 <= int(n) < 2**31 for n in re.findall(r"= (-?\d+)\b", text)) or re.search(r"\d[uU]?[lL]", text):
            out.append("%s: an enumerator that is no int" % name)
    return out


def only_enumerators(code, name, enumerators):
    """Is this a variable that nothing but enumerators are assigned to? Frama-C makes such a one of a choice."""
    given = re.findall(r"\b%s\s*(?:=(?!=)\s*([^;]*);|(?:\+\+|--|[-+*/%%&|^]=|<<=|>>=))" % re.escape(name), code)
    return bool(re.fullmatch(r"\w+", name) and given and set(given) <= enumerators and not re.search(r"&\s*%s\b" % re.escape(name), code)
                and re.search(r"\bint %s;" % re.escape(name), code))


# The names by which WP takes a logic function or predicate of anybody for its own.
OF_WP = {"bit_test"}


def logic_problems(program):
    out = ["logic %s: defined twice (overloaded) -- give each its own name" % n for n in sorted(set(program.overloads))]
    known = parameters(program)
    out += ["logic %s: WP has one of this name, and takes it for that -- give it another" % n for n in sorted(OF_WP & program.logic.keys())]
    out += ["logic of any type: %s -- the gate does not read it" % short(text) for text in program.annotations
            if re.search(r"(?:^|[\s;{])(?:predicate|logic)\b[^=(;]*<", text)]
    out += ["logic %s: no definition -- nothing is known of it, so say what it means" % n
            for n, text in sorted(program.logic.items())
            if n not in known and ("=" not in text or re.search(r"\breads\b", text.split("=")[0]))]
    return out


def return_type(function):
    head = re.match(r"(.*?)\b%s ?\(" % function.name, function.head)[1]
    return squeeze(re.sub(r"\b(?:static|__inline|inline|extern|const)\b", "", head)) or "int"


def read_through_result(function, program):
    """A clause reads memory through the result: where that points to what is no more, WP still knows what lay there."""
    kind = return_type(function)
    if "*" not in kind and not leads_to_memory(kind.split()[-1], program):
        return []
    said = [c for c in clauses(squeeze(function.contract)) if keyword(c) == "ensures"]
    reads = [c for c in said if re.search(r"\*\s*(?:\(\s*)?\\result|\\result(?:\.\w+)*(?:->|\[)", c)]
    valid = [c for c in said if re.search(r"\\valid(?:_read)?\s*(?:\{\w+\})?\s*\([^;]*\\result", c)]
    return ["%s: reads through the result in: %s -- ensure \\valid_read of it too" % (function.name, short(c)) for c in reads[:1] if not valid]


# A contract of level L2 says of the result what it is. Told by trying: if every clause is plainly true for one result, whatever
# holds, the contract allows that result always.

COMPARED = re.compile(r"(?:\((?:\w+ ?)+\))?\\result(?:(?:\.|->)\w+)* (==|!=|<=|>=|<|>) (?:\((?:\w+ ?)+\))?(-?\d+)|(-?\d+) (==|!=|<=|>=|<|>) \\result")
MEETS = {"==": lambda a, b: a == b, "!=": lambda a, b: a != b, "<=": lambda a, b: a <= b, ">=": lambda a, b: a >= b,
         "<": lambda a, b: a < b, ">": lambda a, b: a > b}


def says_little(function, logic=None):
    """Why a contract is not of level L2; "" where nothing speaks against it. `logic`: the definitions of predicates."""
    said = [c.removeprefix("ensures ") for c in clauses(squeeze(function.contract)) if keyword(c) == "ensures"]
    said = [with_meanings(re.sub(r"^(?:\w+: )+", "", c), logic or {}) for c in said]
    said = [c for c in said if truth(c, None) is not True]
    if not said:
        return "it ensures nothing"
    if return_type(function) == "void":
        return ""
    told = [c for c in said if "\\result" in c]
    if not told:
        return "it says nothing of the result"
    if any(re.fullmatch(r"\\result(?:\.\w+)* == -?\d+", c) for c in told):
        return ""                        # always the same
    mentioned = {int(n) for c in told for n in re.findall(r"(?<![\w.])-?\d+", c)}
    for result in sorted({-1, 0, 1, *mentioned, *(n + d for n in mentioned for d in (-1, 1))}, key=lambda n: (abs(n), n)):
        if all(truth(c, result) is True for c in told):
            return "one result may be given always, whatever holds: %d" % result
    return ""


def with_meanings(clause, logic, depth=3):
    """A clause with the definitions of the plain predicates that it names, without labels and bound names."""
    for name in sorted(set(re.findall(r"[A-Za-z_]\w*", clause)) & logic.keys()) if depth else ():
        text = logic[name]
        head = re.fullmatch(r"predicate %s(?: ?\{[^}]*\})? ?\(([^()]*)\) = (.*?);?" % re.escape(name), text)
        if not head or re.search(r"\\(?:forall|exists|let)", head[2]):
            continue
        names = [one.split()[-1].lstrip("*") for one in head[1].split(",")]
        for m in re.finditer(r"\b%s(?:\{[^}]*\})?\(" % re.escape(name), clause):
            given = split_arguments(clause[m.end():])
            whole = m[0] + ", ".join(given or []) + ")"
            if given is None or len(given) != len(names) or whole not in clause:
                continue
            body = re.sub(r"\b(%s)\b" % "|".join(map(re.escape, names)), lambda n, g=given: "(%s)" % g[names.index(n[1])], head[2])
            return with_meanings(clause.replace(whole, "(%s)" % body), logic, depth - 1)
    return clause


def parts_of(text, operator):
    """What stands between an operator, outside of parentheses."""
    depth, out, start, at = 0, [], 0, 0
    while at < len(text):
        depth += (text[at] in "([{") - (text[at] in ")]}")
        if depth == 0 and text.startswith(operator, at) and not (operator == "==>" and text[at - 1:at] == "<"):
            out.append(text[start:at])
            at = start = at + len(operator)
            continue
        at += 1
    return [*out, text[start:]]


def truth(text, result):
    """True or False where that is plain of a term for one result (None: for any), None where it is not."""
    text = squeeze(text)
    while text.startswith("(") and parts_closed(text):
        text = text[1:-1].strip()
    if re.match(r"\\(?:forall|exists|let)\b", text):
        body = text.split(";", 1)[-1]
        return True if truth(body, result) is True and text.startswith("\\forall") else None
    for operator in ("<==>", "==>", "||", "&&"):
        parts = parts_of(text, operator)
        if len(parts) > 1:
            return joined(operator, [truth(one, result) for one in parts])
    if text in ("\\true", "\\false"):
        return text == "\\true"
    if text.startswith("!") and not text.startswith("!="):
        inside = truth(text[1:], result)
        return None if inside is None else not inside
    chain = re.split(r" (==|!=|<=|>=|<|>) ", text)
    if len(chain) > 3:
        return joined("&&", [truth(" ".join(chain[at:at + 3]), result) for at in range(0, len(chain) - 2, 2)])
    if len(chain) == 3 and bare_term(chain[0]) == bare_term(chain[2]):
        return chain[1] in ("==", "<=", ">=")
    m = COMPARED.fullmatch(text)
    if m and result is not None:
        return MEETS[m[1]](result, int(m[2])) if m[1] else MEETS[m[4]](int(m[3]), result)
    if len(chain) == 3 and all(re.fullmatch(r"-?\d+", bare_term(n)) for n in chain[::2]):
        return MEETS[chain[1]](int(bare_term(chain[0])), int(bare_term(chain[2])))
    return None


def bare_term(text):
    text = text.strip()
    while text.startswith("(") and parts_closed(text):
        text = text[1:-1].strip()
    return text


def parts_closed(text):
    """Do the first and the last parenthesis belong together?"""
    depth = 0
    for at, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if depth == 0:
            return at == len(text) - 1
    return False


def joined(operator, parts):
    if operator == "&&":
        return False if False in parts else None if None in parts else True
    if operator == "||":
        return True if True in parts else None if None in parts else False
    if operator == "==>":                # a ==> (b ==> c)
        return joined("||", [None if p is None else not p for p in parts[:-1]] + parts[-1:])
    return None if None in parts else len(set(parts)) == 1


def contract_problems(function):
    main = re.split(r"\bbehavior\s+\w+\s*:", function.contract)[0]
    if not re.search(r"\b(requires|ensures|assigns|terminates|exits)\b", main):
        return ["%s: no contract -- every function of the proved set has one" % function.name]
    out = []
    for clause, need in ((r"\bterminates\s+\\true\s*;", "terminates \\true;"), (r"\bexits\s+\\false\s*;", "exits \\false;"),
                         (r"\bassigns\b", "assigns ...;")):
        if not re.search(clause, main):
            out.append("%s: contract without '%s' -- add the clause" % (function.name, need))
    return out


def loop_problems(function):
    out, before, body = [], "", function.body
    for annotation, text in body:
        if annotation:
            before = text
            continue
        for m in re.finditer(r"\b(?:while|for)\s*\(|\bdo\b", text):
            clauses = before if not text[:m.start()].strip() else ""
            where = "%s: loop [%s]" % (function.name, short(clauses, 40))
            if not re.search(r"\bloop\s+variant\b", clauses):
                out.append("%s without 'loop variant' -- say what falls towards 0" % where)
            if not re.search(r"\bloop\s+assigns\b", clauses):
                out.append("%s without 'loop assigns' -- name what is written" % where)
        before = ""
    return out


# ---- recursion in logic ----------------------------------------------------------------------------
# WP takes the equation of a recursive definition as true and does not ask whether such a function
# exists: f(n) = f(n) + 1 would prove everything. So only one form is accepted, where one parameter n
# steps towards a bound:  n <= e ? base : ... f(n - 1) ...   or   n >= e ? base : ... f(n + 1) ...
# and e does not depend on anything that changes. Nothing in it binds a name: another n could hide behind that of the parameter.

BINDER = re.compile(r"\\(?:let|forall|exists|lambda)\b|\{[^{}]*\|")

def recursion_problems(logic):
    out = []
    bodies = {name: text.split("=", 1)[1] if "=" in text else "" for name, text in logic.items()}
    uses = {name: set(re.findall(r"\w+", body)) & logic.keys() for name, body in bodies.items()}
    for name, text in logic.items():
        parameters = re.search(r"%s\s*(?:\{[^}]*\})?\s*\(([^=]*?)\)\s*=" % name, text)
        if name in reached(uses, uses[name] - {name}):
            out.append("logic %s: mutual recursion -- not seen to be well-founded" % name)
        if name in uses[name] and not (parameters and steps_down(name, parameters[1], bodies[name])):
            out.append("logic %s: recursion not seen to be well-founded -- write 'n <= e ? base : ... %s(..., n - 1, ...)'"
                       % (name, name))
    return out


def reached(uses, names):
    """What the definitions of some names use, and those of what they use, and so on; and the names themselves."""
    seen, waiting = set(), set(names)
    while waiting:
        seen |= waiting
        waiting = set().union(*(uses[name] for name in waiting)) - seen
    return seen


def split_arguments(text):
    """The arguments of a call whose opening parenthesis was just read."""
    depth, start, out = 0, 0, []
    for at, c in enumerate(text):
        if c in "([{":
            depth += 1
        elif c in ")]}" and depth:
            depth -= 1
        elif c == ")":
            return [squeeze(a) for a in [*out, text[start:at]]]
        elif c == "," and depth == 0:
            out.append(text[start:at])
            start = at + 1
    return None


def steps_down(name, parameters, body):
    names = [squeeze(p).split()[-1].lstrip("*") for p in parameters.split(",")]
    recursive = [split_arguments(body[m.end():])
                 for m in re.finditer(r"\b%s\s*(?:\{[^}]*\})?\s*\(" % name, body)]
    if any(r is None or len(r) != len(names) for r in recursive):
        return False
    fixed = {n for i, n in enumerate(names) if all(r[i] == n for r in recursive)}
    body = squeeze(body).rstrip("; ")
    if len(re.findall(r"\b%s\b" % name, body)) != len(recursive) or BINDER.search(body):
        return False
    for i, n in enumerate(names):
        for step, tests in (("- 1", ("<=", "<")), ("+ 1", (">=", ">"))):
            head = re.match(r"%s (?:%s) ([\w +*-]+)\?" % (n, "|".join(tests)), body)
            if not head or not all(r[i].strip("()") == "%s %s" % (n, step) for r in recursive):
                continue
            base = base_of(body, head.end())
            bound = set(re.findall(r"[A-Za-z_]\w*", head[1]))
            if base and bound & set(names) <= fixed and not re.search(r"\b%s\b" % name, base + head[1]):
                return True
    return False


def base_of(body, start):
    """What stands between the first ? and the : that belongs to it; "" where a colon may be one of another kind."""
    if body.count("?") != body.count(":"):
        return ""                        # a name in front of a term
    depth = waiting = 0
    for at in range(start, len(body)):
        depth += (body[at] in "([{") - (body[at] in ")]}")
        if depth < 0:
            break                        # the whole choice is only a part of the definition
        if body[at] == ":" and depth == 0 and waiting == 0:
            return body[start:at]
        waiting += (body[at] == "?" and depth == 0) - (body[at] == ":" and depth == 0)
    return ""
