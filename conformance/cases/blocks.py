# SPDX-License-Identifier: Apache-2.0
"""Square blocks of more than one element. Only what is in them tells their rows from their columns, so that no block is
symmetric; and a library whose blocks have one size is asked them as well. Each case is a dict, as in operations."""
from cases.model import Model
from cases.more import of_matrix
from cases.operations import (ALL_DTYPES, INDEX_DTYPES, LAYOUTS, all_operations, blocksize, case, expectation, from_dense,
                              moves, numbered, scattered)
from cases.tensors import BLOCKED

DTYPE = "float64"


def cases():
    two = asymmetric(Model("square-blocks-2", (4, 6), numbered(scattered(4, 6, 11, 79)), (2, 2)))
    three = asymmetric(Model("square-blocks-3", (6, 9), numbered(scattered(6, 9, 16, 74)), (3, 3)))
    for k, model in enumerate((two, three)):
        for j, layout in enumerate(BLOCKED):
            yield from all_operations(model, layout, INDEX_DTYPES[(k + j) % 2], DTYPE)
            yield from from_dense(model, layout, DTYPE)
        for j, layout in enumerate(LAYOUTS[:3]):
            yield from to_blocks(model, layout, INDEX_DTYPES[(k + j) % 2])
    for j, layout in enumerate(BLOCKED):
        yield from of_matrix(three, layout, INDEX_DTYPES[j], DTYPE)
        for k, dtype in enumerate(sorted({*ALL_DTYPES} - {DTYPE})):
            yield from moves(two, layout, INDEX_DTYPES[(k + j) % 2], dtype)


def to_blocks(model, layout, index_dtype):
    for to in BLOCKED:
        yield case("convert", model, layout, index_dtype, DTYPE,
                   expectation(model, layout, model.dense(DTYPE), layout=to), f"to-{to}",
                   arguments={"to": to, **blocksize(model, to)})


def asymmetric(model):
    """The model, if each of its blocks has a row that is not its column, in every type: bool, too."""
    rows, width = model.grid("bool"), model.block[0]
    for r in range(0, model.size[0], width):
        for c in range(0, model.size[1], width):
            block = [row[c:c + width] for row in rows[r:r + width]]
            if any(map(any, block)) and block == [list(column) for column in zip(*block)]:
                raise ValueError(f"{model.name}: the block at {r}, {c} is symmetric")
    return model
