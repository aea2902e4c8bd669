#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""TensorFlow: SparseTensor, which is COO of any dimensions; to_dense with validate_indices is its check. Matrix times
matrix by its CSRSparseMatrix, which is made of a SparseTensor and of nothing else."""
import os

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="-1", TF_ENABLE_ONEDNN_OPTS="0")
import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402
from tensorflow.python.ops.linalg.sparse import sparse_csr_matrix_ops as csr  # noqa: E402

from numpy_arrays import array_member, dense_result, is_small, members_of, numpy_array  # noqa: E402
from protocol import answering, asking, attempt, serve, with_again  # noqa: E402

FLOATS = ["float32", "float64"]
COMPLEX = ["complex64", "complex128"]


def of(*dtypes):
    return {"layouts": ["coo"], "dtypes": list(dtypes)}


ALL = of("bool", "uint8", "int8", "int16", "int32", "int64", "float16", *FLOATS, *COMPLEX)
NUMBERS = of("int32", "int64", *FLOATS, *COMPLEX)
REAL = of("int32", "int64", *FLOATS)
MANIFEST = {
    "operations": with_again({**dict.fromkeys(("check", "use", "to_dense", "from_dense", "transpose", "permute", "narrow", "cat",
                                    "sort_indices"), ALL),
                   **dict.fromkeys(("matvec", "matmat", "matmul_sparse"), of(*FLOATS, *COMPLEX)),
                   **dict.fromkeys(("sum", "sum_dim", "eliminate_zeros"), NUMBERS), "sum_dims": {**NUMBERS, "lacks": ["sum-dtype"]},
                   **dict.fromkeys(("add", "scale"), NUMBERS), "divide": of(*FLOATS), "add_dense": REAL,
                   "softmax": of(*FLOATS), "cast": ALL, "chain": of("float64"),
                   "vjp": {**of(*FLOATS, *COMPLEX), "index_dtypes": ["int32", "int64"], "of": {**dict.fromkeys((
                       "to_dense", "transpose", "permute", "narrow", "cat", "sum", "sum_dim", "add", "scale", "divide", "softmax"), ["values"]),
                       **dict.fromkeys(("matvec", "matmat"), ["values", "x"]), "add_dense": ["values", "dense"]}}}),
    "refuses": ["the tape has none"], "index_dtypes": ["int64"], "names_rules": "none", "guards": ["after", "before"],
    "lacks": ["batched", "claim", "declared", "huge-array", "hybrid", "negative-shape",
              "out-of-storage", "sizeless"],
    "because": {"sum_dims/sum-dtype": "its sums take no type"}}


def construct(question, key="tensor"):
    if "live" in question and key == "tensor":
        return question["live"]
    tensor = members_of(question, key)
    with asking("construct"):
        return tf.sparse.SparseTensor(tf.constant(np.ascontiguousarray(tensor.indices.T, np.int64)), tf.constant(tensor.values),
                                      tensor.size)


def small(sparse):
    return is_small(tuple(int(n) for n in sparse.dense_shape))


def check(question):
    sparse = construct(question)
    with asking("validate"):
        if small(sparse):  # which wants the order that reorder makes
            tf.sparse.to_dense(tf.sparse.reorder(sparse), validate_indices=True)


def use(question):
    sparse = construct(question)
    attempt(lambda: small(sparse) and tf.sparse.to_dense(sparse, validate_indices=False),
            lambda: small(sparse) and tf.sparse.reduce_sum(sparse),
            lambda: tf.sparse.reorder(sparse),
            lambda: small(sparse) and sparse.dense_shape.shape[0] == 2 and tf.sparse.sparse_dense_matmul(
                sparse, tf.ones([int(sparse.dense_shape[1]), 1], sparse.dtype)))


def operation(function):
    def ask(question):
        sparse = construct(question)
        with asking("use"):
            return function(sparse, question["arguments"], question)
    return ask


def from_dense(question):
    dense = numpy_array(question["dense"], question["guard"])
    with asking("construct"):
        return tf.sparse.from_dense(dense)


def array(question, name):
    """The same object in a gradient, whose operand it is."""
    wrt, leaf = question.get("leaf", ("", None))
    return leaf if wrt == name else tf.constant(numpy_array(question["arguments"][name], question["guard"]))


def matvec(sparse, _, question):
    return tf.sparse.sparse_dense_matmul(sparse, array(question, "x")[:, None])[:, 0]


def matmat(sparse, _, question):
    return tf.sparse.sparse_dense_matmul(sparse, array(question, "x"))


def second(question):
    other = question["arguments"].get("other")
    return construct({**question, "other": other}, "other") if other else construct(question)


def add(sparse, given, question):
    return tf.sparse.add(sparse, second(question) if "other" in given else sparse)


def times_sparse(sparse, _, question):
    a, b = csr.CSRSparseMatrix(tf.sparse.reorder(sparse)), csr.CSRSparseMatrix(tf.sparse.reorder(second(question)))
    return csr.matmul(a, b).to_sparse_tensor()


def narrow(sparse, given, _):
    start, size = [0] * len(sparse.dense_shape), [int(n) for n in sparse.dense_shape]
    start[given["dim"]], size[given["dim"]] = given["start"], given["length"]
    return tf.sparse.slice(sparse, start, size)


def cat(sparse, given, question):
    others = [construct({**question, "other": other}, "other") for other in given["others"]]
    return tf.sparse.concat(given["dim"], [sparse, *others])


def softmax(sparse, given, _):
    """Of the last dimension: another one is made the last."""
    order = [d for d in range(len(sparse.dense_shape)) if d != given["dim"]] + [given["dim"]]
    back = [int(d) for d in np.argsort(order)]
    return tf.sparse.transpose(tf.sparse.softmax(tf.sparse.reorder(tf.sparse.transpose(sparse, order))), back)


def number(sparse, given):
    return tf.constant(given["alpha"], sparse.dtype)


def result_of(result):
    if not isinstance(result, tf.sparse.SparseTensor):
        return dense_result(np.asarray(result))
    return {"tensor": {"spw": 1, "layout": "coo", "size": [int(n) for n in result.dense_shape],
                       "indices": array_member(np.ascontiguousarray(result.indices.numpy().T)),
                       "values": array_member(result.values.numpy())}}


FORWARD = {
    "to_dense": lambda a, *_: tf.sparse.to_dense(a),
    "transpose": lambda a, *_: tf.sparse.transpose(a, [*range(a.shape.rank - 2), a.shape.rank - 1, a.shape.rank - 2]),
    "permute": lambda a, given, _: tf.sparse.transpose(a, given["dims"]),
    "matvec": matvec, "matmat": matmat, "matmul_sparse": times_sparse,
    "sum": lambda a, *_: tf.sparse.reduce_sum(a),
    "sum_dims": lambda a, given, _: tf.sparse.reduce_sum(a, given["dims"], given.get("keepdim", False)),
    "sum_dim": lambda a, given, _: tf.sparse.reduce_sum(a, given["dim"], given.get("keepdim", False)),
    "add": add, "add_dense": lambda a, _, q: tf.sparse.add(a, array(q, "dense")),
    "scale": lambda a, given, _: a * number(a, given),
    "divide": lambda a, given, _: a / number(a, given),
    "narrow": narrow, "cat": cat,
    "sort_indices": lambda a, *_: tf.sparse.reorder(a),
    "eliminate_zeros": lambda a, *_: tf.sparse.retain(a, a.values != 0),
    "softmax": softmax,
    "cast": lambda a, given, _: tf.cast(a, given["dtype"])}


def vjp(question):
    """Of the array of values, or of a dense operand: its tape watches no sparse tensor."""
    given, of = question["arguments"], question["arguments"]["of"]
    asked, sparse = {**question, **of}, construct(question)
    upstream = array(question, "upstream") if "upstream" in given else tf.sparse.to_dense(
        tf.sparse.reorder(construct({**question, "other": given["upstream_sparse"]}, "other")))
    leaf = sparse.values if given["wrt"] == "values" else array(asked, given["wrt"])
    with asking("use"):
        with tf.GradientTape() as tape:
            tape.watch(leaf)
            found = FORWARD[of["operation"]](sparse, of["arguments"], {**asked, "leaf": (given["wrt"], leaf)})
            if isinstance(found, tf.sparse.SparseTensor):
                found = tf.sparse.to_dense(tf.sparse.reorder(found))
        made = tape.gradient(found, leaf, output_gradients=upstream)
        if made is None:
            raise NotImplementedError("the gradient is not supported: the tape has none")
        return made


if __name__ == "__main__":
    serve("tensorflow", tf.__version__, MANIFEST, {"check": check, "use": use, **answering({
        "from_dense": from_dense, "vjp": vjp,
        **{name: operation(function) for name, function in FORWARD.items()}}, result_of, construct)})
