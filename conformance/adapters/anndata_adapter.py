#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""anndata, as a reader: of whole files, and of tensors, whose arrays are written as a group of an HDF5
file, as its format says, and anndata reads that group. Reading is its check."""
import base64
import io
import warnings

import anndata
import h5py
import numpy as np
from scipy import sparse

from numpy_arrays import DTYPES, dense_result, is_small, members_of
from protocol import asking, attempt, serve
from scipy_adapter import sparse_result

ALL = {"layouts": ["csr", "csc"],
       "dtypes": [dtype for dtype in DTYPES if not dtype.startswith("complex") and dtype != "float16"]}
MANIFEST = {
    "operations": {"check": ALL, "use": ALL, "to_dense": ALL,
                   "read": {"formats": ["h5ad"], "dtypes": ALL["dtypes"]}},
    "index_dtypes": ["int32", "int64"], "names_rules": "none",
    # The shape of a group's arrays is that of the file: nothing is strided there.
    "lacks": ["batched", "claim", "declared", "huge-array", "hybrid", "negative-shape",
              "out-of-storage", "sizeless", "strided", "strided-indices"],
    "because": {"sizeless": "a file names its size", "strided": "an array of a file has no strides", "strided-indices": "an array of a file has no strides",
                "huge-array": "a file would have to hold all of it"}}


def group_of(question):
    tensor = members_of(question)
    group = h5py.File.in_memory().create_group("x")
    group.attrs.update({"encoding-type": f"{tensor.layout}_matrix", "encoding-version": "0.1.0",
                        "shape": np.array(tensor.size, np.int64)})
    group["indptr"], group["indices"] = tensor.compressed_indices, tensor.plain_indices
    group["data"] = tensor.values
    return group


def read(question):
    group = group_of(question)
    with asking("construct"):
        return anndata.io.read_elem(group)


def check(question):
    read(question)


def use(question):
    """In memory, and by rows while it stays in the file."""
    matrix, group = read(question), group_of(question)
    attempt(lambda: is_small(matrix.shape) and matrix.toarray(),
            lambda: is_small(matrix.shape) and matrix @ np.ones(matrix.shape[1], matrix.dtype),
            lambda: is_small(matrix.shape) and anndata.io.sparse_dataset(group)[:].toarray())


def to_dense(question):
    matrix = read(question)
    with asking("use"):
        return dense_result(matrix.toarray())


def read_file(question):
    data = io.BytesIO(base64.b64decode(question["file"]["base64"]))
    with asking("construct"):
        x = anndata.io.read_h5ad(data).X
    if not sparse.issparse(x):
        return dense_result(x)
    # SciPy takes pointers and indices of two types, a tensor file has one.
    widest = np.result_type(x.indptr, x.indices)
    x.indptr, x.indices = x.indptr.astype(widest), x.indices.astype(widest)
    return sparse_result(x)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    serve("anndata", anndata.__version__, MANIFEST,
          {"check": check, "use": use, "to_dense": to_dense, "read": read_file})
