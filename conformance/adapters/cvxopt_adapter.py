#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""CVXOPT: spmatrix of values, rows and columns is its constructor and its check; what it keeps is CSC."""
from functools import partial

import cvxopt
import numpy as np
from cvxopt import base, matrix, sparse, spmatrix

from numpy_arrays import array_member, dense_result, is_small, members_of, numpy_array
import protocol
from protocol import Rejected, answering, asking, attempt, serve, with_again

TYPES = {"float64": "d", "complex128": "z"}
ALL = {"layouts": ["coo"], "dtypes": list(TYPES)}
MANIFEST = {
    "operations": with_again({**dict.fromkeys(
        ("check", "use", "to_dense", "transpose", "permute", "matvec", "matmat", "sum", "add", "add_dense", "sub",
         "mul", "matmul_sparse", "scale", "divide", "addmm", "addmv", "select", "narrow", "index_select", "cat",
         "eliminate_zeros", "chain"), ALL),
        "from_dense": {**ALL, "layouts": ["csc"]},
        "convert": {**ALL, "to": {"coo": ["csc"]}}}),
    # It takes lists of whole numbers.
    "index_dtypes": ["int64"], "names_rules": "none",
    "lacks": ["batched", "claim", "coo-nd", "declared", "huge-array", "hybrid", "indices-not-2d", "negative-shape",
              "out-of-storage", "sizeless", "sparse-dim-0", "strided", "strided-indices", "negative-stride",
              "not-2d"]}


def dense_matrix(array):
    """Column-major, as it has all matrices."""
    array = np.atleast_2d(array.T).T if array.ndim == 1 else array
    return matrix(list(array.ravel(order="F").tolist()), array.shape, TYPES[array.dtype.name])


def construct(question, key="tensor"):
    if "live" in question and key == "tensor":
        return question["live"]
    tensor = members_of(question, key)
    with asking("construct"):
        return spmatrix(tensor.values.tolist(), tensor.indices[0].tolist(), tensor.indices[1].tolist(),
                        tensor.size, TYPES[tensor.values.dtype.name])


def check(question):
    construct(question)


def use(question):
    a = construct(question)
    attempt(lambda: is_small(a.size) and matrix(a),
            lambda: is_small(a.size) and a * matrix(1.0, (a.size[1], 1)))


of_one = partial(protocol.of_one, construct)
of_two = partial(protocol.of_two, construct)


def times(a, given, question):
    x = numpy_array(given["x"], question["guard"])
    y = matrix(0.0, (a.size[0], 1 if x.ndim == 1 else x.shape[1]), a.typecode)
    (base.gemv if x.ndim == 1 else base.gemm)(a, dense_matrix(x), y)
    return array_of(y, x.ndim)


def added(a, given, question):
    x, y = numpy_array(given["x"], question["guard"]), numpy_array(given["dense"], question["guard"])
    found = dense_matrix(y)
    (base.gemv if x.ndim == 1 else base.gemm)(a, dense_matrix(x), found, alpha=given["alpha"], beta=given["beta"])
    return array_of(found, x.ndim)


def along(a, dim, chosen):
    return a[chosen, :] if dim == 0 else a[:, chosen]


def selected(a, given, _):
    found = along(a, given["dim"], given["index"])
    return array_of(matrix(found), 1) if not isinstance(found, (float, complex)) else np.array([found])


def kept(found):
    """One element is given as a number."""
    return spmatrix([found], [0], [0], (1, 1)) if isinstance(found, (int, float, complex)) else found


def cat(question):
    a = construct(question)
    others = [construct({**question, "other": other}, "other") for other in question["arguments"]["others"]]
    with asking("use"):
        blocks = [a, *others]
        return sparse([blocks]) if question["arguments"]["dim"] == 0 else sparse([[block] for block in blocks])


def from_dense(question):
    dense = numpy_array(question["dense"], question["guard"])
    with asking("construct"):
        return sparse(dense_matrix(dense))


def array_of(found, ndim=2):
    array = np.array(list(found), {"d": "float64", "z": "complex128"}[found.typecode])
    array = array.reshape(found.size, order="F")
    return array.ravel() if ndim == 1 else array


def result_of(found):
    if isinstance(found, matrix):
        return dense_result(array_of(found))
    if not isinstance(found, spmatrix):
        return dense_result(np.asarray(found))
    pointers, rows, values = (np.array(list(part)) for part in found.CCS)
    return {"tensor": {"spw": 1, "layout": "csc", "size": list(found.size),
                       "compressed_indices": array_member(pointers.astype(np.int64)),
                       "plain_indices": array_member(rows.astype(np.int64)),
                       "values": array_member(values.astype({"d": "float64", "z": "complex128"}[found.typecode]))}}


if __name__ == "__main__":
    serve("cvxopt", cvxopt.__version__, MANIFEST, {"check": check, "use": use, **answering({
        "to_dense": of_one(lambda a, given, _: matrix(a)), "from_dense": from_dense,
        "convert": of_one(lambda a, given, _: a), "transpose": of_one(lambda a, given, _: a.T),
        "permute": of_one(lambda a, given, _: a.T if given["dims"][0] else a),
        "matvec": of_one(times), "matmat": of_one(times), "addmm": of_one(added), "addmv": of_one(added),
        "sum": of_one(lambda a, given, _: np.array(sum(a, 0.0), {"d": "float64", "z": "complex128"}[a.typecode])),
        "add": of_two(lambda a, b: a + b), "sub": of_two(lambda a, b: a - b),
        "mul": of_two(cvxopt.mul), "matmul_sparse": of_two(lambda a, b: a * b),
        "add_dense": of_one(lambda a, given, q: a + dense_matrix(numpy_array(given["dense"], q["guard"]))),
        "scale": of_one(lambda a, given, _: a * given["alpha"]),
        "divide": of_one(lambda a, given, _: a / given["alpha"]),
        "select": of_one(selected),
        "narrow": of_one(lambda a, given, _: kept(along(a, given["dim"], slice(
            given["start"], given["start"] + given["length"])))),
        "index_select": of_one(lambda a, given, _: kept(along(a, given["dim"], given["indices"]))),
        "cat": cat, "eliminate_zeros": of_one(lambda a, given, _: sparse(a))}, result_of, construct)})
