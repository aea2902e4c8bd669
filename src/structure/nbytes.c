/* SPDX-License-Identifier: Apache-2.0 */
/* How many bytes the elements of a tensor take. */
#include "../sparsewright.h"
#include "../convert/plan.h"
#include "../core/size.h"
#include "../view/usable.h"

/* Of so many elements, -1: of more than int64 can number. -1 where the bytes are more, too. */
static int64_t bytes_of_count(int64_t count, spw_dtype dtype)
{
  const int64_t factors[2] = {count, spw_dtype_size(dtype)};
  return count < 0 ? -1 : spw_product(factors, 2);
}

static int64_t bytes_of(const spw_array *a)
{
  return bytes_of_count(spw_product(a->shape, a->ndim), a->dtype);
}

/* -1 beyond, or where one of both is. */
static int64_t sum_of(int64_t a, int64_t b)
{
  return a < 0 || b < 0 || a > INT64_MAX - b ? -1 : a + b;
}

static bool has_positions(const spw_tensor *t)
{
  return t->layout == SPW_DENSE || t->has_size;
}

/* Of the dense array; -1 beyond. */
static int64_t bytes_of_positions(const spw_tensor *t)
{
  const spw_array *values = &t->values.array;
  return t->layout == SPW_DENSE ? bytes_of(values) : bytes_of_count(spw_product(t->size, t->ndim), values->dtype);
}

static spw_status judge_shape(const spw_tensor *t)
{
  bool valid = false;
  if (!t) return SPW_EINVAL;
  if (t->layout == SPW_DENSE) return spw_convert_judge(t, false, 1, NULL);
  if (!spw_usable(t)) return SPW_EINVAL;
  return spw_is_valid(t, SPW_SHAPE, &valid) == SPW_OK && valid ? SPW_OK : SPW_EINVALID;
}

spw_status spw_nbytes(const spw_tensor *tensor, spw_bytes *bytes)
{
  if (!bytes) return SPW_EINVAL;
  const spw_status status = judge_shape(tensor);
  if (status != SPW_OK) return status;
  const bool dense = tensor->layout == SPW_DENSE, compressed = !dense && tensor->layout != SPW_COO;
  const int64_t c = compressed ? bytes_of(&tensor->compressed.array) : 0;
  const int64_t p = dense ? 0 : bytes_of(&tensor->plain.array);
  spw_bytes b = {.indices = sum_of(c, p), .values = bytes_of(&tensor->values.array), .dense = -1};
  b.specified = spw_product(tensor->values.array.shape, tensor->values.array.ndim);
  b.total = sum_of(b.indices, b.values);
  if (has_positions(tensor)) b.dense = bytes_of_positions(tensor);
  if (b.total < 0 || (has_positions(tensor) && b.dense < 0)) return SPW_ERANGE;
  *bytes = b;
  return SPW_OK;
}
