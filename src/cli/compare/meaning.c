/* SPDX-License-Identifier: Apache-2.0 */
/* Walks two tensors of canonical COO position by position, both in the order of positions. Hybrid ones
 * may have other dense dimensions than each other: every position is one of all dimensions. */
#include "compare.h"

#include <stdlib.h>
#include <string.h>

static const char zero[16];

typedef struct cursor {
  const spw_tensor *tensor;
  bool is_dense;
  int64_t sparse_dims, nse, element;
  int64_t *position; /* an index for each dimension */
  bool at_end;
} cursor;

static int64_t index_at(const spw_index_array *indices, int64_t dim, int64_t element)
{
  const int64_t at = indices->array.offset + dim * indices->array.strides[0] + element * indices->array.strides[1];
  return indices->i64[at];
}

/* To the first position of an element. */
static void enter(cursor *c)
{
  c->at_end = c->element >= c->nse;
  for (int64_t d = 0; d < c->tensor->ndim && !c->at_end; d++)
    c->position[d] = d < c->sparse_dims ? index_at(&c->tensor->plain, d, c->element) : 0;
}

static cursor begin(const meaning *side)
{
  const spw_tensor *tensor = side->tensor;
  const spw_array *indices = &tensor->plain.array;
  cursor c = {.tensor = tensor, .is_dense = side->is_dense, .sparse_dims = indices->shape[0], .nse = indices->shape[1]};
  for (int64_t d = c.sparse_dims; d < tensor->ndim; d++)
    if (tensor->size[d] == 0) c.nse = 0; /* elements without a position */
  c.position = allocate((size_t)tensor->ndim, sizeof *c.position);
  enter(&c);
  return c;
}

static void advance(cursor *c)
{
  for (int64_t d = c->tensor->ndim - 1; d >= c->sparse_dims; d--) {
    if (++c->position[d] < c->tensor->size[d]) return;
    c->position[d] = 0;
  }
  c->element++;
  enter(c);
}

static const char *value_at(const cursor *c)
{
  const spw_value_array *values = &c->tensor->values;
  int64_t at = values->array.offset + c->element * values->array.strides[0];
  for (int64_t d = c->sparse_dims; d < c->tensor->ndim; d++)
    at += c->position[d] * values->array.strides[1 + d - c->sparse_dims];
  return (const char *)values->data + at * spw_dtype_size(values->array.dtype);
}

/* Below 0: a stands at the earlier position. */
static int order(const cursor *a, const cursor *b)
{
  if (a->at_end || b->at_end) return a->at_end - b->at_end;
  for (int64_t d = 0; d < a->tensor->ndim; d++)
    if (a->position[d] != b->position[d]) return a->position[d] < b->position[d] ? -1 : 1;
  return 0;
}

static bool differ(const char *a, const char *b, size_t size, bool as_dense)
{
  if (!as_dense && (!a || !b)) return true;
  return memcmp(a ? a : zero, b ? b : zero, size) != 0;
}

static void add_side(cli_text *text, const cursor *c, const char *value)
{
  if (value || c->is_dense)
    add_value(text, c->tensor->values.array.dtype, value ? value : zero);
  else
    add_text(text, "unspecified");
}

static void add_position(cli_text *text, const cursor *c)
{
  add_text(text, " at (");
  for (int64_t d = 0; d < c->tensor->ndim; d++)
    add_format(text, d ? ", %lld" : "%lld", (long long)c->position[d]);
  add_text(text, "): ");
}

static bool add_difference_of_values(cli_text *text, cursor *a, cursor *b, bool as_dense)
{
  const size_t size = (size_t)spw_dtype_size(a->tensor->values.array.dtype);
  while (!a->at_end || !b->at_end) {
    const int first = order(a, b);
    const char *of_a = first <= 0 ? value_at(a) : NULL, *of_b = first >= 0 ? value_at(b) : NULL;
    if (differ(of_a, of_b, size, as_dense)) {
      add_position(text, of_a ? a : b);
      add_side(text, a, of_a);
      add_text(text, " and ");
      add_side(text, b, of_b);
      return true;
    }
    if (of_a) advance(a);
    if (of_b) advance(b);
  }
  return false;
}

bool add_difference_of_meaning(cli_text *text, const meaning *a, const meaning *b, bool as_dense)
{
  const spw_tensor *s = a->tensor, *t = b->tensor;
  if (add_difference_of_sizes(text, s->ndim, s->size, t->ndim, t->size)
      || add_difference_of_types(text, "values", &s->values.array, &t->values.array))
    return true;
  cursor of_a = begin(a), of_b = begin(b);
  const bool found = add_difference_of_values(text, &of_a, &of_b, as_dense || a->is_dense || b->is_dense);
  free(of_a.position);
  free(of_b.position);
  return found;
}
