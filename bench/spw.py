# SPDX-License-Identifier: Apache-2.0
"""The public header for ctypes: structures, numbers, tensors whose arrays are NumPy's."""
import ctypes
import sys

import numpy as np

POINTER = ctypes.c_void_p
I64 = ctypes.c_int64
OK, CANONICAL = 0, 3
LAYOUT = {"coo": 0, "csr": 1, "csc": 2, "bsr": 3, "bsc": 4, "dense": 5}
CLAIM_NONE, CLAIM_YES = -1, 1
DTYPE = {"int8": 3, "int32": 5, "int64": 6, "float16": 7, "float32": 9, "float64": 10}


class Array(ctypes.Structure):
    _fields_ = [("dtype", ctypes.c_int), ("ndim", I64), ("shape", POINTER), ("strides", POINTER),
                ("offset", I64), ("length", I64)]


class IndexArray(ctypes.Structure):
    _fields_ = [("array", Array), ("i32", POINTER), ("i64", POINTER), ("raw", POINTER)]


class ValueArray(ctypes.Structure):
    _fields_ = [("array", Array), ("data", POINTER)]


class RawTensor(ctypes.Structure):
    _fields_ = [("layout", ctypes.c_int), ("has_size", ctypes.c_bool), ("ndim", I64), ("size", POINTER),
                ("index_dtype", ctypes.c_int), ("dtype", ctypes.c_int), ("coalesced", ctypes.c_int),
                ("compressed", IndexArray), ("plain", IndexArray), ("values", ValueArray)]


class Conversion(ctypes.Structure):
    _fields_ = [("layout", ctypes.c_int), ("block_rows", I64), ("block_columns", I64), ("batch_dims", I64),
                ("dense_dims", I64), ("index_dtype", ctypes.c_int), ("duplicates", ctypes.c_int),
                ("prune", ctypes.c_bool), ("bits", ctypes.c_bool), ("canonicalize", ctypes.c_bool)]


class Room(ctypes.Structure):
    _fields_ = [("index_dtype", ctypes.c_int), ("dtype", ctypes.c_int), ("nse", I64), ("dims", I64),
                ("compressed", I64), ("plain", I64), ("values", I64), ("work", ctypes.c_size_t)]


class RawBuffers(ctypes.Structure):
    _fields_ = [("dims", POINTER), ("compressed_i32", POINTER), ("plain_i32", POINTER), ("compressed_i64", POINTER),
                ("plain_i64", POINTER), ("values", POINTER), ("work", POINTER), ("room", Room)]


class Output(ctypes.Structure):
    _fields_ = [("array", Array), ("data", POINTER)]


class Factors(ctypes.Structure):
    _fields_ = [("alpha", POINTER), ("beta", POINTER), ("threads", ctypes.c_int)]


class Elementwise(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int), ("scalar", POINTER), ("duplicates", ctypes.c_int), ("threads", ctypes.c_int),
                ("upper_bound", ctypes.c_bool)]


class Reduction(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int), ("span", ctypes.c_int)]


class UnaryRequest(ctypes.Structure):
    _fields_ = [("function", ctypes.c_int), ("dtype", ctypes.c_int), ("scalar", POINTER), ("nan", POINTER), ("posinf", POINTER),
                ("neginf", POINTER), ("duplicates", ctypes.c_int)]


class Prepared(ctypes.Structure):
    _fields_ = [("matrix", RawTensor), ("blocks", RawTensor), ("has_blocks", ctypes.c_bool),
                ("stripes", RawTensor), ("has_stripes", ctypes.c_bool)]


STRUCTURES = {"spw_array": Array, "spw_index_array": IndexArray, "spw_value_array": ValueArray, "spw_tensor": RawTensor,
              "spw_conversion": Conversion, "spw_room": Room, "spw_buffers": RawBuffers,
              "spw_output": Output, "spw_factors": Factors, "spw_prepared": Prepared,
              "spw_elementwise_request": Elementwise, "spw_reduction": Reduction,
              "spw_unary_request": UnaryRequest}


class Fact(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("number", I64)]


def facts_of_header(lib):
    """What the compiler of bench/cases.c says of the public header: {name: number}."""
    facts = {}
    for fact in (Fact * 1000).in_dll(lib, "bench_facts"):
        if fact.name is None:
            return facts
        facts[fact.name.decode()] = fact.number
    raise ValueError("bench_facts does not end")


def check_header(lib, structures, numbers):
    """The structures above, and those given, are those of the compiler, or every figure would be about something else."""
    ours = {"SPW_OK": OK, "SPW_CANONICAL": CANONICAL, "SPW_CLAIM_NONE": CLAIM_NONE, "SPW_CLAIM_YES": CLAIM_YES}
    ours |= {"SPW_" + name.upper(): number for name, number in (LAYOUT | DTYPE).items()} | numbers
    for name, structure in (STRUCTURES | structures).items():
        ours[name] = ctypes.sizeof(structure)
        ours |= {f"{name}.{field}": getattr(structure, field).offset for field, _ in structure._fields_}
    theirs = facts_of_header(lib)
    differences = sorted(name for name in ours.keys() | theirs.keys() if ours.get(name) != theirs.get(name))
    if differences:
        sys.exit("bench: not as the compiler has it: "
                 + ", ".join(f"{name} {ours.get(name)}, compiled {theirs.get(name)}" for name in differences))


class Tensor:
    """A view (.raw) of NumPy's arrays, which it keeps; `compressed` and `plain` as the layout has them."""

    def __init__(self, layout, size, compressed=None, plain=None, values=None, claim=CLAIM_NONE):
        self.kept = []
        self.raw = raw = RawTensor(layout=LAYOUT[layout], has_size=True, ndim=len(size), coalesced=claim)
        raw.size = self.numbers(size)
        for member, data in (raw.compressed, compressed), (raw.plain, plain):
            if data is not None:
                self.describe(member.array, data)
                setattr(member, "i32" if data.dtype == np.int32 else "i64", data.ctypes.data)
        self.describe(raw.values.array, values)
        raw.values.data = values.ctypes.data
        self.reference = ctypes.byref(raw)

    def numbers(self, entries):
        self.kept.append(np.array(entries, np.int64))
        return self.kept[-1].ctypes.data

    def describe(self, array, data):
        self.kept.append(data)
        array.dtype, array.ndim, array.offset, array.length = DTYPE[str(data.dtype)], data.ndim, 0, data.size
        array.shape, array.strides = self.numbers(data.shape), self.numbers([s // data.itemsize for s in data.strides])


class Buffers:
    """Room for a conversion, every page of it touched. .arrays: compressed, plain, values."""

    def __init__(self, room, index, value):
        self.dims = np.zeros(room.dims, np.int64)
        self.arrays = tuple(np.ones(n, dtype) for n, dtype in
                            ((room.compressed, index), (room.plain, index), (room.values, value)))
        self.work = np.ones((room.work + 7) // 8, np.uint64)
        compressed, plain, values = (array.ctypes.data for array in self.arrays)
        self.raw = RawBuffers(dims=self.dims.ctypes.data, values=values, work=self.work.ctypes.data, room=room)
        suffix = "i32" if index == "int32" else "i64"
        setattr(self.raw, "compressed_" + suffix, compressed)
        setattr(self.raw, "plain_" + suffix, plain)
        self.reference = ctypes.byref(self.raw)
