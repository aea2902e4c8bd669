# SPDX-License-Identifier: Apache-2.0
"""What users do with sparse tensors besides: products and differences of two sparse ones, numbers,
alpha and beta, slices, concatenation, and putting a tensor in order. Each case is a dict, as in
operations."""
from fractions import Fraction

from cases.model import Model, dense_matrix, dense_vector, number, of_rows, shortest, written
from cases.operations import FLOATS, LAYOUTS, all_places, case, expectation, layouts_of, numbered, repeated, scattered, small
from cases.tensors import BLOCKED, array
from judging.oracle import FORMATS, nearest

TYPES = ("float32", "int32", "int64", "complex64", "complex128")
# Of these, what moves elements or puts them in order; of bool whether a stored 0 stays one.
NARROW = ("bool", "uint8", "int8", "int16", "float16", "bfloat16")
DTYPE = "float64"


def cases():
    for k, model in enumerate(models()):
        for j, layout in enumerate(layouts_of(model)):
            index_dtype = ("int32", "int64")[(k + j) % 2]
            types = [DTYPE, *(TYPES if model.name == "scattered" else ())]
            for dtype in types:
                yield from of_matrix(model, layout, index_dtype, dtype)
            for dtype in NARROW:
                yield from narrow_elements(model, layout, index_dtype, dtype)
    for index_dtype in ("int32", "int64"):
        yield from of_tensors(index_dtype)


def models():
    block = {"block": (1, 3)}
    yield Model("scattered", (6, 12), numbered(scattered(6, 12, 17, 31)))
    yield Model("scattered-again", (6, 12), numbered(scattered(6, 12, 23, 32)))
    yield Model("ends-empty", (8, 9), numbered([(2, 3), (2, 8), (5, 0)]))
    yield Model("one-row", (1, 6), numbered([(0, 1), (0, 4), (0, 5)]), **block)
    yield Model("one-column", (8, 1), numbered([(0, 0), (3, 0), (7, 0)]), (2, 1))
    yield Model("no-elements", (4, 9), [])
    yield Model("no-rows", (0, 6), [])
    yield Model("no-columns", (4, 0), [])
    yield Model("explicit-zeros", (4, 9), [(0, 1, 0), (1, 4, 5), (2, 0, 0), (3, 7, 0), (3, 8, -2)],
                flags=["explicit-zeros"])
    yield Model("all-zeros", (4, 9), [(0, 1, 0), (2, 0, 0), (3, 8, 0)], flags=["explicit-zeros"])
    yield Model("duplicates-four", (4, 9), [(1, 4, n) for n in (1, 2, 3, 4)] + [(3, 0, 7)],
                flags=["duplicates"])
    yield Model("duplicates-cancel", (4, 9), [(0, 1, 4), (1, 4, 5), (0, 1, -4), (3, 8, 2), (3, 8, 3)],
                flags=["duplicates", "unsorted"])
    yield Model("backwards", (6, 12), numbered(scattered(6, 12, 17, 33)[::-1]), flags=["unsorted"])
    yield repeated()


def of_matrix(model, layout, index_dtype, dtype):
    yield from of_two(model, layout, index_dtype, dtype)
    yield from with_numbers(model, layout, index_dtype, dtype)
    # A part of a row with duplicates may hold more elements than it has columns.
    if layout == "coo" or "duplicates" not in model.flags:
        yield from slices(model, layout, index_dtype, dtype)
    yield from in_order(model, layout, index_dtype, dtype)
    rows = model.grid(dtype)
    for dim, sums in enumerate(([sum(column) for column in zip(*rows)] or [0] * model.size[1],
                                [sum(row) for row in rows])):
        shape = [1, len(sums)] if dim == 0 else [len(sums), 1]
        yield asked("sum_dim", model, layout, index_dtype, dtype,
                    array(dtype, shape, [written(n, dtype) for n in sums]), f"dim-{dim}-kept",
                    {"dim": dim, "keepdim": True}, ["keepdim"])


def asked(operation, model, layout, index_dtype, dtype, dense, what, arguments, flags=(), **expect):
    """The name says what else there is than the model."""
    item = case(operation, model, layout, index_dtype, dtype,
                expectation(model, layout, dense, **expect), what, arguments=arguments)
    return {**item, "name": item["name"].replace("/" + operation + "/", f"/{operation}/m-"),
            "flags": sorted({*item["flags"], *flags})}


def narrow_elements(model, layout, index_dtype, dtype):
    if model.name == "scattered" or (model.name, dtype) == ("explicit-zeros", "bool"):
        yield from slices(model, layout, index_dtype, dtype)
    if model.name in ("scattered", "explicit-zeros", "duplicates-cancel"):
        yield from in_order(model, layout, index_dtype, dtype)


# ---- Two sparse operands ------------------------------------------------------------------------

def of_two(model, layout, index_dtype, dtype):
    for what, other in seconds(model).items():
        arguments = {"other": other.tensor(layout, index_dtype, dtype)}
        a, b = model.grid(dtype), other.grid(dtype)
        for operation, function in (("sub", lambda m, n: m - n), ("mul", lambda m, n: m * n)):
            both = [[function(m, n) for m, n in zip(*pair)] for pair in zip(a, b)]
            yield asked(operation, model, layout, index_dtype, dtype,
                        of_rows(both, model.size, dtype), what, arguments)
    rows, columns = model.size
    other = Model("", (columns, 9 if columns != 9 else 6), [
        (r, c, small(k)) for k, (r, c) in enumerate(scattered(columns, 5, min(columns * 2, 20), 34))],
        (1, 1) if layout not in BLOCKED else (model.block[1], 3))
    b = other.grid(dtype)
    product = [[sum(m * n for m, n in zip(row, column)) for column in zip(*b)] or [0] * other.size[1]
               for row in model.grid(dtype)]
    yield asked("matmul_sparse", model, layout, index_dtype, dtype,
                of_rows(product, [rows, other.size[1]], dtype), "",
                {"other": other.tensor(layout, index_dtype, dtype)})


def seconds(model):
    flags = model.flags & {"unsorted", "duplicates"}
    found = {"equal": Model("", model.size, model.entries, model.block, flags)}
    if model.entries:
        found["same-places"] = Model("", model.size, [
            (r, c, small(k + 2)) for k, (r, c, _) in enumerate(model.entries)], model.block, flags)
        found["nothing"] = Model("", model.size, [], model.block)
    rows, columns = model.size
    if rows * columns >= 12:
        found["other"] = Model("", model.size, numbered(scattered(rows, columns, rows * columns // 3, 35)),
                               model.block)
    return found


# ---- Numbers ------------------------------------------------------------------------------------

def with_numbers(model, layout, index_dtype, dtype):
    grid = model.grid(dtype)
    if model.name == "scattered" and dtype == DTYPE:
        yield from by_three(layout, index_dtype)
    for alpha in (3, 0, -1):
        yield asked("scale", model, layout, index_dtype, dtype,
                    of_rows([[n * alpha for n in row] for row in grid], model.size, dtype),
                    f"by-{alpha}".replace("--", "-minus-"), {"alpha": alpha})
    if dtype.startswith(("float", "complex")):
        four = Model(model.name, model.size, [(r, c, 4 * n) for r, c, n in model.entries], model.block,
                     model.flags)
        yield asked("divide", four, layout, index_dtype, dtype,
                    of_rows([[2 * n for n in row] for row in grid], model.size, dtype), "by-2", {"alpha": 2})
    rows, columns = model.size
    for alpha, beta, nan in ((1, 1, False), (2, 3, False), (2, 0, False), (2, 0, True), (0, 3, False)):
        if nan and not dtype.startswith("float"):
            continue
        for operation, count in (("addmm", 3), ("addmv", 1)):
            x = [[(k + 2 * c) % 3 + 1 for k in range(columns)] for c in range(count)]
            c_rows = [[number(small(r + 2 * c), dtype) for c in range(count)] for r in range(rows)]
            product = model.times(x, dtype)
            result = [[alpha * n + beta * m for n, m in zip(*pair)] for pair in zip(product, c_rows)]
            shape = [rows, count][:2 if operation == "addmm" else 1]
            given = of_rows(c_rows, shape, dtype)
            if nan:
                given["data"] = ["nan"] * len(given["data"])
            factor = dense_matrix(x, columns, dtype) if count > 1 else dense_vector(x[0], dtype)
            yield asked(operation, model, layout, index_dtype, dtype, of_rows(result, shape, dtype),
                        f"alpha-{alpha}-beta-{beta}{'-over-nan' * nan}",
                        {"x": factor, "dense": given, "alpha": alpha, "beta": beta},
                        ["beta-zero-over-nan"] * nan)


def by_three(layout, index_dtype):
    """Quotients that no type has: the nearest is right, which the product with a reciprocal may miss."""
    model = Model("thirds", (6, 12), [(r, c, small(k)) for k, (r, c) in enumerate(scattered(6, 12, 17, 36))])
    for dtype in FLOATS:
        thirds = [[shortest(float(nearest(Fraction(n, 3), FORMATS[dtype]))) for n in row] for row in model.grid(dtype)]
        yield asked("divide", model, layout, index_dtype, dtype, of_rows(thirds, model.size, dtype), "by-3", {"alpha": 3})


# ---- Slices -------------------------------------------------------------------------------------

def slices(model, layout, index_dtype, dtype):
    grid, (rows, columns) = model.grid(dtype), model.size
    turned = [list(column) for column in zip(*grid)] if rows else [[] for _ in range(columns)]
    yield asked("permute", model, layout, index_dtype, dtype, of_rows(turned, [columns, rows], dtype),
                "dims-1-0", {"dims": [1, 0]})
    yield asked("permute", model, layout, index_dtype, dtype, model.dense(dtype), "dims-0-1", {"dims": [0, 1]})
    for dim, extent in enumerate(model.size):
        inner = ["inner-dimension"] * (dim != 0)
        block = model.block[dim] if layout in BLOCKED else 1

        def part(chosen, flat=False):
            found = [grid[k] for k in chosen] if dim == 0 else [[row[k] for k in chosen] for row in grid]
            size = [len(chosen), columns] if dim == 0 else [rows, len(chosen)]
            return of_rows(found, [size[1 - dim]] if flat else size, dtype)
        for index in {0, extent // 2, extent - 1} if extent else ():
            yield asked("select", model, layout, index_dtype, dtype, part([index], True),
                        f"dim-{dim}-at-{index}", {"dim": dim, "index": index}, inner)
        for start, length in {(0, extent), (extent // 2, extent - extent // 2), (extent // 3, 0),
                              (extent // 4, extent // 2)}:
            yield asked("narrow", model, layout, index_dtype, dtype, part(range(start, start + length)),
                        f"dim-{dim}-from-{start}-length-{length}",
                        {"dim": dim, "start": start, "length": length},
                        inner + ["cut-blocks"] * (start % block + length % block != 0))
        for what, chosen in {"backwards": list(range(extent))[::-1], "none": [],
                             "twice": [extent - 1, 0, extent - 1] if extent else []}.items():
            yield asked("index_select", model, layout, index_dtype, dtype, part(chosen),
                        f"dim-{dim}-{what}", {"dim": dim, "indices": chosen},
                        inner + ["cut-blocks"] * (not by_blocks(chosen, block)))
        second = list(seconds(model).values())[-1]
        for what, others in {"two": [second], "three": [model, second], "alone": []}.items():
            lines = [other.grid(dtype) for other in (model, *others)]
            joined = [row for some in lines for row in some] if dim == 0 else [
                [n for some in lines for n in some[r]] for r in range(rows)]
            size = [rows, columns]
            size[dim] *= len(lines)
            yield asked("cat", model, layout, index_dtype, dtype, of_rows(joined, size, dtype),
                        f"dim-{dim}-{what}", {"dim": dim, "others": [
                            other.tensor(layout, index_dtype, dtype) for other in others]}, inner)


def by_blocks(chosen, block):
    """Whole blocks, one after the other?"""
    return len(chosen) % block == 0 and all(
        n == chosen[k - k % block] + k % block and n % block == k % block for k, n in enumerate(chosen))


# ---- In order -----------------------------------------------------------------------------------

def in_order(model, layout, index_dtype, dtype):
    dense, (stored, places, full) = model.dense(dtype), counts(model, layout, dtype)
    for operation, elements in (("coalesce", places), ("sum_duplicates", places), ("sort_indices", stored),
                                ("eliminate_zeros", full)):
        if operation == "eliminate_zeros" and "duplicates" in model.flags:
            continue  # whether they add up first is the library's choice
        order = {"order": "sorted" if operation == "sort_indices" else "canonical"} if operation != "eliminate_zeros" else {}
        yield kept(asked(operation, model, layout, index_dtype, dtype, dense, "", {}, elements=elements, **order))


def counts(model, layout, dtype):
    """How many elements or blocks are stored, at how many places, and at how many of these something is not 0."""
    block, grid, full = model.block if layout in BLOCKED else (1, 1), model.grid(dtype), {}
    for r, c, _ in model.entries:
        place = (r // block[0], c // block[1])
        full[place] = full.get(place, False) or grid[r][c] != 0
    return len(model.blocks() if layout in BLOCKED else model.entries), len(full), sum(full.values())


def kept(item):
    """Of a result in the layout of the operand, with blocks of the same size."""
    tensor = item["tensor"]
    blocks = {"blocksize": tensor["values"]["shape"][1:]} if tensor["layout"] in BLOCKED else {}
    return {**item, "expect": {**item["expect"], "layout": tensor["layout"], **blocks}}


# ---- COO of other dimensions --------------------------------------------------------------------

SIZES = {(7,): [(0,), (3,), (6,)], (2, 3, 5): [(0, 0, 4), (0, 2, 0), (1, 1, 1), (1, 2, 4)],
         (3, 1, 4): [(2, 0, 1), (0, 0, 3), (2, 0, 0)], (2, 1, 3, 5): [(0, 0, 0, 4), (1, 0, 2, 0)]}


def of_tensors(index_dtype):
    for size, places in SIZES.items():
        name, first, second = "x".join(map(str, size)), nd(size, places, 0), nd(size, places[:2], 3)
        tensor = coo(size, first, index_dtype)

        def item(operation, shape, element, what, arguments, flags=()):
            return {"operation": operation, "tensor": tensor, "arguments": arguments,
                    "name": f"coo/{operation}/{name}{what}/{DTYPE}-{index_dtype}",
                    "flags": sorted({"coo-nd", *flags}), "expect": {"verdict": "valid", "dense": array(
                        DTYPE, shape, [element(place) for place in all_places(shape)])}}
        other = coo(size, second, index_dtype)
        for operation, function in (("sub", int.__sub__), ("mul", int.__mul__), ("add", int.__add__)):
            yield item(operation, size, lambda p, f=function: f(first.get(p, 0), second.get(p, 0)),
                       "-other", {"other": other})
        yield item("scale", size, lambda p: 3 * first.get(p, 0), "-by-3", {"alpha": 3})
        for what, dims in {"backwards": list(range(len(size)))[::-1],
                           "rotated": [*range(1, len(size)), 0]}.items():
            yield item("permute", [size[d] for d in dims],
                       lambda p, ds=dims: first.get(tuple(p[ds.index(d)] for d in range(len(ds))), 0),
                       f"-{what}", {"dims": dims})
        for dim, extent in enumerate(size):
            inner, rest = ["inner-dimension"] * (dim != 0), [*size[:dim], *size[dim + 1:]]

            def along(p, k, d=dim):
                return first.get((*p[:d], k, *p[d:]), 0)
            for keep in (False, True):
                yield item("sum_dim", [*size[:dim], 1, *size[dim + 1:]] if keep else rest,
                           lambda p, d=dim, n=extent, kept=keep: sum(
                               along((*p[:d], *p[d + 1:]) if kept else p, k, d) for k in range(n)),
                           f"-dim-{dim}{'-kept' * keep}", {"dim": dim, **({"keepdim": True} if keep else {})},
                           ["keepdim"] * keep)
            if len(size) > 1:
                yield item("select", rest, lambda p, d=dim, n=extent: along(p, n - 1, d),
                           f"-dim-{dim}-last", {"dim": dim, "index": extent - 1}, inner)
            yield item("narrow", [*size[:dim], extent - extent // 2, *size[dim + 1:]],
                       lambda p, d=dim, n=extent: first.get((*p[:d], p[d] + n // 2, *p[d + 1:]), 0),
                       f"-dim-{dim}-half", {"dim": dim, "start": extent // 2, "length": extent - extent // 2},
                       inner)
            yield item("index_select", size,
                       lambda p, d=dim, n=extent: first.get((*p[:d], n - 1 - p[d], *p[d + 1:]), 0),
                       f"-dim-{dim}-backwards", {"dim": dim, "indices": list(range(extent))[::-1]}, inner)
            yield item("cat", [*size[:dim], 2 * extent, *size[dim + 1:]],
                       lambda p, d=dim, n=extent: (first if p[d] < n else second).get(
                           (*p[:d], p[d] % n, *p[d + 1:]), 0),
                       f"-dim-{dim}", {"dim": dim, "others": [other]}, inner)
            yield item("stack", [*size[:dim], 2, *size[dim:]],
                       lambda p, d=dim: (second if p[d] else first).get((*p[:d], *p[d + 1:]), 0),
                       f"-dim-{dim}", {"dim": dim, "others": [other]}, inner)


def nd(size, places, shift):
    """Some places and their numbers; the last of each is moved, so that two are not the same."""
    found = {place: small(k + shift) for k, place in enumerate(sorted(places))}
    if shift:
        found[tuple(extent - 1 for extent in size)] = 2
    return found


def coo(size, data, index_dtype):
    places = sorted(data)
    flat = [place[d] for d in range(len(size)) for place in places]
    return {"spw": 1, "layout": "coo", "size": list(size),
            "indices": array(index_dtype, [len(size), len(places)], flat),
            "values": array(DTYPE, [len(places)], [data[place] for place in places])}
