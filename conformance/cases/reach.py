# SPDX-License-Identifier: Apache-2.0
"""What few elements and whole factors do not reach: more than a thousand elements and seventeen columns, so that vectors, parts of threads
and buffers have an end within; more than 2^32 places; factors that are no whole numbers; and the same operand asked twice."""
from cases import axes, definitions
from cases.model import Model, number
from cases.more import asked as of_model
from cases.operands import Form
from cases.operations import INDEX_DTYPES, LAYOUTS, numbered, scattered, small
from cases.tensors import array

LONG = Form((), (36, 32), (), (2, 2), full=True)
LONG_ND = Form((), (3, 16, 28), (), (2, 2), full=True)
# Its product would have millions of elements.
NEVER_LONG = ("kron",)
# The factors alpha and beta of each.
FRACTIONS = {"scale": ("0.5", "-1.5"), "addmm": ("0.5_-1.5", "-0.25_0"), "addmv": ("0.5_-1.5", "-0.25_0"), "sampled_addmm": ("0.5_-1.5", "-0.25_0")}


def cases():
    for n, (operation, line) in enumerate(axes.LINES.items()):
        for k, layout in enumerate(axes.LAYOUTS):
            yield from long(operation, line, layout, n + k)
            yield from fractions(operation, layout)
    yield from wide()


# ---- Of matrices that all faults are planted in --------------------------------------------------------

SUMS = {"both": {"dims": [1, 0]}, "rows": {"dims": [0]}, "both-kept": {"dims": [0, 1], "keepdim": True}, "columns-double": {"dims": [1], "dtype": "float64"}}
FLAGS = {"both": [], "rows": [], "both-kept": ["keepdim"], "columns-double": ["sum-dtype"]}


def plain():
    rows, columns = 6, 12
    model = Model("scattered", (rows, columns), numbered(scattered(rows, columns, 17, 12)))
    other = Model("other", model.size, [(r, c, small(k + 3)) for k, (r, c) in enumerate(scattered(rows, columns, 20, 11))])
    for k, layout in enumerate(LAYOUTS):
        for dtype in ("float32", "float64"):
            grid, added, kind = model.grid(dtype), other.grid(dtype), (layout, INDEX_DTYPES[k % 2], dtype)
            for name, given in SUMS.items():
                found = {"rows": [sum(row[c] for row in grid) for c in range(columns)], "columns-double": list(map(sum, grid))}.get(name, [sum(map(sum, grid))])
                shape = {"both": [], "both-kept": [1, 1]}.get(name, [len(found)])
                yield of_model("sum_dims", model, *kind, array(given.get("dtype", dtype), shape, found), name, given, [*FLAGS[name], "inner-dimension"])
            for alpha in (3, -0.5):
                found = [m + alpha * n for row, more in zip(grid, added) for m, n in zip(row, more)]
                yield of_model("add_scaled", model, *kind, array(dtype, model.size, [number(n, dtype) for n in found]), f"alpha-{alpha}",
                               {"other": other.tensor(layout, INDEX_DTYPES[k % 2], dtype), "alpha": alpha})


def asked(operation, layout, what, seed, row, spelling=""):
    """Of a row that no covering array has. The name says what it is for."""
    call = axes.Call(operation, layout, {"second": "unclaimed", "form": "plain", "variant": 0, **row}, seed)
    item = call.case()
    return {**item, "name": item["name"].replace("/x-", f"/x-{what}-"), **({"spelling": spelling} if spelling else {})}


def long(operation, line, layout, k):
    shape = LONG if "plain" in line.forms else LONG_ND if layout == "coo" else None
    if operation in NEVER_LONG or shape is None:
        return
    kinds = [name for name in ("double", "int", "complex") if name in line.types]
    state = ("unclaimed", "unsorted")[k // 2 % 2]
    ways = [way for way in line.ways if axes.form_fits(operation, layout, shape, {"way": way})]
    yield asked(operation, layout, "long", k, {"state": state, "type": kinds[k % len(kinds)], "way": ways[k % len(ways)],
                                               "index": ("int64", "int32")[k % 2], "shape": shape})


def fractions(operation, layout):
    for k, way in enumerate(FRACTIONS.get(operation, ())):
        for kind in ("double", "complex"):
            yield asked(operation, layout, "fraction", k, {"state": "unclaimed", "type": kind, "way": way, "index": "int64"})


def again():
    """The result counts that the second call gives, after the first one was thrown away: no operation changes its operand."""
    for operation, line in axes.LINES.items():
        for k, layout in enumerate(axes.LAYOUTS):
            states = [state for state in ("unclaimed", "unsorted", "duplicates", "zeros") if state in line.states]
            if not axes.forms_of(operation, layout):
                continue
            form = axes.forms_of(operation, layout)[0]
            kinds = [name for name in ("double", "int", "complex") if name in line.types]
            for j, state in enumerate(states):
                row = {"state": state, "form": form, "type": kinds[(k + j) % len(kinds)], "way": line.ways[(k + j) % len(line.ways)],
                       "index": ("int64", "int32")[j % 2]}
                if axes.fits(operation, layout)({**row, "variant": 0}):
                    yield asked(operation, layout, "again", k + j, row, "again")


# ---- More than 2^32 places ---------------------------------------------------------------------------

# Rows that are there, and columns: of two whose numbers are the same mod 2^32 both are. The last ones are a window.
ROWS, COLUMNS = [0, 1, 3, 2047, 4096, 4097, 4098, 4099], [0, 5, 70000, 2**20 - 4, 2**20 - 3, 2**20 - 2, 2**20 - 1]
WINDOW = 4
FIRST = [(0, 0, 1), (0, 3, 2), (1, 5, -3), (1, 1, 4), (3, 6, 5), (4, 3, 6), (4, 0, -7), (5, 5, 8), (6, 3, 1), (6, 4, -2), (7, 6, 3), (2, 2, 9)]
SECOND = [(0, 3, 5), (1, 5, 1), (4, 3, -6), (4, 5, 2), (5, 5, 3), (7, 3, 4), (7, 6, 1), (3, 6, 2)]


def wide():
    """Each is asked of a small matrix by its definition, whose rows and columns are then moved apart. The result is a window, or one sum."""
    for layout in ("coo", "csr", "csc"):
        for k, (name, steps) in enumerate(steps_of(layout)):
            for j, end in enumerate(("window", "sum")):
                yield of_wide(layout, name, steps, end, ("int64", "int32")[(k + j) % 2])


def steps_of(layout):
    yield from ((name, name.split("-")) for name in ("add", "sub", "mul", "scale", "add-add", "coalesce", "sum_duplicates", "sort_indices"))
    yield from (("nothing", []), ("unsorted", ["add"]))
    if layout == "coo":
        yield from ((name, name.split("-")) for name in ("transpose", "transpose-transpose-add", "convert"))


def of_wide(layout, name, steps, end, index_dtype):
    small, large = (chain(layout, name, steps, end, index_dtype, rows, columns) for rows, columns in (
        (range(len(ROWS)), range(len(COLUMNS))), (ROWS, COLUMNS)))
    expect = {"verdict": "valid", "dense": definitions.meaning(small)}
    if name == "unsorted" and layout != "coo":
        expect["rules"] = ["5.6"]
    flags = ["inner-dimension"] * (end == "window") + ["unsorted"] * (name == "unsorted")
    return {**large, "name": f"{layout}/chain/x-wide-{name}-{end}/float64-{index_dtype}", "expect": expect, "flags": flags}


def chain(layout, name, steps, end, index_dtype, rows, columns):
    """With rows and columns where they are said to be. CSC has them the other way round, so that few of its columns are empty."""
    size = (rows[-1] + 1, columns[-1] + 1)
    first, second = (matrix(entries, rows, columns, size, layout, name == "unsorted", index_dtype) for entries in (FIRST, SECOND))
    arguments = {"add": {"other": second}, "sub": {"other": second}, "mul": {"other": second}, "scale": {"alpha": -2}, "convert": {"to": "csr"}}
    listed = [{"operation": step, "arguments": arguments.get(step, {})} for step in steps]
    turned = (layout == "csc") + steps.count("transpose")
    extents = size[::-1] if turned % 2 else size
    listed += [{"operation": "sum", "arguments": {}}] if end == "sum" else [
        {"operation": "narrow", "arguments": {"dim": d, "start": extents[d] - WINDOW, "length": WINDOW}} for d in (0, 1)]
    return {"operation": "chain", "tensor": first, "arguments": {"steps": listed}}


def matrix(entries, rows, columns, size, layout, backwards, index_dtype):
    moved = sorted((rows[r], columns[c], n) for r, c, n in entries)
    moved = moved[::-1] if backwards else moved
    if layout == "csc":
        moved, size = [(c, r, n) for r, c, n in moved], size[::-1]
    return Model("wide", size, moved, flags=["unsorted"] * backwards).tensor(layout, index_dtype, "float64")
