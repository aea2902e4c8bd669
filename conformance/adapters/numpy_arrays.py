# SPDX-License-Identifier: Apache-2.0
"""Arrays of tensor files as NumPy arrays, and back. Each storage lies beside an unreadable page, so
that a library that reads past its end crashes every time, and not only when it is unlucky."""
import ctypes
import mmap
from math import prod
from types import SimpleNamespace

import numpy as np

from protocol import Unsupported

PAGE = mmap.PAGESIZE
PROT_NONE = 0
DTYPES = ("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64",
          "complex64", "complex128")
PARTS = {"complex64": "float32", "complex128": "float64"}
_libc = ctypes.CDLL(None, use_errno=True)


class CannotExpress(Unsupported):
    """NumPy has no such array, or it would reach outside its storage."""


def numpy_array(member, guard="after"):
    """The array of a member of a tensor file, its storage beside an unreadable page."""
    storage = storage_of(member, guard)
    shape, strides, offset = layout_of(member)
    dtype = storage.dtype
    # Without elements the offset may be any number; steps of a dimension that has none do not matter, but might not fit.
    places = {} if 0 in shape else {"offset": offset * dtype.itemsize,
                                    "strides": [stride * dtype.itemsize if extent > 1 else dtype.itemsize
                                                for stride, extent in zip(strides, shape)]}
    try:
        return np.ndarray(shape, dtype, buffer=storage, **places)
    except ValueError as error:  # the product of a shape with a 0 in it does not fit
        raise CannotExpress(str(error)) from None


def storage_of(member, guard):
    """The elements of a member that lie in its storage. bfloat16 comes as its bits, in int16."""
    name = member["dtype"]
    if name not in DTYPES and name != "bfloat16":
        raise CannotExpress(f"NumPy has no {name}")
    shape, strides, offset = layout_of(member)
    if any(entry < 0 for entry in shape):
        raise CannotExpress("negative shape")
    length = member["length"] if "length" in member else len(member["data"])
    require_inside(shape, strides, offset, length)
    dtype = np.dtype("int16" if name == "bfloat16" else name)
    storage = guarded_storage(dtype, length, guard)
    data = [member["fill"]] * bool(length) if "fill" in member else member["data"]
    storage[:] = np.frombuffer(b"".join(element(value, name) for value in data), dtype)
    return storage


def members_of(question, key="tensor"):
    """The arrays of a tensor by their names in the file, and its size, or None, as a tuple."""
    tensor, guard = question[key], question.get("guard", "after")
    names = ("indices",) if tensor["layout"] == "coo" else ("compressed_indices", "plain_indices")
    found = SimpleNamespace(**{name: numpy_array(tensor[name], guard) for name in (*names, "values")})
    found.layout, found.size = tensor["layout"], tuple(tensor["size"]) if "size" in tensor else None
    return found


def guarded_copy(array, dtype, guard):
    """A contiguous copy beside an unreadable page, for libraries that take one type only."""
    copy = guarded_storage(np.dtype(dtype), array.size, guard)
    copy[:] = array.ravel()
    return copy.reshape(array.shape)


def layout_of(member):
    """Shape, strides and offset, in elements."""
    return (member["shape"], member.get("strides") or row_major(member["shape"]),
            member.get("offset", 0))


def is_small(shape):
    """Is a dense array of that shape worth making? Larger ones only test the machine."""
    return prod(shape) <= 1 << 20


def array_member(array):
    """An array as a member of a tensor file, contiguous and row-major."""
    array = np.asarray(array)
    flat = array.ravel(order="C")
    return {"dtype": array.dtype.name, "shape": list(array.shape),
            "data": [json_element(value) for value in flat.tolist()]
            if not has_nan(flat) else [exact_element(value) for value in flat]}


def dense_result(array):
    return {"dense": array_member(array)}


def has_nan(array):
    return array.dtype.kind in "fc" and bool(np.isnan(array).any())


def json_element(value):
    """A Python number that is not NaN as an element of a tensor file."""
    if isinstance(value, complex):
        return [json_element(value.real), json_element(value.imag)]
    if isinstance(value, float):
        if value in (float("inf"), float("-inf")):
            return "inf" if value > 0 else "-inf"
        return value  # -0.0 stays -0.0
    return value


def exact_element(value):
    """A NumPy scalar as bits, so that NaN keeps its payload."""
    if value.dtype.kind == "c":
        return [exact_element(value.real), exact_element(value.imag)]
    return "bits:" + value.tobytes()[::-1].hex()


def row_major(shape):
    strides = [1] * len(shape)
    for d in reversed(range(len(shape) - 1)):
        strides[d] = strides[d + 1] * shape[d + 1]
    return strides


def require_inside(shape, strides, offset, length):
    """Exact: Python's integers do not wrap."""
    if 0 in shape:
        if offset < 0:
            raise CannotExpress("a negative offset")
        return
    reach = [(extent - 1) * stride for extent, stride in zip(shape, strides)]
    first = offset + sum(step for step in reach if step < 0)
    last = offset + sum(step for step in reach if step > 0)
    if first < 0 or last >= length:
        raise CannotExpress("an array outside its storage")


class _Guarded:
    """Memory of whole pages beside one that may not be touched: behind it, or in front of it."""

    def __init__(self, dtype, length, guard):
        size = dtype.itemsize * length
        pages = -(-size // PAGE) * PAGE
        self.memory = mmap.mmap(-1, pages + PAGE)
        start = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))
        wall, data = (start, start + PAGE) if guard == "before" else (start + pages, start + pages - size)
        if _libc.mprotect(ctypes.c_void_p(wall), ctypes.c_size_t(PAGE), PROT_NONE) != 0:
            raise OSError(ctypes.get_errno(), "mprotect")
        self.__array_interface__ = {"version": 3, "shape": (length,), "typestr": dtype.str,
                                    "data": (data, False)}


def guarded_storage(dtype, length, guard="after"):
    return np.asarray(_Guarded(dtype, length, guard))


def element(value, dtype):
    """The bytes of a number of a tensor file, which may be text or a pair."""
    if dtype in PARTS:
        pair = value if isinstance(value, list) else [value, 0]
        return b"".join(element(part, PARTS[dtype]) for part in pair)
    if isinstance(value, str) and value.startswith("bits:"):
        return bytes.fromhex(value[len("bits:"):])[::-1]
    if isinstance(value, str):
        value = float.fromhex(value) if "0x" in value else float(value)
    if dtype == "bfloat16":
        return np.float32(value).tobytes()[2:]
    return np.array(value, dtype).tobytes()
