/* SPDX-License-Identifier: Apache-2.0 */
/* How many bytes the elements of a tensor take. */
#include "../sparsewright.h"
#include "../convert/values.h"
#include "../core/entries.h"
#include "../core/size.h"
#include "../view/usable.h"

/* Of all elements of an array; INT64_MAX beyond. */
static int64_t bytes_of(const spw_array *a)
{
  return spw_mul_saturated(spw_count_values(a), spw_dtype_size(a->dtype));
}

/* Elements of the dense array: what the shapes imply where there is no size; INT64_MAX beyond, -1 unknown. */
static int64_t count_positions(const spw_tensor *t)
{
  const int64_t ndim = t->layout == SPW_DENSE ? t->values.array.ndim : t->ndim;
  const int64_t *const size = t->layout == SPW_DENSE ? t->values.array.shape : t->size;
  if (t->layout != SPW_DENSE && !t->has_size) return -1;
  const int64_t n = spw_product(size, ndim);
  return n < 0 ? INT64_MAX : n;
}

static bool shape_is_valid(const spw_tensor *t)
{
  bool valid = false;
  if (t->layout == SPW_DENSE) return spw_entries_non_negative(t->values.array.shape, t->values.array.ndim);
  return spw_is_valid(t, SPW_SHAPE, &valid) == SPW_OK && valid;
}

spw_status spw_nbytes(const spw_tensor *tensor, spw_bytes *bytes)
{
  if (!bytes || !spw_usable(tensor)) return SPW_EINVAL;
  if (!shape_is_valid(tensor)) return SPW_EINVALID;
  const bool dense = tensor->layout == SPW_DENSE, compressed = !dense && tensor->layout != SPW_COO;
  const int64_t c = compressed ? bytes_of(&tensor->compressed.array) : 0;
  const int64_t p = dense ? 0 : bytes_of(&tensor->plain.array);
  spw_bytes b = {.indices = spw_add_saturated(c, p), .values = bytes_of(&tensor->values.array)};
  const int64_t positions = count_positions(tensor), scalar = spw_dtype_size(tensor->values.array.dtype);
  b.specified = spw_count_values(&tensor->values.array);
  b.total = spw_add_saturated(b.indices, b.values);
  b.dense = positions < 0 ? -1 : spw_mul_saturated(positions, scalar);
  if (b.total == INT64_MAX || b.dense == INT64_MAX) return SPW_ERANGE;
  *bytes = b;
  return SPW_OK;
}
