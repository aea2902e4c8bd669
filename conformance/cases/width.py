# SPDX-License-Identifier: Apache-2.0
"""Numbers that need the whole width of their type: whole ones near its ends and near those of narrower types, and sums and
products of them, within the type and beyond it, where they wrap (mod 2^w, spec/semantics.md); floats with all their bits,
and those below the normal ones. Each case is a dict, as in operations."""
from cases.model import Model, of_rows
from cases.more import asked, in_order, kept
from cases.operations import INDEX_DTYPES, LAYOUTS, PAYLOAD, from_dense, moves, scattered
from cases.tensors import BLOCKED, array
from judging.dense import FRACTION, INT_BITS, PARTS, wrapped
from judging.oracle import FORMATS, lowest, power, real

# Ends of narrower types, and of the whole numbers that floats have: powers of two.
POWERS = {"uint8": (6, 7), "int8": (5, 6), "int16": (7, 8), "int32": (15, 16, 24), "int64": (31, 32, 53)}
# These types are asked everything in every layout.
WIDEST = ("int64", "float64")
WRAPS = "wraps"


def cases():
    for k, dtype in enumerate(INT_BITS):
        for j, layout in enumerate(LAYOUTS):
            index_dtype = INDEX_DTYPES[(k + j) % 2]
            yield from moved(whole_ends(dtype), layout, index_dtype, dtype, dtype in WIDEST)
            # The others are asked of blocks in turns.
            if dtype in WIDEST or layout in ("coo", "csr", LAYOUTS[2 + k % 3]):
                for wide in (within(dtype), beyond(dtype)):
                    yield from computed(wide, layout, index_dtype, dtype)
            if dtype == "int64":
                yield from wide_sums(layout, index_dtype)
        yield from added_up(dtype)
    for k, dtype in enumerate((*FRACTION, *PARTS)):
        for j, layout in enumerate(LAYOUTS):
            for model in (every_bit(dtype), below_normal(dtype)):
                yield from moved(model, layout, INDEX_DTYPES[(k + j) % 2], dtype, dtype in WIDEST)
            for model in (odd_bits(dtype), other_zero()):
                yield from moved(model, layout, INDEX_DTYPES[(k + j) % 2], dtype, False)
                # Is the other zero one to be eliminated?
                yield from (item for item in in_order(model, layout, INDEX_DTYPES[(k + j) % 2], dtype)
                            if "nan" in model.flags or item["operation"] != "eliminate_zeros")


# ---- Numbers -------------------------------------------------------------------------------------

def least(dtype):
    return 0 if dtype.startswith("u") else -(2**(INT_BITS[dtype] - 1))


def largest(dtype):
    return least(dtype) + 2**INT_BITS[dtype] - 1


def ends(dtype):
    """The ends of the type, their neighbours, and those of the powers of two that narrower types end with."""
    low, high = least(dtype), largest(dtype)
    near = [sign * 2**power + step for power in POWERS[dtype] for sign in (1, -1) for step in (-1, 0, 1)]
    return [high, high - 1, low or high - 2, low + 1, *(n for n in near if low <= n <= high)]


def whole_ends(dtype):
    places, found = scattered(6, 12, 22, 61), ends(dtype)
    return Model("whole-ends", (6, 12), [(r, c, found[k % len(found)]) for k, (r, c) in enumerate(places)])


def every_bit(dtype):
    """Odd multiples of the last bit of numbers near 1, none of them whole."""
    bits = FORMATS[real(dtype)].bits
    odd = [2**(bits - 1) + 1, 2**bits - 1, 2**(bits + 1) // 3 | 1, 2**(bits - 1) + 2**(bits // 2) + 1]
    found = [sign * n * 2.0**(1 - bits - k) for k, n in enumerate(odd) for sign in (1, -1)]
    return of_floats("every-bit", found)


def below_normal(dtype):
    """The least number, others below the normal ones, the largest of these, and the least normal one."""
    form = FORMATS[real(dtype)]
    steps = (1, -3, 2**(form.bits - 1) - 1, -(2**(form.bits - 2)), 2**(form.bits - 1), -(2**(form.bits - 1)) - 1)
    return of_floats("below-normal", [float(n * power(lowest(form))) for n in steps], ["subnormal"])


def odd_bits(dtype):
    """NaN, with bits of its own where the type has a name for them, and infinities."""
    return of_floats("odd-bits", [PAYLOAD.get(dtype, "nan"), 1.5, "inf", -2, "-inf", "nan"], ["nan", "inf"])


def other_zero():
    return of_floats("other-zero", ["-0.0", 1.5, -2], ["negative-zero"])


def of_floats(name, found, flags=()):
    places = scattered(6, 12, 22, 62)
    return Model(name, (6, 12), [(r, c, found[k % len(found)]) for k, (r, c) in enumerate(places)], flags=flags)


# ---- Moved ---------------------------------------------------------------------------------------

def moved(model, layout, index_dtype, dtype, thoroughly):
    """As bits, by operations that move elements; to all layouts, or to one."""
    listed = [*moves(model, layout, index_dtype, dtype), *from_dense(model, layout, dtype),
              *slices(model, layout, index_dtype, dtype)]
    if not thoroughly:
        target = LAYOUTS[(LAYOUTS.index(layout) + 1) % len(LAYOUTS)]
        listed = [item for item in listed if item["operation"] != "convert" or item["arguments"]["to"] == target]
    yield from listed


def slices(model, layout, index_dtype, dtype):
    """Of rows; in blocks, of whole ones."""
    grid, (rows, columns) = model.grid(dtype), model.size
    half = list(range(rows - 2, rows))
    for operation, arguments, found in (
            ("select", {"dim": 0, "index": 0}, grid[:1]),
            ("narrow", {"dim": 0, "start": half[0], "length": 2}, [grid[k] for k in half]),
            ("index_select", {"dim": 0, "indices": [*half, 0, 1]}, [grid[k] for k in (*half, 0, 1)]),
            ("cat", {"dim": 0, "others": [model.tensor(layout, index_dtype, dtype)]}, [*grid, *grid]),
            ("permute", {"dims": [1, 0]}, [list(column) for column in zip(*grid)])):
        shape = [columns] if operation == "select" else [len(found), len(found[0])]
        yield asked(operation, model, layout, index_dtype, dtype, of_rows(found, shape, dtype), "", arguments)
    if layout not in BLOCKED and not ({"nan", "negative-zero"} & model.flags and dtype in PARTS):
        numbers = [n for *_, n in model.entries]
        found = Model("", model.size, [(r, c, n) for (r, c, _), n in zip(model.entries, numbers[1:] + numbers[:1])]).grid(dtype)
        given = [[n or 1 for n in row] for row in found]
        yield asked("sparse_mask", model, layout, index_dtype, dtype, of_rows(found, model.size, dtype), "",
                    {"dense": of_rows(given, model.size, dtype)})


# ---- Computed ------------------------------------------------------------------------------------

# No row has more than two elements, so that no sum has more than two terms, and all of them together are eight.
PLACES = [(0, 1), (0, 7), (2, 0), (2, 11), (3, 4), (5, 2), (5, 5), (4, 8)]


def within(dtype):
    """Odd numbers, an eighth of the largest or a little less: seven times one of them, three times two, and all together
    are not beyond the type."""
    top = largest(dtype) // 8
    signs = [-1 if k % 4 == 2 and least(dtype) else 1 for k in range(len(PLACES))]
    return Model("whole-sums", (6, 12), [(r, c, sign * ((top - 2 * k) | 1) if top > 2 * k + 1 else sign)
                                         for k, ((r, c), sign) in enumerate(zip(PLACES, signs))])


def beyond(dtype):
    found = ends(dtype)
    return Model("whole-wraps", (6, 12), [(r, c, found[k % len(found)]) for k, (r, c) in enumerate(PLACES)], flags=[WRAPS])


def result(model, rows, shape, dtype):
    """Of whole numbers, which wrap where the model says so, and nowhere else."""
    data = [n for row in rows for n in row]
    if WRAPS not in model.flags and any(n != wrapped(n, dtype) for n in data):
        raise ValueError(f"{model.name} is beyond {dtype}")
    return array(dtype, shape, [wrapped(n, dtype) for n in data])


def rest(n, dtype):
    """What is missing to two before the largest number, or to its negative: no float64 has that of int64."""
    return (largest(dtype) - 2 - abs(n)) * (1 if n > 0 else -1) if n else 0


def computed(model, layout, index_dtype, dtype):
    for operation, arguments, rows, shape in (
            *of_dense(model, dtype), *of_sparse(model, layout, index_dtype, dtype), *of_numbers(model, dtype),
            *(of_places(model, dtype) if layout not in BLOCKED else ()),
            *(sums(model, dtype) if WRAPS not in model.flags else ())):
        yield asked(operation, model, layout, index_dtype, dtype, result(model, rows, shape, dtype),
                    f"dim-{arguments['dim']}" if "dim" in arguments else "", arguments)


def of_dense(model, dtype):
    """Products with small factors, added to something or not."""
    grid, (rows, columns) = model.grid(dtype), model.size
    x = [[2 * k % 3 + 1, k % 3 + 1] for k in range(columns)]
    c = [[r + 1, 5 - r] for r in range(rows)]
    product = [[sum(a * factors[j] for a, factors in zip(row, x)) for j in (0, 1)] for row in grid]
    first = [row[:1] for row in product]
    dense_x, vector = array(dtype, [columns, 2], sum(x, [])), array(dtype, [columns], [row[0] for row in x])
    yield "matvec", {"x": vector}, first, [rows]
    yield "matmat", {"x": dense_x}, product, [rows, 2]
    dense = [[(n if WRAPS in model.flags else rest(n, dtype)) or c % 3 + 1 for c, n in enumerate(row)] for row in grid]
    yield ("add_dense", {"dense": array(dtype, model.size, sum(dense, []))},
           [[m + n for m, n in zip(*pair)] for pair in zip(grid, dense)], model.size)
    old = {"alpha": 1, "beta": 1}
    yield ("addmm", {"x": dense_x, "dense": array(dtype, [rows, 2], sum(c, [])), **old},
           [[m + n for m, n in zip(*pair)] for pair in zip(product, c)], [rows, 2])
    yield ("addmv", {"x": vector, "dense": array(dtype, [rows], [row[0] for row in c]), **old},
           [[row[0] + n[0]] for row, n in zip(product, c)], [rows])


def of_sparse(model, layout, index_dtype, dtype):
    """Two sparse operands: what is missing to the end of the type, or another number of the same, small factors, and a
    small matrix."""
    grid, (rows, columns) = model.grid(dtype), model.size
    numbers = [n for *_, n in model.entries]
    turned = numbers[1:] + numbers[:1]
    added = turned if WRAPS in model.flags else [rest(n, dtype) for n in numbers]
    taken = turned if WRAPS in model.flags else [-n for n in added] if least(dtype) else [n // 2 for n in numbers]
    factor = Model("", (columns, 9), [(r, (r * 4 + c) % 9, (r + c) % 3 + 3) for r in range(columns) for c in (0, 1)], (3, 3))
    for operation, found, function in (("add", added, int.__add__), ("sub", taken, int.__sub__),
                                       ("mul", [k % 3 + 5 for k in range(len(numbers))], int.__mul__)):
        other = Model("", model.size, [(r, c, n) for (r, c, _), n in zip(model.entries, found)])
        yield (operation, {"other": other.tensor(layout, index_dtype, dtype)},
               [[function(m, n) for m, n in zip(*pair)] for pair in zip(grid, other.grid(dtype))], model.size)
    product = [[sum(m * n for m, n in zip(row, column)) for column in zip(*factor.grid(dtype))] for row in grid]
    yield "matmul_sparse", {"other": factor.tensor(layout, index_dtype, dtype)}, product, [rows, 9]


def of_numbers(model, dtype):
    yield "scale", {"alpha": 7}, [[7 * n for n in row] for row in model.grid(dtype)], model.size


def of_places(model, dtype):
    """A product of one wide and one small factor at the places that are stored."""
    grid, (rows, columns) = model.grid(dtype), model.size
    wide = [next((n for n in row if n), 1) for row in grid]
    small = [c % 3 + 4 for c in range(columns)]
    places = {(r, c) for r, c, _ in model.entries}
    yield ("sampled_addmm", {"x": array(dtype, [rows, 1], wide), "y": array(dtype, [1, columns], small), "alpha": 1, "beta": 1},
           [[grid[r][c] + wide[r] * small[c] if (r, c) in places else 0 for c in range(columns)] for r in range(rows)],
           model.size)


def wide_sums(layout, index_dtype, dtype="int64"):
    """They wrap where there is no wider type that a library might take. Three rows of these do, two columns, and all."""
    high, low = largest(dtype), least(dtype)
    model = Model("whole-wraps-sums", (4, 6), [(0, 1, high), (0, 4, high - 1), (3, 1, high // 2 + 5), (3, 4, high // 2),
                                               (2, 2, low), (2, 3, -7)], flags=[WRAPS])
    for operation, arguments, rows, shape in sums(model, dtype):
        yield asked(operation, model, layout, index_dtype, dtype, result(model, rows, shape, dtype),
                    f"dim-{arguments['dim']}" if arguments else "", arguments)


def sums(model, dtype):
    """A library may take a wider type for them, so that narrower ones are asked none that wrap."""
    grid = model.grid(dtype)
    yield "sum", {}, [[sum(map(sum, grid))]], []
    yield "sum_dim", {"dim": 0}, [[sum(column) for column in zip(*grid)]], [model.size[1]]
    yield "sum_dim", {"dim": 1}, [[sum(row)] for row in grid], [model.size[0]]


def added_up(dtype):
    """The same place twice in COO."""
    high = largest(dtype)
    for name, flags, extra in (("within", [], high // 4), ("beyond", [WRAPS], high - 1)):
        entries = [(0, 1, high // 2), (1, 4, 5), (0, 1, extra), (3, 8, 2), (3, 8, 3)]
        model = Model(f"whole-twice-{name}", (4, 9), entries, flags=["duplicates", "unsorted", *flags])
        dense = result(model, model.grid(dtype), model.size, dtype)
        yield asked("to_dense", model, "coo", "int64", dtype, dense, "", {})
        yield kept(asked("coalesce", model, "coo", "int64", dtype, dense, "", {}, elements=3, order="canonical"))
