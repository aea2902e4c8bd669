# SPDX-License-Identifier: Apache-2.0
"""Flags for libraries that take bare pointers to two-dimensional matrices: what they cannot be
told, and what not all of them have."""

LARGE = 2**24


def bare_flags(tensor):
    """Nothing but the arrays' shapes, the size and the last offset is looked at."""
    blocked = tensor["layout"] in ("bsr", "bsc")
    shape = {name: member["shape"] for name, member in tensor.items() if isinstance(member, dict)}
    size, values = tensor.get("size", [0, 0]), shape["values"]
    if any(extent > LARGE for extent in size):
        yield "large-size"
    other_members = dimensions(tensor["layout"], shape)
    if len(size) != 2 or len(values) != (3 if blocked else 1) or other_members:
        yield "not-2d"
        return
    block = values[1:] if blocked else [1, 1]
    if block[0] != block[1]:
        yield "blocks-not-square"
    if any(part < 1 or extent % part for part, extent in zip(block, size)):
        yield "block-size"
        return
    grid = [extent // part for part, extent in zip(block, size)]
    if tensor["layout"] != "coo":
        lines_first = grid if tensor["layout"] in ("csr", "bsr") else grid[::-1]
        yield from compressed_flags(tensor, shape, *lines_first)
    elif shape["indices"][1] != values[0]:
        yield "array-lengths"


def dimensions(layout, shape):
    if layout == "coo":
        return len(shape["indices"]) != 2 or shape["indices"][0] != 2
    return len(shape["compressed_indices"]) != 1 or len(shape["plain_indices"]) != 1


def compressed_flags(tensor, shape, lines, plain_size):
    nse, offsets = shape["plain_indices"][0], tensor["compressed_indices"].get("data", [])
    lengths_fit = shape["compressed_indices"][0] == lines + 1 and shape["values"][0] == nse
    if not lengths_fit or ("size" in tensor and offsets and offsets[-1] > nse):
        yield "array-lengths"
    if lines > plain_size:
        yield "tall"


def argument_flags(arguments):
    block = arguments.get("blocksize", [1, 1])
    if block[0] != block[1]:
        yield "blocks-not-square"
