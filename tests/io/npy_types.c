/* SPDX-License-Identifier: Apache-2.0 */
#include "npy_types.h"

const npy_type npy_types[NPY_TYPES] = {
    {"b1", SPW_BOOL, 1, 1},      {"u1", SPW_UINT8, 1, 1},   {"i1", SPW_INT8, 1, 1},    {"i2", SPW_INT16, 2, 2},
    {"i4", SPW_INT32, 4, 4},     {"i8", SPW_INT64, 8, 8},   {"f2", SPW_FLOAT16, 2, 2}, {"f4", SPW_FLOAT32, 4, 4},
    {"f8", SPW_FLOAT64, 8, 8},   {"c8", SPW_COMPLEX64, 8, 4}, {"c16", SPW_COMPLEX128, 16, 8}};

void mirror(const unsigned char *from, size_t size, size_t width, unsigned char *to)
{
  for (size_t i = 0; i < size; i++) to[i] = from[i / width * width + (width - 1 - i % width)];
}
