/* SPDX-License-Identifier: Apache-2.0 */
#include "quantities.h"

/* level L2 */
int spw_blocked(const spw_tensor *t)
{
  return t->layout == SPW_BSR || t->layout == SPW_BSC;
}

/* level L2 */
int64_t spw_batch_dims(const spw_tensor *t)
{
  return t->compressed.array.ndim - 1;
}

/* level L2 */
int64_t spw_dense_dims(const spw_tensor *t)
{
  const int64_t batch_dims = spw_batch_dims(t);
  if (batch_dims < 0) return -1;
  const int64_t dense = t->values.array.ndim - batch_dims - 1 - (spw_blocked(t) ? 2 : 0);
  return dense < 0 ? -1 : dense;
}

/* level L2 */
int spw_aligned(const spw_tensor *t)
{
  const int64_t dense_dims = spw_dense_dims(t);
  return t->has_size && dense_dims >= 0 && t->ndim == spw_batch_dims(t) + 2 + dense_dims;
}

/* level L2 */
int64_t spw_block_size(const spw_tensor *t, int64_t i)
{
  return spw_blocked(t) ? t->values.array.shape[spw_batch_dims(t) + 1 + i] : 1;
}

/* level L2 */
spw_number spw_blocks(const spw_tensor *t, int64_t i)
{
  const spw_number unknown = {0, 0};
  if (!spw_aligned(t)) return unknown;
  const int64_t size = t->size[spw_batch_dims(t) + i], block = spw_block_size(t, i);
  if (size < 0 || block < 1 || size % block != 0) return unknown;
  const spw_number known = {1, size / block};
  return known;
}

/* level L2 */
int64_t spw_compressed_dim(const spw_tensor *t)
{
  return t->layout == SPW_CSR || t->layout == SPW_BSR ? 0 : 1;
}

/* level L2 */
spw_number spw_compressed_size(const spw_tensor *t)
{
  const spw_number unknown = {0, 0};
  const int64_t batch_dims = spw_batch_dims(t);
  if (batch_dims < 0) return unknown;
  if (t->has_size) return spw_blocks(t, spw_compressed_dim(t));
  const int64_t length = t->compressed.array.shape[batch_dims];
  const spw_number inferred = {1, length < 1 ? 0 : length - 1};
  return inferred;
}

/* level L2 */
spw_dtype spw_index_type(const spw_tensor *t)
{
  if (t->layout == SPW_COO) return t->plain.array.dtype;
  return t->index_dtype != SPW_DTYPE_NONE ? t->index_dtype : t->compressed.array.dtype;
}

/* level L2 */
int spw_is_index_type(spw_dtype dtype)
{
  return dtype == SPW_INT32 || dtype == SPW_INT64;
}

/* level L2 */
int64_t spw_index_max(spw_dtype dtype)
{
  return dtype == SPW_INT32 ? INT32_MAX : INT64_MAX;
}

/* level L2 */
int spw_coo_aligned(const spw_tensor *t)
{
  if (!t->has_size || t->plain.array.ndim != 2 || t->values.array.ndim < 1) return 0;
  const int64_t dense_dims = t->values.array.ndim - 1, sparse_dim = t->plain.array.shape[0];
  return sparse_dim >= 0 && t->ndim >= dense_dims && t->ndim - dense_dims == sparse_dim;
}
