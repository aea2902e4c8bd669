#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""SciPy: the constructor, then check_format(full_check=True), then has_canonical_format. COO has
neither of the last two: its constructor is its check."""
import warnings

import scipy
from scipy.sparse import bsr_array, coo_array, csc_array, csr_array

from numpy_arrays import DTYPES, CannotExpress, numpy_array
from protocol import serve

CLASSES = {"csr": csr_array, "csc": csc_array, "bsr": bsr_array}
# SciPy has no float16.
MANIFEST = {"layouts": ["coo", "csr", "csc", "bsr"], "index_dtypes": list(DTYPES),
            "dtypes": [dtype for dtype in DTYPES if dtype != "float16"], "names_rules": "none",
            "lacks": ["batched", "claim", "declared", "huge-array", "hybrid", "indices-not-2d",
                      "negative-shape", "out-of-storage", "sparse-dim-0"]}


def judge(tensor):
    try:
        arguments = constructor_arguments(tensor)
    except CannotExpress as error:
        return "unsupported", str(error)
    try:
        return accept_or_reject(tensor, arguments)
    except Exception as error:  # whatever it raises, it does not take the tensor
        return "reject", f"{type(error).__name__}: {error}"


def constructor_arguments(tensor):
    values = numpy_array(tensor["values"])
    if tensor["layout"] == "coo":
        return values, tuple(numpy_array(tensor["indices"]))
    return values, numpy_array(tensor["plain_indices"]), numpy_array(tensor["compressed_indices"])


def accept_or_reject(tensor, arguments):
    shape = tuple(tensor["size"]) if "size" in tensor else None
    if tensor["layout"] == "coo":
        coo_array(arguments, shape=shape)
        return "accept", ""
    matrix = CLASSES[tensor["layout"]](arguments, shape=shape)
    matrix.check_format(full_check=True)
    if not matrix.has_canonical_format:
        return "reject", "not canonical"
    return "accept", ""


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    serve("scipy", scipy.__version__, MANIFEST, judge)
