# SPDX-License-Identifier: Apache-2.0
"""Arrays of tensor files as NumPy arrays. Each storage ends where an unreadable page begins, so
that a library that reads past the end crashes every time, and not only when it is unlucky."""
import ctypes
import mmap
import struct

import numpy as np

PAGE = mmap.PAGESIZE
PROT_NONE = 0
DTYPES = ("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64",
          "complex64", "complex128")
_libc = ctypes.CDLL(None, use_errno=True)


class CannotExpress(Exception):
    """NumPy has no such array, or it would reach outside its storage."""


def numpy_array(member):
    if member["dtype"] not in DTYPES:
        raise CannotExpress(f"NumPy has no {member['dtype']}")
    dtype = np.dtype(member["dtype"])
    shape = member["shape"]
    if any(entry < 0 for entry in shape):
        raise CannotExpress("negative shape")
    strides = member.get("strides") or row_major(shape)
    offset = member.get("offset", 0)
    length = member["length"] if "length" in member else len(member["data"])
    require_inside(shape, strides, offset, length)
    storage = guarded_storage(dtype, length)
    storage[:] = [element(member["fill"], dtype)] if "fill" in member \
        else [element(value, dtype) for value in member["data"]]
    # Steps of a dimension that has none do not matter, but might not fit.
    steps = [stride * dtype.itemsize if extent > 1 else dtype.itemsize
             for stride, extent in zip(strides, shape)]
    return np.ndarray(shape, dtype, buffer=storage, offset=offset * dtype.itemsize,
                      strides=None if 0 in shape else steps)


def row_major(shape):
    strides = [1] * len(shape)
    for d in reversed(range(len(shape) - 1)):
        strides[d] = strides[d + 1] * shape[d + 1]
    return strides


def require_inside(shape, strides, offset, length):
    """Exact: Python's integers do not wrap."""
    if 0 in shape:
        if not 0 <= offset <= length:
            raise CannotExpress("an offset outside the storage")
        return
    reach = [(extent - 1) * stride for extent, stride in zip(shape, strides)]
    first = offset + sum(step for step in reach if step < 0)
    last = offset + sum(step for step in reach if step > 0)
    if first < 0 or last >= length:
        raise CannotExpress("an array outside its storage")


class _Guarded:
    """Memory of whole pages, the last of which may not be touched."""

    def __init__(self, dtype, length):
        size = dtype.itemsize * length
        pages = -(-size // PAGE) * PAGE
        self.memory = mmap.mmap(-1, pages + PAGE)
        start = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))
        if _libc.mprotect(ctypes.c_void_p(start + pages), ctypes.c_size_t(PAGE), PROT_NONE) != 0:
            raise OSError(ctypes.get_errno(), "mprotect")
        self.__array_interface__ = {"version": 3, "shape": (length,), "typestr": dtype.str,
                                    "data": (start + pages - size, False)}


def guarded_storage(dtype, length):
    return np.asarray(_Guarded(dtype, length))


def element(value, dtype):
    """A number of a tensor file, which may be text or a pair."""
    if isinstance(value, list):
        return complex(real(value[0], dtype), real(value[1], dtype))
    return real(value, dtype)


def real(value, dtype):
    if not isinstance(value, str):
        return value
    if value.startswith("bits:"):
        bits = bytes.fromhex(value[len("bits:"):])
        return struct.unpack({2: ">e", 4: ">f", 8: ">d"}[len(bits)], bits)[0]
    return float.fromhex(value) if "0x" in value else float(value)
