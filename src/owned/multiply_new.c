/* SPDX-License-Identifier: Apache-2.0 */
/* Products in memory of their own. */
#include "owned.h"

#include <stdlib.h>
#include <string.h>

/* Row-major; SPW_ERANGE when there are more elements than int64 can number. */
static spw_status lay_out(spw_array *a, const int64_t *shape, int64_t *strides, spw_refusal *refusal)
{
  const spw_refusal why = {.obstacle = SPW_OBSTACLE_SIZE, .violation = {.rule = SPW_RULE_NONE, .position = -1}, .place = -1,
                           .other = -1, .lhs = -1, .rhs = -1, .operand = 2};
  int64_t stride = 1;
  bool fits = true, empty = false;
  for (int64_t d = a->ndim - 1; d >= 0; d--) {
    strides[d] = stride;
    empty |= shape[d] == 0;
    fits &= !__builtin_mul_overflow(stride, shape[d] > 0 ? shape[d] : 1, &stride);
    if (!fits) stride = INT64_MAX;
  }
  a->shape = shape;
  a->strides = strides;
  a->length = empty ? 0 : stride;
  if (empty || fits) return SPW_OK;
  if (refusal) *refusal = why;
  return SPW_ERANGE;
}

static spw_status multiply_into(const spw_tensor *a, const spw_tensor *b, const spw_factors *how, const spw_output *c,
                                size_t limit, spw_refusal *refusal)
{
  size_t bytes = 0;
  spw_status status = spw_multiply_size_unchecked(a, b, how, c, &bytes, refusal);
  if (status != SPW_OK) return status;
  void *const work = bytes <= limit ? malloc(bytes ? bytes : 1) : NULL;
  status = work ? spw_multiply_unchecked(a, b, how, c, work, bytes, refusal) : SPW_ENOMEM;
  free(work);
  return status;
}

static spw_status multiply_within(const spw_tensor *a, const spw_tensor *b, int64_t dimension, int64_t entry, spw_owned *owned,
                                  spw_refusal *refusal)
{
  const spw_array *const dense = a->layout == SPW_DENSE ? &a->values.array : &b->values.array;
  const int64_t ndim = dense->ndim;
  int64_t *const shape = spw_owned_alloc(owned, (size_t)ndim, sizeof *shape);
  int64_t *const strides = spw_owned_alloc(owned, (size_t)ndim, sizeof *strides);
  spw_output c = {.array = {.dtype = dense->dtype, .ndim = ndim}};
  if (!shape || !strides) return SPW_ENOMEM;
  memcpy(shape, dense->shape, (size_t)ndim * sizeof *shape);
  shape[dimension] = entry;
  spw_status status = lay_out(&c.array, shape, strides, refusal);
  if (status != SPW_OK) return status;
  c.data = spw_owned_alloc(owned, (size_t)c.array.length, (size_t)spw_dtype_size(dense->dtype));
  if (!c.data) return SPW_ENOMEM;
  const spw_factors alone = {0};
  status = multiply_into(a, b, &alone, &c, spw_owned_left(owned), refusal);
  spw_tensor *const result = spw_owned_edit(owned);
  result->layout = SPW_DENSE;
  result->has_size = true;
  result->ndim = ndim;
  result->size = shape;
  result->dtype = dense->dtype;
  result->coalesced = SPW_CLAIM_NONE;
  result->values = (spw_value_array){c.array, c.data};
  return status;
}

spw_status spw_multiply_new(const spw_tensor *a, const spw_tensor *b, size_t limit, spw_owned **out, spw_refusal *refusal)
{
  int64_t dimension = 0, entry = 0;
  if (!out) return SPW_EINVAL;
  spw_status status = spw_multiply_shape(a, b, &dimension, &entry, refusal);
  if (status != SPW_OK) return status;
  spw_owned *const owned = spw_owned_new(limit ? limit : SIZE_MAX);
  status = owned ? multiply_within(a, b, dimension, entry, owned, refusal) : SPW_ENOMEM;
  if (status == SPW_OK)
    *out = owned;
  else
    spw_owned_free(owned);
  return status;
}

spw_status spw_multiply_add_new(const spw_tensor *a, const spw_tensor *b, const spw_tensor *c, const spw_factors *how,
                                size_t limit, spw_owned **out, spw_refusal *refusal)
{
  const spw_conversion copy = {.layout = SPW_DENSE, .batch_dims = -1, .dense_dims = -1};
  int64_t dimension = 0, entry = 0;
  spw_owned *owned = NULL;
  if (!out || !how || !c || c->layout != SPW_DENSE) return SPW_EINVAL;
  spw_status status = spw_multiply_shape(a, b, &dimension, &entry, refusal);
  if (status != SPW_OK) return status;
  status = spw_convert_new(c, &copy, limit, &owned, refusal);
  if (refusal && (status == SPW_EINVALID || status == SPW_ERANGE)) refusal->operand = 2;
  if (status != SPW_OK) return status;
  const spw_value_array *const values = &spw_owned_tensor(owned)->values;
  const spw_output into = {values->array, (void *)(uintptr_t)values->data}; /* its own memory */
  status = multiply_into(a, b, how, &into, spw_owned_left(owned), refusal);
  if (status == SPW_OK)
    *out = owned;
  else
    spw_owned_free(owned);
  return status;
}
