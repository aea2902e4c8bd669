/* SPDX-License-Identifier: Apache-2.0 */
#include "fill.h"

spw_filled spw_fill(spw_view *view, spw_layout layout, int64_t rows, int64_t columns, spw_dtype index_dtype, spw_dtype dtype)
{
  *view = (spw_view){.tensor = {.layout = layout, .has_size = true, .ndim = 2, .index_dtype = index_dtype, .dtype = dtype,
                                .coalesced = SPW_CLAIM_NONE}};
  view->numbers[0] = rows;
  view->numbers[1] = columns;
  view->tensor.size = view->numbers;
  return (spw_filled){view, 2};
}

static int64_t product(int64_t a, int64_t b)
{
  int64_t result;
  return __builtin_mul_overflow(a, b, &result) ? INT64_MAX : result;
}

void spw_fill_array(spw_filled *filled, spw_array *array, spw_dtype dtype, int64_t ndim, int64_t first, int64_t second,
                    int64_t third)
{
  int64_t *const shape = filled->view->numbers + filled->used, *const strides = shape + ndim;
  const int64_t entries[] = {first, second, third};
  int64_t stride = 1;
  for (int64_t d = ndim - 1; d >= 0; d--) {
    shape[d] = entries[d];
    strides[d] = stride;
    stride = product(stride, entries[d] > 0 ? entries[d] : 0);
  }
  *array = (spw_array){dtype, ndim, shape, strides, 0, stride};
  filled->used += 2 * ndim;
}

void spw_fill_indices(spw_index_array *indices, const void *data)
{
  const spw_dtype dtype = indices->array.dtype;
  indices->i32 = dtype == SPW_INT32 ? data : NULL;
  indices->i64 = dtype == SPW_INT64 ? data : NULL;
  indices->raw = dtype == SPW_INT32 || dtype == SPW_INT64 ? NULL : data;
}
