#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""QuTiP: the CSR matrix of its data layer, complex numbers with int32 indices. Its constructor is its check."""
import warnings
from functools import partial

warnings.simplefilter("ignore")
import numpy as np  # noqa: E402
import qutip  # noqa: E402
from qutip.core import data as layer  # noqa: E402

from numpy_arrays import array_member, dense_result, is_small, members_of, numpy_array  # noqa: E402
import protocol  # noqa: E402
from protocol import answering, asking, attempt, serve, with_again  # noqa: E402

ALL = {"layouts": ["csr"], "dtypes": ["complex128"]}
MANIFEST = {
    "operations": with_again({**dict.fromkeys(
        ("check", "use", "to_dense", "transpose", "permute", "matvec", "matmat", "add", "sub", "mul", "matmul_sparse", "scale", "kron",
         "sort_indices", "from_dense", "chain"), ALL),
        "convert": {**ALL, "to": {"csr": ["csr"]}}}),
    "index_dtypes": ["int32"], "names_rules": "none",
    "lacks": ["batched", "claim", "coo-nd", "declared", "huge-array", "hybrid", "indices-not-2d", "negative-shape",
              "out-of-storage", "sizeless", "sparse-dim-0", "strided", "strided-indices", "negative-stride", "not-2d",
              "empty-size"],
            "because": {"empty-size": "its constructor refuses sizes that are not positive, and says so"}}
# It drops what is below 1e-14 unless it is told not to.
qutip.settings.core["auto_tidyup"] = False


def construct(question, key="tensor"):
    if "live" in question and key == "tensor":
        return question["live"]
    tensor = members_of(question, key)
    with asking("construct"):
        return layer.CSR((tensor.values, tensor.plain_indices, tensor.compressed_indices), shape=tensor.size, copy=False)


def check(question):
    construct(question)


def use(question):
    a = construct(question)
    attempt(lambda: is_small(a.shape) and a.to_array(),
            lambda: is_small(a.shape) and layer.matmul(a, layer.Dense(np.ones((a.shape[1], 1), complex))).to_array(),
            lambda: a.transpose())


of_one = partial(protocol.of_one, construct)
of_two = partial(protocol.of_two, construct)


def times(a, given, question):
    x = numpy_array(given["x"], question["guard"])
    found = layer.matmul(a, layer.Dense(x.reshape(x.shape[0], -1))).to_array()
    return found.ravel() if x.ndim == 1 else found


def from_dense(question):
    dense = numpy_array(question["dense"], question["guard"])
    with asking("construct"):
        return layer.to(layer.CSR, layer.Dense(dense))


def in_order(a):
    a = a.copy()
    a.sort_indices()
    return a


def result_of(found):
    if not isinstance(found, layer.CSR):
        return dense_result(np.asarray(found))
    kept = found.as_scipy()
    return {"tensor": {"spw": 1, "layout": "csr", "size": list(found.shape), "compressed_indices": array_member(kept.indptr),
                       "plain_indices": array_member(kept.indices), "values": array_member(kept.data)}}


if __name__ == "__main__":
    serve("qutip", qutip.__version__, MANIFEST, {"check": check, "use": use, **answering({
        "to_dense": of_one(lambda a, given, _: a.to_array()), "from_dense": from_dense,
        "convert": of_one(lambda a, given, _: a), "transpose": of_one(lambda a, given, _: a.transpose()),
        "permute": of_one(lambda a, given, _: a.transpose() if given["dims"][0] else a),
        "matvec": of_one(times), "matmat": of_one(times), "kron": of_two(layer.kron),
        "add": of_two(layer.add), "sub": of_two(layer.sub), "mul": of_two(layer.multiply), "matmul_sparse": of_two(layer.matmul),
        "scale": of_one(lambda a, given, _: layer.mul(a, given["alpha"])),
        "sort_indices": of_one(lambda a, given, _: in_order(a))}, result_of, construct)})
