# SPDX-License-Identifier: Apache-2.0
"""The second source of what a gradient is: exact differences of the operation's own definition (definitions.py), along a line. Of
polynomials they are derivatives, whatever the step; elsewhere the step is so small that nothing bends. Complex functions are
holomorphic here, so that a real step is enough."""
from fractions import Fraction
from math import exp

from cases import definitions
from judging import dense

# f'(0) of a polynomial of degree 2, or 6, from its values at -1 and 1, or -3 to 3.
FEW, MANY = ({1: 1}, 2), ({1: 45, 2: -9, 3: 1}, 60)
HIGHER = ("unary", "triangular_solve")
SMALL = Fraction(1, 2**20)
BENDING = ("abs", "relu", "sign")
MOST = 1009  # of a direction


def operand_of(case):
    """The numbers of what is differentiated, in row-major order, and its shape."""
    wrt, arguments = case["arguments"]["wrt"], case["arguments"]["of"]["arguments"]
    if wrt == "values":
        member = case["tensor"]["values"]
    else:
        member = dense.dense_of(case["tensor"]) if wrt == "tensor" else arguments[wrt]
        member = dense.dense_of(member) if "layout" in member else member
    return definitions.numeric(member)


def forward(case, member):
    """The operation's result with other numbers in the operand, by its definition."""
    wrt, of, tensor = case["arguments"]["wrt"], case["arguments"]["of"], case["tensor"]
    arguments, a = of["arguments"], member
    if wrt == "values":
        a = definitions.numeric(dense.dense_of({**tensor, "values": {**member, "dtype": dense.LIFTED}}))
    elif wrt != "tensor":
        arguments = {**arguments, wrt: all_stored(member) if wrt == "other" else member}
        a = definitions.numeric(dense.dense_of(tensor))
    found = definitions.DEFINITIONS[of["operation"]](a, tensor, arguments)
    return definitions.numeric({**found, "data": list(found["data"])})["data"]


def all_stored(member):
    """As a tensor that stores every element."""
    shape, count = member["shape"], len(member["data"])
    places = [dense.place_of(k, shape) for k in range(count)]
    return {"layout": "coo", "size": shape, "values": {**member, "shape": [count]},
            "indices": {"dtype": "int64", "shape": [len(shape), count], "data": [place[d] for d in range(len(shape)) for place in places]}}


def along(case, member, direction):
    """The derivative of the result in a direction."""
    of = case["arguments"]["of"]
    if of["operation"] == "softmax":
        return along_softmax(case, member, direction)
    bends = of["operation"] == "reduce" or of["arguments"].get("function") in BENDING
    step, (weights, divisor) = SMALL if bends else 1, MANY if of["operation"] in HIGHER and not bends else FEW
    found = None
    for distance, weight in weights.items():
        for side in (1, -1):
            there = forward(case, {**member, "data": [n + side * distance * step * d for n, d in zip(member["data"], direction)]})
            found = [0] * len(there) if found is None else found
            found = [n + side * weight * m for n, m in zip(found, there)]
    return [(n if isinstance(n, complex) else Fraction(n)) / divisor / step for n in found]


def along_softmax(case, member, direction):
    """Every step would bend: the definition's quotient e / sum(e), by the rule for quotients."""
    tensor, dim = case["tensor"], case["arguments"]["of"]["arguments"]["dim"]

    def meant(data):
        return {**tensor, "values": {**member, "data": data, "dtype": dense.LIFTED}} if case["arguments"]["wrt"] == "values" else None
    a, way = ({**member, "data": data} if meant(data) is None else definitions.numeric(dense.dense_of(meant(data)))
              for data in (member["data"], direction))
    kept = sorted(definitions.stored(a, tensor))
    place = [dense.place_of(k, a["shape"]) for k in range(len(a["data"]))]
    found = [0] * len(place)
    for k in kept:
        line = [j for j in kept if place[j][:dim] == place[k][:dim] and place[j][dim + 1:] == place[k][dim + 1:]]
        largest = max(a["data"][j] for j in line)
        parts = {j: Fraction(exp(a["data"][j] - largest)) for j in line}
        whole, change = sum(parts.values()), sum(n * Fraction(way["data"][j]) for j, n in parts.items())
        found[k] = (parts[k] * Fraction(way["data"][k]) * whole - parts[k] * change) / whole ** 2
    return found


def upstream_of(case):
    given = case["arguments"]
    return definitions.numeric(given.get("upstream") or dense.dense_of(given["upstream_sparse"]))["data"]


def inner(one, other):
    return sum(complex(m).conjugate() * n if isinstance(m, complex) or isinstance(n, complex) else m * n for m, n in zip(one, other))


def gradient(case, places=None):
    """All of it, or at these row-major numbers and 0 elsewhere."""
    member, upstream = operand_of(case), upstream_of(case)
    found = [0] * len(member["data"])
    for k in range(len(found)) if places is None else places:
        direction = [0] * len(found)
        direction[k] = 1
        product = inner(along(case, member, direction), upstream)
        found[k] = product if isinstance(product, complex) else float(product)
    return {**member, "data": found}


def problem(case):
    """Is the inner product of the gradient with a direction that of the upstream gradient with the derivative along it? One wrong
    element shows, as the direction is nowhere 0."""
    member, upstream = operand_of(case), upstream_of(case)
    expected = definitions.numeric(case["expect"]["dense"])
    if expected["shape"] != member["shape"] or expected["dtype"] != member["dtype"]:
        return f"{expected['dtype']} of shape {expected['shape']}, for an operand of {member['dtype']} and shape {member['shape']}"
    direction = direction_of(case, member)
    wanted, found = inner(along(case, member, direction), upstream), inner(direction, expected["data"])
    return None if wanted == found else f"along a direction {found} is expected, and it is {wanted}"


def direction_of(case, member):
    """Not where there is no derivative, nor of what takes part only where it is stored."""
    of, most = case["arguments"]["of"], MOST if case["arguments"]["of"]["operation"] != "triangular_solve" else 4
    direction = [1 + (7919 * k + 104729 * k * k) % most for k in range(len(member["data"]))]
    kept = range(len(direction))
    if of["operation"] in ("reduce", "softmax") and case["arguments"]["wrt"] == "tensor":
        kept = definitions.stored(member, case["tensor"])
    if of["arguments"].get("function") in BENDING and case["arguments"]["wrt"] == "tensor":
        kept = {k for k in kept if member["data"][k]}
    return [n if k in kept else 0 for k, n in enumerate(direction)]
