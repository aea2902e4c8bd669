/* SPDX-License-Identifier: Apache-2.0 */
/* Names, quantities and elements of a tensor whose rules may be violated. */
#include "verdict.h"

#include <stdlib.h>

bool is_blocked(spw_layout layout)
{
  return layout == SPW_BSR || layout == SPW_BSC;
}

bool is_compressed(spw_layout layout)
{
  return is_blocked(layout) || layout == SPW_CSR || layout == SPW_CSC;
}

const spw_array *member_array(const spw_tensor *tensor, spw_member member)
{
  switch (member) {
  case SPW_MEMBER_COMPRESSED: return &tensor->compressed.array;
  case SPW_MEMBER_PLAIN: return &tensor->plain.array;
  case SPW_MEMBER_VALUES: return &tensor->values.array;
  default: return NULL;
  }
}

bool has_member(spw_layout layout, spw_member which)
{
  if (which == SPW_MEMBER_COMPRESSED) return is_compressed(layout);
  return which == SPW_MEMBER_VALUES || layout != SPW_DENSE;
}

int64_t add_counts(int64_t a, int64_t b)
{
  int64_t sum;
  return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

int64_t multiply_counts(int64_t a, int64_t b)
{
  int64_t product;
  return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

int64_t larger_count(int64_t a, int64_t b)
{
  return a > b ? a : b;
}

int64_t count_positions(const spw_array *array)
{
  int64_t count = 1;
  for (int64_t d = 0; d < array->ndim; d++)
    if (array->shape[d] <= 0) return 0;
  for (int64_t d = 0; d < array->ndim; d++) count = multiply_counts(count, array->shape[d]);
  return count;
}

static int64_t count_of_all(const spw_tensor *tensor, int64_t count_one(const spw_array *array))
{
  int64_t count = 0;
  for (int m = SPW_MEMBER_COMPRESSED; m <= SPW_MEMBER_VALUES; m++)
    if (has_member(tensor->layout, (spw_member)m)) count = add_counts(count, count_one(member_array(tensor, (spw_member)m)));
  return count;
}

int64_t count_elements(const spw_tensor *tensor)
{
  return count_of_all(tensor, count_positions);
}

static int64_t length_of(const spw_array *array)
{
  return array->length;
}

int64_t count_stored(const spw_tensor *tensor)
{
  return count_of_all(tensor, length_of);
}

spw_numbers numbers_of(const spw_tensor *tensor)
{
  spw_numbers numbers = {0};
  spw_numbers_of(tensor, &numbers); /* a tensor that a reader has made is never refused */
  return numbers;
}

int64_t count_dimensions(const spw_tensor *tensor)
{
  const spw_numbers n = numbers_of(tensor);
  if (tensor->layout == SPW_DENSE) return tensor->values.array.ndim;
  if (tensor->has_size) return tensor->ndim;
  return add_counts(n.batch_dims + n.sparse_dims, n.dense_dims);
}

int64_t batch_dims(const spw_tensor *tensor)
{
  const int64_t dims = numbers_of(tensor).batch_dims;
  return dims > 0 ? dims : 0;
}

int64_t violation_batch(const spw_tensor *tensor, const spw_violation *violation, int64_t **index)
{
  const int64_t ndim = batch_dims(tensor);
  *index = NULL;
  if (spw_rule_get(violation->rule)->phase == SPW_SHAPE || ndim == 0) return 0;
  *index = allocate((size_t)ndim, sizeof **index);
  spw_unravel(violation->batch, ndim, tensor->compressed.array.shape, *index);
  return ndim;
}

static int64_t load(const spw_index_array *indices, int64_t at)
{
  return indices->array.dtype == SPW_INT32 ? indices->i32[at] : indices->i64[at];
}

int64_t batch_element(const spw_tensor *tensor, const spw_violation *violation, int64_t position)
{
  const spw_index_array *indices =
      violation->member == SPW_MEMBER_COMPRESSED ? &tensor->compressed : &tensor->plain;
  int64_t *batch, at = indices->array.offset;
  const int64_t ndim = violation_batch(tensor, violation, &batch);
  for (int64_t i = 0; i < ndim; i++) at += batch[i] * indices->array.strides[i];
  free(batch);
  return load(indices, at + position * indices->array.strides[ndim]);
}

int64_t coo_element(const spw_tensor *tensor, int64_t dim, int64_t position)
{
  const spw_array *array = &tensor->plain.array;
  return load(&tensor->plain,
              array->offset + dim * array->strides[0] + position * array->strides[1]);
}

static void add_joined(cli_text *text, int64_t ndim, const int64_t *sizes, const char *sign)
{
  for (int64_t i = 0; i < ndim; i++)
    add_format(text, "%s%lld", i ? sign : "", (long long)sizes[i]);
}

void add_sizes(cli_text *text, int64_t ndim, const int64_t *sizes)
{
  enum { LONGEST_WORD = 40 };
  const size_t start = text->size;
  if (ndim == 0) add_text(text, "scalar");
  add_joined(text, ndim, sizes, "x");
  if (text->size - start <= LONGEST_WORD) return;
  text->size = start;
  add_joined(text, ndim, sizes, " x ");
}
