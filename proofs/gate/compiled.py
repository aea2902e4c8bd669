# SPDX-License-Identifier: Apache-2.0
"""What clang makes of a unit, as a tree: where C leaves more open than the program that Frama-C makes of it. Frama-C chooses one
order of evaluation, has pointers to what is no more, compares addresses that a compiler may lay out as it likes, and asks for
no proof that INT_MIN % -1 does not occur."""
import json
import os
import re
import tempfile

import annotations
import framac
import proved
from annotations import short, squeeze

SIGNED = {"char", "signed char", "short", "int", "long", "long long", "__int128"}
SEQUENCED = {"&&", "||", ","}
PURE_BUILTINS = {"__builtin_prefetch"}
# The labels of ACSL. In C they would be other places of the program.
LABELS = {"Pre", "Here", "Old", "Post", "Init", "LoopEntry", "LoopCurrent"}
LARGE = 96 * 1024                    # bytes of the local variables of a function


def trees_of(unit, commands, root):
    """The tree of a unit as clang reads it with the flags of the build."""
    for command in commands:
        if command[0] != "clang":
            continue
        kept = [*command[:command.index("-o")], "-w", "-fsyntax-only", "-Xclang", "-ast-dump=json", "-MF", os.devnull]
        yield Tree(unit, json.loads(framac.output_of(kept, root) or "{}"))


def inner(node):
    return [one for one in node.get("inner", []) if one]


def is_expression(node):
    return node.get("kind", "").endswith(("Expr", "Operator", "Literal"))


def type_of(node):
    said = node.get("type", {})
    return said.get("desugaredQualType", said.get("qualType", ""))


def plain(text):
    return squeeze(re.sub(r"\b(?:const|volatile|restrict)\b", "", text))


def bare(node):
    """An expression without parentheses and casts that nobody wrote."""
    while node["kind"] in ("ParenExpr", "ImplicitCastExpr", "ConstantExpr") and inner(node):
        node = inner(node)[0]
    return node


def walk(node, path=()):
    yield node, path
    for at, one in enumerate(inner(node)):
        yield from walk(one, (*path, (node, at)))


class Tree:
    def __init__(self, unit, top):
        self.unit, self.nodes = unit, inner(top)
        self.types = {n["name"]: type_of(n) for n in self.nodes if n["kind"] == "TypedefDecl"}
        self.records = {n["name"]: inner(n) for n in self.nodes if n["kind"] == "RecordDecl" and n.get("name") and n.get("completeDefinition")}
        self.numbers = dict(self.enumerators())
        self.functions = [n for n in self.nodes if n["kind"] == "FunctionDecl" and any(one["kind"] == "CompoundStmt" for one in inner(n))]

    def enumerators(self):
        for node in self.nodes:
            last = -1
            for one in inner(node) if node["kind"] == "EnumDecl" else []:
                said = [n["value"] for n, _ in walk(one) if "value" in n]
                last = int(said[0]) if said else last + 1
                yield one.get("name"), last

    def holds_pointer(self, text):
        """Does a type hold a pointer? One to void is nothing that can be read through."""
        text = plain(text)
        if "*" in text:
            return not re.fullmatch(r"void ?\*", text)
        name = re.sub(r"\[\d*\]|\bstruct\b", "", text).strip()
        if name in self.types and plain(self.types[name]) != text:
            return self.holds_pointer(self.types[name])
        return any(self.holds_pointer(type_of(one)) for one in self.records.get(name, []) if one["kind"] == "FieldDecl")

    def fields_of(self, text):
        """The members of a struct; [] of any other type."""
        name = re.sub(r"\bstruct\b", "", plain(text)).strip()
        if name in self.types and plain(self.types[name]) != plain(text):
            return self.fields_of(self.types[name])
        return [one for one in self.records.get(name, []) if one["kind"] == "FieldDecl"]

    def size(self, text):
        """How many bytes an object of a type takes, or more."""
        text = plain(text)
        sizes = [int(n) for n in re.findall(r"\[(\d+)\]", text)]
        name = re.sub(r"\[\d+\]|\b(?:struct|enum|unsigned|signed)\b", "", text).strip()
        if "*" in name:
            one = 8
        elif name in self.records:
            one = sum(self.size(type_of(field)) + 8 for field in self.records[name] if field["kind"] == "FieldDecl")
        else:
            one = self.size(self.types[name]) if name in self.types and plain(self.types[name]) != text else 16 if name == "__int128" else 8
        for n in sizes:
            one *= n
        return one

    def constant(self, node):
        """The value of a literal or an enumerator; None of anything else."""
        node = bare(node)
        if node["kind"] == "IntegerLiteral":
            return int(node["value"])
        if node["kind"] == "DeclRefExpr" and node["referencedDecl"]["kind"] == "EnumConstantDecl":
            return self.numbers.get(node["referencedDecl"]["name"])
        return None


# ---- remainders ----------------------------------------------------------------------------------------------
# Frama-C 25 asks that a divisor is not 0. It does not ask for more of a remainder, and INT_MIN % -1 ends the program. So a signed
# divisor is a positive number, or the code or an assertion says that it is positive, before what divides by it. What is said of
# a variable that is set once, and of its members, holds from there to the end of the block.

def is_remainder(tree, node):
    """A signed remainder by what is no positive number."""
    if node.get("opcode") not in ("%", "%="):
        return False
    kind = node.get("computeResultType", node["type"])
    said = plain(kind.get("desugaredQualType", kind.get("qualType", "")))
    number = tree.constant(inner(node)[1])
    return tree.types.get(said, said) in SIGNED and not (number is not None and number > 0)


def written(function):
    """The variables that are written anywhere but where they are declared, or whose address is taken."""
    for node, _ in walk(function):
        if node["kind"] == "CompoundAssignOperator" or node["kind"] == "UnaryOperator" and node.get("opcode") in ("++", "--", "&") \
                or node["kind"] == "BinaryOperator" and node.get("opcode") == "=" or node.get("castKind") == "ArrayToPointerDecay":
            found = variable(inner(node)[0])
            if found:
                yield found["id"]


def stable(node, changed):
    """The text of a variable that is set once, or of a member of one; "" of anything else."""
    node = bare(node)
    if node["kind"] == "DeclRefExpr" and node["referencedDecl"]["kind"] in ("VarDecl", "ParmVarDecl"):
        return node["referencedDecl"]["name"] if node["referencedDecl"]["id"] not in changed else ""
    if node["kind"] == "MemberExpr" and not node.get("isArrow"):
        base = stable(inner(node)[0], changed)
        return base and "%s.%s" % (base, node["name"])
    return ""


def said_by(tree, node, joined, tests, changed):
    """The texts that a condition compares with a number, of all its parts that are joined so."""
    node = bare(node)
    if node.get("opcode") == joined:
        return set().union(*(said_by(tree, one, joined, tests, changed) for one in inner(node)))
    if (node.get("opcode"), tree.constant(inner(node)[1]) if len(inner(node)) == 2 else None) in tests:
        return {stable(inner(node)[0], changed)} - {""}
    return set()


POSITIVE, NOT_POSITIVE = {(">", 0), (">=", 1)}, {("<", 1), ("<=", 0)}


def leaves(statement):
    while statement["kind"] == "CompoundStmt" and inner(statement):
        statement = inner(statement)[-1]
    return statement["kind"] == "ReturnStmt"


def guards(tree, path, changed):
    """What the code itself says to be positive, where a path of the tree leads."""
    found = set()
    for node, at in path:
        if node.get("opcode") == "&&" and at == 1:
            found |= said_by(tree, inner(node)[0], "&&", POSITIVE, changed)
        elif node.get("opcode") == "||" and at == 1:
            found |= said_by(tree, inner(node)[0], "||", NOT_POSITIVE, changed)
        elif node["kind"] == "CompoundStmt":
            for before in inner(node)[:at]:
                if before["kind"] == "IfStmt" and len(inner(before)) == 2 and leaves(inner(before)[1]):
                    found |= said_by(tree, inner(before)[0], "||", NOT_POSITIVE, changed)
    return found


def names_once(function):
    names = [n.get("name") for n, _ in walk(function) if n["kind"] in ("VarDecl", "ParmVarDecl")]
    return {name for name in names if names.count(name) == 1}


def remainder_problems(tree, program):
    out, printed = [], {f.name: f for f in program.functions if f.body is not None}
    for function in tree.functions:
        found = [(node, path) for node, path in walk(function) if is_remainder(tree, node)]
        if not found:
            continue
        changed, once = set(written(function)), names_once(function)
        jumps = any(n["kind"] in ("LabelStmt", "SwitchStmt") for n, _ in walk(function))
        open_ones = {stable(inner(node)[1], changed) for node, path in found} | {""}
        lasting = {text for text in open_ones if text.split(".")[0] in once}
        if not jumps:        # each divisor of one name must be guarded wherever it stands
            open_ones = {stable(inner(node)[1], changed) for node, path in found
                         if not (stable(inner(node)[1], changed) in guards(tree, path, changed) & once)} | {""}
        guarded = lasting - open_ones
        name = function["name"]
        if name not in printed:
            out.append("%s: a remainder in what Frama-C does not print" % name)
            continue
        out += ["%s: a remainder by %s -- Frama-C asks for no proof that INT_MIN %% -1 does not occur: right before the statement, "
                "write //@ assert positive: %s > 0;" % (name, short(by, 40), short(by, 40))
                for by in divisors(printed[name].body, lasting, guarded)]
    return out


def positives(annotation):
    """The texts that an assertion says to be positive."""
    said = re.fullmatch(r"\s*assert (?:\w+: )*(.*?);?\s*", squeeze(annotation))
    if not said or re.search(r"\|\||\?|==>|\^\^|\\(?:forall|exists|let|lambda)\b", said[1]):
        return
    for part in said[1].split("&&"):
        m = re.fullmatch(r"(.*) > 0|(.*) >= 1|0 < (.*)|1 <= (.*)", part.strip())
        if m and not re.search(r"\\(?:at|old)\b|[<>]", next(filter(None, m.groups())).replace("->", "")):
            yield next(filter(None, m.groups()))


def divisors(body, lasting, guarded):
    """The divisors that nothing says to be positive, in the program that Frama-C made."""
    scopes, before = [set()], set()
    targets = {"case", "default", *re.findall(r"\bgoto (\w+)", " ".join(text for annotation, text in body if not annotation))}
    for annotation, text in body:
        if annotation:
            before |= set(positives(text))               # those of -wp-rte stand there too
            scopes[-1] |= before & lasting
            continue
        for piece in re.split(r"([;{}])", text):
            if piece == "{":
                scopes.append(set(scopes[-1]))
            elif piece == "}":
                scopes = scopes[:-1] or [set()]
            elif (re.match(r"\s*(\w+)[^?:]*:", piece) or "  ")[1] in targets:
                scopes = [set() for _ in scopes]         # somebody may come from elsewhere
            for m in re.finditer(r"%=?", piece):
                by = re.sub(r"\(\w+\)(?=\d)", "", divisor(piece[m.end():]))
                if not re.fullmatch(r"[1-9]\d*[uUlL]*", by) and by not in guarded | before | scopes[-1]:
                    yield by
            if piece.strip() and piece != ";":
                before = set()


def divisor(text):
    """What stands behind a %, up to the end of the operand."""
    at = re.match(r"\s*(?:[-~!*&]\s*|\((?:[A-Za-z_]\w*[ *]*)+\)\s*(?=[\w(*&~-]))*", text).end()
    depth = 0
    while at < len(text):
        if text[at] in "([":
            depth += 1
        elif text[at] in ")]":
            depth -= 1
            if depth < 0:
                break
        elif depth == 0 and text[at:at + 2] == "->":
            at += 1
        elif depth == 0 and not re.match(r"[\w.]", text[at]):
            break
        at += 1
    return squeeze(text[:at])


# ---- the order of evaluation ---------------------------------------------------------------------------------
# An effect is a call that assigns, or a write inside an expression. It must not stand beside an access of what it may change
# without an order between the two.

class Access:
    def __init__(self, node, path, what, effect=False, call=False, store=False):
        self.node, self.path, self.what = node, path, what       # what: see place; None: memory
        self.effect, self.call, self.store = effect, call, store


def variable(node):
    """The declaration of the variable that an lvalue is or is a part of; None of what lies behind a pointer."""
    node = bare(node)
    if node["kind"] == "DeclRefExpr" and node["referencedDecl"]["kind"] in ("VarDecl", "ParmVarDecl"):
        return node["referencedDecl"]
    if node["kind"] == "MemberExpr" and not node.get("isArrow"):
        return variable(inner(node)[0])
    if node["kind"] == "ArraySubscriptExpr":
        return variable(inner(node)[0]) if "[" in type_of(bare(inner(node)[0])) else None
    return None


def addresses(function):
    """The variables whose address is taken; where an element of an array is read or written at once, it is not."""
    for node, path in walk(function):
        if node.get("opcode") == "&" and node["kind"] == "UnaryOperator" or \
                node.get("castKind") == "ArrayToPointerDecay" and path[-1][0]["kind"] != "ArraySubscriptExpr":
            found = variable(inner(node)[0])
            if found:
                yield found["id"], node


def callee(node):
    found = bare(inner(node)[0])
    return found.get("referencedDecl", {}).get("name", "")


def place(node, shared):
    """A variable whose address is never taken, and which of its members; None of all other memory."""
    found, members = variable(node), []
    if not found or found["id"] in shared:
        return None
    node = bare(node)
    while node["kind"] != "DeclRefExpr":
        members = [node["name"], *members] if node["kind"] == "MemberExpr" else []
        node = bare(inner(node)[0])
    return (found["id"], *members)


def accesses(root, shared, pure):
    def what(node):
        return place(node, shared)
    for node, path in walk(root):
        if node["kind"] == "CallExpr":
            yield Access(node, path, None, effect=callee(node) not in pure, call=True)
        elif node.get("castKind") == "LValueToRValue":
            yield Access(node, path, what(inner(node)[0]))
        elif node["kind"] == "UnaryOperator" and node.get("opcode") in ("++", "--") or node["kind"] == "CompoundAssignOperator":
            target = what(inner(node)[0])
            yield Access(node, path, target, effect=bool(path), store=True)
            yield Access(node, (*path, (node, 0)), target)
        elif node["kind"] == "BinaryOperator" and node.get("opcode") == "=":
            yield Access(node, path, what(inner(node)[0]), effect=bool(path), store=True)


def ordered(one, other):
    """Is there an order between two accesses of one full expression?"""
    same = 0
    while same < min(len(one.path), len(other.path)) and one.path[same][0] is other.path[same][0] and one.path[same][1] == other.path[same][1]:
        same += 1
    if same == len(one.path) or same == len(other.path):     # one is an operand of the other
        outer, below = (one, other) if same == len(one.path) else (other, one)
        if outer.node is below.node:
            return True
        if outer.call or not outer.store:
            return True                                      # arguments before the call, operands before what is made of them
        return below.call or not below.store                 # of two writes, there is none
    node = one.path[same][0]
    return node["kind"] == "ConditionalOperator" or node["kind"] == "BinaryOperator" and node.get("opcode") in SEQUENCED


def may_meet(one, other):
    """May an effect change what the other reads or writes?"""
    if one.call:
        return other.what is None
    if one.what is None or other.what is None:
        return one.what is None and (other.call or other.what is None)
    return all(a == b for a, b in zip(one.what, other.what))      # one is the other, or a part of it


def order_problems(function, pure):
    shared = {found for found, _ in addresses(function)}
    out = []
    for node, path in walk(function):
        if not is_expression(node) or path and is_expression(path[-1][0]) or node["kind"] == "ConstantExpr":
            continue
        found = list(accesses(node, shared, pure))
        for effect in (one for one in found if one.effect):
            for other in found:
                if other is not effect and may_meet(effect, other) and not ordered(effect, other):
                    out.append("%s: %s -- in which order is left to the compiler: write statements of their own" % (
                        function["name"], "a call of %s, which assigns, beside an access of memory" % callee(effect.node) if effect.call
                        else "a write inside an expression, beside another access of what it may change"))
    return out


# ---- pointers --------------------------------------------------------------------------------------------------

def is_null(node):
    while node["kind"] in ("ParenExpr", "ImplicitCastExpr", "CStyleCastExpr"):
        if node.get("castKind") == "NullToPointer":
            return True
        node = inner(node)[0]
    return False


def comparison_problems(function):
    out = []
    for node, _ in walk(function):
        if node["kind"] in ("BinaryOperator", "CompoundAssignOperator") and node.get("opcode") in ("==", "!=", "<", ">", "<=", ">=", "-", "-="):
            one, other = inner(node)[:2]
            if all(type_of(n).rstrip().endswith(("*", "*const")) for n in (one, other)) and not (is_null(one) or is_null(other)):
                out.append("%s: pointers under '%s' -- where objects lie, and what lies behind the end of one, is left to the compiler: "
                           "compare with null only" % (function["name"], node["opcode"]))
    return out


def locals_of(function):
    return {n["id"] for n, _ in walk(function) if n["kind"] in ("VarDecl", "ParmVarDecl", "CompoundLiteralExpr") and n.get("storageClass") != "static"}


def beside(function, pointer, variable_):
    """Is a pointer declared in the same list of declarations as what it points to?"""
    return any(n["kind"] == "DeclStmt" and {pointer["id"], variable_["id"]} <= {one["id"] for one in inner(n)} for n, _ in walk(function))


def left_by(path):
    """How an address is used: 'call' as an argument, 'access' to read or write there at once, or 'kept'. Of what lies there, the
    address may be taken again."""
    place_ = None
    for node, at in reversed(path):
        kind = node["kind"]
        if place_ is not None:
            if kind == "ParenExpr" or kind == "MemberExpr" and not node.get("isArrow") or node.get("castKind") == "NoOp":
                continue
            if node.get("castKind") == "ArrayToPointerDecay" or kind == "UnaryOperator" and node["opcode"] == "&":
                place_ = None
                continue
            return "access", place_
        if kind in ("ParenExpr", "ImplicitCastExpr", "CStyleCastExpr") or kind == "BinaryOperator" and node["opcode"] in ("+", "-") \
                or kind == "ConditionalOperator" and at > 0:
            continue
        if kind == "CallExpr":
            return "call", node
        if kind == "ArraySubscriptExpr" or kind == "MemberExpr" or kind == "UnaryOperator" and node["opcode"] == "*":
            place_ = node
            continue
        if kind == "UnaryExprOrTypeTraitExpr" or kind == "BinaryOperator" and node["opcode"] in ("==", "!="):
            return "access", node
        return "kept", node
    return ("kept", None) if place_ is None else ("access", place_)


def is_temporary(node):
    """Is it a part of what a call returns, or of another value that is no variable?"""
    while node["kind"] in ("ParenExpr", "ArraySubscriptExpr") or node["kind"] == "MemberExpr" and not node.get("isArrow") or \
            node["kind"] == "ImplicitCastExpr" and node.get("castKind") != "LValueToRValue":
        node = inner(node)[0]
    return node.get("valueCategory") in ("rvalue", "prvalue") and not type_of(node).endswith(("*", "*const"))


def address_problems(tree, function):
    """The address of a local variable is an argument, or used at once: kept in a pointer it could outlive the variable."""
    out, own, name, second = [], locals_of(function), function["name"], {}
    for node, path in walk(function):
        if node.get("castKind") == "ArrayToPointerDecay" and is_temporary(inner(node)[0]):
            out.append("%s: an array of a value that has no name -- it ends with its statement: copy the value to a variable" % name)
        if node["kind"] == "CompoundLiteralExpr" and type_of(node) and any(n.get("opcode") == "&" for n, _ in path[-2:]):
            out.append("%s: the address of a compound literal -- it ends with its block" % name)
        alias = node.get("castKind") == "LValueToRValue" and second.get((variable(inner(node)[0]) or {}).get("id"))
        if not (alias or node.get("opcode") == "&" and node["kind"] == "UnaryOperator" or node.get("castKind") == "ArrayToPointerDecay"):
            continue
        found = alias or variable(inner(node)[0])
        literal = bare(inner(node)[0])["kind"] == "CompoundLiteralExpr"
        if not literal and (not found or found["id"] not in own):
            continue
        how, where = left_by(path)
        if how == "kept" and where and where["kind"] == "VarDecl" and re.search(r"\* ?const$", type_of(where)) and beside(function, where, found):
            second[where["id"]] = found          # a second name: what is done with it is judged alike
            continue
        if how == "kept":
            out.append("%s: the address of %s is kept -- the pointer may outlive it: pass it to a call, or use it at once" % (
                name, "a compound literal" if literal else found["name"]))
        elif how == "call" and hands_on(tree, where):
            out.append("%s: the address of %s goes to %s, which may keep it where it outlives the variable" % (
                name, "a compound literal" if literal else found["name"], callee(where)))
    return out


def hands_on(tree, call):
    """Can a callee keep an address: does it return pointers, or write to what holds some?"""
    said = bare(inner(call)[0]).get("referencedDecl", {}).get("type", {}).get("qualType", "")
    m = re.fullmatch(r"(.*?)\s*\((.*)\)", said)
    if not m or tree.holds_pointer(m[1]):
        return True
    for one in m[2].split(","):
        target = re.fullmatch(r"(.*)\*\s*(?:const)?", one.strip())
        if target and "const" not in target[1].split() and tree.holds_pointer(target[1]):
            return True
    return False


# ---- objects that are set in part ----------------------------------------------------------------------------------
# WP takes what an object holds that nobody has set for some value, the same wherever it is read. A compiler need not. Of a variable
# that has no address compilers warn. So an array, a struct, and what lies at an address that is taken, has an initializer; proved.txt
# lists the few that are read by people instead.

def unset_problems(tree, function):
    out, shared = [], {found for found, _ in addresses(function)}
    for node, _ in walk(function):
        if node["kind"] == "VarDecl" and "init" not in node and node.get("storageClass") not in ("static", "extern") and \
                (node["id"] in shared or type_of(node).endswith("]") or tree.fields_of(type_of(node))) and \
                "%s %s" % (proved.template_name(function["name"]), node["name"]) not in proved.values("unset"):
            out.append("%s: %s has no initializer -- nothing sees whether all of it is set before it is read: write = {0}" % (
                function["name"], node["name"]))
    return out


# ---- names of the C library ----------------------------------------------------------------------------------------
# Compilers know what functions of these names do, and make of a call what they know, whatever the project's own function does.

TWICE = {"setjmp", "_setjmp", "__setjmp", "sigsetjmp", "__sigsetjmp", "savectx", "vfork", "getcontext", "alloca"}


def library_problems(tree, command, root):
    names = sorted({f["name"] for f in tree.functions})
    with tempfile.NamedTemporaryFile("w", suffix=".c") as asked:
        asked.write("".join("#if __has_builtin(%s) || __has_builtin(__builtin_%s)\nspw_known %s\n#endif\n" % (n, n, n) for n in names) + "spw_asked\n")
        asked.flush()
        said = framac.output_of([command[0], *(w for w in command if w.startswith(("-std=", "-f"))), "-E", "-P", asked.name], root)
    if "spw_asked" not in said:
        return ["%s: %s does not say which functions it knows" % (tree.unit, command[0])]
    known = set(re.findall(r"spw_known (\w+)", said)) | TWICE & set(names)
    return ["%s: %s knows a function of this name, and what it does -- give it another name" % (n, command[0]) for n in sorted(known)]


# ---- what else -------------------------------------------------------------------------------------------------

def form_problems(tree, function):
    out, name = [], function["name"]
    for node, _ in walk(function):
        kind = node["kind"]
        if kind == "StringLiteral":
            out.append("%s: a string literal -- whether two equal ones are one object is left to the compiler" % name)
        elif kind == "StmtExpr":
            out.append("%s: a statement as an expression -- no C11" % name)
        elif kind == "LabelStmt" and node.get("name") in LABELS or kind in ("VarDecl", "ParmVarDecl") and node.get("name") in LABELS:
            out.append("%s: %s is a label of ACSL -- give it another name" % (name, node["name"]))
    taken = sum(tree.size(type_of(n)) for n, _ in walk(function)
                if n["kind"] in ("VarDecl", "ParmVarDecl", "CompoundLiteralExpr") and n.get("storageClass") != "static")
    if taken > LARGE:
        out.append("%s: %d bytes of local variables -- no proof asks whether the stack has them: at most %d" % (name, taken, LARGE))
    return out


def record_problems(tree):
    out = []
    for name, fields in tree.records.items():
        out += ["struct %s: a bit-field -- WP and compilers need not agree on its type" % name for one in fields if one.get("isBitfield")]
        out += ["struct %s: an array without a size -- the contract of its memory says nothing" % name for one in fields
                if type_of(one).endswith("[]")]
    out += ["%s is a label of ACSL -- give it another name" % name for name in sorted(LABELS & {str(n) for n in tree.numbers})]
    return out


def pure_functions(program):
    """Those whose contract says that they assign nothing."""
    return PURE_BUILTINS | {f.name for f in program.functions if re.findall(r"\bassigns ([^;]*);", squeeze(f.contract)) == ["\\nothing"]}


def problems(unit, commands, program, root):
    out, pure = [], pure_functions(program)
    for tree in trees_of(unit, commands, root):
        if not tree.nodes:
            return [*out, "%s: clang does not say what it makes of it" % unit]
        out += remainder_problems(tree, program) + record_problems(tree)
        out += [said for command in commands for said in library_problems(tree, command, root)]
        for function in tree.functions:
            out += order_problems(function, pure) + comparison_problems(function) + address_problems(tree, function)
            out += form_problems(tree, function) + unset_problems(tree, function)
    return list(dict.fromkeys(out))
