#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""XGBoost as a reader of CSR and CSC: DMatrix of a SciPy matrix is its check, get_data gives back what
it has read, always as CSR in float32. NaN means a missing element there."""
import warnings

import numpy as np
import xgboost

from numpy_arrays import dense_result
from protocol import answering, asking, attempt, serve
from scipy_adapter import matrix_of, result_of

ALL = {"layouts": ["csr", "csc"], "dtypes": ["int32", "int64", "float32", "float64"]}
SINGLE = {"layouts": ["csr", "csc"], "dtypes": ["float32"]}
MANIFEST = {
    "operations": {"check": ALL, "use": ALL, "to_dense": SINGLE,
                   "convert": {**SINGLE, "layouts": ["csc"], "to": {"csc": ["csr"]}},
                   # Rows only.
                   "index_select": {**SINGLE, "lacks": ["inner-dimension"]}},
    "index_dtypes": ["int32", "int64"], "names_rules": "none", "guards": ["after", "before"],
    "lacks": ["batched", "claim", "declared", "huge-array", "hybrid", "indices-not-2d", "nan",
              "negative-shape", "out-of-storage", "sizeless", "sparse-dim-0",
              "large-size", "huge-size"],
    "because": {"nan": "it takes NaN for a missing element, as its manual says", "index_select/inner-dimension": "it selects rows only"}}


def read(question, phase="validate"):
    matrix = matrix_of(question)
    with asking(phase):
        return xgboost.DMatrix(matrix, label=np.zeros(matrix.shape[0]), nthread=1)


def check(question):
    read(question)


def use(question):
    data = read(question, "use")
    attempt(lambda: data.get_data(),
            lambda: xgboost.train({"nthread": 1, "max_depth": 2}, data, 1).predict(data))


def index_select(question):
    data = read(question, "use")
    with asking("use"):
        return data.slice(question["arguments"]["indices"]).get_data()


def told(found):
    return result_of(found) if not isinstance(found, np.ndarray) else dense_result(found)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    xgboost.set_config(verbosity=0)
    serve("xgboost", xgboost.__version__, MANIFEST, {"check": check, "use": use, **answering({
        "to_dense": lambda question: read(question, "use").get_data().toarray(),
        "convert": lambda question: read(question, "use").get_data(),
        "index_select": index_select}, told)})
