# SPDX-License-Identifier: Apache-2.0
"""Is somebody's sum right? There is no tolerance: J1 to J5 of spec/semantics.def, in exact numbers. A case says of
each number of its result what is summed (`expect.sums`): the exact sum S, the gauge G, which is the sum of the terms'
magnitudes, and how many terms are not zero; a profile may say in which precision a library sums. Written positively:
only what is known to be within the bound is right, so that NaN never is. Such sums say nothing of signs: -0 is judged as +0 is,
although J9 tells them apart."""
from collections import namedtuple
from fractions import Fraction
from functools import lru_cache
from math import inf, isfinite

from judging import dense

# p significant bits; the normal numbers are those from 2^least to below 2^(most + 1).
Format = namedtuple("Format", "bits least most")
FORMATS = {name: Format(bits + 1, 2 - 2**(dense.WIDTH[name] - bits - 2), 2**(dense.WIDTH[name] - bits - 2) - 1)
           for name, bits in dense.FRACTION.items()}
# In which format sums are rounded; how many significant bits an operand keeps, and by 2^-error at most one is
# changed that has more; whether what is below the normal numbers may be taken for zero.
Precision = namedtuple("Precision", "format operand_bits operand_error flush")
PRECISIONS = {"float64": Precision("float64", 53, 53, False), "float32": Precision("float32", 24, 24, False),
              "float32-ftz": Precision("float32", 24, 24, True), "tf32": Precision("float32", 11, 10, False),
              "bfloat16-in": Precision("float32", 8, 7, False), "float16": Precision("float16", 11, 11, False),
              "bfloat16": Precision("bfloat16", 8, 8, False)}
# What a library sums in that says nothing else.
USUAL = {"float16": "float32", "bfloat16": "float32", "float32": "float32", "float64": "float64",
         "complex64": "float32", "complex128": "float64"}
# Operations whose terms are products of two, and those in which alpha multiplies these.
PRODUCTS = ("matvec", "matmat", "addmv", "addmm", "bmm", "matmul_sparse", "sampled_addmm", "mul", "scale")
SCALED = ("addmv", "addmm", "sampled_addmm")
# All an operand may be: its significant bits, the place of its last one, and that it is below 2^top.
Operands = namedtuple("Operands", "bits low top")


class NotJudged(ValueError):
    """The precision does not hold the operands, or the bound says nothing."""


# ---- Numbers ---------------------------------------------------------------------------------------

def real(dtype):
    """The type of a part."""
    return dense.PARTS.get(dtype, dtype)


def power(exponent):
    return Fraction(2)**exponent


def lowest(form):
    """Of the smallest number, which is 2 to this."""
    return form.least - form.bits + 1


def holds(wide, narrow):
    return wide.bits >= narrow.bits and wide.most >= narrow.most and lowest(wide) <= lowest(narrow)


def nearest(x, form):
    """Rounded to nearest, ties to even; an infinity beyond the largest."""
    x = Fraction(x)
    if x == 0:
        return x
    top = abs(x.numerator).bit_length() - x.denominator.bit_length()
    if x.denominator & (x.denominator - 1):  # of binary fractions it is known
        top -= abs(x) < power(top)
    last = max(top - form.bits + 1, lowest(form))
    found = round(x / power(last)) * power(last)
    return found if abs(found) < power(form.most + 1) else inf if x > 0 else -inf


def last_place(n):
    """n is an odd multiple of 2 to this."""
    return (n & -n).bit_length() - 1


def text_of(n, grid):
    """n * 2^-grid as text, such as -0x1a3p-7: float.fromhex reads it if it has 53 bits."""
    twos = min(grid, last_place(n)) if n else grid
    return f"{n >> twos:#x}p-{grid - twos}"


@lru_cache(maxsize=1 << 16)
def number_of(text):
    digits, _, last = text.partition("p-")
    return Fraction(int(digits, 16), 1 << int(last))


def operands_of(numbers, grid):
    """numbers: integers, in units of 2^-grid."""
    kept = [abs(n) for n in numbers if n]
    twos = list(map(last_place, kept))
    return Operands(max((n.bit_length() - two for n, two in zip(kept, twos)), default=1),
                    min(twos, default=grid) - grid, max(map(int.bit_length, kept), default=grid) - grid)


# ---- The bound -------------------------------------------------------------------------------------

def fits(operands, precision):
    """Are all operands numbers of the precision, as they are stored?"""
    form = FORMATS[precision.format]
    return (operands.bits <= precision.operand_bits and operands.top <= form.most + 1
            and operands.low >= form.least - precision.operand_bits + 1)


def are_kept(operands, precision, scaled, twice):
    """And as they are multiplied: alpha may be applied to one first, and those that are stored twice may be added first."""
    narrow = precision.operand_bits < FORMATS[precision.format].bits
    return fits(operands, precision) and not (narrow and (twice or scaled and 2 * operands.bits > precision.operand_bits))


def judge_nothing_without_range(operands, precision):
    form = FORMATS[precision.format]
    if not fits(operands, precision) and not (operands.top <= form.most + 1 and (
            form.least == -126 or operands.low >= lowest(form))):
        raise NotJudged(f"the operands are beyond {precision.format}")


def is_lattice(sums, k, precision, operands, scaled, kept):
    """Is every partial sum, in every order, a number of the precision? All terms are multiples of 2^unit."""
    form, gauge = FORMATS[precision.format], number_of(sums["gauge"][k])
    return (kept and gauge <= power(sums["unit"][k] + form.bits) and gauge < power(form.most + 1)
            and not may_be_lost(sums["unit"][k], operands, precision, scaled))


def smallest_of(precision, scaled):
    """Nothing is lost of multiples of 2 to this; of operands, where alpha may be applied to one first."""
    form = FORMATS[precision.format]
    return form.least if precision.flush else form.least - precision.operand_bits + 1 if scaled else lowest(form)


def may_be_lost(unit, operands, precision, scaled):
    """Where alpha is applied to a factor first, what comes of it may be smaller than the terms."""
    if scaled:
        unit = min(unit, operands.low + min(operands.low, 0))
    smallest = smallest_of(precision, scaled)
    return unit < smallest or (precision.flush and operands.low < smallest)


# A wider format has so many bits more, at least.
WIDER = 10


@lru_cache(maxsize=1 << 12)
def growth(bits, roundings):
    return (1 + power(-bits))**roundings


def bound(sums, k, operation, precision, twice=False):
    """On the error of number k; 0 where every order gives the same. twice: an element may be stored twice."""
    operands, form = Operands(**sums["operands"]), FORMATS[precision.format]
    judge_nothing_without_range(operands, precision)
    terms, gauge = sums["terms"][k], number_of(sums["gauge"][k])
    product, scaled = operation in PRODUCTS, operation in SCALED
    kept, again = are_kept(operands, precision, scaled, twice), precision.operand_bits < form.bits and product and scaled
    if terms == 0 or is_lattice(sums, k, precision, operands, scaled, kept):
        return Fraction(0)
    roundings = terms - 1 + product + scaled
    grown = growth(form.bits, roundings) * growth(form.bits + WIDER, roundings)
    if not kept:
        grown *= growth(precision.operand_error, 1 + product + scaled + again)
    if grown >= 2:
        raise NotJudged("the bound is as large as the gauge")
    error = (grown - 1) * gauge
    if may_be_lost(sums["unit"][k], operands, precision, scaled):
        error += underflow(terms, operands, precision, scaled) * grown
    if precision.flush or not kept:
        error += 4 * grown * (gauge if operands.low < form.least else 0)
    return error


def underflow(terms, operands, precision, scaled):
    """What falls below the normal numbers: of products half of the smallest number is lost, and where it is taken for
    zero, of sums too, all of the smallest normal one; what follows may multiply that."""
    each = 3 if precision.flush else 2 if scaled else 1
    gain = max(0, operands.top) * (precision.flush + scaled)
    smallest = smallest_of(precision, scaled)
    return each * (terms + (each > 1)) * power(smallest - (smallest == lowest(FORMATS[precision.format])) + gain)


# ---- Verdicts --------------------------------------------------------------------------------------

def may_flush(case, profile):
    """May what is below the normal numbers be taken for zero?"""
    return "subnormal" in case["flags"] and profile["flags"].get("subnormal") == "either"


def precision_of(profile, case):
    """What the profile says of the operation in this type, or else of the type."""
    said, dtype = profile.get("precision", {}), case["expect"]["dense"]["dtype"]
    found = PRECISIONS[said.get(f"{case['operation']}/{dtype}", said.get(dtype, USUAL[dtype]))]
    return found._replace(flush=found.flush or may_flush(case, profile))


def is_right(found, exact, error, precision, form):
    """found: a number of the format, as a float, or a whole one. One of a narrower type than sums are rounded in has to lie
    between both ends, rounded to it."""
    if not isfinite(found):
        return False
    found = Fraction(found)
    if holds(form, FORMATS[precision.format]):
        return abs(found - exact) <= error
    return nearest(exact - error, form) <= found <= nearest(exact + error, form)


def problem(case, got, profile):
    """Why a dense result, which has the right shape and type, is wrong, or None. A result of a wider type is judged as
    what it is."""
    sums, operation, dtype = case["expect"]["sums"], case["operation"], case["expect"]["dense"]["dtype"]
    precision, form = precision_of(profile, case), FORMATS[real(dtype)]
    own, undecided = real(got["dtype"]), None
    wide = own in FORMATS and holds(FORMATS[own], form)
    of_result = FORMATS[own] if wide else form
    width = 2 if dtype in dense.PARTS else 1
    judge_elements(got)
    for k, value in enumerate(parts_of(got, width)):
        found, exact = dense.number_of_float(value, own) if own in FORMATS else int(value), number_of(sums["exact"][k])
        try:
            error = bound(sums, k, operation, precision, "duplicates" in case["flags"])
        except NotJudged as why:  # what the sum is rounded to is right in any case
            undecided = undecided if isfinite(found) and found == nearest(exact, of_result) else why
            continue
        if not is_right(found, exact, error, precision, of_result):
            return said_of(case, k // width, value, exact, error)
    if undecided:
        raise undecided
    return None


def judge_elements(member):
    """Misfit, unless there is such a type and it has them: a sum may be of any, and not of one that cannot hold it."""
    if member["dtype"] not in dense.DTYPES:
        raise dense.Misfit(f"{member['dtype']!r} is no type")
    for value in dense.elements(member):
        dense.bits_of(value, member["dtype"])


def parts_of(member, width):
    """The numbers in row-major order, of complex elements one part after the other. Of a real sum a complex answer has no
    imaginary part."""
    for value in dense.elements(member):
        parts = value if isinstance(value, list) else [value, 0]
        if len(parts) != 2 or (width == 1 and parts[1] != 0):
            raise dense.Misfit(f"{value!r} is no element of {width} numbers")
        yield from parts[:width]


def said_of(case, k, value, exact, error):
    where = dense.place_of(k, case["expect"]["dense"]["shape"])
    if not error:
        return f"element {where} is {value!r}, and in every order {float(exact)!r}"
    return f"element {where} is {value!r}, more than {float(error):.3g} from {float(exact)!r}"
