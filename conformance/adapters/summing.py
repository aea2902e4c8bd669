# SPDX-License-Identifier: Apache-2.0
"""How a planted library sums floats: rightly, in one of six ways, or with one fault. What is summed comes from the operation's
definition (terms.py); each multiplication and addition is rounded to a type."""
from fractions import Fraction
from functools import reduce
from math import isfinite

from judging import dense
from judging import oracle
from cases import terms

# Nothing is wrong with these.
ORDERS = ("sums-in-order", "sums-backwards", "sums-in-pairs", "sums-in-lanes", "sums-fused", "sums-in-doubles")
# The fault, and what it takes for one number: the terms, and how they are summed.
FAULTS = ("forgets-a-term", "takes-the-neighbours-column", "takes-a-term-twice", "turns-a-sign", "sums-in-float16",
          "sums-in-bfloat16", "multiplies-in-tf32", "multiplies-in-bfloat16", "keeps-what-was-there", "leaves-nan",
          "leaves-an-infinity", "takes-small-numbers-for-zero", "skips-stored-zeros", "multiplies-what-is-not-stored")
KINDS = (*ORDERS, *FAULTS)
# With these, a product with a stored zero is one.
ZEROS_COUNT = (*ORDERS, "multiplies-what-is-not-stored")
LANES = 4

before = {}  # the last results, by how many numbers they have


def dense_result(question, kind):
    """The dense result of an operation, as an array member."""
    dtype = question["tensor"]["values"]["dtype"]
    shape, listed = terms.of_case(question, kind != "skips-stored-zeros", kind == "multiplies-what-is-not-stored")
    if kind not in ZEROS_COUNT:
        listed = [[factors for factors in products if all(factors)] for products in listed]
    numbers = [summed(products, kind, dtype) for products in listed]
    if kind == "keeps-what-was-there":
        kept = before.get(len(numbers), [1.0] * len(numbers))
        numbers, before[len(numbers)] = [rounded(m + n, dtype) for m, n in zip(numbers, kept)], numbers
    written = [text(n) for n in numbers]
    data = [list(pair) for pair in zip(written[::2], written[1::2])] if dtype in dense.PARTS else written
    return {"dtype": dtype, "shape": shape, "data": data}


def text(number):
    return number if abs(number) < float("inf") else str(number)


def rounded(number, dtype):
    return dense.rounded(number, oracle.real(dtype))


def summed(products, kind, dtype):
    """One number, in the precision that its type usually has, rounded to the type at the end."""
    middle = len(products) // 2
    if kind == "leaves-nan" and len(products) > 1:
        return float("nan")
    if kind == "leaves-an-infinity" and len(products) > 1:
        return float("inf")
    if products:
        products = spoiled(list(products), kind, middle)
    precision = {"sums-in-float16": "float16", "sums-in-bfloat16": "bfloat16", "sums-in-doubles": "float64"}.get(
        kind, oracle.USUAL[dtype])
    return rounded(in_order(products, kind, precision), dtype)


def spoiled(products, kind, at):
    term = products[at]
    if kind == "forgets-a-term":
        del products[at]
    elif kind == "takes-a-term-twice":
        products.append(term)
    elif kind == "turns-a-sign":
        products[at] = (-term[0], *term[1:])
    elif kind == "takes-the-neighbours-column" and len(term) > 1:
        near = products[at - 1 if at else (at + 1) % len(products)]
        products[at] = (term[0], near[1] if len(near) > 1 else near[0], *term[2:])
    elif kind == "multiplies-in-tf32":
        products = [tuple(cut(n, 11) for n in factors) for factors in products]
    elif kind == "multiplies-in-bfloat16":
        products = [tuple(cut(n, 8) for n in factors) for factors in products]
    return products


def cut(number, bits):
    """To nearest, with so many significant bits."""
    return float(oracle.nearest(number, oracle.Format(bits, -1022, 1023)))


def in_order(products, kind, precision):
    def plus(m, n):
        return flushed(dense.rounded(m + n, precision), kind, precision)

    def times(factors):
        return flushed(reduce(lambda m, n: dense.rounded(m * n, precision), factors), kind, precision)
    if kind == "sums-fused":
        return reduce(lambda total, factors: fused(total, factors, precision), products, 0.0)
    values = [times(factors) for factors in products]
    if kind == "sums-backwards":
        values.reverse()
    if kind == "sums-in-pairs":
        while len(values) > 1:
            values = [reduce(plus, values[k:k + 2]) for k in range(0, len(values), 2)]
    if kind == "sums-in-lanes":
        values = [reduce(plus, values[k::LANES], 0.0) for k in range(LANES)]
    return reduce(plus, values, 0.0)


def fused(total, factors, precision):
    """All factors but the last are multiplied before, with a rounding each."""
    first = reduce(lambda m, n: dense.rounded(m * n, precision), factors[:-1], 1.0)
    if not all(map(isfinite, (total, first, factors[-1]))):
        return total + first * factors[-1]
    return float(oracle.nearest(Fraction(total) + Fraction(first) * Fraction(factors[-1]), oracle.FORMATS[precision]))


def flushed(number, kind, precision):
    small = kind == "takes-small-numbers-for-zero" and abs(number) < 2.0**oracle.FORMATS[precision].least
    return 0.0 if small else number
