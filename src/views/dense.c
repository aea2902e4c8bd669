/* SPDX-License-Identifier: Apache-2.0 */
/* Dense arrays over a program's own memory. */
#include "fill.h"

const spw_tensor *spw_dense(spw_view *view, int64_t rows, int64_t columns, spw_dtype dtype, const void *values)
{
  spw_filled filled = spw_fill(view, SPW_DENSE, rows, columns, SPW_DTYPE_NONE, dtype);
  spw_fill_array(&filled, &view->tensor.values.array, dtype, 2, rows, columns, 0);
  view->tensor.values.data = values;
  return &view->tensor;
}

const spw_tensor *spw_vector(spw_view *view, int64_t length, spw_dtype dtype, const void *values)
{
  spw_filled filled = spw_fill(view, SPW_DENSE, length, 0, SPW_DTYPE_NONE, dtype);
  view->tensor.ndim = 1;
  spw_fill_array(&filled, &view->tensor.values.array, dtype, 1, length, 0, 0);
  view->tensor.values.data = values;
  return &view->tensor;
}
