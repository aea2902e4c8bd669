#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""LightGBM as a reader of CSR and CSC: the construction of a Dataset is its check, training one tree
and predicting with it is its use."""
import warnings

import lightgbm
import numpy as np

from protocol import asking, attempt, serve
from scipy_adapter import matrix_of

ALL = {"layouts": ["csr", "csc"], "dtypes": ["float32", "float64"]}
OPTIONS = {"verbose": -1, "num_threads": 1, "min_data_in_leaf": 1, "min_data_in_bin": 1,
           "feature_pre_filter": False}
MANIFEST = {
    "operations": {"check": ALL, "use": ALL},
    "index_dtypes": ["int32", "int64"], "names_rules": "none", "guards": ["after", "before"],
    "lacks": ["batched", "claim", "declared", "huge-array", "hybrid", "indices-not-2d",
              "negative-shape", "out-of-storage", "sizeless", "sparse-dim-0",
              "large-size", "huge-size", "empty-size", "no-elements"],
    "because": {"empty-size": "it wants rows and columns to learn from", "no-elements": "it wants values to learn from"}}


def dataset_of(matrix):
    data = lightgbm.Dataset(matrix, label=np.arange(matrix.shape[0]) % 2, params=OPTIONS)
    return data.construct()


def check(question):
    matrix = matrix_of(question)
    with asking("validate"):
        dataset_of(matrix)


def use(question):
    matrix = matrix_of(question)
    attempt(lambda: lightgbm.train(OPTIONS, dataset_of(matrix), 1).predict(matrix))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    serve("lightgbm", lightgbm.__version__, MANIFEST, {"check": check, "use": use})
