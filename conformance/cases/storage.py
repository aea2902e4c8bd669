# SPDX-License-Identifier: Apache-2.0
"""Where elements lie: at indices and offsets that need more than 16 bits, and in arrays that begin within their storage,
or leave gaps in it. Each case is a dict, as in operations."""
from cases.model import Model, of_rows
from cases.more import asked
from cases.operations import INDEX_DTYPES, LAYOUTS, blocksize, case, expectation, from_dense, numbered, scattered, small
from cases.tensors import BLOCKED, array

DTYPE = "float64"
FAR = 70000  # more than 2^16
# In 16 bits the third is the first, the last is another, and the second is negative.
FAR_PLACES = (7, 40000, 2**16 + 7, FAR - 1)
BY_ROWS = ("csr", "bsr")


def cases():
    for k, layout in enumerate(LAYOUTS):
        yield from far(layout, INDEX_DTYPES[k % 2])
        yield from placed(layout, INDEX_DTYPES[(k + 1) % 2])
        yield from operands(layout, INDEX_DTYPES[k % 2])
    yield from many_elements()


# ---- Far away --------------------------------------------------------------------------------------

def line(places, extent, dim):
    """A matrix of one row or column, long in dimension dim, whose plain indices are the places."""
    size = (1, extent) if dim else (extent, 1)
    return Model("far", size, [(0, n, small(k)) if dim else (n, 0, small(k)) for k, n in enumerate(places)], (1, 1))


def far(layout, index_dtype):
    dim = int(layout in BY_ROWS)
    model = line(FAR_PLACES, FAR, dim)
    numbers = [row[0] for row in (model.transposed() if dim else model).grid(DTYPE)]

    def ask(operation, dense, what="", flags=("inner-dimension",), first=model, **arguments):
        return asked(operation, first, layout, index_dtype, DTYPE, dense, what, arguments, flags if dim else ())

    def along(found):
        return of_rows([[n] for n in found], [1, len(found)] if dim else [len(found), 1], DTYPE)
    yield ask("to_dense", model.dense(DTYPE), flags=())
    yield ask("select", array(DTYPE, [1], [numbers[FAR_PLACES[2]]]), dim=dim, index=FAR_PLACES[2])
    start, length = 2**16 - 6, 20
    yield ask("narrow", along(numbers[start:start + length]), dim=dim, start=start, length=length)
    chosen = [FAR - 1, FAR_PLACES[2], 7, FAR - 1 - 2**16]
    yield ask("index_select", along([numbers[n] for n in chosen]), dim=dim, indices=chosen)
    if dim:
        x = [n % 7 + 1 for n in range(FAR)]
        yield ask("matvec", array(DTYPE, [1], [sum(a * b for a, b in zip(numbers, x))]), flags=(), x=array(DTYPE, [FAR], x))
    if layout in BLOCKED:
        return
    to = {"coo": "csc"}.get(layout, "coo")
    yield converted(model, layout, index_dtype, to)
    yield from list(from_dense(model, layout, DTYPE))[:1]
    yield ask("transpose", model.transposed().dense(DTYPE), flags=())
    other = line([n - 3 for n in FAR_PLACES], FAR, dim)
    both = Model("", model.size, model.entries + other.entries)
    yield ask("add", both.dense(DTYPE), flags=(), other=other.tensor(layout, index_dtype, DTYPE))
    half = line((7, FAR // 2 - 1), FAR // 2, dim)
    joined = [row[0] for row in (half.transposed() if dim else half).grid(DTYPE)] * 2
    yield ask("cat", along(joined), first=half, dim=dim, others=[half.tensor(layout, index_dtype, DTYPE)])


def converted(model, layout, index_dtype, to):
    return case("convert", model, layout, index_dtype, DTYPE, expectation(model, layout, model.dense(DTYPE), layout=to),
                f"to-{to}", arguments={"to": to})


def many_elements():
    """More elements than 16 bits count: all of a matrix, in three rows or columns."""
    for layout, size, index_dtype in (("csr", (3, 30000), "int32"), ("csc", (30000, 3), "int64")):
        long = max(size)
        tensor = {"spw": 1, "layout": layout, "size": list(size),
                  "compressed_indices": array(index_dtype, [4], [k * long for k in range(4)]),
                  "plain_indices": array(index_dtype, [3 * long], list(range(long)) * 3),
                  "values": array(DTYPE, [3 * long], [1] * (3 * long))}
        x = [2**(k % 3) for k in range(size[1])]
        yield {"operation": "matvec", "name": f"{layout}/matvec/many-elements/{DTYPE}-{index_dtype}", "tensor": tensor,
               "arguments": {"x": array(DTYPE, [size[1]], x)}, "flags": [],
               "expect": {"verdict": "valid", "dense": array(DTYPE, [size[0]], [sum(x)] * size[0])}}


# ---- Within a storage ------------------------------------------------------------------------------

# What lies around an array: other elements than those of the tensor.
BEFORE, GAP = (77, 78, 79), 74


def begun_later(member, around=BEFORE):
    return {**member, "offset": len(around), "data": [*around, *member["data"], *around[:1]]}


def spaced(member):
    """Every second element of a storage, from its second one on."""
    strides, step = [], 2
    for extent in member["shape"][::-1]:
        strides.insert(0, step)
        step *= extent
    return {**member, "strides": strides, "offset": 1, "data": [n for element in member["data"] for n in (GAP, element)]}


def by_columns(member):
    """Blocks stored column by column."""
    count, rows, columns = member["shape"]
    data = [member["data"][(k * rows + r) * columns + c] for k in range(count) for c in range(columns) for r in range(rows)]
    return {**member, "strides": [rows * columns, 1, rows], "data": data}


def with_values(change):
    return lambda tensor: {**tensor, "values": change(tensor["values"])}


def with_indices_later(tensor):
    """Behind zeros, which are indices as well."""
    return {name: begun_later(member, (0, 0)) if name.endswith("indices") else member for name, member in tensor.items()}


WAYS = {"values-begin-later": with_values(begun_later), "values-with-gaps": with_values(spaced),
        "indices-begin-later": with_indices_later}


def placed(layout, index_dtype):
    """Both operands lie in the same way."""
    entries = numbered(scattered(6, 12, 17, 71))
    other = Model("", (6, 12), numbered(scattered(6, 12, 15, 72)))
    for name, change in {**WAYS, **({"blocks-by-columns": with_values(by_columns)} if layout in BLOCKED else {})}.items():
        model, to = Model(name, (6, 12), entries), "coo" if layout == "csr" else "csr"
        x = [k % 3 + 1 for k in range(12)]
        both = Model("", (6, 12), entries + other.entries)
        product = [row[0] for row in model.times([x], DTYPE)]
        for item in (converted(model, layout, index_dtype, to), *(
                asked(operation, model, layout, index_dtype, DTYPE, dense, "", arguments) for operation, dense, arguments in (
                    ("to_dense", model.dense(DTYPE), {}), ("transpose", model.transposed().dense(DTYPE), {}),
                    ("matvec", array(DTYPE, [6], product), {"x": array(DTYPE, [12], x)}),
                    ("add", both.dense(DTYPE), {"other": change(other.tensor(layout, index_dtype, DTYPE))})))):
            yield {**item, "tensor": change(item["tensor"])}


def operands(layout, index_dtype):
    """Dense ones that begin later, and with gaps."""
    model = Model("operand", (6, 12), numbered(scattered(6, 12, 17, 73)))
    x = [[(2 * k + c) % 5 - 2 for k in range(12)] for c in range(3)]
    product = model.times(x, DTYPE)
    for what, change in (("begins-later", begun_later), ("with-gaps", spaced)):
        vector, matrix = array(DTYPE, [12], x[0]), of_rows(zip(*x), [12, 3], DTYPE)
        yield asked("matvec", model, layout, index_dtype, DTYPE, array(DTYPE, [6], [row[0] for row in product]), what,
                    {"x": change(vector)}, ["strided"])
        yield asked("matmat", model, layout, index_dtype, DTYPE, of_rows(product, [6, 3], DTYPE), what,
                    {"x": change(matrix)}, ["strided"])
        yield {"operation": "from_dense", "name": f"{layout}/from_dense/m-operand-{what}/{DTYPE}",
               "dense": change(model.dense(DTYPE)), "arguments": {"to": layout, **blocksize(model, layout)},
               "flags": ["strided"], "expect": {"verdict": "valid", "dense": model.dense(DTYPE), "layout": layout}}
