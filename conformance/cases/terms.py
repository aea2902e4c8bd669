# SPDX-License-Identifier: Apache-2.0
"""What is summed in each number of a result, by the operation's definition (cases/definitions.py) on numbers that
remember how they came about: each is a list of products, and nothing is computed. The second source of `expect.sums`,
and what planted libraries sum in their own ways."""
from math import prod
from fractions import Fraction

from judging import dense
from cases import definitions
from schemas.vocabulary import ARGUMENTS


class Terms:
    """A sum of products. products: tuples of numbers. What is not stored is the number 0, and has none."""
    __slots__ = ("products",)

    def __init__(self, products):
        self.products = products

    def __add__(self, other):
        return Terms(self.products + other.products) if isinstance(other, Terms) else self

    __radd__ = __add__

    def __mul__(self, other):
        if isinstance(other, Terms):
            return Terms([p + q for p in self.products for q in other.products])
        return Terms([(*p, other) for p in self.products]) if other else 0

    __rmul__ = __mul__

    def __neg__(self):
        return Terms([(-p[0], *p[1:]) for p in self.products])

    def __sub__(self, other):
        return self + -other

    def __rsub__(self, other):
        return other + -self


class Pair:
    """A complex number, by parts."""
    __slots__ = ("re", "im")

    def __init__(self, re, im):
        self.re, self.im = re, im

    def __add__(self, other):
        return Pair(self.re + other.re, self.im + other.im) if isinstance(other, Pair) else self

    __radd__ = __add__

    def __mul__(self, other):
        if isinstance(other, Pair):
            return Pair(self.re * other.re - self.im * other.im, self.re * other.im + self.im * other.re)
        return Pair(self.re * other, self.im * other) if other else 0

    __rmul__ = __mul__

    def __neg__(self):
        return Pair(-self.re, -self.im)

    def __sub__(self, other):
        return self + -other

    def __rsub__(self, other):
        return other + -self


def leaf(value, dtype, zeros):
    if dtype in dense.PARTS:
        re, im = (leaf(part, dense.PARTS[dtype], zeros) for part in value)
        return Pair(re, im) if re or im else 0
    number = dense.number_of_float(value, dtype)
    return Terms([(number,)]) if number or zeros else 0


def lifted(member, zeros):
    return {"dtype": dense.LIFTED, "shape": member["shape"],
            "data": [leaf(value, member["dtype"], zeros) for value in dense.elements(member)]}


def lifted_tensor(tensor, zeros):
    return {**tensor, "values": lifted(tensor["values"], zeros)}


LIFT = {"array": lifted, "tensor": lifted_tensor}


def of_case(case, zeros=False, everywhere=False):
    """The shape of the result, and a list of products for each number of it, of complex types two for each element. zeros:
    also of products with zeros that are stored; everywhere: and with those that are not."""
    arguments = {name: LIFT[ARGUMENTS[name]](value, zeros) if ARGUMENTS[name] in LIFT else value
                 for name, value in case.get("arguments", {}).items()}
    tensor, dtype = lifted_tensor(case["tensor"], zeros), case["tensor"]["values"]["dtype"]
    operand = lifted(dense.dense_of(case["tensor"]), True) if everywhere else dense.dense_of(tensor)
    found = definitions.DEFINITIONS[case["operation"]](definitions.numeric(operand), tensor, arguments)
    return found["shape"], [products_of(part) for element in found["data"] for part in parts_of(element, dtype)]


def parts_of(element, dtype):
    if dtype not in dense.PARTS:
        return [element]
    return [element.re, element.im] if isinstance(element, Pair) else [0, 0]


def products_of(part):
    return part.products if isinstance(part, Terms) else []


def exactly(products):
    """Their values, as fractions."""
    return [prod(map(Fraction, factors)) for factors in products]
