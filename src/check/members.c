/* SPDX-License-Identifier: Apache-2.0 */
#include "members.h"

spw_grid spw_grid_of(const spw_tensor *t, int64_t batches, int64_t P)
{
  const int64_t batch_dims = spw_batch_dims(t);
  const spw_grid g = {
      .batches = batches,
      .ndim = batch_dims,
      .shape = t->compressed.array.shape,
      .c_strides = t->compressed.array.strides,
      .p_strides = t->plain.array.strides,
      .c_offset = t->compressed.array.offset,
      .p_offset = t->plain.array.offset,
      .C = t->compressed.array.shape[batch_dims] - 1,
      .P = P,
      .nse = t->plain.array.shape[batch_dims],
  };
  return g;
}

spw_columns spw_columns_of(const spw_tensor *t)
{
  const spw_array *const a = &t->plain.array;
  const int empty = a->shape[0] == 0 || a->shape[1] == 0;
  const spw_columns g = {
      .sparse_dim = a->shape[0],
      .nse = a->shape[1],
      .start = empty ? 0 : a->offset,
      .dim_stride = a->strides[0],
      .stride = a->strides[1],
  };
  return g;
}
