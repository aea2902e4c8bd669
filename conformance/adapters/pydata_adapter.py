#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""sparse of PyData: COO, and GCXS for CSR and CSC. The constructors are its only check; COO sorts
and adds duplicates, GCXS takes its arrays as they are."""
import numpy as np
import sparse

from numpy_arrays import array_member, dense_result, is_small, members_of, numpy_array
from protocol import answering, asking, attempt, serve, with_again

AXIS = {"csr": 0, "csc": 1}
LAYOUTS = ["coo", "csr", "csc"]
# Each type of values and of indices is compiled anew, which takes seconds.
ALL = {"layouts": LAYOUTS, "dtypes": ["float32", "float64"]}
WIDE = {"layouts": LAYOUTS, "dtypes": ["float64"]}
MANIFEST = {
    "operations": with_again({"check": ALL, "use": ALL,
                   **dict.fromkeys(("to_dense", "from_dense", "transpose", "matvec", "matmat", "sum",
                                    "sum_dim", "sum_dims", "add", "add_dense", "sub", "mul", "matmul_sparse", "scale",
                                    "divide", "permute", "select", "narrow", "index_select", "cat"), WIDE),
                   # What GCXS gives to arithmetic may be turned.
                   "chain": {**WIDE, "layouts": ["coo"]}, "stack": {**WIDE, "layouts": ["coo"]},
                   "cast": {**ALL, "layouts": ["coo"]},
                   "convert": {**WIDE, "to": {layout: LAYOUTS for layout in LAYOUTS}}}),
    "index_dtypes": ["int64"], "names_rules": "none",
    "guards": ["after", "before"],
    "lacks": ["batched", "claim", "declared", "huge-array", "hybrid",
              "negative-shape", "out-of-storage", "sparse-dim-0", "indices-not-2d"],
    "because": {"indices-not-2d": "it takes a list of indices for a matrix of one row"},
    "refuses": ["`shape` was not provided", "missing `shape` argument"]}


def construct(question, key="tensor"):
    if "live" in question and key == "tensor":
        return question["live"]
    tensor = members_of(question, key)
    with asking("construct"):
        if tensor.layout == "coo":
            return sparse.COO(tensor.indices, tensor.values, shape=tensor.size)
        return sparse.GCXS((tensor.values, tensor.plain_indices, tensor.compressed_indices),
                           shape=tensor.size, compressed_axes=[AXIS[tensor.layout]])


def check(question):
    construct(question)


def use(question):
    array = construct(question)
    dtype, size = array.dtype, array.shape
    attempt(lambda: is_small(size) and array.todense(),
            lambda: is_small(size[:1]) and is_small(size[-1:]) and array @ np.ones(size[-1], dtype))


def operation(function):
    def ask(question):
        array = construct(question)
        with asking("use"):
            return function(array, question)
    return ask


def as_layout(array, to):
    if to == "coo":
        return array.asformat("coo")
    return array.asformat("gcxs", compressed_axes=[AXIS[to]])


def from_dense(question):
    dense, to = numpy_array(question["dense"], question["guard"]), question["arguments"]["to"]
    with asking("construct"):
        if to == "coo":
            return sparse.COO.from_numpy(dense)
        return sparse.GCXS.from_numpy(dense, compressed_axes=[AXIS[to]])


def times(array, question):
    return array @ numpy_array(question["arguments"]["x"], question["guard"])


def add(array, question):
    other = question["arguments"].get("other")
    return array + (construct({**question, "other": other}, "other") if other else array)


def add_dense(array, question):
    return array + numpy_array(question["arguments"]["dense"], question["guard"])


def sum_dim(array, question):
    arguments = question["arguments"]
    return array.sum(axis=arguments["dim"], keepdims=arguments.get("keepdim", False)).todense()


def sum_dims(array, arguments):
    found = array.sum(axis=tuple(arguments["dims"]), keepdims=arguments.get("keepdim", False), dtype=arguments.get("dtype"))
    return found.todense() if isinstance(found, sparse.SparseArray) else found


def pair(function):
    def ask(array, question):
        other = question["arguments"].get("other")
        return function(array, construct({**question, "other": other}, "other") if other else array)
    return ask


def given(function):
    return operation(lambda array, question: function(array, question["arguments"]))


def along(array, arguments, chosen):
    return array[(slice(None),) * arguments["dim"] + (chosen,)]


def narrow(array, arguments):
    return along(array, arguments, slice(arguments["start"], arguments["start"] + arguments["length"]))


def joined(function):
    def ask(array, question):
        others = [construct({**question, "other": other}, "other") for other in question["arguments"]["others"]]
        return function([array, *others], axis=question["arguments"]["dim"])
    return operation(ask)


def result_of(array):
    """Neither a sparse scalar nor GCXS of one dimension has a layout of a tensor file."""
    if not isinstance(array, sparse.SparseArray):
        return dense_result(array)
    if array.ndim == 0:
        return dense_result(array.todense())
    tensor = {"spw": 1, "layout": "coo", "size": [int(n) for n in array.shape]}
    if isinstance(array, sparse.COO):
        tensor.update(indices=array_member(array.coords), values=array_member(array.data))
        return {"tensor": tensor}
    if array.ndim != 2:
        return dense_result(array.todense())
    tensor.update(layout="csr" if tuple(array.compressed_axes) == (0,) else "csc",
                  compressed_indices=array_member(array.indptr),
                  plain_indices=array_member(array.indices), values=array_member(array.data))
    return {"tensor": tensor}


OPERATIONS = {"check": check, "use": use, **answering({
    "from_dense": from_dense, "matvec": operation(times), "matmat": operation(times),
    "add": operation(add), "add_dense": operation(add_dense), "sum": given(lambda array, _: array.sum()),
    "sum_dim": operation(sum_dim), "sum_dims": given(sum_dims), "to_dense": given(lambda array, _: array.todense()),
    "transpose": given(lambda array, _: array.transpose([*range(array.ndim - 2), array.ndim - 1, array.ndim - 2])),
    "convert": given(lambda array, arguments: as_layout(array, arguments["to"])),
    "sub": operation(pair(lambda a, b: a - b)), "mul": operation(pair(lambda a, b: a * b)),
    "matmul_sparse": operation(pair(lambda a, b: a @ b)),
    "scale": given(lambda array, arguments: array * arguments["alpha"]),
    "divide": given(lambda array, arguments: array / arguments["alpha"]),
    "permute": given(lambda array, arguments: array.transpose(arguments["dims"])),
    "select": given(lambda array, arguments: along(array, arguments, arguments["index"])),
    "narrow": given(narrow),
    "index_select": given(lambda array, arguments: along(array, arguments, arguments["indices"])),
    "cast": given(lambda array, arguments: array.astype(arguments["dtype"])),
    "cat": joined(sparse.concatenate), "stack": joined(sparse.stack)}, result_of, construct)}


def warm_up():
    """Compiles what use needs before it is forked, and not again after every crash."""
    for dtype in (np.float32, np.float64):
        arrays = np.ones(1, dtype), np.zeros(1, np.int64), np.array([0, 1], np.int64)
        for axis in (0, 1):
            array = sparse.GCXS(arrays, shape=(1, 1), compressed_axes=[axis])
            for each in (array, array.asformat("coo")):
                (each.todense(), each @ np.ones(1, dtype))


if __name__ == "__main__":
    warm_up()
    serve("pydata", sparse.__version__, MANIFEST, OPERATIONS)
