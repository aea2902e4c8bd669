/* SPDX-License-Identifier: Apache-2.0 */
#include "values.h"
#include "indices/lookup/scalars_of.h"
#include "../core/size.h"

#include <string.h>

int64_t spw_count_values(const spw_array *a)
{
  const int64_t n = spw_product(a->shape, a->ndim);
  return n < 0 ? INT64_MAX : n;
}

const char *spw_value_at(const spw_value_array *values, int64_t place)
{
  const char *data = values->data;
  const int64_t bytes = place * spw_dtype_size(values->array.dtype);
  return bytes == 0 ? data : data + bytes;
}

bool spw_is_aligned(const void *data, spw_dtype dtype)
{
  return (uintptr_t)data % spw_alignment(dtype) == 0;
}

/* As they are moved: a complex64 is a word of 8 bytes then. */
static bool is_movable(const spw_value_array *values)
{
  const int64_t bytes = spw_dtype_size(values->array.dtype);
  return (uintptr_t)values->data % (uintptr_t)(bytes > 8 ? 8 : bytes) == 0;
}

bool spw_elements_in_order(const spw_value_array *values)
{
  return is_movable(values) && spw_lies_in_order(&values->array);
}

bool spw_values_in_order(const spw_value_array *values)
{
  return spw_count_values(&values->array) == 0 || spw_elements_in_order(values);
}

/* Dimensions of more than one index: of an array that has elements, no more of them than an int64 can count. */
typedef struct few_dims {
  int64_t ndim, shape[63], strides[63];
} few_dims;

static few_dims few_dims_of(const spw_array *a)
{
  few_dims few = {.ndim = 0};
  for (int64_t d = 0; d < a->ndim && few.ndim < 63; d++) {
    if (a->shape[d] == 1) continue;
    few.shape[few.ndim] = a->shape[d];
    few.strides[few.ndim++] = a->strides[d];
  }
  return few;
}

void spw_pack_values(const spw_value_array *values, char *to)
{
  const spw_array *a = &values->array;
  const int64_t n = spw_count_values(a);
  if (n == 0) return;
  const few_dims few = few_dims_of(a);
  const int64_t outer = few.ndim > 0 ? few.ndim - 1 : 0;
  const int64_t run = few.ndim > 0 ? few.shape[outer] : 1, stride = few.ndim > 0 ? few.strides[outer] : 1;
  const size_t bytes = (size_t)spw_dtype_size(a->dtype);
  for (int64_t k = 0; k < n; k += run) {
    const char *from = spw_value_at(values, a->offset + spw_position_of(few.shape, few.strides, outer, k / run));
    for (int64_t i = 0; i < run; i++, to += bytes) memcpy(to, from + (size_t)(i * stride) * bytes, bytes);
  }
}

static bool any_byte(const char *bytes, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (bytes[i]) return true;
  return false;
}

/* Floating point of `bytes` bytes each: any bit but the sign. */
static bool any_magnitude(const char *scalars, int64_t n, size_t bytes)
{
  for (int64_t i = 0; i < n; i++, scalars += bytes) {
    uint64_t bits = 0;
    if (bytes == 2) {
      uint16_t half;
      memcpy(&half, scalars, 2);
      bits = half & 0x7fffu;
    } else if (bytes == 4) {
      uint32_t single;
      memcpy(&single, scalars, 4);
      bits = single & 0x7fffffffu;
    } else {
      memcpy(&bits, scalars, 8);
      bits &= INT64_MAX;
    }
    if (bits) return true;
  }
  return false;
}

bool spw_any_nonzero(const char *scalars, int64_t n, spw_dtype dtype, bool bits)
{
  const int64_t bytes = spw_dtype_size(dtype);
  if (n == 0) return false;
  if (!bits)
    switch (dtype) {
    case SPW_FLOAT16: case SPW_BFLOAT16: return any_magnitude(scalars, n, 2);
    case SPW_FLOAT32: return any_magnitude(scalars, n, 4);
    case SPW_COMPLEX64: return any_magnitude(scalars, 2 * n, 4);
    case SPW_FLOAT64: return any_magnitude(scalars, n, 8);
    case SPW_COMPLEX128: return any_magnitude(scalars, 2 * n, 8);
    default: break;
    }
  return any_byte(scalars, (size_t)(n * bytes));
}
