/* SPDX-License-Identifier: Apache-2.0 */
/* Valid tensors by construction: cells are drawn from the grid first, then written down. */
#include "specimen.h"

#include <stdlib.h>
#include <string.h>

uint64_t roll(dice *d)
{
  uint64_t z = d->state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

int64_t roll_below(dice *d, int64_t sides)
{
  return (int64_t)(roll(d) % (uint64_t)sides);
}

int64_t roll_extreme(dice *d)
{
  static const int64_t extremes[] = {
      INT64_MIN, INT64_MIN + 1, -((int64_t)1 << 62), INT32_MIN, -2, -1, 0, 1, 2, 3, 7, 40,
      INT32_MAX, (int64_t)INT32_MAX + 1, (int64_t)UINT32_MAX + 1, (int64_t)1 << 62,
      INT64_MAX - 1, INT64_MAX};
  return extremes[roll_below(d, (int64_t)(sizeof extremes / sizeof *extremes))];
}

/* ---- Storage --------------------------------------------------------------------------------- */

static spw_index_array *index_member(specimen *s, int which)
{
  return which == 0 ? &s->tensor.compressed : &s->tensor.plain;
}

static int64_t place_of(const spw_array *a, int64_t batch, int64_t i)
{
  int64_t place = a->offset + i * a->strides[a->ndim - 1];
  for (int64_t d = a->ndim - 2; d >= 0; d--) {
    place += batch % a->shape[d] * a->strides[d];
    batch /= a->shape[d];
  }
  return place;
}

static int64_t place_in(const specimen *s, int which, int64_t batch, int64_t i)
{
  const spw_array *a = which == 0 ? &s->tensor.compressed.array : &s->tensor.plain.array;
  if (s->tensor.layout != SPW_COO) return place_of(a, batch, i);
  return a->offset + i / a->shape[1] * a->strides[0] + i % a->shape[1] * a->strides[1];
}

int64_t specimen_get(const specimen *s, int which, int64_t batch, int64_t i)
{
  const int64_t place = place_in(s, which, batch, i);
  const spw_dtype dtype = (which == 0 ? s->tensor.compressed : s->tensor.plain).array.dtype;
  return dtype == SPW_INT32 ? s->i32[which][place] : s->i64[which][place];
}

void specimen_set(specimen *s, int which, int64_t batch, int64_t i, int64_t value)
{
  const int64_t place = place_in(s, which, batch, i);
  s->i32[which][place] = (int32_t)value;
  s->i64[which][place] = value;
}

static void point_to_storage(specimen *s)
{
  static const char other[SPECIMEN_ELEMENTS][16]; /* the storage of any type that is not an index's */
  for (int which = 0; which < 2; which++) {
    spw_index_array *a = index_member(s, which);
    a->array.shape = s->shape[which];
    a->array.strides = s->strides[which];
    a->i32 = s->i32[which];
    a->i64 = s->i64[which];
    a->raw = other;
    for (int i = 0; i < SPECIMEN_ELEMENTS; i++) s->i64[which][i] = s->i32[which][i] = -7;
  }
  s->tensor.size = s->size;
  s->tensor.values.array.shape = s->shape[2];
  s->tensor.values.array.strides = s->strides[2];
  s->tensor.values.data = s->i64; /* never read */
}

/* Batch dimensions from `p`, then one dimension of `entries`. */
static void lay_out(spw_array *a, int64_t *shape, int64_t *strides, const plan *p, int64_t entries)
{
  const int64_t gap = p->spread == SPREAD_PADDED ? 3 : 0, B = p->batch_ndim;
  int64_t step = entries + gap;
  a->ndim = B + 1;
  a->offset = gap;
  shape[B] = entries;
  strides[B] = 1;
  for (int64_t i = 0; i < B; i++) {
    const int64_t d = p->spread == SPREAD_TURNED ? i : B - 1 - i;
    shape[d] = p->batch[d];
    strides[d] = p->spread == SPREAD_SHARED ? 0 : step;
    step *= p->batch[d];
  }
  a->length = a->offset + (p->spread == SPREAD_SHARED ? entries : step);
}

static void append(spw_array *a, int64_t *shape, int64_t entry)
{
  shape[a->ndim++] = entry;
}

static void make_contiguous(spw_array *a, const int64_t *shape, int64_t *strides)
{
  a->length = 1;
  for (int64_t d = a->ndim - 1; d >= 0; d--) {
    strides[d] = a->length;
    a->length *= shape[d];
  }
}

/* ---- Elements -------------------------------------------------------------------------------- */

/* `count` of the numbers 0 .. below-1, ascending. */
static void choose(dice *d, int64_t below, int64_t count, int64_t *chosen)
{
  for (int64_t number = 0, taken = 0; taken < count; number++)
    if (roll_below(d, below - number) < count - taken) chosen[taken++] = number;
}

static void write_batch(specimen *s, const plan *p, dice *d, int64_t batch)
{
  int64_t cells[SPECIMEN_ELEMENTS];
  choose(d, p->C * p->P, p->nse, cells);
  for (int64_t i = 0; i <= p->C; i++) {
    int64_t before = 0;
    while (before < p->nse && cells[before] < i * p->P) before++;
    specimen_set(s, 0, batch, i, before);
  }
  for (int64_t k = 0; k < p->nse; k++) specimen_set(s, 1, batch, k, cells[k] % p->P);
}

static void make_compressed(specimen *s, const plan *p, dice *d)
{
  spw_tensor *x = &s->tensor;
  const bool blocked = p->layout == SPW_BSR || p->layout == SPW_BSC;
  const bool by_rows = p->layout == SPW_CSR || p->layout == SPW_BSR;
  const int64_t b0 = blocked ? p->block[0] : 1, b1 = blocked ? p->block[1] : 1;
  int64_t batches = 1;
  lay_out(&x->compressed.array, s->shape[0], s->strides[0], p, p->C + 1);
  lay_out(&x->plain.array, s->shape[1], s->strides[1], p, p->nse);
  for (int64_t i = 0; i < p->batch_ndim; i++) {
    batches *= p->batch[i];
    append(&x->values.array, s->shape[2], p->batch[i]);
    s->size[x->ndim++] = p->batch[i];
  }
  append(&x->values.array, s->shape[2], p->nse);
  if (blocked) append(&x->values.array, s->shape[2], b0);
  if (blocked) append(&x->values.array, s->shape[2], b1);
  s->size[x->ndim++] = (by_rows ? p->C : p->P) * b0;
  s->size[x->ndim++] = (by_rows ? p->P : p->C) * b1;
  for (int64_t batch = 0; batch < batches; batch++) write_batch(s, p, d, batch);
}

static void make_coo(specimen *s, const plan *p, dice *d)
{
  spw_tensor *x = &s->tensor;
  int64_t cells[SPECIMEN_ELEMENTS], grid = 1;
  const bool turned = p->spread == SPREAD_TURNED;
  x->plain.array.ndim = 2;
  s->shape[1][0] = p->sparse_dim;
  s->shape[1][1] = p->nse;
  s->strides[1][0] = turned ? 1 : p->nse + (p->spread == SPREAD_PADDED ? 2 : 0);
  s->strides[1][1] = turned ? p->sparse_dim : 1;
  x->plain.array.offset = p->spread == SPREAD_PADDED ? 5 : 0;
  x->plain.array.length = x->plain.array.offset + p->sparse_dim * (p->nse + 2);
  append(&x->values.array, s->shape[2], p->nse);
  for (int64_t i = 0; i < p->sparse_dim; i++) grid *= s->size[x->ndim++] = p->sparse_size[i];
  if (p->scattered)
    for (int64_t k = 0; k < p->nse; k++) cells[k] = roll_below(d, grid);
  else choose(d, grid, p->nse, cells);
  for (int64_t k = 0; k < p->nse; k++) {
    int64_t cell = cells[k];
    for (int64_t i = p->sparse_dim - 1; i >= 0; i--) {
      specimen_set(s, 1, 0, i * p->nse + k, cell % p->sparse_size[i]);
      cell /= p->sparse_size[i];
    }
  }
}

void specimen_make(specimen *s, const plan *p, dice *d)
{
  memset(s, 0, offsetof(specimen, i32)); /* the rest is filled below */
  s->tensor.layout = p->layout;
  s->tensor.has_size = p->has_size;
  s->tensor.coalesced = p->coalesced;
  s->tensor.index_dtype = p->declares ? p->index_dtype : SPW_DTYPE_NONE;
  s->tensor.dtype = p->declares ? SPW_FLOAT32 : SPW_DTYPE_NONE;
  s->tensor.compressed.array.dtype = s->tensor.plain.array.dtype = p->index_dtype;
  s->tensor.values.array.dtype = SPW_FLOAT32;
  point_to_storage(s);
  if (p->layout == SPW_COO) make_coo(s, p, d);
  else make_compressed(s, p, d);
  for (int64_t i = 0; i < p->dense_ndim; i++) {
    append(&s->tensor.values.array, s->shape[2], p->dense[i]);
    s->size[s->tensor.ndim++] = p->dense[i];
  }
  make_contiguous(&s->tensor.values.array, s->shape[2], s->strides[2]);
}

static int64_t random_block(dice *d)
{
  return 1 + roll_below(d, roll_below(d, 4) ? 3 : LARGEST_BLOCK);
}

plan plan_random(dice *d)
{
  plan p = {.layout = (spw_layout)roll_below(d, SPW_LAYOUT_COUNT),
            .index_dtype = roll_below(d, 2) ? SPW_INT32 : SPW_INT64,
            .spread = (spread)roll_below(d, SPREAD_COUNT),
            .has_size = roll_below(d, 4) > 0,
            .declares = roll_below(d, 2),
            .coalesced = (spw_claim)(roll_below(d, 3) - 1),
            .block = {random_block(d), random_block(d)},
            .dense_ndim = roll_below(d, 3),
            .dense = {roll_below(d, 4), roll_below(d, 4)}};
  p.batch_ndim = roll_below(d, 2) ? 0 : roll_below(d, 4);
  for (int64_t i = 0; i < p.batch_ndim; i++) p.batch[i] = 1 + roll_below(d, 3);
  if (roll_below(d, 40) == 0) p.batch[0] = 0;
  p.C = roll_below(d, 5);
  p.P = roll_below(d, 6);
  int64_t grid = p.C * p.P;
  if (p.layout == SPW_COO) {
    p.sparse_dim = roll_below(d, 4);
    grid = 1;
    for (int64_t i = 0; i < p.sparse_dim; i++) grid *= p.sparse_size[i] = roll_below(d, 5);
  }
  p.nse = roll_below(d, (grid < 7 ? grid : 7) + 1);
  return p;
}

static void null_what_is_empty(spw_array *a)
{
  if (a->ndim == 0) a->shape = a->strides = NULL;
}

spw_tensor specimen_with_nulls(const spw_tensor *tensor)
{
  spw_tensor t = *tensor;
  spw_index_array *indices[] = {&t.compressed, &t.plain};
  if (t.ndim == 0) t.size = NULL;
  for (int which = 0; which < 2; which++) {
    null_what_is_empty(&indices[which]->array);
    if (indices[which]->array.length == 0) indices[which]->i32 = NULL, indices[which]->i64 = NULL, indices[which]->raw = NULL;
  }
  null_what_is_empty(&t.values.array);
  if (t.values.array.length == 0) t.values.data = NULL;
  return t;
}

/* ---- Changes --------------------------------------------------------------------------------- */

static spw_array *any_member(specimen *s, dice *d)
{
  spw_array *members[] = {&s->tensor.compressed.array, &s->tensor.plain.array,
                          &s->tensor.values.array};
  return members[roll_below(d, 3)];
}

static int64_t nudge(int64_t old, dice *d)
{
  const int64_t by = roll_below(d, 2) ? 1 : -1;
  if (roll_below(d, 3) == 0) return roll_extreme(d);
  return (int64_t)((uint64_t)old + (uint64_t)by);
}

static void disturb_entry(int64_t *entries, int64_t ndim, dice *d)
{
  if (ndim == 0) return;
  int64_t *entry = &entries[roll_below(d, ndim)];
  *entry = nudge(*entry, d);
}

static void disturb_ndim(int64_t *ndim, dice *d)
{
  const int64_t changed = *ndim + (roll_below(d, 2) ? 1 : -1);
  if (changed >= 0 && changed <= SPECIMEN_NDIM) *ndim = changed;
}

static void disturb_dtype(spw_dtype *dtype, dice *d)
{
  *dtype = (spw_dtype)(roll_below(d, 16) ? roll_below(d, SPW_DTYPE_COUNT) : 99);
}

static void disturb_element(specimen *s, dice *d)
{
  const int which = (int)roll_below(d, 2);
  const int64_t length = index_member(s, which)->array.length;
  if (length <= 0) return;
  const int64_t place = roll_below(d, length < 40 ? length : 40);
  const int64_t value = nudge(s->i64[which][place], d);
  s->i64[which][place] = value;
  s->i32[which][place] = (int32_t)value;
}

static void disturb_length(spw_array *a, dice *d)
{
  a->length = roll_below(d, 3) ? a->length - 1 : roll_below(d, SPECIMEN_ELEMENTS);
  if (a->length < 0) a->length = 0;
}

static void disturb_member(specimen *s, dice *d)
{
  spw_array *a = any_member(s, d);
  const int which = a == &s->tensor.compressed.array ? 0 : a == &s->tensor.plain.array ? 1 : 2;
  switch (roll_below(d, 8)) {
    case 0: disturb_ndim(&a->ndim, d); break;
    case 1: disturb_dtype(&a->dtype, d); break;
    case 2: a->offset = nudge(a->offset, d); break;
    case 3: disturb_length(a, d); break;
    case 4: case 5: disturb_entry(s->strides[which], a->ndim, d); break;
    default: disturb_entry(s->shape[which], a->ndim, d); break;
  }
}

void specimen_disturb(specimen *s, dice *d)
{
  switch (roll_below(d, 10)) {
    case 0: case 1: case 2: case 3: disturb_element(s, d); break;
    case 4: case 5: case 6: disturb_member(s, d); break;
    case 7: disturb_entry(s->size, s->tensor.ndim, d); break;
    case 8: disturb_ndim(&s->tensor.ndim, d); break;
    default: disturb_dtype(roll_below(d, 2) ? &s->tensor.index_dtype : &s->tensor.dtype, d); break;
  }
}
