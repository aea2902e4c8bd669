# SPDX-License-Identifier: Apache-2.0
"""The operations on dense tensors, each by its definition: the second source of what a case expects.
The generator's lists of entries are the first, and cross_check.py compares the two. A definition takes
the dense operand and the arguments as members of files, its numbers already Python's (numeric)."""
from judging import dense
from judging.dense import row_major
from fractions import Fraction
from itertools import product
from math import ceil, exp, floor, inf, prod, sqrt, trunc

from schemas.vocabulary import OPERATIONS


def numeric(member):
    """The same array, contiguous, complex pairs as complex numbers."""
    return {"dtype": member["dtype"], "shape": member["shape"],
            "data": [complex(*n) if isinstance(n, list) else n for n in dense.elements(member)]}


def written(member):
    """And back."""
    if member["dtype"] not in dense.PARTS:
        return member
    return {**member, "data": [n if isinstance(n, list) else [complex(n).real, complex(n).imag]
                               for n in member["data"]]}


def defined(dtype, shape, element):
    """The array whose element at a place is element(place)."""
    return {"dtype": dtype, "shape": list(shape),
            "data": [element(place) for place in product(*map(range, shape))]}


def at(member, place):
    return member["data"][sum(map(int.__mul__, place, row_major(member["shape"])))]


def other_of(tensor, arguments):
    return numeric(dense.dense_of(arguments.get("other", tensor)))


# ---- Each operation: (the operand's dense form, the case's tensor, its arguments) ----------------

def itself(a, _, __):
    return a


def transpose(a, tensor, _):
    """Rows and columns, the last sparse dimensions, stand behind the batches and before dense dimensions."""
    first = sparse_dims(tensor) - 2
    shape = list(a["shape"])
    shape[first:first + 2] = shape[first + 1], shape[first]
    return defined(a["dtype"], shape, lambda place: at(a, swapped(place, first)))


def sparse_dims(tensor):
    """Those of batches, too."""
    return tensor["indices"]["shape"][0] if "indices" in tensor else len(tensor["compressed_indices"]["shape"]) + 1


def swapped(place, first):
    return (*place[:first], place[first + 1], place[first], *place[first + 2:])


def times(a, _, arguments):
    """Of batches, matrix by matrix."""
    x, batch = numeric(arguments["x"]), len(a["shape"]) - 2
    return defined(a["dtype"], [*a["shape"][:-1], *x["shape"][batch + 1:]], lambda place: sum(
        at(a, (*place[:batch + 1], k)) * at(x, (*place[:batch], k, *place[batch + 1:])) for k in range(a["shape"][-1])))


def total(a, _, __):
    return {"dtype": a["dtype"], "shape": [], "data": [sum(a["data"])]}


def sum_dim(a, _, arguments):
    dim, shape = arguments["dim"], list(a["shape"])
    extent = shape.pop(dim)
    sums = defined(a["dtype"], shape, lambda place: sum(
        at(a, (*place[:dim], k, *place[dim:])) for k in range(extent)))
    kept = [*shape[:dim], 1, *shape[dim:]] if arguments.get("keepdim") else shape
    return {**sums, "shape": kept}


def sum_dims(a, _, arguments):
    dims, to = arguments["dims"], arguments.get("dtype", a["dtype"])
    shape = [extent for d, extent in enumerate(a["shape"]) if d not in dims]
    found = dict.fromkeys(product(*map(range, shape)), 0)
    for place, n in zip(product(*map(range, a["shape"])), a["data"]):
        found[tuple(k for d, k in enumerate(place) if d not in dims)] += n
    kept = [1 if d in dims else extent for d, extent in enumerate(a["shape"])] if arguments.get("keepdim") else shape
    return {"dtype": to, "shape": kept, "data": list(found.values())}


def add_scaled(a, tensor, arguments):
    return {**a, "data": [m + arguments["alpha"] * n for m, n in zip(a["data"], other_of(tensor, arguments)["data"])]}


def add(a, tensor, arguments):
    return {**a, "data": [m + n for m, n in zip(a["data"], other_of(tensor, arguments)["data"])]}


def add_dense(a, _, arguments):
    return {**a, "data": [m + n for m, n in zip(a["data"], numeric(arguments["dense"])["data"])]}


def pairwise(function):
    def define(a, tensor, arguments):
        other = other_of(tensor, arguments)["data"]
        return {**a, "data": [function(m, n) for m, n in zip(a["data"], other)]}
    return define


def matmul_sparse(a, tensor, arguments):
    return times(a, tensor, {"x": dense.dense_of(arguments.get("other", tensor))})


def scale(a, _, arguments):
    return {**a, "data": [n * arguments["alpha"] for n in a["data"]]}


def divide(a, _, arguments):
    return {**a, "data": [n / arguments["alpha"] for n in a["data"]]}


def addmm(a, tensor, arguments):
    product = times(a, tensor, arguments)
    alpha, beta, c = arguments["alpha"], arguments["beta"], numeric(arguments["dense"])["data"]
    return {**product, "data": [alpha * n + (beta * m if beta else 0)
                                for n, m in zip(product["data"], c)]}


def permute(a, _, arguments):
    dims = arguments["dims"]
    return defined(a["dtype"], [a["shape"][d] for d in dims], lambda place: at(
        a, [place[dims.index(d)] for d in range(len(dims))]))


def select(a, _, arguments):
    dim, shape = arguments["dim"], list(a["shape"])
    del shape[dim]
    return defined(a["dtype"], shape, lambda place: at(
        a, (*place[:dim], arguments["index"], *place[dim:])))


def index_select(a, _, arguments):
    dim, shape = arguments["dim"], list(a["shape"])
    shape[dim] = len(arguments["indices"])
    return defined(a["dtype"], shape, lambda place: at(
        a, (*place[:dim], arguments["indices"][place[dim]], *place[dim + 1:])))


def narrow(a, _, arguments):
    chosen = range(arguments["start"], arguments["start"] + arguments["length"])
    return index_select(a, _, {"dim": arguments["dim"], "indices": list(chosen)})


def cat(a, _, arguments):
    parts, dim = [a, *map(dense.dense_of, arguments["others"])], arguments["dim"]
    where = [(part, k) for part in parts for k in range(part["shape"][dim])]
    shape = [*a["shape"][:dim], len(where), *a["shape"][dim + 1:]]
    return defined(a["dtype"], shape, lambda place: at(
        where[place[dim]][0], (*place[:dim], where[place[dim]][1], *place[dim + 1:])))


def stack(a, _, arguments):
    parts, dim = [a, *map(dense.dense_of, arguments["others"])], arguments["dim"]
    return defined(a["dtype"], [*a["shape"][:dim], len(parts), *a["shape"][dim:]], lambda place: at(
        parts[place[dim]], (*place[:dim], *place[dim + 1:])))


def stored(a, tensor):
    """The row-major numbers of the places that a tensor stores."""
    shape, sparse_dims, found = dense.specified(tensor)
    tail = prod(shape[sparse_dims:])
    return {k * tail + j for k in found for j in range(tail)}


def sparse_mask(a, tensor, arguments):
    given, kept = numeric(arguments["dense"])["data"], stored(a, tensor)
    return {**a, "data": [n if k in kept else 0 for k, n in enumerate(given)]}


def sampled_addmm(a, tensor, arguments):
    product = times(numeric(arguments["x"]), tensor, {"x": arguments["y"]})["data"]
    alpha, beta, kept = arguments["alpha"], arguments["beta"], stored(a, tensor)
    return {**a, "data": [beta * m + alpha * n if k in kept else 0
                          for k, (m, n) in enumerate(zip(a["data"], product))]}


def softmax(a, tensor, arguments):
    """With the largest number taken off, by which nothing changes."""
    dim, kept, places = arguments["dim"], stored(a, tensor), list(product(*map(range, a["shape"])))
    lines = {}
    for k in sorted(kept):
        lines.setdefault((*places[k][:dim], *places[k][dim + 1:]), []).append(k)
    data = [0] * len(places)
    for line in lines.values():
        largest = max(a["data"][k] for k in line)
        parts = [exp(a["data"][k] - largest) for k in line]
        for k, part in zip(line, parts):
            data[k] = part / sum(parts)
    return {**a, "data": data}


def cast(a, _, arguments):
    to = arguments["dtype"]
    return {**a, "dtype": to, "data": [in_other_type(n, to) for n in a["data"]]}


def in_other_type(n, to):
    """Truth, the nearest float, or the same number."""
    if to == "bool":
        return int(is_true(n))
    return nearest(n, to) if to in dense.WIDTH else n


def is_true(n):
    return n != 0


def nearest(n, to):
    """In one step: bits of a float64 that bfloat16 has no room for are rounded off as a whole number."""
    if to != "bfloat16":
        return dense.rounded(float(n), to)
    bits, cut = dense.float_bits(float(n), "float64"), 52 - dense.FRACTION[to]
    kept = bits + (1 << cut - 1) - 1 + (bits >> cut & 1) >> cut << cut
    return dense.number_of_float(f"bits:{kept:016x}", "float64")


# Exact functions of one number; with `alpha`, of two.
FUNCTIONS = {"neg": lambda n: -n, "abs": abs, "sign": lambda n: (n > 0) - (n < 0), "square": lambda n: n * n,
             "relu": lambda n: max(n, 0), "ceil": ceil, "floor": floor, "trunc": trunc, "round": round, "sqrt": sqrt,
             "isnan": lambda n: int(n != n), "isinf": lambda n: int(abs(n) == inf)}
FUNCTIONS_OF_TWO = {"pow": lambda n, e: n ** e, "div_floor": lambda n, s: floor(Fraction(n) / Fraction(s)),
                    "div_trunc": lambda n, s: trunc(Fraction(n) / Fraction(s))}


def unary(a, _, arguments):
    name, alpha = arguments["function"], arguments.get("alpha")
    mapped = FUNCTIONS.get(name) or (lambda n: FUNCTIONS_OF_TWO[name](n, alpha))
    return {**a, "dtype": "bool" if name in ("isnan", "isinf") else a["dtype"], "data": [mapped(n) for n in a["data"]]}


# Of lines of the dense array, and of what is stored of them.
OF_LINES = {"max": max, "min": min, "argmax": lambda line: line.index(max(line)), "argmin": lambda line: line.index(min(line)),
            "any": lambda line: int(any(line)), "all": lambda line: int(all(line))}
OF_STORED = {"amax": lambda kept: max(kept, default=0), "amin": lambda kept: min(kept, default=0),
             "mean": lambda kept: Fraction(sum(kept)) / len(kept) if kept else 0}


def reduce(a, tensor, arguments):
    name, dim, places = arguments["function"], arguments["dim"], list(product(*map(range, a["shape"])))
    shape = [extent for d, extent in enumerate(a["shape"]) if d != dim]
    kept, data = stored(a, tensor), []
    for line in product(*map(range, shape)):
        members = [k for k, place in enumerate(places) if (*place[:dim], *place[dim + 1:]) == line]
        numbers = [a["data"][k] for k in members if name in OF_LINES or k in kept]
        data.append({**OF_LINES, **OF_STORED}[name](numbers))
    dtype = "bool" if name in ("any", "all") else "int64" if name.startswith("arg") else a["dtype"]
    return {"dtype": dtype, "shape": shape, "data": data}


def nonzero(a, _, __):
    found = [place for place, n in zip(product(*map(range, a["shape"])), a["data"]) if is_true(n)]
    return {"dtype": "int64", "shape": [len(found), len(a["shape"])], "data": [n for place in found for n in place]}


def triangle(a, tensor, arguments):
    """Of rows and columns, the last two of the batch and sparse dimensions."""
    first = sparse_dims(tensor) - 2
    inside = (lambda r, c: c - r <= arguments["index"]) if arguments["function"] == "tril" else (lambda r, c: c - r >= arguments["index"])
    return {**a, "data": [n if inside(*place[first:first + 2]) else 0 for place, n in zip(product(*map(range, a["shape"])), a["data"])]}


def kron(a, _, arguments):
    b = numeric(dense.dense_of(arguments["other"]))
    shape = [m * n for m, n in zip(a["shape"], b["shape"])]
    return defined(a["dtype"], shape, lambda place: at(a, tuple(k // n for k, n in zip(place, b["shape"]))) * at(
        b, tuple(k % n for k, n in zip(place, b["shape"]))))


def linear(a, _, arguments):
    x, bias = numeric(arguments["x"]), numeric(arguments["dense"])
    return defined(a["dtype"], [x["shape"][0], a["shape"][0]], lambda place: bias["data"][place[1]] + sum(
        at(x, (place[0], k)) * at(a, (place[1], k)) for k in range(a["shape"][1])))


def in_batches(a, arguments):
    """Each system by itself."""
    x, count = numeric(arguments["x"]), prod(a["shape"][:-2])
    a, x = ({**whole, "shape": [count, *whole["shape"][len(a["shape"]) - 2:]]} for whole in (a, x))
    parts = [[{**whole, "shape": whole["shape"][1:], "data": whole["data"][k * len(whole["data"]) // count:(k + 1) * len(
        whole["data"]) // count]} for whole in (a, x)] for k in range(count)]
    found = [triangular_solve(own, None, {**arguments, "x": written(side)}) for own, side in parts]
    return {"dtype": a["dtype"], "data": [n for one in found for n in one["data"]], "shape": numeric(arguments["x"])["shape"]}


def triangular_solve(a, _, arguments):
    """By fractions, from the equation that has one unknown left."""
    if len(a["shape"]) > 2:
        return in_batches(a, arguments)
    x, n, upper = numeric(arguments["x"]), a["shape"][0], arguments["upper"]
    read = lambda r, c: at(a, (c, r) if arguments["transposed"] else (r, c))  # noqa: E731
    above = upper != arguments["transposed"]
    found = {}
    for r in range(n - 1, -1, -1) if above else range(n):
        for k in range(x["shape"][1]):
            rest = at(x, (r, k)) - sum(read(r, c) * found[c, k] for c in (range(r + 1, n) if above else range(r)))
            found[r, k] = rest if arguments["unit"] else rest / read(r, r)
    return defined(a["dtype"], x["shape"], lambda place: found[place])


def chain(a, tensor, arguments):
    """The meaning of each step is the operand of the next; the layout of any does not matter to it."""
    for step in arguments["steps"]:
        a = numeric(meaning({**step, "tensor": tensor}, a))
    return a


DEFINITIONS = {"to_dense": itself, "from_dense": itself, "convert": itself, "transpose": transpose,
               "matvec": times, "matmat": times, "sum": total, "sum_dim": sum_dim, "sum_dims": sum_dims, "add": add, "add_scaled": add_scaled,
               "add_dense": add_dense, "sub": pairwise(lambda m, n: m - n),
               "mul": pairwise(lambda m, n: m * n), "matmul_sparse": matmul_sparse, "scale": scale,
               "divide": divide, "addmm": addmm, "addmv": addmm, "permute": permute, "select": select,
               "narrow": narrow, "index_select": index_select, "cat": cat, "stack": stack, "chain": chain, "sparse_mask": sparse_mask,
               "sampled_addmm": sampled_addmm, "softmax": softmax, "cast": cast, "unary": unary, "bmm": times,
               "triangular_solve": triangular_solve, "reduce": reduce, "nonzero": nonzero, "triangle": triangle, "kron": kron,
               "linear": linear, "through_24": itself,
               **dict.fromkeys(("coalesce", "sum_duplicates", "sort_indices", "eliminate_zeros"), itself)}
# These only move elements, so that their bits are compared.
MOVES = ("to_dense", "from_dense", "convert", "transpose", "permute", "select", "narrow", "index_select",
         "cat", "stack", "through_24", "coalesce", "sum_duplicates", "sort_indices", "eliminate_zeros")


def meaning(case, operand=None):
    """What the case's result must mean. operand: the dense form of its operand, if it is known."""
    operand = operand or case.get("dense") or dense.dense_of(case["tensor"])
    arguments, name = case.get("arguments", {}), case["operation"]
    if name in MOVES:
        plain = {"dtype": operand["dtype"], "shape": operand["shape"], "data": list(dense.elements(operand))}
        return DEFINITIONS[name](plain, case.get("tensor"), arguments)
    found = DEFINITIONS[name](numeric(operand), case.get("tensor"), arguments)
    return written(found if OPERATIONS[name].any_dtype and found["dtype"] != WIDEST else in_type(found))


# A sum of any type is the same number in each that is as wide: of these there is no other.
WIDEST = "int64"


def of_bools(n):
    """A sum of products of them, which are 1 where they are true."""
    return int(n != 0)


def in_type(member):
    """Whole numbers wrap, and of bools one that is true is enough."""
    if member["dtype"] == "bool":
        return {**member, "data": list(map(of_bools, member["data"]))}
    if member["dtype"] not in dense.INT_BITS:
        return member
    return {**member, "data": [dense.wrapped(n, member["dtype"]) if isinstance(n, int) else n for n in member["data"]]}
