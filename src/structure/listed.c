/* SPDX-License-Identifier: Apache-2.0 */
#include "listed.h"
#include "../convert/indices/coordinates/batch_lines.h"
#include "../convert/indices/offsets/rows.h"
#include "../convert/indices/lookup/scalars_of.h"
#include "../core/size.h"
#include "../view/members.h"

#define SPW_TEMPLATE "../structure/listed.inc"
#include "../core/each_index_type.h"

/* How much is listed; INT64_MAX: more than can be. */
typedef struct extent {
  spw_numbers of;
  int64_t elements, scalars; /* in all, and of each element */
} extent;

static int64_t times(int64_t a, int64_t b)
{
  return spw_mul_saturated(a < 0 ? INT64_MAX : a, b < 0 ? INT64_MAX : b);
}

/* Of a valid tensor, to which nothing is refused. */
static extent extent_of(const spw_tensor *t)
{
  extent e = {.elements = INT64_MAX};
  if (spw_numbers_of(t, &e.of) != SPW_OK) return e;
  e.elements = times(e.of.batches, e.of.nse);
  e.scalars = times(times(e.of.block_rows, e.of.block_columns), e.of.dense_elements);
  return e;
}

typedef struct places {
  int64_t *size;
  void *indices;
} places;

static places take_places(const spw_tensor *t, const extent *e, spw_arena *arena)
{
  const int64_t indices = times(e->of.batch_dims + 2, e->elements);
  places p;
  p.size = spw_take(arena, e->of.batch_dims + 3, (int64_t)sizeof *p.size);
  p.indices = spw_take(arena, indices, spw_dtype_size(t->plain.array.dtype));
  return p;
}

void spw_listed_size(const spw_tensor *t, spw_arena *arena)
{
  const extent e = extent_of(t);
  (void)take_places(t, &e, arena);
}

/* Everything but the indices. */
static void describe(const spw_tensor *t, const extent *e, const spw_grid *g, const places *p, spw_listed *l)
{
  const spw_dtype type = t->plain.array.dtype;
  const int64_t dims = e->of.batch_dims + 2;
  for (int64_t d = 0; d < e->of.batch_dims; d++) p->size[d] = g->shape[d];
  p->size[dims - 2] = g->C;
  p->size[dims - 1] = g->P;
  p->size[dims] = e->scalars;
  *l = (spw_listed){.indices_shape = {dims, e->elements},
                    .indices_strides = {e->elements, 1},
                    .values_shape = {e->elements, e->scalars},
                    .values_strides = {e->scalars, 1}};
  l->tensor = (spw_tensor){.layout = SPW_COO, .has_size = true, .ndim = dims + 1, .size = p->size, .coalesced = SPW_CLAIM_NO};
  l->tensor.plain = (spw_index_array){.array = {type, 2, l->indices_shape, l->indices_strides, 0, dims * e->elements}};
  l->tensor.plain.i32 = type == SPW_INT64 ? NULL : p->indices;
  l->tensor.plain.i64 = type == SPW_INT64 ? p->indices : NULL;
  l->tensor.values = t->values;
  l->tensor.values.array.ndim = 2;
  l->tensor.values.array.shape = l->values_shape;
  l->tensor.values.array.strides = l->values_strides;
}

bool spw_listed_make(const spw_tensor *t, spw_arena *arena, spw_listed *l)
{
  const extent e = extent_of(t);
  const places p = take_places(t, &e, arena);
  const spw_grid g = spw_grid_of(t, e.of.batches, e.of.plain_size);
  bool valid = false;
  if (e.elements > 0 && !spw_lies_in_order(&t->values.array)) return false;
  describe(t, &e, &g, &p, l);
  if (spw_is_valid(&l->tensor, SPW_SHAPE, &valid) != SPW_OK || !valid) return false;
  if (e.elements == 0) return true;
  if (t->plain.array.dtype == SPW_INT64)
    list_positions_i64(t, g, p.indices);
  else
    list_positions_i32(t, g, p.indices);
  return true;
}
