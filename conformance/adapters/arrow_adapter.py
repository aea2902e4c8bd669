#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Apache Arrow: from_numpy, which is its only check. To use is to make a dense tensor of it."""
import numpy as np
import pyarrow as pa

from numpy_arrays import array_member, dense_result, is_small, members_of, numpy_array
from protocol import asking, serve

CLASSES = {"coo": pa.SparseCOOTensor, "csr": pa.SparseCSRMatrix, "csc": pa.SparseCSCMatrix}
INTEGERS = ["uint8", "int8", "int16", "int32", "int64"]
# Its bool is one bit; NumPy's becomes uint8.
ALL = {"layouts": list(CLASSES), "dtypes": [*INTEGERS, "float16", "float32", "float64"]}
MANIFEST = {
    # What duplicates mean is not said; the last one stays.
    "operations": {"check": ALL, "use": ALL, "from_dense": ALL,
                   "to_dense": {**ALL, "lacks": ["duplicates"]}},
    "index_dtypes": INTEGERS, "names_rules": "none", "guards": ["after", "before"],
    "lacks": ["batched", "claim", "declared", "huge-array", "hybrid",
              "negative-shape", "out-of-storage", "sizeless", "sparse-dim-0"],
    "because": {"to_dense/duplicates": "its manual wants each place once"}}


def construct(question):
    tensor = members_of(question)
    with asking("construct"):
        if tensor.layout == "coo":
            # One row an element; the values are a column.
            coordinates = np.ascontiguousarray(tensor.indices.T)
            return CLASSES["coo"].from_numpy(tensor.values[..., np.newaxis], coordinates,
                                             shape=tensor.size)
        return CLASSES[tensor.layout].from_numpy(tensor.values, tensor.compressed_indices,
                                                 tensor.plain_indices, shape=tensor.size)


def check(question):
    construct(question)


def use(question):
    matrix = construct(question)
    with asking("use"):
        if is_small(question["tensor"]["size"]):
            matrix.to_tensor().to_numpy()


def to_dense(question):
    matrix = construct(question)
    with asking("use"):
        return dense_result(matrix.to_tensor().to_numpy())


def from_dense(question):
    dense, to = numpy_array(question["dense"], question["guard"]), question["arguments"]["to"]
    with asking("construct"):
        matrix = CLASSES[to].from_dense_numpy(dense)
        arrays = matrix.to_numpy()
    tensor = {"spw": 1, "layout": to, "size": [int(n) for n in matrix.shape],
              "values": array_member(arrays[0].ravel())}
    if to == "coo":
        tensor["indices"] = array_member(arrays[1].T)
        return {"tensor": tensor, "claims": {"canonical": matrix.has_canonical_format}}
    tensor.update(compressed_indices=array_member(arrays[1]), plain_indices=array_member(arrays[2]))
    return {"tensor": tensor}


if __name__ == "__main__":
    serve("arrow", pa.__version__, MANIFEST,
          {"check": check, "use": use, "to_dense": to_dense, "from_dense": from_dense})
