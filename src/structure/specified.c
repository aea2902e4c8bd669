/* SPDX-License-Identifier: Apache-2.0 */
#include "specified.h"
#include "../convert/buffers.h"
#include "../convert/indices.h"
#include "../convert/values.h"

spw_status spw_specified_size(const spw_tensor *t, spw_combine duplicates, spw_dtype indices, spw_specified *s,
                              spw_refusal *refusal)
{
  const spw_specified fresh = {.how = {.layout = SPW_COO, .batch_dims = -1, .dense_dims = -1, .index_dtype = indices,
                                       .duplicates = duplicates, .bits = true}};
  *s = fresh;
  /* Strides of 0 could say of one value that it is any number of them: these are packed, where there is room. */
  s->as_it_is = t->layout == SPW_COO && t->coalesced == SPW_CLAIM_YES && t->has_size && spw_values_in_order(&t->values);
  s->t = t;
  return s->as_it_is ? SPW_OK : spw_convert_size_unchecked(t, &s->how, &s->room, refusal);
}

spw_status spw_specified_make(const spw_tensor *t, spw_specified *s, spw_arena *arena, spw_refusal *refusal)
{
  if (s->as_it_is) return SPW_OK;
  spw_buffers b = spw_take_buffers(arena, &s->room);
  b.work = spw_take_bytes(arena, s->room.work);
  if (!arena->base) return SPW_OK;
  s->t = &s->made;
  return spw_convert_unchecked(t, &s->how, &b, &s->made, refusal);
}

static int order(const spw_tensor *t, int64_t element, const int64_t *position)
{
  const spw_array *a = &t->plain.array;
  for (int64_t d = 0; d < a->shape[0]; d++) {
    const int64_t index = spw_index_at(&t->plain, a->offset + d * a->strides[0] + element * a->strides[1]);
    if (index != position[d]) return index < position[d] ? -1 : 1;
  }
  return 0;
}

/* The first element that does not stand before the position. */
static int64_t find(const spw_tensor *t, const int64_t *position)
{
  int64_t lo = 0, hi = t->plain.array.shape[1];
  while (lo < hi) {
    const int64_t middle = lo + (hi - lo) / 2;
    if (order(t, middle, position) < 0)
      lo = middle + 1;
    else
      hi = middle;
  }
  return lo;
}

const char *spw_specified_at(const spw_specified *s, const int64_t *position, int64_t *element)
{
  const spw_tensor *const t = s->t;
  const spw_array *const v = &t->values.array;
  const int64_t nse = t->plain.array.shape[1], sparse_dims = t->plain.array.shape[0];
  if (*element >= nse || order(t, *element, position) != 0) *element = find(t, position);
  if (*element >= nse || order(t, *element, position) != 0) return NULL;
  int64_t place = v->offset + *element * v->strides[0];
  for (int64_t d = 1; d < v->ndim; d++) place += position[sparse_dims + d - 1] * v->strides[d];
  return spw_value_at(&t->values, place);
}
