#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ONNX: a COO tensor is a SparseTensorProto with indices of shape [nse, rank]. checker.check_sparse_tensor
is the check; to_dense is a Constant with that sparse_value, run by the reference runtime."""
import numpy as np
import onnx
from onnx import checker, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

from numpy_arrays import DTYPES, dense_result, members_of
from protocol import Rejected, asking, serve

ALL = {"layouts": ["coo"], "dtypes": list(DTYPES)}
MANIFEST = {
    "operations": {"check": ALL, "to_dense": ALL},
    # The format has int64 only.
    "index_dtypes": ["int64"], "names_rules": "none",
    "lacks": ["claim", "declared", "huge-array", "hybrid", "indices-not-2d", "negative-shape",
              "out-of-storage", "sizeless", "sparse-dim-0", "strided", "strided-indices",
              "negative-stride", "index-range"],
    "because": {"index-range": "all indices of its files are int64", "strided": "an array of its files has no strides",
                "strided-indices": "an array of its files has no strides", "negative-stride": "an array of its files has no strides"}}


def sparse_tensor(question):
    tensor = members_of(question)
    with asking("construct"):
        values = numpy_helper.from_array(np.array(tensor.values), "values")
        indices = numpy_helper.from_array(np.array(tensor.indices.T), "indices")
        return helper.make_sparse_tensor(values, indices, tensor.size)


def check(question):
    proto = sparse_tensor(question)
    with asking("validate"):
        checker.check_sparse_tensor(proto)


def to_dense(question):
    proto = sparse_tensor(question)
    with asking("use"):
        node = helper.make_node("Constant", [], ["y"], sparse_value=proto)
        told = helper.make_tensor_value_info("y", proto.values.data_type, list(proto.dims))
        model = helper.make_model(helper.make_graph([node], "graph", [], [told]))
        checker.check_model(model)
        (found,) = ReferenceEvaluator(model).run(None, {})
    if not isinstance(found, np.ndarray):
        raise Rejected(f"gave {type(found).__name__}", "use")
    return dense_result(found)


if __name__ == "__main__":
    serve("onnx", onnx.__version__, MANIFEST, {"check": check, "to_dense": to_dense})
