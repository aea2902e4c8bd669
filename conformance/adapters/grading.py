# SPDX-License-Identifier: Apache-2.0
"""What a planted library does wrong with gradients, which it takes place after place from the operations' definitions."""
from cases import axes, definitions, differentiated, gradients
from judging import dense
from judging import judge

# Nothing is wrong with this one.
HONEST = "gradients-honest"
# Each with the outcome that shows it.
FAULTS = {"gives-all-to-the-last-copy": "wrong result", "doubles-duplicates": "wrong result", "forgets-conjugates": "wrong result",
          "forgets-alpha": "wrong result", "stores-the-pattern-of-the-result": "wrong result", "gives-dense-gradients": "wrong flag"}
KINDS = (HONEST, *FAULTS)
ALL = {"layouts": list(axes.LAYOUTS), "dtypes": ["float16", "bfloat16", "float32", "float64", "complex64", "complex128"]}


def manifest_entries():
    """The operations only as of which there are gradients."""
    for name in gradients.LINES:
        yield name, {**ALL, **({"to": dict.fromkeys(axes.LAYOUTS, list(axes.LAYOUTS))} if name == "convert" else {})}
    yield "vjp", {**ALL, "of": {name: list(gradients.WRT.get(name, gradients.OTHERS)) for name in gradients.LINES}}


def concerns(fault, case):
    """Does the fault change what is right?"""
    of, wrt, flags = case["arguments"]["of"], case["arguments"]["wrt"], case["flags"]
    if fault == "gives-all-to-the-last-copy":
        return wrt == "values" and "duplicates" in flags
    if fault == "doubles-duplicates":
        return wrt == "tensor" and "duplicates" in flags
    if fault == "forgets-conjugates":
        return "/complex" in case["id"] and of["operation"] in ("mul", "matmat", "matvec", "addmm", "kron", "matmul_sparse", "linear")
    if fault == "forgets-alpha":
        return of["operation"] in ("addmm", "addmv", "scale", "sampled_addmm") and wrt in ("tensor", "values", "x", "y") and not (
            of["operation"] == "sampled_addmm" and wrt in ("tensor", "values"))
    if fault == "stores-the-pattern-of-the-result":
        return of["operation"] in ("add", "mul", "sub") and case["tensor"]["layout"] == "coo" and wrt in ("tensor", "other")
    return judge.differentiated(case) is not None if fault == "gives-dense-gradients" else True


def conjugated(numbers):
    return [n.conjugate() for n in numbers]


def with_upstream(question, change):
    arguments = question["arguments"]
    name = "upstream" if "upstream" in arguments else "upstream_sparse"
    member = arguments[name] if name == "upstream" else arguments[name]["values"]
    member = definitions.written({**definitions.numeric(member), "data": change(definitions.numeric(member)["data"])})
    return {**question, "arguments": {**arguments, name: member if name == "upstream" else {**arguments[name], "values": member}}}


def gradient(question, fault, places=None):
    if fault == "forgets-conjugates":
        found = differentiated.gradient(with_upstream(question, conjugated), places)
        return {**found, "data": conjugated(found["data"])}
    if fault == "forgets-alpha" and "alpha" in question["arguments"]["of"]["arguments"]:
        of = question["arguments"]["of"]
        of = {**of, "arguments": {**of["arguments"], "alpha": 1 if of["operation"] != "unary" else of["arguments"]["alpha"]}}
        question = {**question, "arguments": {**question["arguments"], "of": of}}
    return differentiated.gradient(question, places)


def result_of(question, fault):
    operand = judge.differentiated(question)
    if operand is None or fault == "gives-dense-gradients":
        found = gradient(question, fault)
        if fault == "gives-all-to-the-last-copy" and question["arguments"]["wrt"] == "values":
            copies = numbers_of(question["tensor"])
            found["data"] = [n if number not in copies[k + 1:] else 0 for k, (number, n) in enumerate(zip(copies, found["data"]))]
        return {"dense": definitions.written(found)}
    numbers = numbers_of(operand)
    found = gradient(question, fault, sorted(set(numbers)))["data"]
    if fault == "stores-the-pattern-of-the-result" and operand["layout"] == "coo":
        return {"tensor": of_result(question, operand, found)}
    copies = fault == "doubles-duplicates"
    values = [found[number] if copies or number not in numbers[:k] else 0 for k, number in enumerate(numbers)]
    member = {"dtype": operand["values"]["dtype"], "shape": operand["values"]["shape"], "data": values}
    return {"tensor": {**{name: part for name, part in operand.items() if name != "coalesced"}, "values": definitions.written(member)}}


def numbers_of(tensor):
    """The row-major number of each value's place, in the order of storage."""
    places, size = dense.tensor_places(tensor)
    tail = definitions.prod(size[places.sparse_end:])
    return [places.position(place, k) * tail + j for place in places for k in range(places.area) for j in range(tail)]


def of_result(question, operand, found):
    """All sparse; stored where the operation's result would store something."""
    of, shape = question["arguments"]["of"], operand["size"]
    arguments = {name: judge.marked(value) if name == "other" else value for name, value in of["arguments"].items()}
    kept = definitions.meaning({**of, "arguments": arguments, "tensor": judge.marked(question["tensor"])})["data"]
    if of["operation"] == "sub":  # what cancels is stored, too
        kept = definitions.meaning({"operation": "add", "arguments": arguments, "tensor": judge.marked(question["tensor"])})["data"]
    numbers = [k for k, times in enumerate(kept) if times]
    places = [dense.place_of(k, shape) for k in numbers]
    dtype = operand["values"]["dtype"]
    return {"spw": 1, "layout": "coo", "size": shape,
            "indices": {"dtype": operand["indices"]["dtype"], "shape": [len(shape), len(places)],
                        "data": [place[d] for d in range(len(shape)) for place in places]},
            "values": definitions.written({"dtype": dtype, "shape": [len(places)], "data": [found[k] for k in numbers]})}
