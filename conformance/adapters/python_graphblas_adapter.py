#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""python-graphblas: import_csr and import_csc of data that is not trusted, secure_import=True. To use
is to import it without. COO has no other way than from_coo, which adds duplicates."""
import os
import signal

import graphblas as gb
import numpy as np
from graphblas import binary, semiring

from numpy_arrays import (array_member, dense_result, guarded_copy, is_small, members_of,
                          numpy_array)
from protocol import Rejected, asking, attempt, serve

INTEGERS = ["uint8", "int8", "int16", "int32", "int64"]
NUMBERS = [*INTEGERS, "float32", "float64", "complex64", "complex128"]
LAYOUTS = ["coo", "csr", "csc"]
ALL = {"layouts": LAYOUTS, "dtypes": ["bool", *NUMBERS]}
ARITHMETIC = {"layouts": LAYOUTS, "dtypes": NUMBERS}
MANIFEST = {
    "operations": {**dict.fromkeys(("check", "use", "to_dense", "from_dense", "transpose"), ALL),
                   **dict.fromkeys(("matvec", "matmat", "sum", "add"), ARITHMETIC),
                   "convert": {**ALL, "to": {layout: LAYOUTS for layout in LAYOUTS}}},
    "index_dtypes": INTEGERS, "names_rules": "none", "guards": ["after", "before"],
    "lacks": ["batched", "claim", "coo-nd", "declared", "huge-array", "hybrid", "indices-not-2d",
              "negative-shape", "out-of-storage", "sizeless", "sparse-dim-0"]}


def construct(question, secure=True, key="tensor"):
    tensor, guard = members_of(question, key), question["guard"]
    names = ("indices",) if tensor.layout == "coo" else ("compressed_indices", "plain_indices")
    indices = [guarded_copy(getattr(tensor, name).astype(np.int64), np.uint64, guard)
               for name in names]
    with asking("construct"):
        if len(tensor.size) != 2:
            raise Rejected("a matrix has a number of rows and a number of columns", "construct")
        options = {"nrows": tensor.size[0], "ncols": tensor.size[1]}
        if tensor.layout == "coo":
            dup_op = binary.lor if tensor.values.dtype == bool else binary.plus
            return gb.Matrix.from_coo(*indices[0], tensor.values, dup_op=dup_op, **options)
        options.update(indptr=indices[0], values=tensor.values, secure_import=secure)
        if tensor.layout == "csr":
            return gb.Matrix.ss.import_csr(col_indices=indices[1], **options)
        return gb.Matrix.ss.import_csc(row_indices=indices[1], **options)


def check(question):
    """In a process of its own, and more than once: a refused import damages the heap, which another
    one notices, and not some later case."""
    readable, writable = os.pipe()
    child = os.fork()
    if child == 0:
        refusals = [refusal(question) for _ in range(10)]
        os.write(writable, refusals[0].encode())
        os._exit(0)
    os.close(writable)
    with open(readable, "rb") as answer:
        refused = answer.read().decode()
    died = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if died < 0:  # die as it died, so that the driver sees the crash
        signal.signal(-died, signal.SIG_DFL)
        os.kill(os.getpid(), -died)
    if refused or died:
        raise Rejected(refused, "validate")


def refusal(question):
    try:
        construct(question)
    except Rejected as error:
        return str(error) or "refused"
    return ""


def ones(count, dtype):
    return gb.Vector.from_dense(np.ones(count, dtype.np_type))


def use(question):
    matrix = construct(question, secure=False)
    if is_small((matrix.nrows,)) and is_small((matrix.ncols,)):
        attempt(lambda: is_small(matrix.shape) and matrix.to_dense(fill_value=0, dtype=matrix.dtype),
                lambda: semiring.plus_times(matrix @ ones(matrix.ncols, matrix.dtype)).new())


def operation(function):
    def ask(question):
        matrix = construct(question)
        with asking("use"):
            return function(matrix, question)
    return ask


def dense_of(thing):
    return dense_result(thing.to_dense(fill_value=0, dtype=thing.dtype))


def from_dense(question):
    dense = numpy_array(question["dense"], question["guard"])
    with asking("construct"):
        matrix = gb.Matrix.from_dense(dense, missing_value=0)
        return sparse_result(matrix, question["arguments"]["to"])


def matvec(matrix, question):
    x = gb.Vector.from_dense(numpy_array(question["arguments"]["x"], question["guard"]))
    return dense_of(semiring.plus_times(matrix @ x).new())


def matmat(matrix, question):
    x = gb.Matrix.from_dense(numpy_array(question["arguments"]["x"], question["guard"]))
    return dense_of(semiring.plus_times(matrix @ x).new())


def total(matrix, _):
    return dense_result(np.array(matrix.reduce_scalar().new().get(0), matrix.dtype.np_type))


def add(matrix, question):
    other = matrix
    if "other" in question["arguments"]:
        other = construct({**question, "other": question["arguments"]["other"]}, key="other")
    return sparse_result(matrix.ewise_add(other, binary.plus).new(), "csr")


def sparse_result(matrix, layout):
    """Exported as the layout that is asked for; it has none of its own."""
    tensor = {"spw": 1, "layout": layout, "size": [matrix.nrows, matrix.ncols]}
    if layout == "coo":
        rows, columns, values = matrix.to_coo()
        indices = np.vstack([rows, columns]).astype(np.int64)
        return {"tensor": {**tensor, "indices": array_member(indices),
                           "values": array_member(values)}}
    compressed, plain, values = matrix.to_csr() if layout == "csr" else matrix.to_csc()
    return {"tensor": {**tensor, "compressed_indices": array_member(compressed.astype(np.int64)),
                       "plain_indices": array_member(plain.astype(np.int64)),
                       "values": array_member(values)}}


if __name__ == "__main__":
    gb.ss.config["nthreads"] = 1
    serve("python-graphblas", gb.__version__, MANIFEST,
          {"check": check, "use": use, "from_dense": from_dense, "add": operation(add),
           "to_dense": operation(lambda matrix, _: dense_of(matrix)),
           "convert": operation(lambda matrix, q: sparse_result(matrix, q["arguments"]["to"])),
           "transpose": operation(lambda matrix, _: sparse_result(matrix.T.new(), "csr")),
           "matvec": operation(matvec), "matmat": operation(matmat), "sum": operation(total)})
