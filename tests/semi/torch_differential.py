#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""torch_differential.py [MATRICES [LIBRARY]]: encodes random 2:4 matrices with PyTorch's converter on the CPU and with
spw_semi_encode, and decodes them with both: packed elements and metadata must have the same bits. Says what PyTorch does to
matrices that are not 2:4. LIBRARY is build/libsparsewright.so unless named. Without torch it is skipped."""
import ctypes
import random
import sys
from pathlib import Path

try:
    import torch
    from torch.sparse import _semi_structured_conversions as conversions
except ImportError:
    print("skipped: there is no torch")
    sys.exit(0)

ROOT = Path(__file__).resolve().parent.parent.parent
INT8, FLOAT16, BFLOAT16, FLOAT32 = 3, 7, 8, 9  # spw_dtype
CUTLASS = 1
TYPES = {torch.int8: INT8, torch.float16: FLOAT16, torch.bfloat16: BFLOAT16, torch.float32: FLOAT32}


class Array(ctypes.Structure):
    _fields_ = [("dtype", ctypes.c_int), ("ndim", ctypes.c_int64), ("shape", ctypes.c_void_p), ("strides", ctypes.c_void_p),
                ("offset", ctypes.c_int64), ("length", ctypes.c_int64)]


class Request(ctypes.Structure):
    _fields_ = [("order", ctypes.c_int), ("dtype", ctypes.c_int), ("bits", ctypes.c_bool)]


def views(library):
    """Functions of the library with room for what they fill: views are no larger than this."""
    library.spw_dense.restype = ctypes.c_void_p
    library.spw_dense.argtypes = [ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_int, ctypes.c_void_p]
    library.spw_semi_of.restype = ctypes.c_void_p
    library.spw_semi_of.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int64, ctypes.c_int64, ctypes.c_int, ctypes.c_void_p,
                                    ctypes.c_void_p]
    library.spw_semi_encode.argtypes = [ctypes.c_void_p] * 5
    library.spw_semi_decode.argtypes = [ctypes.c_void_p] * 3
    return ctypes.create_string_buffer(4096), ctypes.create_string_buffer(4096)


def some_matrix(dtype, rows, columns, generator, most):
    """A matrix of which every group has at most so many elements that are not zero; of float32, every pair half of that."""
    side = 2 if dtype == torch.float32 else 4
    groups = rows * columns // side
    values = torch.randint(-127, 128, (groups, side), generator=generator).to(dtype)
    keep = torch.rand((groups, side), generator=generator).argsort(-1) < most * side // 4
    keep &= torch.rand((groups, side), generator=generator) < 0.8
    return torch.where(keep, values, torch.zeros_like(values)).reshape(rows, columns).contiguous()


def same_bits(a, b):
    return torch.equal(a.contiguous().view(torch.int8), b.contiguous().view(torch.int8))


def compare(library, room, dtype, dense):
    """The statuses and what differs."""
    rows, columns = dense.shape
    packed, metadata = conversions.sparse_semi_structured_from_dense_cutlass(dense)
    own_packed, own_metadata, back = torch.empty_like(packed), torch.empty_like(metadata), torch.empty_like(dense)
    tensor = library.spw_dense(room[0], rows, columns, TYPES[dtype], dense.data_ptr())
    request = Request(CUTLASS, 0, False)
    status = library.spw_semi_encode(tensor, ctypes.byref(request), own_packed.data_ptr(), own_metadata.data_ptr(), None)
    if status != 0:
        return status, None
    semi = library.spw_semi_of(room[1], CUTLASS, rows, columns, TYPES[dtype], own_packed.data_ptr(), own_metadata.data_ptr())
    decoded = library.spw_semi_decode(semi, back.data_ptr(), None)
    theirs = conversions.sparse_semi_structured_to_dense_cutlass(packed, metadata)
    return decoded, same_bits(packed, own_packed) and same_bits(metadata, own_metadata) and same_bits(back, dense) and same_bits(theirs, back)


def main():
    matrices = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    library = ctypes.CDLL(str(Path(sys.argv[2] if len(sys.argv) > 2 else ROOT / "build/libsparsewright.so").resolve()))
    room, generator, draw = views(library), torch.Generator().manual_seed(1), random.Random(1)
    torch.set_num_threads(1)
    lost = full = 0
    for number in range(matrices):
        dtype = list(TYPES)[number % len(TYPES)]
        rows, columns = 32 * draw.choice((1, 1, 1, 2, 3)), 64 * draw.choice((1, 1, 2, 3))
        dense = some_matrix(dtype, rows, columns, generator, 2)
        status, same = compare(library, room, dtype, dense)
        assert status == 0 and same, f"matrix {number}, {dtype}, {rows} x {columns}: status {status}"
        if number % 10 == 0:
            dense = some_matrix(dtype, rows, columns, generator, 4)
            status, _ = compare(library, room, dtype, dense)
            assert status == -7, f"not 2:4, and status {status}"
            full += 1
            packed, metadata = conversions.sparse_semi_structured_from_dense_cutlass(dense)
            lost += not torch.equal(conversions.sparse_semi_structured_to_dense_cutlass(packed, metadata), dense)
    print(f"torch {torch.__version__}: {matrices} matrices have the same packed elements, metadata and decoded elements; "
          f"of {full} that are not 2:4, which spw_semi_encode refuses, PyTorch changes {lost} without an error")


if __name__ == "__main__":
    main()
