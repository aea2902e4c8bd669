#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scikit-learn: check_array is its check of SciPy matrices; to use is to do what estimators do with
them. Its own kernels are asked where it has them."""
import warnings

import numpy as np
import sklearn
from sklearn.preprocessing import normalize
from sklearn.tree import DecisionTreeRegressor
from sklearn.utils import check_array, sparsefuncs
from sklearn.utils.extmath import safe_sparse_dot

import scipy_adapter
from numpy_arrays import is_small, numpy_array
from protocol import answering, asking, attempt, serve

REAL = ["float32", "float64"]
LAYOUTS = ["csr", "csc"]
ALL = {"layouts": LAYOUTS, "dtypes": ["int32", "int64", *REAL]}
FLOATS = {"layouts": LAYOUTS, "dtypes": REAL}
COMPRESSED = {"layouts": ["coo", *LAYOUTS], "dtypes": REAL}
MANIFEST = {
    "operations": {"check": {**ALL, "layouts": ["coo", *LAYOUTS]}, "use": FLOATS,
                   **dict.fromkeys(("matvec", "matmat", "scale"), FLOATS),
                   "matmul_sparse": {**FLOATS, "layouts": ["csr"]},
                   "convert": {**COMPRESSED, "to": {name: ["coo", *LAYOUTS] for name in ("coo", *LAYOUTS)}},
                   "cast": {**ALL, "layouts": ["coo", *LAYOUTS]}},
    "index_dtypes": ["int32", "int64"], "names_rules": "none", "guards": ["after", "before"],
    "lacks": ["batched", "claim", "coo-nd", "declared", "huge-array", "hybrid", "indices-not-2d",
              "negative-shape", "out-of-storage", "sizeless", "sparse-dim-0",
              "large-size", "huge-size"]}


def checked(matrix, accept=("coo", *LAYOUTS), dtype="numeric"):
    return check_array(matrix, accept_sparse=list(accept), dtype=dtype, ensure_all_finite=False,
                       ensure_min_samples=0, ensure_min_features=0)


def check(question):
    matrix = scipy_adapter.matrix_of(question)
    with asking("validate"):
        checked(matrix)


def use(question):
    matrix = scipy_adapter.matrix_of(question)
    rows, columns = matrix.shape
    if not is_small((rows,)) or not is_small((columns,)):
        return
    attempt(lambda: sparsefuncs.mean_variance_axis(matrix, axis=0),
            lambda: sparsefuncs.mean_variance_axis(matrix, axis=1),
            lambda: normalize(matrix),
            lambda: rows and DecisionTreeRegressor(max_depth=2).fit(matrix, np.arange(rows)).predict(matrix),
            lambda: safe_sparse_dot(matrix, np.ones(columns, matrix.dtype)))


def operation(function):
    def ask(question):
        matrix = scipy_adapter.matrix_of(question)
        with asking("use"):
            return function(matrix, question["arguments"], question)
    return ask


def times(matrix, arguments, question):
    return safe_sparse_dot(matrix, numpy_array(arguments["x"], question["guard"]), dense_output=True)


def times_sparse(question):
    matrix, other = scipy_adapter.matrix_of(question), scipy_adapter.second(question)
    with asking("use"):
        return sparsefuncs.sparse_matmul_to_dense(matrix, other)


def scaled(matrix, arguments, _):
    matrix = matrix.copy()
    sparsefuncs.inplace_column_scale(matrix, np.full(matrix.shape[1], arguments["alpha"], matrix.dtype))
    return matrix


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    serve("sklearn", sklearn.__version__, MANIFEST, {"check": check, "use": use, **answering({
        "matvec": operation(times), "matmat": operation(times), "matmul_sparse": times_sparse,
        "scale": operation(scaled),
        "convert": operation(lambda matrix, given, _: checked(matrix, [given["to"]])),
        "cast": operation(lambda matrix, given, _: checked(matrix, dtype=given["dtype"]))},
        scipy_adapter.result_of)})
