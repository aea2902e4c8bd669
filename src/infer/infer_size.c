/* SPDX-License-Identifier: Apache-2.0 */
/* The size that a tensor's members imply, written out. The checker infers what it needs itself
 * (src/check/infer/inference.inc, proven); this is the same for callers, and tested. */
#include "../view/members.h"
#include "../check/infer/range_of.h"
#include "../check/shape/shape_rules.h"
#include "../view/usable.h"

#include <string.h>

/* One more than the largest index; -1 for a negative one, -2 beyond int64. */
static int64_t extent_of(spw_range range)
{
  if (range.low > range.high) return 0;
  if (range.low < 0) return -1;
  return range.high == INT64_MAX ? -2 : range.high + 1;
}

static spw_status extent_status(int64_t extent)
{
  return extent == -1 ? SPW_EINVALID : extent == -2 ? SPW_ERANGE : SPW_OK;
}

static spw_range line_range(const spw_tensor *t, spw_columns g, int64_t d)
{
  const int64_t length = t->plain.array.length;
  const spw_range none = {INT64_MAX, INT64_MIN};
  if (g.nse == 0) return none;
  return t->plain.array.dtype == SPW_INT32 ? spw_line_range_i32(t->plain.i32, length, g, d)
                                           : spw_line_range_i64(t->plain.i64, length, g, d);
}

static spw_status infer_coo(const spw_tensor *t, int64_t *size, int64_t capacity, int64_t *ndim)
{
  const spw_columns g = spw_columns_of(t);
  const int64_t dense_dims = t->values.array.ndim - 1;
  if (g.sparse_dim > capacity || dense_dims > capacity - g.sparse_dim) return SPW_EINVAL;
  for (int64_t d = 0; d < g.sparse_dim; d++) { /* judge everything before anything is written */
    const spw_status status = extent_status(extent_of(line_range(t, g, d)));
    if (status != SPW_OK) return status;
  }
  for (int64_t d = 0; d < g.sparse_dim; d++) size[d] = extent_of(line_range(t, g, d));
  for (int64_t d = 0; d < dense_dims; d++) size[g.sparse_dim + d] = t->values.array.shape[1 + d];
  *ndim = g.sparse_dim + dense_dims;
  return SPW_OK;
}

static spw_status infer_compressed(const spw_tensor *t, int64_t *size, int64_t capacity, int64_t *ndim)
{
  const int64_t batch_dims = spw_batch_dims(t), dense_dims = spw_dense_dims(t);
  const int64_t batches = spw_product(t->compressed.array.shape, batch_dims);
  if (batches < 0) return SPW_EOVERFLOW;
  if (batch_dims + 2 + dense_dims > capacity) return SPW_EINVAL;
  const spw_grid g = spw_grid_of(t, batches, INT64_MAX);
  spw_range range = {INT64_MAX, INT64_MIN};
  if (g.nse > 0 && batches > 0)
    range = t->plain.array.dtype == SPW_INT32
                ? spw_plain_range_i32(t->compressed.array.length, t->plain.i32, t->plain.array.length, g)
                : spw_plain_range_i64(t->compressed.array.length, t->plain.i64, t->plain.array.length, g);
  const int64_t P = extent_of(range), compressed = spw_compressed_dim(t), plain = 1 - compressed;
  const spw_status status = extent_status(P);
  if (status != SPW_OK) return status;
  const int64_t bc = spw_block_size(t, compressed), bp = spw_block_size(t, plain);
  if (!spw_product_fits(g.C, bc, INT64_MAX) || !spw_product_fits(P, bp, INT64_MAX)) return SPW_ERANGE;
  if (batch_dims > 0) memcpy(size, t->compressed.array.shape, (size_t)batch_dims * sizeof *size);
  size[batch_dims + compressed] = g.C * bc;
  size[batch_dims + plain] = P * bp;
  for (int64_t d = 0; d < dense_dims; d++)
    size[batch_dims + 2 + d] = t->values.array.shape[t->values.array.ndim - dense_dims + d];
  *ndim = batch_dims + 2 + dense_dims;
  return SPW_OK;
}

spw_status spw_infer_size(const spw_tensor *tensor, int64_t *size, int64_t capacity, int64_t *ndim)
{
  if (!size || !ndim || capacity < 0 || !tensor) return SPW_EINVAL;
  spw_tensor unsized = *tensor;
  unsized.has_size = false;
  if (!spw_usable(&unsized)) return SPW_EINVAL;
  if (!spw_shape_holds(&unsized)) return SPW_EINVALID;
  return unsized.layout == SPW_COO ? infer_coo(&unsized, size, capacity, ndim)
                                   : infer_compressed(&unsized, size, capacity, ndim);
}
