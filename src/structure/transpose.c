/* SPDX-License-Identifier: Apache-2.0 */
/* The other compressed layout over the same arrays. */
#include "../sparsewright.h"
#include "../operand/overlap.h"
#include "../convert/plan.h"
#include "../view/usable.h"

#include <string.h>

static void swap_entries(int64_t *entries, int64_t at)
{
  const int64_t entry = entries[at];
  entries[at] = entries[at + 1];
  entries[at + 1] = entry;
}

/* Copies of n entries at *to, which moves on. */
static int64_t *copied(int64_t **to, const int64_t *from, int64_t n)
{
  int64_t *const copy = *to;
  if (n > 0) {
    memcpy(copy, from, (size_t)n * sizeof *copy);
    *to += n;
  }
  return copy;
}

spw_status spw_transpose(const spw_tensor *tensor, int64_t *dims, int64_t capacity, spw_tensor *result)
{
  bool valid = false;
  if (!tensor || !dims || !result) return SPW_EINVAL;
  if (tensor->layout == SPW_DENSE) return SPW_EUNSUPPORTED; /* which has no index arrays to look at */
  const spw_status status = spw_is_valid(tensor, SPW_SHAPE, &valid);
  if (status != SPW_OK) return status;
  if (tensor->layout == SPW_COO) return SPW_EUNSUPPORTED;
  if (!valid) return SPW_EINVALID;
  const spw_array *const values = &tensor->values.array;
  const int64_t ndim = tensor->has_size ? tensor->ndim : 0, batch_dims = tensor->compressed.array.ndim - 1;
  const int64_t entries = ndim + 2 * values->ndim;
  if (capacity < entries || spw_work_overlapping(&tensor, 1, dims, (size_t)entries * sizeof *dims) >= 0) return SPW_EINVAL;
  int64_t *const size = copied(&dims, tensor->size, ndim);
  int64_t *const shape = copied(&dims, values->shape, values->ndim);
  int64_t *const strides = copied(&dims, values->strides, values->ndim);
  spw_tensor t = *tensor;
  t.layout = spw_transposed_layout(tensor->layout);
  if (tensor->has_size) {
    swap_entries(size, batch_dims);
    t.size = size;
  }
  if (spw_has_blocks(tensor->layout)) {
    swap_entries(shape, batch_dims + 1);
    swap_entries(strides, batch_dims + 1);
  }
  t.values.array.shape = shape;
  t.values.array.strides = strides;
  *result = t;
  return SPW_OK;
}
