# SPDX-License-Identifier: Apache-2.0
"""Every two faults together that do not hide each other, on one matrix: what is checked first must
not matter, and a check must not fall over what another one would have found. Each case is
(what, tensor, rules, flags)."""
from copy import deepcopy
from itertools import combinations

from cases.tensors import compressed_tensor, coo_tensor, values_array

# row 0: 1 4 6    row 1: nothing    row 2: 0 2 5    row 3: 3 6
GRID = (4, 7)
COMPRESSED = [0, 3, 3, 6, 8]
PLAIN = [1, 4, 6, 0, 2, 5, 3, 6]
COO = [[0, 0, 2, 2, 2], [1, 4, 0, 2, 6]]


def cases(layout, index_dtype):
    faults = coo_faults() if layout == "coo" else compressed_faults()
    for (rule, spoil, flags), (rule_2, spoil_2, flags_2) in combinations(faults, 2):
        if {rule, rule_2} == {"1.2", "1.3"}:  # 1.3 judges the type that both should have
            continue
        tensor = base(layout, index_dtype)
        spoil(tensor)
        spoil_2(tensor)
        yield f"with-{rule_2}", tensor, [rule, rule_2], [*flags, *flags_2]
    if layout != "coo":
        tensor = base(layout, index_dtype)
        for _, spoil, _ in compressed_faults():
            if spoil is not narrow_indices:
                spoil(tensor)
        rules = [rule for rule, spoil, _ in compressed_faults() if spoil is not narrow_indices]
        yield "with-all-others", tensor, rules, [
            flag for _, _, flags in compressed_faults() for flag in flags]


def base(layout, index_dtype):
    if layout == "coo":
        return deepcopy(coo_tensor(index_dtype, (3, 7), COO, coalesced=True))
    return deepcopy(compressed_tensor(layout, index_dtype, GRID, COMPRESSED, PLAIN))


def compressed_faults():
    """Each works whatever the others before it have done."""
    return (("1.2", mixed_indices, ["mixed-index-dtypes"]),
            ("1.3", narrow_indices, ["narrow-index-dtype"]),
            ("3.8", one_offset_more, []), ("3.10", one_value_less, []),
            ("3.5", compressed_spaced, ["strided-indices"]),
            ("3.6", plain_spaced, ["strided-indices"]),
            ("3.14", values_beyond, ["out-of-storage"]),
            ("5.1", first_offset, []), ("5.2", last_offset, []), ("5.3", falling_offset, []),
            ("5.4", negative_index, []), ("5.5", large_index, []), ("5.6", swapped, ["unsorted"]))


def mixed_indices(tensor):
    plain = tensor["plain_indices"]
    plain["dtype"] = "int64" if plain["dtype"] == "int32" else "int32"


def narrow_indices(tensor):
    for member in ("compressed_indices", "plain_indices"):
        tensor[member]["dtype"] = "int16"


def one_offset_more(tensor):
    offsets = tensor["compressed_indices"]
    offsets["data"].append(offsets["data"][-1])
    offsets["shape"] = [len(offsets["data"])]


def one_value_less(tensor):
    shape = tensor["values"]["shape"]
    tensor["values"] = values_array("float32", [shape[0] - 1, *shape[1:]])


def compressed_spaced(tensor):
    spaced(tensor["compressed_indices"])


def plain_spaced(tensor):
    spaced(tensor["plain_indices"])


def spaced(member):
    member["data"] = [index for index in member["data"] for _ in range(2)]
    member["strides"] = [2]


def values_beyond(tensor):
    tensor["values"]["offset"] = 1


def put(member, k, index):
    step = member.get("strides", [1])[0]
    for k in range(k * step, (k + 1) * step):
        member["data"][k] = index


def first_offset(tensor):
    put(tensor["compressed_indices"], 0, 1)


def last_offset(tensor):
    put(tensor["compressed_indices"], 4, 9)


def falling_offset(tensor):
    put(tensor["compressed_indices"], 1, 4)


def negative_index(tensor):
    put(tensor["plain_indices"], 0, -1)


def large_index(tensor):
    put(tensor["plain_indices"], 7, 7)


def swapped(tensor):
    put(tensor["plain_indices"], 3, 2)
    put(tensor["plain_indices"], 4, 0)


def coo_faults():
    return (("1.3", coo_narrow, ["narrow-index-dtype"]), ("6.2", one_value_less, []),
            ("3.14", values_beyond, ["out-of-storage"]), ("6.5", coo_negative, []),
            ("6.6", coo_large, []), ("6.7", coo_swapped, ["unsorted"]))


def coo_narrow(tensor):
    tensor["indices"]["dtype"] = "int16"


def coo_negative(tensor):
    tensor["indices"]["data"][0] = -1


def coo_large(tensor):
    tensor["indices"]["data"][9] = 7


def coo_swapped(tensor):
    data = tensor["indices"]["data"]
    data[7], data[8] = data[8], data[7]
