/* SPDX-License-Identifier: Apache-2.0 */
#include "shape.h"

int64_t *spw_take_numbers(int64_t **dims, int64_t n)
{
  int64_t *const numbers = *dims;
  if (n > 0) *dims += n;
  return numbers;
}

spw_shape spw_take_shape(int64_t **dims, int64_t ndim)
{
  spw_shape s = {.ndim = ndim};
  s.entries = spw_take_numbers(dims, ndim);
  s.strides = spw_take_numbers(dims, ndim);
  return s;
}

spw_array spw_array_of(spw_dtype dtype, spw_shape s)
{
  int64_t length = 1;
  for (int64_t d = 0; d < s.ndim; d++) length = s.entries[d] == 0 ? 0 : length;
  for (int64_t d = 0; length > 0 && d < s.ndim; d++) length *= s.entries[d];
  int64_t stride = 1;
  for (int64_t d = s.ndim - 1; d >= 0; d--) {
    s.strides[d] = stride;
    const int64_t factor = s.entries[d] > 1 ? s.entries[d] : 1;
    stride = stride > INT64_MAX / factor ? 0 : stride * factor; /* only where there is no element */
  }
  const spw_array array = {dtype, s.ndim, s.entries, s.strides, 0, length};
  return array;
}

spw_tensor spw_dense_result(spw_dtype dtype, int64_t ndim, const int64_t *shape, int64_t *dims, const void *values)
{
  const spw_shape s = spw_take_shape(&dims, ndim);
  for (int64_t d = 0; d < ndim; d++) s.entries[d] = shape[d];
  const spw_tensor r = {.layout = SPW_DENSE, .has_size = true, .ndim = ndim, .size = s.entries, .dtype = dtype,
                        .coalesced = SPW_CLAIM_NONE, .values = {spw_array_of(dtype, s), values}};
  return r;
}
