#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""JAX: BCOO and BCSR, whose constructors check shapes and types. What an index is, is not checked:
those out of bounds are padding, by design."""
import os
import sys

# Each shape and type is compiled anew, and again after a crash: what is compiled is kept.
os.environ.update(JAX_ENABLE_X64="1", JAX_PLATFORMS="cpu",
                  JAX_COMPILATION_CACHE_DIR=os.path.join(sys.prefix, "compiled"),
                  JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS="0",
                  JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES="-1")
import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax.experimental import sparse  # noqa: E402

from numpy_arrays import array_member, dense_result, is_small, members_of, numpy_array  # noqa: E402
from protocol import answering, asking, attempt, serve, with_again  # noqa: E402

ALL = {"layouts": ["coo", "csr"], "dtypes": ["float32", "float64"]}
COO = {**ALL, "layouts": ["coo"]}
# Each type is compiled anew.
DOUBLE = {"layouts": ["coo"], "dtypes": ["float64"]}
MANIFEST = {
    "operations": with_again({**dict.fromkeys(("check", "use", "to_dense", "from_dense", "matvec", "matmat"),
                                   ALL),
                   **dict.fromkeys(("transpose", "sum", "sum_dim", "sum_dims", "add"), COO),
                   **dict.fromkeys(("mul", "scale", "divide", "permute", "select",
                                    "narrow", "cat", "coalesce", "sort_indices", "sparse_mask",
                                    "sampled_addmm", "sub", "chain"), DOUBLE),
                   "cast": COO,
                   "convert": {**ALL, "to": {"coo": ["csr"], "csr": ["coo"]}}}),
    "index_dtypes": ["uint8", "int8", "int16", "int32", "int64"], "names_rules": "none",
    "refuses": ["transpose of bcoo_extract"],
    "lacks": ["batched", "claim", "keepdim", "declared", "huge-array", "hybrid",
              "negative-shape", "out-of-storage", "sizeless", "sparse-dim-0"]}


def construct(question, key="tensor"):
    if "live" in question and key == "tensor":
        return question["live"]
    tensor = members_of(question, key)
    with asking("construct"):
        if tensor.layout == "coo":
            return sparse.BCOO((jnp.asarray(tensor.values), jnp.asarray(tensor.indices.T)),
                               shape=tensor.size)
        return sparse.BCSR((jnp.asarray(tensor.values), jnp.asarray(tensor.plain_indices),
                            jnp.asarray(tensor.compressed_indices)), shape=tensor.size)


def check(question):
    construct(question)


def use(question):
    array = construct(question)
    attempt(lambda: is_small(array.shape) and array.todense().block_until_ready(),
            lambda: is_small(array.shape) and array @ jnp.ones(array.shape[-1], array.dtype))


def operation(function):
    def ask(question):
        array = construct(question)
        with asking("use"):
            return function(array, question)
    return ask


def from_dense(question):
    dense = numpy_array(question["dense"], question["guard"])
    make = sparse.BCOO if question["arguments"]["to"] == "coo" else sparse.BCSR
    with asking("construct"):
        return make.fromdense(jnp.asarray(dense))


def convert(array, question):
    if question["arguments"]["to"] == "coo":
        return array.to_bcoo() if isinstance(array, sparse.BCSR) else array
    return array if isinstance(array, sparse.BCSR) else sparse.BCSR.from_bcoo(array)


def times(array, question):
    return array @ jnp.asarray(numpy_array(question["arguments"]["x"], question["guard"]))


def add(array, question):
    other = question["arguments"].get("other")
    return array + (construct({**question, "other": other}, "other") if other else array)


def pair(function):
    def ask(array, question):
        other = question["arguments"].get("other")
        return function(array, construct({**question, "other": other}, "other") if other else array)
    return ask


def argument(question, name):
    return jnp.asarray(numpy_array(question["arguments"][name], question["guard"]))


def along(array, question, chosen):
    return array[(slice(None),) * question["arguments"]["dim"] + (chosen,)]


def narrow(array, question):
    given = question["arguments"]
    return along(array, question, slice(given["start"], given["start"] + given["length"]))


def cat(array, question):
    others = [construct({**question, "other": other}, "other") for other in question["arguments"]["others"]]
    return sparse.bcoo_concatenate([array, *others], dimension=question["arguments"]["dim"])


def sampled(array, question):
    return sampled_of(array, argument(question, "x"), argument(question, "y"), question["arguments"])


def sampled_of(array, x, y, given):
    products = sparse.bcoo_dot_general_sampled(x, y, array.indices, dimension_numbers=(((1,), (0,)), ((), ())))
    return sparse.BCOO((given["beta"] * array.data + given["alpha"] * products, array.indices), shape=array.shape,
                       indices_sorted=array.indices_sorted, unique_indices=array.unique_indices)


# ---- Gradients ------------------------------------------------------------------------------------

ALONE, FACTOR, OTHER = ["tensor", "values"], ["tensor", "values", "x"], ["tensor", "values", "other"]
OF = {**dict.fromkeys(("to_dense", "transpose", "permute", "select", "narrow", "coalesce", "sum", "sum_dim", "scale", "divide",
                       "convert", "cat"), ALONE), "matvec": FACTOR, "matmat": FACTOR, "add": OTHER, "sub": OTHER, "mul": OTHER,
      "sparse_mask": ["dense"], "sampled_addmm": ["tensor", "values", "x", "y"]}
MANIFEST["operations"]["vjp"] = {**ALL, "of": OF}


def differentiable(question, of):
    """The operation as a function of the tensor and of the operand that is an argument."""
    wrt, given = question["arguments"]["wrt"], of["arguments"]
    asked = {**question, **of}
    if of["operation"] in ("add", "sub", "mul"):
        other = construct({**asked, "other": given["other"]}, "other")
        function = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b}[of["operation"]]
        return lambda array, argument: function(array, other if argument is None else argument), other
    if wrt == "x" and of["operation"] in ("matvec", "matmat"):
        return lambda array, x: array @ x, argument(asked, "x")
    if of["operation"] == "sparse_mask":
        return lambda array, given: sparse.bcoo_extract(array, given), argument(asked, "dense")
    if wrt in ("x", "y"):
        x, y = argument(asked, "x"), argument(asked, "y")
        return lambda array, one: sampled_of(array, *((one, y) if wrt == "x" else (x, one)), given), x if wrt == "x" else y
    return lambda array, _: FORWARD[of["operation"]](array, asked), None


def vjp(question):
    """Of the sum of the result times the upstream gradient; with respect to a sparse array by JAX's own sparse.grad."""
    arguments = question["arguments"]
    wrt, tensor = arguments["wrt"], construct(question)
    function, second = differentiable(question, arguments["of"])
    upstream = argument(question, "upstream") if "upstream" in arguments else construct(
        {**question, "upstream_sparse": arguments["upstream_sparse"]}, "upstream_sparse").todense()

    def total(array, given):
        found = function(array, given)
        return jnp.vdot(upstream, found.todense() if isinstance(found, (sparse.BCOO, sparse.BCSR)) else found)

    def with_values(values):
        if isinstance(tensor, sparse.BCOO):
            return sparse.BCOO((values, tensor.indices), shape=tensor.shape)
        return sparse.BCSR((values, tensor.indices, tensor.indptr), shape=tensor.shape)
    with asking("use"):
        if wrt == "values":
            return jax.grad(lambda values: total(with_values(values), None))(tensor.data)
        return sparse.grad(total, argnums=int(wrt != "tensor"))(tensor, second)


def without_padding(array):
    """What is stored beside the tensor is no part of it: padding that fills an array of fixed length."""
    indices, values = np.asarray(array.indices), np.asarray(array.data)
    inside = (indices < np.array(array.shape, np.int64)).all(axis=1)
    return indices[inside].T, values[inside]


def sums(array, given):
    found = array.sum(tuple(given["dims"]), dtype=given.get("dtype"))
    return found.todense() if hasattr(found, "todense") else found


def result_of(array):
    """The arrays as they are; the flags are what the array promises of its indices."""
    if isinstance(array, sparse.BCOO) and array.ndim == 0:
        array = array.todense()
    if not isinstance(array, (sparse.BCOO, sparse.BCSR)):
        return dense_result(np.asarray(array))
    tensor = {"spw": 1, "layout": "coo", "size": [int(n) for n in array.shape]}
    claims = {"sorted": array.indices_sorted,
              "canonical": array.indices_sorted and array.unique_indices}
    if isinstance(array, sparse.BCOO):
        indices, values = without_padding(array)
        tensor.update(indices=array_member(indices), values=array_member(values))
        return {"tensor": tensor, "claims": claims}
    tensor.update(layout="csr", compressed_indices=array_member(np.asarray(array.indptr)),
                  plain_indices=array_member(np.asarray(array.indices)),
                  values=array_member(np.asarray(array.data)))
    return {"tensor": tensor, "claims": claims}


FORWARD = {"convert": convert, "matvec": times, "matmat": times, "add": add, "to_dense": lambda array, _: array.todense(),
           "transpose": lambda array, _: array.transpose((*range(array.ndim - 2), array.ndim - 1, array.ndim - 2)), "sum": lambda array, _: array.sum(),
           "sum_dims": lambda array, q: sums(array, q["arguments"]),
           "sum_dim": lambda array, q: array.sum(q["arguments"]["dim"]).todense(),
           "sub": pair(lambda a, b: a - b), "mul": pair(lambda a, b: a * b),
           "scale": lambda array, q: array * q["arguments"]["alpha"],
           "divide": lambda array, q: array / q["arguments"]["alpha"],
           "cast": lambda array, q: array.astype(q["arguments"]["dtype"]),
           "permute": lambda array, q: array.transpose(q["arguments"]["dims"]),
           "select": lambda array, q: along(array, q, q["arguments"]["index"]), "narrow": narrow, "cat": cat,
           "coalesce": lambda array, _: array.sum_duplicates(remove_zeros=False), "sort_indices": lambda array, _: array.sort_indices(),
           "sparse_mask": lambda array, q: sparse.bcoo_extract(array, argument(q, "dense")), "sampled_addmm": sampled}


if __name__ == "__main__":
    # A process with threads is not to be forked.
    serve("jax", jax.__version__, MANIFEST, {"check": check, "use": use, **answering({
        "from_dense": from_dense, "vjp": vjp, **{name: operation(function) for name, function in FORWARD.items()}}, result_of, construct)}, fork=False)
