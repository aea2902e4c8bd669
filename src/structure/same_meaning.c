/* SPDX-License-Identifier: Apache-2.0 */
/* Walks two tensors position by position, both as canonical COO. They may have other dense dimensions than each other:
 * every position is one of all dimensions. */
#include "specified.h"
#include "../convert/indices.h"
#include "../operand/overlap.h"
#include "../convert/plan.h"
#include "../convert/values.h"
#include "../core/entries.h"

#include <string.h>

static const char zero[16];

typedef struct cursor {
  const spw_tensor *t;
  int64_t sparse_dims, nse, element;
  int64_t *position; /* an index for each dimension */
  bool at_end;
} cursor;

typedef struct sides {
  spw_specified a, b;
  int64_t *position[2];
} sides;

/* To the first position of an element. */
static void enter(cursor *c)
{
  const spw_index_array *x = &c->t->plain;
  c->at_end = c->element >= c->nse;
  for (int64_t d = 0; d < c->t->ndim && !c->at_end; d++) {
    const int64_t at = d < c->sparse_dims ? x->array.offset + d * x->array.strides[0] + c->element * x->array.strides[1] : 0;
    c->position[d] = d < c->sparse_dims ? spw_index_at(x, at) : 0;
  }
}

static cursor begin(const spw_specified *s, int64_t *position)
{
  const spw_array *indices = &s->t->plain.array;
  cursor c = {.t = s->t, .sparse_dims = indices->shape[0], .nse = indices->shape[1], .position = position};
  for (int64_t d = c.sparse_dims; d < c.t->ndim; d++)
    if (c.t->size[d] == 0) c.nse = 0; /* elements without a position */
  enter(&c);
  return c;
}

static void advance(cursor *c)
{
  for (int64_t d = c->t->ndim - 1; d >= c->sparse_dims; d--) {
    if (++c->position[d] < c->t->size[d]) return;
    c->position[d] = 0;
  }
  c->element++;
  enter(c);
}

static const char *value_at(const cursor *c)
{
  const spw_array *v = &c->t->values.array;
  int64_t at = v->offset + c->element * v->strides[0];
  for (int64_t d = c->sparse_dims; d < c->t->ndim; d++) at += c->position[d] * v->strides[1 + d - c->sparse_dims];
  return spw_value_at(&c->t->values, at);
}

/* Below 0: a stands at the earlier position. */
static int order(const cursor *a, const cursor *b)
{
  if (a->at_end || b->at_end) return a->at_end - b->at_end;
  for (int64_t d = 0; d < a->t->ndim; d++)
    if (a->position[d] != b->position[d]) return a->position[d] < b->position[d] ? -1 : 1;
  return 0;
}

static bool differ(const char *a, const char *b, size_t size, bool as_dense)
{
  if (!as_dense && (!a || !b)) return true;
  return memcmp(a ? a : zero, b ? b : zero, size) != 0;
}

static void compare_values(cursor *a, cursor *b, bool as_dense, int64_t *position, spw_first_difference *first)
{
  const size_t size = (size_t)spw_dtype_size(a->t->values.array.dtype);
  while (!a->at_end || !b->at_end) {
    const int before = order(a, b);
    const char *of_a = before <= 0 ? value_at(a) : NULL, *of_b = before >= 0 ? value_at(b) : NULL;
    if (differ(of_a, of_b, size, as_dense)) {
      const spw_first_difference found = {SPW_OTHER_VALUE, of_a, of_b};
      const int64_t *const at = of_a ? a->position : b->position;
      for (int64_t d = 0; d < a->t->ndim; d++) position[d] = at[d];
      *first = found;
      return;
    }
    if (of_a) advance(a);
    if (of_b) advance(b);
  }
}

static void compare(const sides *s, bool as_dense, int64_t *position, spw_first_difference *first)
{
  const spw_tensor *a = s->a.t, *b = s->b.t;
  const spw_first_difference same = {SPW_NO_DIFFERENCE, NULL, NULL};
  *first = same;
  if (a->ndim != b->ndim || !spw_entries_equal(a->size, b->size, a->ndim)) {
    first->kind = SPW_OTHER_SIZE;
  } else if (a->values.array.dtype != b->values.array.dtype) {
    first->kind = SPW_OTHER_TYPE;
  } else {
    cursor of_a = begin(&s->a, s->position[0]), of_b = begin(&s->b, s->position[1]);
    compare_values(&of_a, &of_b, as_dense, position, first);
  }
}

/* ---- The calls --------------------------------------------------------------------------------- */

static int64_t dims_of(const spw_specified *s, const spw_tensor *t)
{
  return s->as_it_is ? t->ndim : s->room.dims; /* which are more */
}

/* What was said of b as of a tensor alone. */
static spw_status said_of_second(spw_status status, spw_refusal *refusal)
{
  if (status == SPW_ERANGE && refusal) refusal->operand = 1;
  return status;
}

/* Both as COO, in a workspace or without one. */
static spw_status lay_out(const spw_tensor *a, const spw_tensor *b, spw_combine duplicates, sides *s, spw_arena *arena,
                          spw_refusal *refusal)
{
  spw_status status = spw_specified_size(a, duplicates, SPW_INT64, &s->a, refusal);
  if (status == SPW_OK) status = said_of_second(spw_specified_size(b, duplicates, SPW_INT64, &s->b, refusal), refusal);
  if (status != SPW_OK) return status;
  s->position[0] = spw_take(arena, dims_of(&s->a, a), sizeof(int64_t));
  s->position[1] = spw_take(arena, dims_of(&s->b, b), sizeof(int64_t));
  status = spw_specified_make(a, &s->a, arena, refusal);
  return status == SPW_OK ? said_of_second(spw_specified_make(b, &s->b, arena, refusal), refusal) : status;
}

static spw_status judge(const spw_tensor *a, const spw_tensor *b, spw_refusal *refusal)
{
  const spw_tensor *const both[] = {a, b};
  return spw_convert_judge_all(both, 2, refusal);
}

spw_status spw_same_meaning_size_unchecked(const spw_tensor *a, const spw_tensor *b, spw_combine duplicates, size_t *work,
                                           spw_refusal *refusal)
{
  sides s;
  spw_arena arena = {NULL, 0};
  if (!a || !b || !work || duplicates < SPW_COMBINE_SUM || duplicates > SPW_COMBINE_REFUSE) return SPW_EINVAL;
  const spw_status status = lay_out(a, b, duplicates, &s, &arena, refusal);
  if (status != SPW_OK) return status;
  if (!spw_is_object_size(arena.used)) return spw_refuse(refusal, SPW_OBSTACLE_SIZE, -1, -1, -1, -1);
  *work = (size_t)arena.used;
  return SPW_OK;
}

spw_status spw_same_meaning_size(const spw_tensor *a, const spw_tensor *b, spw_combine duplicates, size_t *work,
                                 spw_refusal *refusal)
{
  if (!a || !b || !work) return SPW_EINVAL;
  const spw_status status = judge(a, b, refusal);
  return status == SPW_OK ? spw_same_meaning_size_unchecked(a, b, duplicates, work, refusal) : status;
}

spw_status spw_same_meaning_unchecked(const spw_tensor *a, const spw_tensor *b, spw_combine duplicates, bool as_dense, void *work,
                                      size_t bytes, int64_t *position, int64_t capacity, spw_first_difference *first,
                                      spw_refusal *refusal)
{
  sides s;
  size_t need = 0;
  if (!first || capacity < 0) return SPW_EINVAL;
  spw_status status = spw_same_meaning_size_unchecked(a, b, duplicates, &need, refusal);
  if (status != SPW_OK) return status;
  if (bytes < need || (need > 0 && (!work || (uintptr_t)work % 8 != 0))) return SPW_EINVAL;
  const spw_tensor *const both[] = {a, b};
  const int64_t met = spw_work_overlapping(both, 2, work, need);
  if (met >= 0) return spw_refuse_operand(refusal, (int)met, SPW_OBSTACLE_OVERLAP, -1, -1, -1);
  spw_arena arena = {work, 0};
  status = lay_out(a, b, duplicates, &s, &arena, refusal);
  if (status != SPW_OK) return status;
  if (capacity < s.a.t->ndim || (s.a.t->ndim > 0 && !position)) return SPW_EINVAL;
  const bool dense = as_dense || a->layout == SPW_DENSE || b->layout == SPW_DENSE;
  compare(&s, dense, position, first);
  return SPW_OK;
}

spw_status spw_same_meaning(const spw_tensor *a, const spw_tensor *b, spw_combine duplicates, bool as_dense, void *work,
                            size_t bytes, int64_t *position, int64_t capacity, spw_first_difference *first, spw_refusal *refusal)
{
  if (!a || !b || !first) return SPW_EINVAL;
  const spw_status status = judge(a, b, refusal);
  if (status != SPW_OK) return status;
  return spw_same_meaning_unchecked(a, b, duplicates, as_dense, work, bytes, position, capacity, first, refusal);
}
