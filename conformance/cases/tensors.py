# SPDX-License-Identifier: Apache-2.0
"""Builds tensors as the JSON objects of tensor files, valid ones if the arguments are."""
from math import prod

BLOCKED = ("bsr", "bsc")
BLOCK = (2, 3)
INT_MAX = {"int32": 2**31 - 1, "int64": 2**63 - 1}
INT_MIN = {"int32": -(2**31), "int64": -(2**63)}


def array(dtype, shape, data, **layout):
    """layout: strides, offset."""
    return {"dtype": dtype, "shape": list(shape), **layout, "data": list(data)}


def filled(dtype, shape, length, fill, **layout):
    return {"dtype": dtype, "shape": list(shape), **layout, "length": length, "fill": fill}


def values_array(dtype, shape):
    """Small integers, which every element type can hold."""
    if prod(shape) > 1000:
        return filled(dtype, shape, prod(shape), 1)
    numbers = [1 + k % 7 for k in range(prod(shape))]
    if dtype.startswith("complex"):
        numbers = [[n, -n] for n in numbers]
    elif dtype == "bool":
        numbers = [n % 2 for n in numbers]
    return array(dtype, shape, numbers)


def block_of(layout):
    return BLOCK if layout in BLOCKED else (1, 1)


def grid_size(layout, c, p, block):
    """Rows and columns of c compressed by p plain rows, columns or blocks."""
    rows, columns = (c, p) if layout in ("csr", "bsr") else (p, c)
    return [rows * block[0], columns * block[1]]


def compressed_tensor(layout, index_dtype, grid, compressed, plain,
                      batch=(), dense=(), dtype="float32", block=None):
    """grid is (C, P). compressed and plain are flat lists, all batches in a row."""
    block = block or block_of(layout)
    batches = prod(batch)
    nse = len(plain) // batches if batches else 0
    offsets = len(compressed) // batches if batches else grid[0] + 1
    blocks = list(block) if layout in BLOCKED else []
    return {
        "spw": 1,
        "layout": layout,
        "size": [*batch, *grid_size(layout, *grid, block), *dense],
        "compressed_indices": array(index_dtype, [*batch, offsets], compressed),
        "plain_indices": array(index_dtype, [*batch, nse], plain),
        "values": values_array(dtype, [*batch, nse, *blocks, *dense]),
    }


def coo_tensor(index_dtype, size, indices, nse=None, dense=(), dtype="float32", coalesced=None):
    """indices: one list per sparse dimension. nse is needed only if there is none."""
    nse = len(indices[0]) if indices else nse
    tensor = {"spw": 1, "layout": "coo", "size": [*size, *dense]}
    if coalesced is not None:
        tensor["coalesced"] = coalesced
    flat = [index for row in indices for index in row]
    tensor["indices"] = array(index_dtype, [len(indices), nse], flat)
    tensor["values"] = values_array(dtype, [nse, *dense])
    return tensor
