#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""SciPy: the constructor, then check_format(full_check=True), then has_canonical_format. COO has
neither of the last two: its constructor is its check."""
import base64
import io
import operator
import warnings

import numpy as np
import scipy
from scipy import sparse

from numpy_arrays import DTYPES, array_member, dense_result, is_small, numpy_array
from protocol import Rejected, answering, asking, serve, spelled, with_again, with_spellings

CLASSES = {"coo": sparse.coo_array, "csr": sparse.csr_array, "csc": sparse.csc_array,
           "bsr": sparse.bsr_array}
LAYOUTS = list(CLASSES)
# SciPy has no float16.
VALUES = [dtype for dtype in DTYPES if dtype != "float16"]
ALL = {"layouts": LAYOUTS, "dtypes": VALUES}
# SciPy cannot refuse what it has no name for: the adapter says it.
NO_MEAN = "there is no mean of the elements that are stored"
# BSR cannot be indexed.
SLICED = {**ALL, "layouts": ["coo", "csr", "csc"]}
OPERATIONS = {
    **dict.fromkeys(("check", "use", "to_dense", "from_dense", "transpose", "matvec", "matmat",
                     "sum", "sum_dim", "sum_dims", "add", "add_dense"), ALL),
    "convert": {**ALL, "to": {layout: LAYOUTS for layout in LAYOUTS}},
    **dict.fromkeys(("sub", "mul", "matmul_sparse", "scale", "divide", "cast"), ALL),
    "permute": {**ALL, "layouts": ["coo"]},
    # What COO gives to arithmetic is CSR.
    "chain": {**ALL, "layouts": ["csr", "csc"]},
    **dict.fromkeys(("select", "narrow", "index_select"), SLICED),
    "cat": {**ALL, "lacks": ["coo-nd"]},
    # Of a function that it does not have, Python says so.
    **dict.fromkeys(("reduce", "nonzero", "kron", "unary"), ALL),
    "triangle": {**ALL, "lacks": ["coo-nd"]},
    "sum_duplicates": ALL, "eliminate_zeros": ALL,
    "sort_indices": {**ALL, "layouts": ["csr", "csc", "bsr"]},
    "read": {"formats": ["mtx", "npz"], "dtypes": VALUES},
}
# Ways to write an operation, besides the operator (of `mul`, besides the method).
SPELLED = {("add", "in-place"): operator.iadd, ("sub", "in-place"): operator.isub, ("scale", "in-place"): operator.imul,
           ("divide", "in-place"): operator.itruediv, ("mul", "function"): operator.mul,
           ("add", "reversed"): lambda a, b: b + a, ("sub", "reversed"): lambda a, b: -(b - a),
           ("mul", "reversed"): lambda a, b: b.multiply(a), ("scale", "reversed"): lambda a, alpha: alpha * a,
           ("scale", "method"): lambda a, alpha: a.multiply(alpha),
           **dict.fromkeys((("matvec", "method"), ("matmat", "method"), ("matmul_sparse", "method")), lambda a, b: a.dot(b)),
           **dict.fromkeys((("matvec", "function"), ("matmat", "function"), ("matmul_sparse", "function")), operator.matmul),
           ("matvec", "reversed"): lambda a, x: x @ a.T, ("matmat", "reversed"): lambda a, x: (x.T @ a.T).T}
OPERATIONS = with_again(with_spellings(OPERATIONS, SPELLED))
MANIFEST = {"operations": OPERATIONS, "index_dtypes": list(DTYPES), "names_rules": "none",
            "lacks": ["batched", "claim", "keepdim", "declared", "huge-array", "hybrid", "indices-not-2d",
                      "negative-shape", "out-of-storage", "sparse-dim-0"],
            "because": {"cat/coo-nd": "its hstack and vstack take matrices", "triangle/coo-nd": "its tril and triu take matrices"},
            "guards": ["after", "before"], "refuses": ["object has no attribute", NO_MEAN]}


def arguments_of(question, key="tensor"):
    """What the constructor takes."""
    tensor, guard = question[key], question.get("guard", "after")
    values = numpy_array(tensor["values"], guard)
    if tensor["layout"] == "coo":
        return values, tuple(numpy_array(tensor["indices"], guard))
    return (values, numpy_array(tensor["plain_indices"], guard),
            numpy_array(tensor["compressed_indices"], guard))


def construct(tensor, arguments):
    shape = tuple(tensor["size"]) if "size" in tensor else None
    return CLASSES[tensor["layout"]](arguments, shape=shape)


def check(question):
    arguments = arguments_of(question)
    with asking("construct"):
        matrix = construct(question["tensor"], arguments)
    if question["tensor"]["layout"] == "coo":
        return
    with asking("validate"):
        matrix.check_format(full_check=True)
        if not matrix.has_canonical_format:
            raise Rejected("not canonical")


def use(question):
    """SciPy has no way to construct without its cheap checks, so they are part of the use."""
    arguments = arguments_of(question)
    with asking("construct"):
        matrix = construct(question["tensor"], arguments)
    with asking("use"):
        if is_small(matrix.shape):
            matrix.toarray()
        if is_small(matrix.shape[-1:]):
            matrix @ np.ones(matrix.shape[-1], matrix.dtype)


def matrix_of(question):
    if "live" in question:
        return question["live"]
    arguments = arguments_of(question)
    with asking("construct"):
        return construct(question["tensor"], arguments)


def to_dense(question):
    matrix = matrix_of(question)
    with asking("use"):
        return matrix.toarray()


def from_dense(question):
    dense = numpy_array(question["dense"], question.get("guard", "after"))
    to, options = question["arguments"]["to"], {}
    if to == "bsr":
        options["blocksize"] = tuple(question["arguments"]["blocksize"])
    with asking("construct"):
        return CLASSES[to](dense, **options)


def convert(question):
    matrix = matrix_of(question)
    to, options = question["arguments"]["to"], {}
    if to == "bsr":
        options["blocksize"] = tuple(question["arguments"]["blocksize"])
    with asking("use"):
        return matrix.tobsr(**options) if options else matrix.asformat(to)


def transpose(question):
    matrix = matrix_of(question)
    with asking("use"):
        # The transpose of BSR is BSR; those of CSR and CSC are each other.
        return matrix.T if matrix.ndim < 3 else matrix.transpose([*range(matrix.ndim - 2), matrix.ndim - 1, matrix.ndim - 2])


def times(question):
    matrix = matrix_of(question)
    x = numpy_array(question["arguments"]["x"], question.get("guard", "after"))
    with asking("use"):
        return spelled(question, operator.matmul, SPELLED)(matrix, x)


def total(question):
    matrix = matrix_of(question)
    with asking("use"):
        return matrix.sum()


def sum_dim(question):
    matrix = matrix_of(question)
    with asking("use"):
        return matrix.sum(axis=question["arguments"]["dim"])


def add_dense(question):
    matrix = matrix_of(question)
    dense = numpy_array(question["arguments"]["dense"], question.get("guard", "after"))
    with asking("use"):
        return matrix + dense


def second(question, matrix):
    """The other operand, or the same object."""
    other = question["arguments"].get("other")
    if other is None:
        return matrix
    arguments = arguments_of({**question, "other": other}, "other")
    with asking("construct"):
        return construct(other, arguments)


def of_two(function):
    def ask(question):
        matrix = matrix_of(question)
        other = second(question, matrix)
        with asking("use"):
            return spelled(question, function, SPELLED)(matrix, other)
    return ask


def of_one(function):
    """Of the matrix and the arguments."""
    def ask(question):
        matrix = matrix_of(question)
        with asking("use"):
            return function(matrix, question["arguments"])
    return ask


def by_number(function):
    def ask(question):
        matrix = matrix_of(question)
        with asking("use"):
            return spelled(question, function, SPELLED)(matrix, question["arguments"]["alpha"])
    return ask


def in_place(method):
    """A method that puts the matrix in order."""
    def ask(question):
        matrix = matrix_of(question)
        with asking("use"):
            getattr(matrix, method)()
            return matrix
    return ask


def along(dim, chosen):
    return (slice(None),) * dim + (chosen,)


def reduced(matrix, given):
    function = given["function"]
    if function == "norm":
        return sparse.linalg.norm(matrix, axis=given["dim"])
    if function == "mean":
        raise AttributeError(NO_MEAN + "; its mean is that of all elements")
    return getattr(matrix, function)(axis=given["dim"])


def places(matrix, _):
    """Nobody promises an order."""
    found = np.stack(matrix.nonzero(), axis=1)
    return found[np.lexsort(found.T[::-1])] if len(found) else found


def mapped(matrix, given):
    function = given["function"]
    if function == "pow":
        return matrix.power(given["alpha"])
    if function == "square":
        return matrix.power(2)
    operators = {"neg": operator.neg, "abs": abs}
    return operators[function](matrix) if function in operators else getattr(matrix, {"round": "rint"}.get(function, function))()


def cat(question):
    first, given = matrix_of(question), question["arguments"]
    arguments = [arguments_of({"tensor": other, **({"guard": question["guard"]} if "guard" in question else {})})
                 for other in given["others"]]
    with asking("construct"):
        others = [construct(*pair) for pair in zip(given["others"], arguments)]
    with asking("use"):
        return (sparse.hstack if given["dim"] else sparse.vstack)([first, *others], format=first.format)


def spoil(result):
    """Overwrites a result that is a new object."""
    if isinstance(result, np.ndarray) or sparse.issparse(result):
        (result.data if sparse.issparse(result) else result)[...] = 1


def result_of(found):
    return sparse_result(found) if sparse.issparse(found) else dense_result(found)


def read(question):
    data = io.BytesIO(base64.b64decode(question["file"]["base64"]))
    with asking("construct"):
        if question["file"]["format"] == "npz":
            return sparse_result(sparse.load_npz(data))
        found = scipy.io.mmread(data)
        return sparse_result(found) if sparse.issparse(found) else dense_result(found)


def sparse_result(matrix):
    """The arrays as they are: nothing is sorted or summed here."""
    if matrix.ndim != 2 and matrix.format != "coo":  # no tensor file has such a layout
        return dense_result(matrix.toarray())
    tensor = {"spw": 1, "layout": matrix.format, "size": [int(n) for n in matrix.shape]}
    if matrix.format == "coo":
        indices = np.vstack(matrix.coords) if matrix.coords else np.zeros((0, matrix.nnz), np.int64)
        tensor.update(indices=array_member(indices), values=array_member(matrix.data))
        return {"tensor": tensor, "claims": {"canonical": bool(matrix.has_canonical_format)}}
    tensor.update(compressed_indices=array_member(matrix.indptr),
                  plain_indices=array_member(matrix.indices), values=array_member(matrix.data))
    return {"tensor": tensor, "claims": claims_of(matrix)}


def claims_of(matrix):
    """What the matrix remembers of itself; asking for a flag that is not set would compute it."""
    claims = {}
    for claim, attribute in (("sorted", "_has_sorted_indices"),
                             ("canonical", "_has_canonical_format")):
        if hasattr(matrix, attribute):
            claims[claim] = bool(getattr(matrix, attribute))
    return claims


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    serve("scipy", scipy.__version__, MANIFEST,
          {"check": check, "use": use, "read": read, **answering({
           "to_dense": to_dense, "from_dense": from_dense,
           "convert": convert, "transpose": transpose, "matvec": times, "matmat": times,
           "sum": total, "sum_dim": sum_dim, "sum_dims": of_one(lambda a, given: a.sum(tuple(given["dims"]), dtype=given.get("dtype"))), "add": of_two(lambda a, b: a + b), "add_dense": add_dense,
           "sub": of_two(lambda a, b: a - b), "mul": of_two(lambda a, b: a.multiply(b)),
           "matmul_sparse": of_two(lambda a, b: a @ b),
           "scale": by_number(operator.mul),
           "divide": by_number(operator.truediv),
           "cast": of_one(lambda a, given: a.astype(given["dtype"])),
           "permute": of_one(lambda a, given: a.transpose(given["dims"])),
           "select": of_one(lambda a, given: a[along(given["dim"], given["index"])]),
           "narrow": of_one(lambda a, given: a[along(given["dim"], slice(
               given["start"], given["start"] + given["length"]))]),
           "index_select": of_one(lambda a, given: a[along(given["dim"], given["indices"])]),
           "reduce": of_one(reduced), "unary": of_one(mapped), "nonzero": of_one(places),
           "triangle": of_one(lambda a, given: getattr(sparse, given["function"])(a, given["index"], format=a.format)),
           "kron": of_two(lambda a, b: sparse.kron(a, b, format=a.format)),
           "cat": cat, "sum_duplicates": in_place("sum_duplicates"),
           "sort_indices": in_place("sort_indices"), "eliminate_zeros": in_place("eliminate_zeros")}, result_of, matrix_of, spoil)})
