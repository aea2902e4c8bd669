/* SPDX-License-Identifier: Apache-2.0 */
#include "shape_tests.h"

/* level L2 */
int spw_member_inside(const spw_array *a)
{
  if (a->ndim == 1 && a->strides[0] == 1 && a->shape[0] >= 1 && a->offset >= 0) {
    //@ assert none: reach(a->shape, a->strides, 0) == 0;
    //@ assert one: reach(a->shape, a->strides, 1) == (a->shape[0] - 1) * a->strides[0];
    return a->shape[0] <= a->length && a->offset <= a->length - a->shape[0];
  }
  return spw_entries_non_negative(a->shape, a->ndim) &&
         spw_inside_storage(a->shape, a->strides, a->ndim, a->offset, a->length);
}

/* level L2 */
int64_t spw_blocks_along(const spw_tensor *t, int64_t i)
{
  const int64_t batch_dims = t->compressed.array.ndim - 1, size = t->size[batch_dims + i];
  if (t->layout == SPW_CSR || t->layout == SPW_CSC) return size;
  const int64_t block = t->values.array.shape[batch_dims + 1 + i];
  return block >= 1 && size % block == 0 ? size / block : -1;
}
