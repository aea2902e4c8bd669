/* SPDX-License-Identifier: Apache-2.0 */
/* Changes to models. */
#include "mutator.h"

#include <string.h>

static int64_t add(int64_t a, int64_t b)
{
  return (int64_t)((uint64_t)a + (uint64_t)b);
}

int64_t fuzz_nudge(int64_t old, dice *d)
{
  switch (roll_below(d, 12)) {
    case 0: return fuzz_extremes[roll_below(d, FUZZ_EXTREMES)];
    case 1: return add(old, (int64_t)1 << 31);
    case 2: return add(old, -((int64_t)1 << 31));
    case 3: return add(old, (int64_t)1 << 32);
    case 4: return 0;
    case 5: return -1 - (old & INT64_MAX);
    case 6: return roll_below(d, 12);
    case 7: case 8: case 9: return add(old, 1);
    default: return add(old, -1);
  }
}

static void nudge_one(int64_t *list, int64_t count, dice *d)
{
  if (count == 0) return;
  int64_t *entry = &list[roll_below(d, count)];
  *entry = fuzz_nudge(*entry, d);
}


static spw_dtype any_dtype(dice *d)
{
  static const spw_dtype usual[] = {SPW_INT32, SPW_INT64, SPW_FLOAT32, SPW_DTYPE_NONE};
  return roll_below(d, 3) ? usual[roll_below(d, 4)]
                          : (spw_dtype)roll_below(d, SPW_DTYPE_COUNT);
}

/* ---- Contents -------------------------------------------------------------------------------- */

static void insert_literal(fuzz_contents *c, int64_t at, int64_t value)
{
  if (c->count == FUZZ_LITERALS) return;
  memmove(c->literal + at + 1, c->literal + at, (size_t)(c->count - at) * sizeof *c->literal);
  c->literal[at] = value;
  c->count++;
}

static void delete_literal(fuzz_contents *c, int64_t at)
{
  c->count--;
  memmove(c->literal + at, c->literal + at + 1, (size_t)(c->count - at) * sizeof *c->literal);
}

static void change_literals(fuzz_contents *c, dice *d)
{
  if (c->count == 0) {
    insert_literal(c, 0, roll_below(d, 8));
    return;
  }
  const int64_t at = roll_below(d, c->count), other = roll_below(d, c->count);
  const int64_t value = c->literal[at];
  switch (roll_below(d, 8)) {
    case 0: insert_literal(c, at, value); break;
    case 1: delete_literal(c, at); break;
    case 2:
      c->literal[at] = c->literal[other];
      c->literal[other] = value;
      break;
    case 3: c->literal[at] = c->literal[other]; break;
    default: c->literal[at] = fuzz_nudge(value, d); break;
  }
}

static void change_pattern(fuzz_contents *c, dice *d)
{
  switch (roll_below(d, 6)) {
    case 0: c->start = fuzz_nudge(c->start, d); break;
    case 1: c->step = fuzz_nudge(c->step, d); break;
    case 2: c->period = roll_below(d, roll_below(d, 2) ? 10 : FUZZ_ELEMENTS); break;
    case 3:
      c->patches = roll_below(d, FUZZ_PATCHES + 1);
      for (int64_t i = 0; i < c->patches; i++) {
        c->at[i] = roll_below(d, roll_below(d, 2) ? 16 : FUZZ_ELEMENTS);
        c->value[i] = fuzz_nudge(roll_below(d, 100), d);
      }
      break;
    case 4: nudge_one(c->value, c->patches, d); break;
    default: c->count = roll_below(d, c->count + 1); break;
  }
}

/* ---- Members --------------------------------------------------------------------------------- */

static void change_ndim(int64_t *list, int64_t *ndim, dice *d)
{
  if (roll_below(d, 2) && *ndim < FUZZ_DIMS) list[(*ndim)++] = roll_below(d, 4);
  else if (*ndim > 0) --*ndim;
}

/* A dimension of any length that takes one element of memory. */
static void make_huge(fuzz_member *m, dice *d)
{
  if (m->ndim == 0) return;
  const int64_t at = roll_below(d, m->ndim);
  m->shape[at] = (int64_t)1 << roll_below(d, 63);
  m->strides[at] = 0;
  m->c_order = false;
  m->fits = true;
}

static void change_member(fuzz_member *m, dice *d)
{
  switch (roll_below(d, 16)) {
    case 0: m->dtype = any_dtype(d); break;
    case 1: change_ndim(m->shape, &m->ndim, d); break;
    case 2: case 3: nudge_one(m->shape, m->ndim, d); break;
    case 4:
      m->c_order = false;
      nudge_one(m->strides, m->ndim, d);
      break;
    case 5: m->c_order = true; break;
    case 6: m->fits = true; break;
    case 7:
      m->fits = false;
      m->length = fuzz_nudge(m->length, d) & INT64_MAX;
      break;
    case 8: m->offset = fuzz_nudge(m->offset, d); break;
    case 9: change_pattern(&m->contents, d); break;
    case 10: make_huge(m, d); break;
    default: change_literals(&m->contents, d); break;
  }
  for (int64_t i = 0; i < m->ndim && m->c_order; i++) m->strides[i] = 1;
}

static fuzz_member *any_member(fuzz_free *f, dice *d)
{
  const int first = f->layout == SPW_COO ? FUZZ_PLAIN : FUZZ_COMPRESSED;
  return &f->members[first + roll_below(d, FUZZ_MEMBERS - first)];
}

/* ---- Whole tensors: changes after which a valid tensor may be valid again -------------------- */

static int64_t last_entry(const fuzz_member *m)
{
  return m->ndim > 0 ? m->shape[m->ndim - 1] : 0;
}

/* Values and the last offset agree with the number of plain indices; storages fit. */
static void agree_on_nse(fuzz_free *f)
{
  fuzz_member *compressed = &f->members[FUZZ_COMPRESSED], *values = &f->members[FUZZ_VALUES];
  const int64_t nse = last_entry(&f->members[FUZZ_PLAIN]);
  const int64_t B = f->layout == SPW_COO ? 0 : compressed->ndim - 1;
  if (B < 0 || B >= values->ndim) return;
  values->shape[B] = nse;
  for (int i = 0; i < FUZZ_MEMBERS; i++) f->members[i].c_order = f->members[i].fits = true;
  if (f->layout == SPW_COO) return;
  fuzz_contents *c = &compressed->contents;
  if (c->count == 0) c->literal[c->count++] = 0;
  c->literal[c->count - 1] = nse;
  compressed->shape[B] = c->count;
  if (f->ndim >= B + 2 && (f->layout == SPW_CSR || f->layout == SPW_CSC))
    f->size[B + (f->layout == SPW_CSC)] = c->count - 1;
}

static void set_nse(fuzz_free *f, int64_t nse)
{
  fuzz_member *plain = &f->members[FUZZ_PLAIN];
  if (plain->ndim > 0) plain->shape[plain->ndim - 1] = nse;
  if (plain->contents.count > nse && nse >= 0) plain->contents.count = nse;
  agree_on_nse(f);
}

/* Long and regular: rows of `width` ascending indices each. */
static void make_long(fuzz_free *f, dice *d)
{
  const int64_t width = roll_below(d, 40);
  const int64_t rows = roll_below(d, width ? FUZZ_ELEMENTS / width : FUZZ_ELEMENTS);
  fuzz_member *compressed = &f->members[FUZZ_COMPRESSED], *plain = &f->members[FUZZ_PLAIN];
  const bool by_columns = f->layout == SPW_CSC;
  if (f->layout != SPW_CSR && !by_columns) return;
  memset(&compressed->contents, 0, offsetof(fuzz_contents, literal));
  memset(&plain->contents, 0, offsetof(fuzz_contents, literal));
  compressed->contents.step = width;
  plain->contents.step = 1 + roll_below(d, 3);
  plain->contents.period = width;
  for (int i = 0; i < FUZZ_MEMBERS; i++) {
    f->members[i].ndim = 1;
    f->members[i].shape[0] = width * rows;
    f->members[i].offset = 0;
    f->members[i].c_order = f->members[i].fits = true;
  }
  compressed->shape[0] = rows + 1;
  compressed->dtype = plain->dtype;
  f->ndim = f->has_size ? 2 : 0;
  f->size[by_columns] = rows;
  f->size[!by_columns] = width * plain->contents.step + roll_below(d, 3);
}

static void swap_layout(fuzz_free *f, dice *d)
{
  const bool was_coo = f->layout == SPW_COO;
  f->layout = (spw_layout)roll_below(d, SPW_LAYOUT_COUNT);
  if (was_coo && f->layout != SPW_COO) f->members[FUZZ_COMPRESSED] = f->members[FUZZ_PLAIN];
}

static void change_free(fuzz_free *f, dice *d)
{
  switch (roll_below(d, 24)) {
    case 0: swap_layout(f, d); break;
    case 1:
      f->has_size = !f->has_size;
      if (f->has_size) f->ndim = roll_below(d, 4);
      break;
    case 2: f->coalesced = (spw_claim)(roll_below(d, 3) - 1); break;
    case 3: f->index_dtype = any_dtype(d); break;
    case 4: f->dtype = any_dtype(d); break;
    case 5: if (f->has_size) change_ndim(f->size, &f->ndim, d); break;
    case 6: case 7: nudge_one(f->size, f->has_size ? f->ndim : 0, d); break;
    case 8: agree_on_nse(f); break;
    case 9: set_nse(f, add(last_entry(&f->members[FUZZ_PLAIN]), roll_below(d, 2) ? 1 : -1)); break;
    case 10: set_nse(f, 0); break;
    case 11: if (roll_below(d, 4) == 0) make_long(f, d); break;
    case 12:
      f->members[FUZZ_PLAIN].dtype = f->members[FUZZ_COMPRESSED].dtype =
          roll_below(d, 2) ? SPW_INT32 : SPW_INT64;
      break;
    default: change_member(any_member(f, d), d); break;
  }
}

/* ---- Built tensors --------------------------------------------------------------------------- */

static void change_plan(plan *p, dice *d)
{
  switch (roll_below(d, 12)) {
    case 0: p->layout = (spw_layout)roll_below(d, SPW_LAYOUT_COUNT); break;
    case 1: p->index_dtype = p->index_dtype == SPW_INT32 ? SPW_INT64 : SPW_INT32; break;
    case 2: p->spread = (spread)roll_below(d, SPREAD_COUNT); break;
    case 3: p->has_size = !p->has_size; break;
    case 4: p->declares = !p->declares; break;
    case 5: p->coalesced = (spw_claim)(roll_below(d, 3) - 1); break;
    case 6: p->C = roll_below(d, 13); break;
    case 7: p->P = roll_below(d, 13); break;
    case 8: p->nse = roll_below(d, 13); break;
    case 9:
      p->batch_ndim = roll_below(d, 4);
      for (int64_t i = 0; i < p->batch_ndim; i++) p->batch[i] = roll_below(d, 4);
      break;
    case 10:
      p->dense_ndim = roll_below(d, 3);
      for (int64_t i = 0; i < p->dense_ndim; i++) p->dense[i] = roll_below(d, 4);
      break;
    default:
      p->sparse_dim = roll_below(d, 4);
      for (int64_t i = 0; i < p->sparse_dim; i++) p->sparse_size[i] = roll_below(d, 8);
      break;
  }
}

static void change_built(fuzz_built *b, dice *d)
{
  switch (roll_below(d, 8)) {
    case 0: b->seed = roll_below(d, 200); break;
    case 1: case 2: b->violation = roll_below(d, 16); break;
    case 3: b->where = roll_below(d, 1000); break;
    case 4: b->amount = fuzz_nudge(b->amount, d); break;
    case 5: b->changes = roll_below(d, 2) ? 0 : roll_below(d, 8); break;
    default: change_plan(&b->plan, d); break;
  }
}

/* ---- Models ---------------------------------------------------------------------------------- */

void fuzz_random_model(fuzz_model *model, dice *d)
{
  model->is_built = true;
  model->level = (spw_level)(SPW_SHAPE + roll_below(d, SPW_CANONICAL));
  model->modifier = (uint8_t)roll(d);
  fuzz_built *b = &model->built;
  memset(b, 0, sizeof *b);
  b->plan = plan_random(d);
  b->seed = roll_below(d, 200);
  b->violation = roll_below(d, 16);
  b->where = roll_below(d, 1000);
  b->amount = fuzz_nudge(1, d);
  b->changes = roll_below(d, 3) ? 0 : roll_below(d, 8);
}

/* A built tensor spelled out, so that every part of it can be changed. */
static void set_free(fuzz_model *model)
{
  static fuzz_tensor t;
  uint8_t bytes[256]; /* more than a built model takes; what is decoded has room in a specimen */
  const spw_level level = model->level;
  if (!fuzz_decode(bytes, fuzz_encode(model, bytes, sizeof bytes), model)) return;
  fuzz_build_whole(model, &t);
  if (!t.has_values) t.tensor.values.data = NULL;
  if (!fuzz_model_of(&t.tensor, model)) model->is_built = true;
  model->level = level;
}

void fuzz_change(fuzz_model *model, dice *d)
{
  switch (roll_below(d, 40)) {
    case 0: model->level = (spw_level)(SPW_SHAPE + roll_below(d, SPW_CANONICAL)); return;
    case 1: model->modifier = (uint8_t)roll(d); return;
    case 2: fuzz_random_model(model, d); return;
    case 3: if (model->is_built) set_free(model); return;
    default: break;
  }
  if (model->is_built) change_built(&model->built, d);
  else change_free(&model->free, d);
}
