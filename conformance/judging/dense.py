# SPDX-License-Identifier: Apache-2.0
"""What tensor files mean: elements as exact values, tensors as dense ones. It believes what it is
given; a tensor is to be checked before."""
import math
import struct
from functools import lru_cache, reduce
from itertools import product
from math import prod

FLOATS = {"float16": ">e", "float32": ">f", "float64": ">d"}
PARTS = {"complex64": "float32", "complex128": "float64"}
INT_BITS = {"uint8": 8, "int8": 8, "int16": 16, "int32": 32, "int64": 64}
# Of sums in another type: no tensor file has these.
UNSIGNED = {"uint16": 16, "uint32": 32, "uint64": 64}
QUIET = {"float16": 0x7e00, "bfloat16": 0x7fc0, "float32": 0x7fc00000, "float64": 0x7ff8 << 48}
FRACTION = {"float16": 10, "bfloat16": 7, "float32": 23, "float64": 52}
WIDTH = {"float16": 16, "bfloat16": 16, "float32": 32, "float64": 64}
DTYPES = ("bool", *INT_BITS, *WIDTH, *PARTS)
LIFTED = "terms"  # no type of files: numbers that know what was added, and add themselves (terms.py)


class Misfit(ValueError):
    """An element that its type does not have, or arrays that do not fit each other."""


def bits_of(value, dtype):
    """An element as an integer, its bits; a pair of them if it is complex."""
    if dtype in PARTS:
        pair = value if isinstance(value, list) else [value, 0]
        return tuple(bits_of(part, PARTS[dtype]) for part in pair)
    if dtype == "bool":
        if value not in (0, 1):
            raise Misfit(f"{value!r} is no bool")
        return int(value)
    if dtype in INT_BITS or dtype in UNSIGNED:
        return int_bits(value, dtype)
    if isinstance(value, str) and value.startswith("bits:"):
        return written_bits(value, dtype)
    return float_bits(number_of(value), dtype)


def written_bits(value, dtype):
    """As "bits:7fc00000" has them."""
    if dtype not in WIDTH:
        raise Misfit(f"{value!r} is no {dtype}")
    text, digits = value[len("bits:"):], WIDTH[dtype] // 4
    if len(text) != digits or not set(text) <= set("0123456789abcdef"):
        raise Misfit(f"{value!r} is not {digits} digits")
    return int(text, 16)


def int_bits(value, dtype):
    bits = INT_BITS.get(dtype) or UNSIGNED[dtype]
    low = 0 if dtype.startswith("u") else -(1 << bits - 1)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value % 1 != 0 \
            or not low <= value < low + (1 << bits):
        raise Misfit(f"{value!r} is no {dtype}")
    return int(value)


def float_bits(number, dtype):
    try:
        if dtype == "bfloat16":
            return upper_half(int.from_bytes(struct.pack(">f", number), "big"))
        return int.from_bytes(struct.pack(FLOATS[dtype], number), "big")
    except (OverflowError, KeyError, struct.error):  # the last for whole numbers beyond every float
        raise Misfit(f"{number!r} is no {dtype}") from None


def as_float(number):
    try:
        return float(number)
    except OverflowError:
        raise Misfit(f"{number!r} is no number of a floating type") from None


def number_of(value):
    if isinstance(value, str):
        try:
            return float.fromhex(value) if "0x" in value else float(value)
        except (ValueError, OverflowError):
            raise Misfit(f"{value!r} is no number") from None
    if not isinstance(value, (int, float)):
        raise Misfit(f"{value!r} is no number")
    return value


def plain(bits, dtype):
    """Without the sign of zero and the payload of NaN."""
    if dtype in PARTS:
        return tuple(plain(part, PARTS[dtype]) for part in bits)
    if dtype not in WIDTH:
        return bits
    sign = 1 << WIDTH[dtype] - 1
    magnitude = bits & ~sign
    if magnitude > QUIET[dtype] & ~(1 << FRACTION[dtype] - 1):
        return QUIET[dtype]
    return bits if magnitude else 0


def elements(member):
    """The elements of an array in row-major order, as they are written."""
    shape = member["shape"]
    if 0 in shape:  # the others may be huge
        return []
    if "fill" not in member and not {"strides", "offset"} & set(member):
        if prod(shape) > len(member["data"]):
            raise Misfit(f"{len(member['data'])} elements for shape {shape}")
        return member["data"][:prod(shape)]
    if "fill" in member:
        return [member["fill"]] * prod(shape)
    strides, offset = member.get("strides") or row_major(shape), member.get("offset", 0)
    return [member["data"][offset + sum(map(int.__mul__, place, strides))]
            for place in product(*map(range, shape))]


def row_major(shape):
    return [prod(shape[d + 1:]) for d in range(len(shape))]


def dense_of(tensor):
    """The dense tensor, as an array member: a valid tensor, or one with duplicates, which add."""
    shape, sparse_dims, found = specified(tensor)
    dtype = tensor["values"]["dtype"]
    nothing = [zero(dtype)] * prod(shape[sparse_dims:]) if prod(shape) else []
    data = [value for k in range(prod(shape[:sparse_dims])) for value in found.get(k, nothing)] if nothing else []
    return {"dtype": dtype, "shape": shape, "data": data}


def specified(tensor):
    """The size of a tensor, how many of its dimensions are not dense ones, and what is specified in those:
    from the row-major number of a position to the elements of its dense part, as they are written."""
    places, shape = tensor_places(tensor)
    written, dtype = elements(tensor["values"]), tensor["values"]["dtype"]
    tail, cells = prod(shape[places.sparse_end:]), {}
    for number, place in enumerate(places):
        for k in range(places.area):
            begin = (number * places.area + k) * tail
            cells.setdefault(places.position(place, k), []).append(written[begin:begin + tail])
    return shape, places.sparse_end, {
        position: parts[0] if len(parts) == 1 else [total(values, dtype) for values in zip(*parts)]
        for position, parts in cells.items()}


def tensor_places(tensor):
    kind = CooPlaces if tensor["layout"] == "coo" else CompressedPlaces
    places = kind(tensor)
    return places, places.size


class CooPlaces:
    """Each element, a slice of dense dimensions, in the order of storage."""

    def __init__(self, tensor):
        indices = tensor["indices"]
        self.sparse_end, self.nse = indices["shape"]
        flat = elements(indices)
        self.rows = [flat[d * self.nse:(d + 1) * self.nse] for d in range(self.sparse_end)]
        dense = tensor["values"]["shape"][1:]
        self.size = tensor.get("size") or [*(max(row, default=-1) + 1 for row in self.rows), *dense]
        self.area = 1

    def __iter__(self):
        return iter(zip(*self.rows) if self.rows else [()] * self.nse)

    def position(self, place, _):
        flat = 0
        for index, extent in zip(place, self.size):
            flat = flat * extent + index
        return flat


class CompressedPlaces:
    """Each element or block, with its slice of dense dimensions, in the order of storage."""

    def __init__(self, tensor):
        compressed, plain_indices, values = (tensor["compressed_indices"], tensor["plain_indices"],
                                             tensor["values"])
        batch = compressed["shape"][:-1]
        first = len(batch) + 1
        blocked = tensor["layout"] in ("bsr", "bsc")
        self.block = values["shape"][first:first + 2] if blocked else [1, 1]
        dense = values["shape"][first + 2 * blocked:]
        self.by_rows = tensor["layout"] in ("csr", "bsr")
        self.offsets, self.indices = elements(compressed), elements(plain_indices)
        self.batches, self.count = prod(batch), compressed["shape"][-1]
        self.nse = plain_indices["shape"][-1]
        self.size = tensor["size"] if "size" in tensor else self.inferred(batch, dense)
        self.sparse_end = len(batch) + 2
        self.area = prod(self.block)

    def inferred(self, batch, dense):
        grid = [max(0, self.count - 1), max(self.indices, default=-1) + 1]
        grid = grid if self.by_rows else grid[::-1]
        return [*batch, *(n * b for n, b in zip(grid, self.block)), *dense]

    def __iter__(self):
        for batch in range(self.batches):
            offsets = self.offsets[batch * self.count:(batch + 1) * self.count]
            for major, (begin, end) in enumerate(zip(offsets, offsets[1:])):
                for k in range(begin, end):
                    minor = self.indices[batch * self.nse + k]
                    yield (batch, major, minor) if self.by_rows else (batch, minor, major)

    def position(self, place, k):
        """Of element k of its block, without the dense dimensions."""
        batch, block_row, block_column = place
        row = block_row * self.block[0] + k // self.block[1]
        column = block_column * self.block[1] + k % self.block[1]
        rows, columns = self.size[self.sparse_end - 2:self.sparse_end]
        return (batch * rows + row) * columns + column


def total(values, dtype):
    """Their sum in order, each addition rounded as the type does, written as an element; a single one stays
    as it is."""
    if len(values) == 1:
        return values[0]
    if dtype == LIFTED:
        return sum(values)
    if dtype in PARTS:
        return [total([value[part] for value in values], PARTS[dtype]) for part in (0, 1)]
    numbers = [bits_of(value, dtype) if dtype not in WIDTH else number_of_float(value, dtype) for value in values]
    return reduce(lambda a, b: added(a, b, dtype), numbers)


def added(a, b, dtype):
    """Integers wrap, and of bools it is `or`."""
    if dtype == "bool":
        return a | b
    if dtype in INT_BITS:
        return wrapped(a + b, dtype)
    return rounded(float(a) + float(b), dtype)


def wrapped(number, dtype):
    """A whole number mod 2^w."""
    bits, low = number % (1 << INT_BITS[dtype]), 0 if dtype.startswith("u") else 1 << INT_BITS[dtype] - 1
    return (bits ^ low) - low


def rounded(number, dtype):
    """To the nearest of a type, ties to even: what float64 is rounded to once more is the same."""
    if dtype == "float64" or number != number:
        return number
    try:
        narrow = "f" if dtype == "bfloat16" else FLOATS[dtype]
        number = struct.unpack(narrow, struct.pack(narrow, number))[0]
    except OverflowError:
        return math.copysign(math.inf, number)
    if dtype != "bfloat16":
        return number
    bits = upper_half(int.from_bytes(struct.pack(">f", number), "big"))
    return struct.unpack(">f", (bits << 16).to_bytes(4, "big"))[0]


def upper_half(bits):
    """The nearest bfloat16 of a float32, ties to even: what is written in few digits is not one exactly."""
    return bits + 0x7fff + (bits >> 16 & 1) >> 16


def number_of_float(value, dtype):
    if not (isinstance(value, str) and value.startswith("bits:")):
        return rounded(as_float(number_of(value)), dtype)
    bits, (wide, half) = written_bits(value, dtype), (dtype == "float64", dtype == "float16")
    layout, size = (">d", 8) if wide else (">e", 2) if half else (">f", 4)
    return struct.unpack(layout, (bits << 16 * (dtype == "bfloat16")).to_bytes(size, "big"))[0]


def zero(dtype):
    return [0, 0] if dtype in PARTS else 0


def difference(expected, got, exact=False, any_dtype=False):
    """Why two dense array members differ, or None. exact: the sign of zero and the bits of NaN
    count. any_dtype: the values count, whatever type they are of."""
    why = misfit(expected, got, any_dtype)
    if why:
        return why
    wanted, found, dtype = elements(expected), elements(got), expected["dtype"]
    if not (any_dtype or exact) and are_alike(wanted, found, dtype):
        return None
    if any_dtype and got["dtype"] not in (*DTYPES, *UNSIGNED):
        raise Misfit(f"{got['dtype']!r} is no type")
    for k, (a, b) in enumerate(zip(wanted, found)):
        if not (same_number(a, b, dtype, got["dtype"]) if any_dtype else same_element(a, b, dtype, exact)):
            return f"element {place_of(k, expected['shape'])} is {b!r}, not {a!r}"
    return None


def flushed(expected, got):
    """What is expected, with 0 for each number below the normal ones that is 0 in what there is, or a part of it is."""
    dtype = PARTS.get(expected["dtype"], expected["dtype"])

    def taken(wanted, found):
        if isinstance(wanted, list) and isinstance(found, list):
            return [taken(*pair) for pair in zip(wanted, found)]
        below = not bits_of(wanted, dtype) & QUIET[dtype] & ~(1 << FRACTION[dtype] - 1)
        return found if below and not plain(bits_of(found, dtype), dtype) else wanted
    return {**expected, "data": [taken(*pair) for pair in zip(elements(expected), got["data"])]}


PLAIN = {int, float, str}


def are_alike(wanted, found, dtype):
    """Are they at once seen to be the same, and elements of the type? Of numbers and texts only: True is no 1."""
    if wanted != found or not {*map(type, wanted), *map(type, found)} <= PLAIN:
        return False
    for value in set(found):
        bits_of(value, dtype)  # Misfit, unless the type has it
    return True


def misfit(expected, got, any_dtype=False):
    """Why shape, type or the number of elements differ, or None."""
    if got["shape"] != expected["shape"]:
        return f"shape {got['shape']}, not {expected['shape']}"
    if not any_dtype and got["dtype"] != expected["dtype"]:
        return f"type {got['dtype']}, not {expected['dtype']}"
    count = prod(expected["shape"])
    return None if len(got["data"]) == count else f"{len(got['data'])} elements for shape {got['shape']}"


def same_number(a, b, a_dtype, b_dtype):
    """Of whatever types, which have these elements, any NaN for another. Python compares whole numbers and floats exactly."""
    has_bits(type(b), tuple(b) if isinstance(b, list) else b, b_dtype)
    wanted, found = [*numbers_of(a, a_dtype)], [*numbers_of(b, b_dtype)]
    return len(wanted) == len(found) and all(m == n or (m != m and n != n) for m, n in zip(wanted, found))


def numbers_of(value, dtype):
    for part in value if isinstance(value, list) else [value, 0]:
        bits = isinstance(part, str) and part.startswith("bits:")
        yield number_of_float(part, PARTS.get(dtype, dtype)) if bits else number_of(part)


def alike(a, b, exact):
    """Is nothing to be computed to see that b is a? Of floats, only zeros have two signs."""
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(alike(m, n, exact) for m, n in zip(a, b))
    if type(a) is type(b):
        return a == b and (a != 0 or not exact or type(a) is not float)
    return not exact and a == b and type(a) in (int, float) and type(b) in (int, float)


@lru_cache(maxsize=1 << 16)
def has_bits(_, value, dtype):
    """Misfit, unless the type has such an element; the first argument tells 1 from 1.0 and True, which are equal."""
    bits_of(list(value) if isinstance(value, tuple) else value, dtype)
    return True


def same_element(a, b, dtype, exact):
    if alike(a, b, exact):
        return has_bits(tuple(map(type, a)), tuple(a), dtype) if isinstance(a, list) else has_bits(type(a), a, dtype)
    a_bits, b_bits = bits_of(a, dtype), bits_of(b, dtype)
    return a_bits == b_bits if exact else plain(a_bits, dtype) == plain(b_bits, dtype)


def place_of(k, shape):
    return [k // step % extent for step, extent in zip(row_major(shape), shape)]
