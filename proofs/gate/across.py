# SPDX-License-Identifier: Apache-2.0
"""What no unit can tell alone: each unit is proved by itself, with the contracts and definitions that it sees. They must be
the ones that were proved, a name must mean the same everywhere, and no function may rest on itself."""
import re
from dataclasses import dataclass

import annotations
from annotations import squeeze
from proved import GENERIC, assumed, is_proved

WRITE_ONCE = "declare it once, in a header"


@dataclass
class Known:
    """A function with a body, and where."""
    unit: str
    function: annotations.Function

    def contract(self):
        return squeeze(self.function.contract)

    def prototype(self):
        return prototype(self.function)


def prototype(function):
    return squeeze(re.sub(r"\b(?:extern|static|inline)\b", "", function.head))


def statics(program):
    """The functions of internal linkage: one declaration says it for all."""
    return {f.name for f in program.functions if "static" in f.head.split()}


def definitions(programs):
    """name -> its definitions of external linkage."""
    found = {}
    for unit, program in sorted(programs.items()):
        own = statics(program)
        for f in program.functions:
            if f.body is not None and f.name not in own:
                found.setdefault(f.name, []).append(Known(unit, f))
    return found


def meanings(program):
    """name -> what it stands for, of types, constants, variables and logic."""
    found = dict(program.logic)
    for text in program.declared:
        text = re.sub(r"\b(__anon(?:struct|enum)_\w+?)_\d+\b", r"\1", text)
        tag = re.match(r"(?:static |extern )?((?:struct|enum) \w+) \{", text)
        if tag:
            found[tag[1]] = text
            if tag[1].startswith("enum"):
                found.update((name, text) for name in re.findall(r"[{,] (\w+) =", text))
        elif not re.match(r"(?:struct|enum) \w+$", text):
            name = re.search(r"(\w+)\s*(?:\[[^=]*)?(?:=|$)", text)
            if name:
                found[name[1]] = text
    return found


def meaning_problems(programs):
    out, known = [], {}
    for unit, program in sorted(programs.items()):
        for name, text in meanings(program).items():
            first, where = known.setdefault(name, (text, unit))
            if first != text:
                place = "spec/acsl" if name in program.logic else "a header"
                out.append("%s: '%s' is defined otherwise in %s -- define it once, in %s" % (unit, name, where, place))
    return out


def definition_problems(proved, programs):
    out = []
    for name, known in sorted(proved.items()):
        if len(known) > 1 and not all(k.function.ghost for k in known):
            out.append("%s has a body in %s -- the linker would choose one" % (name, " and ".join(k.unit for k in known)))
        ours = [k.unit for k in known if is_proved(k.unit) or any(k.unit.startswith(g.units + "/") for g in GENERIC)]
        if ours and not name.startswith("spw_") and not all(k.function.ghost for k in known):
            out.append("%s: %s -- a name of the C library may stand for what a compiler knows: begin it with spw_" % (ours[0], name))
    for unit, program in sorted(programs.items()):
        for name in sorted(statics(program) & proved.keys()):
            out.append("%s: static %s has the name of a function of %s -- give it another" % (unit, name, proved[name][0].unit))
    return out


def contract_problems(programs, complete):
    """Contracts that are used, or only promised: each must be the one that was proved. And what is used but proved
    in none of these units."""
    out, elsewhere, proved = [], set(), definitions(programs)
    for unit, program in sorted(programs.items()):
        own = {f.name for f in program.functions if f.body is not None}
        declared = {f.name: f for f in program.functions if f.body is None and f.name not in own}
        used = set().union(*[annotations.calls(f) for f in program.functions if f.body is not None], set()) - own
        for name in sorted(used):
            if name not in declared:
                out.append("%s: calls %s, which is not declared -- what Frama-C knows of it is not known here" % (unit, name))
            elif not declared[name].contract:
                out.append("%s: calls %s, which has no contract" % (unit, name))
            elif name not in proved and annotations.told_by(declared[name], program) and not is_proved(unit):
                continue                     # a parameter: any function of its arguments will do; in the library, what is linked
            elif name not in proved or name in statics(program):
                elsewhere.add(name)
                if name in assumed() and name not in proved:
                    out += assumed_problems(unit, declared[name])
                elif complete:
                    out.append("%s: uses the contract of %s, whose body is proved in no unit" % (unit, name))
        for name, f in sorted(declared.items()):
            for known in proved.get(name, []):
                if prototype(f) != known.prototype():
                    out.append("%s: the prototype of %s differs from the one proved in %s -- %s" % (unit, name, known.unit, WRITE_ONCE))
                elif f.contract and squeeze(f.contract) != known.contract():
                    out.append("%s: the contract of %s differs from the one proved in %s -- %s" % (unit, name, known.unit, WRITE_ONCE))
    return out + definition_problems(proved, programs), elsewhere


def assumed_problems(unit, function):
    """What is wrong with a contract that nobody proves: one of effects says nothing of what comes out."""
    out = ["%s: %s" % (unit, problem) for problem in annotations.contract_problems(function)]
    said = {annotations.keyword(clause) for clause in annotations.clauses(function.contract)}
    if assumed()[function.name].kind == "effects" and "ensures" in said:
        out.append("%s: the contract of %s ensures something -- proofs/assumed.txt takes nothing but its effects for given" % (unit, function.name))
    return out


def unused_assumptions(programs):
    """Functions of assumed.txt that no proof calls, or that are proved."""
    called = {name for program in programs.values() for f in program.functions if f.body is not None for name in annotations.calls(f)}
    return ["proofs/assumed.txt: %s is called by no proof, or proved -- take it out" % name
            for name in sorted(assumed()) if name not in called or name in definitions(programs)]


def parameters(programs):
    """logic function -> the functions without a body that tell of it, and nothing else."""
    found = {}
    for program in programs.values():
        for f in program.functions:
            logic = annotations.told_by(f, program)
            if logic:
                found.setdefault(logic, set()).add(f.name)
    return found


def parameter_problems(programs):
    """Two functions that return what one declared function returns would be said to be equal."""
    return ["%s tell of %s, which is only declared -- they would be said to be equal" % (" and ".join(sorted(names)), logic)
            for logic, names in sorted(parameters(programs).items()) if len(names) > 1]


def call_graph(programs):
    """Who calls whom, in ghost code too. A static function is one of its unit."""
    graph = {}
    for unit, program in programs.items():
        own = statics(program)

        def node(name, unit=unit, own=own):
            return (unit, name) if name in own else ("", name)
        for f in program.functions:
            if f.body is not None:
                graph.setdefault(node(f.name), set()).update(node(name) for name in annotations.calls(f))
    return graph


def recursion_problems(programs):
    """WP takes a callee's contract, its termination included, as given: functions that call each other in a circle,
    each proved in its own unit, would prove themselves."""
    graph, done, out = call_graph(programs), set(), []

    def visit(node, path):
        if node in path:
            out.append("recursion: %s -- its contract would rest on itself" %
                       " calls ".join(name for _, name in [*path[path.index(node):], node]))
        elif node in graph and node not in done:
            for callee in sorted(graph[node]):
                visit(callee, [*path, node])
            done.add(node)
    for node in sorted(graph):
        visit(node, [])
    return out


def problems(programs, complete):
    out, elsewhere = contract_problems(programs, complete)
    return out + meaning_problems(programs) + parameter_problems(programs) + recursion_problems(programs), elsewhere
