#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""CasADi: a Sparsity of pointers and rows is its constructor and its check, DM the matrix of numbers.
COO is DM.triplet, which keeps the first of duplicates."""
from functools import partial

import casadi
import numpy as np

from numpy_arrays import array_member, dense_result, is_small, members_of, numpy_array
import protocol
from protocol import answering, asking, attempt, serve, with_again

LAYOUTS = ["coo", "csc"]
ALL = {"layouts": LAYOUTS, "dtypes": ["float64"]}
MANIFEST = {
    "operations": with_again({**dict.fromkeys(
        ("check", "use", "to_dense", "transpose", "permute", "matvec", "matmat", "sum", "sum_dim", "add", "add_dense",
         "sub", "mul", "matmul_sparse", "scale", "divide", "addmm", "addmv", "select", "narrow", "index_select", "cat",
         "eliminate_zeros", "chain"), ALL),
        "from_dense": {**ALL, "layouts": ["csc"]},
        "convert": {**ALL, "to": {"coo": ["csc"], "csc": ["csc"]}}}),
    "index_dtypes": ["int64"], "names_rules": "none",
    "lacks": ["batched", "claim", "keepdim", "coo-nd", "declared", "huge-array", "hybrid", "indices-not-2d", "negative-shape",
              "out-of-storage", "sizeless", "sparse-dim-0", "strided", "strided-indices", "negative-stride",
              "not-2d"]}


def construct(question, key="tensor"):
    if "live" in question and key == "tensor":
        return question["live"]
    tensor = members_of(question, key)
    with asking("construct"):
        if tensor.layout == "coo":
            return casadi.DM.triplet(tensor.indices[0].tolist(), tensor.indices[1].tolist(),
                                     casadi.DM(tensor.values.tolist()), *tensor.size)
        pattern = casadi.Sparsity(*tensor.size, tensor.compressed_indices.tolist(), tensor.plain_indices.tolist())
        return casadi.DM(pattern, tensor.values.tolist())


def check(question):
    construct(question)


def use(question):
    a = construct(question)
    attempt(lambda: is_small(a.shape) and a.full(),
            lambda: is_small(a.shape) and casadi.mtimes(a, casadi.DM.ones(a.shape[1], 1)))


of_one = partial(protocol.of_one, construct)
of_two = partial(protocol.of_two, construct)


def dense_of(member, question):
    return casadi.DM(numpy_array(member, question["guard"]))


def times(a, given, question):
    x = dense_of(given["x"], question)
    return shaped(casadi.mtimes(a, x), given["x"])


def added(a, given, question):
    x, y = dense_of(given["x"], question), dense_of(given["dense"], question)
    if given["beta"] != 1:
        y = given["beta"] * y if given["beta"] else casadi.DM.zeros(*y.shape)
    return shaped(casadi.mac(given["alpha"] * a, x, y), given["dense"])


def shaped(found, like):
    array = found.full()
    return array.ravel() if len(like["shape"]) == 1 else array


def along(a, dim, chosen):
    return a[chosen, :] if dim == 0 else a[:, chosen]


def cat(question):
    a = construct(question)
    others = [construct({**question, "other": other}, "other") for other in question["arguments"]["others"]]
    with asking("use"):
        return (casadi.vertcat if question["arguments"]["dim"] == 0 else casadi.horzcat)(a, *others)


def from_dense(question):
    dense = numpy_array(question["dense"], question["guard"])
    with asking("construct"):
        return casadi.sparsify(casadi.DM(dense))


def total(a):
    return np.array(float(casadi.sum1(casadi.sum2(a))))


def result_of(found):
    if not isinstance(found, casadi.DM):
        return dense_result(np.asarray(found))
    pattern = found.sparsity()
    return {"tensor": {"spw": 1, "layout": "csc", "size": list(found.shape),
                       "compressed_indices": array_member(np.array(pattern.colind(), np.int64)),
                       "plain_indices": array_member(np.array(pattern.row(), np.int64)),
                       "values": array_member(np.array(found.nonzeros(), np.float64))}}


if __name__ == "__main__":
    serve("casadi", casadi.__version__, MANIFEST, {"check": check, "use": use, **answering({
        "to_dense": of_one(lambda a, given, _: a.full()), "from_dense": from_dense,
        "convert": of_one(lambda a, given, _: a), "transpose": of_one(lambda a, given, _: a.T),
        "permute": of_one(lambda a, given, _: a.T if given["dims"][0] else a),
        "matvec": of_one(times), "matmat": of_one(times), "addmm": of_one(added), "addmv": of_one(added),
        "sum": of_one(lambda a, given, _: total(a)),
        "sum_dim": of_one(lambda a, given, _: (casadi.sum2 if given["dim"] else casadi.sum1)(a).full().ravel()),
        "add": of_two(lambda a, b: a + b), "sub": of_two(lambda a, b: a - b), "mul": of_two(lambda a, b: a * b),
        "matmul_sparse": of_two(casadi.mtimes),
        "add_dense": of_one(lambda a, given, q: a + dense_of(given["dense"], q)),
        "scale": of_one(lambda a, given, _: a * given["alpha"]),
        "divide": of_one(lambda a, given, _: a / given["alpha"]),
        "select": of_one(lambda a, given, _: along(a, given["dim"], given["index"]).full().ravel()),
        "narrow": of_one(lambda a, given, _: along(a, given["dim"], slice(
            given["start"], given["start"] + given["length"]))),
        "index_select": of_one(lambda a, given, _: along(a, given["dim"], given["indices"])),
        "cat": cat, "eliminate_zeros": of_one(lambda a, given, _: casadi.sparsify(a))}, result_of, construct)})
