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

static spw_dtype any_value_type(dice *d)
{
  return (spw_dtype)(1 + roll_below(d, SPW_DTYPE_COUNT - 1));
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

/* Of a value. */
static int64_t any_word(spw_dtype dtype, dice *d)
{
  return (int64_t)fuzz_word(dtype, (fuzz_class)roll_below(d, FUZZ_CLASSES), roll(d));
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

/* Every class, one, a few, or the pattern itself. */
static int64_t any_classes(dice *d)
{
  switch (roll_below(d, 4)) {
    case 0: return FUZZ_EVERY_CLASS;
    case 1: return (int64_t)1 << roll_below(d, FUZZ_CLASSES);
    case 2: return roll_below(d, FUZZ_EVERY_CLASS + 1);
    default: return 0;
  }
}

/* Contents of values: besides what any contents may become, their bits. */
static void change_values(fuzz_contents *c, spw_dtype dtype, dice *d)
{
  const int64_t at = c->count > 0 ? roll_below(d, c->count) : 0;
  switch (roll_below(d, 6)) {
    case 0: c->classes = any_classes(d); break;
    case 1: case 2:
      if (c->count > 0) c->literal[at] = any_word(dtype, d);
      else insert_literal(c, at, any_word(dtype, d));
      break;
    case 3: if (c->count > 0) c->literal[at] ^= (int64_t)((uint64_t)1 << roll_below(d, 64)); break;
    case 4: change_pattern(c, d); break;
    default: change_literals(c, d); break;
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

static void change_contents(fuzz_member *m, bool is_values, dice *d)
{
  if (is_values) change_values(&m->contents, m->dtype, d);
  else if (roll_below(d, 6)) change_literals(&m->contents, d);
  else change_pattern(&m->contents, d);
}

static void change_member(fuzz_member *m, bool is_values, dice *d)
{
  switch (roll_below(d, 16)) {
    case 0: m->dtype = is_values ? any_value_type(d) : any_dtype(d); break;
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
    case 9: make_huge(m, d); break;
    default: change_contents(m, is_values, d); break;
  }
  for (int64_t i = 0; i < m->ndim && m->c_order; i++) m->strides[i] = 1;
}

static int any_member(const fuzz_free *f, dice *d)
{
  const int first = f->layout == SPW_COO ? FUZZ_PLAIN : FUZZ_COMPRESSED;
  return first + (int)roll_below(d, FUZZ_MEMBERS - first);
}

/* A column of COO indices becomes another's: the same place twice. Where the columns are as long as
 * the shape says, and spelled out. */
static void repeat_column(fuzz_free *f, dice *d)
{
  fuzz_member *plain = &f->members[FUZZ_PLAIN];
  if (f->layout != SPW_COO || plain->ndim != 2) return;
  const int64_t rows = plain->shape[0], columns = plain->shape[1];
  if (rows < 1 || rows > FUZZ_LITERALS || columns < 2 || columns > FUZZ_LITERALS / rows) return;
  if (plain->contents.count < rows * columns) return;
  const int64_t to = roll_below(d, columns), from = roll_below(d, columns);
  for (int64_t i = 0; i < rows; i++)
    plain->contents.literal[i * columns + to] = plain->contents.literal[i * columns + from];
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

static void change_any_member(fuzz_free *f, dice *d)
{
  const int member = any_member(f, d);
  change_member(&f->members[member], member == FUZZ_VALUES, d);
}

static void change_free(fuzz_free *f, dice *d)
{
  switch (roll_below(d, 25)) {
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
    case 13: repeat_column(f, d); break;
    default: change_any_member(f, d); break;
  }
}

/* ---- Built tensors --------------------------------------------------------------------------- */

static void change_plan(plan *p, dice *d)
{
  switch (roll_below(d, 14)) {
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
    case 11: p->scattered = !p->scattered; break;
    case 12: p->block[roll_below(d, 2)] = 1 + roll_below(d, LARGEST_BLOCK); break;
    default:
      p->sparse_dim = roll_below(d, 4);
      for (int64_t i = 0; i < p->sparse_dim; i++) p->sparse_size[i] = roll_below(d, 8);
      break;
  }
}

static void change_built(fuzz_built *b, dice *d)
{
  switch (roll_below(d, 10)) {
    case 0: b->seed = roll_below(d, 200); break;
    case 1: case 2: b->violation = roll_below(d, 16); break;
    case 3: b->where = roll_below(d, 1000); break;
    case 4: b->amount = fuzz_nudge(b->amount, d); break;
    case 5: b->changes = roll_below(d, 2) ? 0 : roll_below(d, 8); break;
    case 6: b->dtype = any_value_type(d); break;
    case 7: change_values(&b->values, b->dtype, d); break;
    default: change_plan(&b->plan, d); break;
  }
}

/* ---- Operands -------------------------------------------------------------------------------- */

static void make_built(fuzz_operand *o, dice *d)
{
  fuzz_built *b = &o->built;
  o->kind = FUZZ_BUILT;
  memset(b, 0, offsetof(fuzz_built, values));
  memset(&b->values, 0, offsetof(fuzz_contents, literal));
  b->plan = plan_random(d);
  b->plan.scattered = b->plan.layout == SPW_COO && b->plan.coalesced != SPW_CLAIM_YES &&
                      roll_below(d, 2);
  b->seed = roll_below(d, 200);
  b->dtype = roll_below(d, 2) ? SPW_FLOAT32 : any_value_type(d);
  b->values.start = b->values.step = 1;
  b->values.classes = any_classes(d);
  b->violation = roll_below(d, 16);
  b->where = roll_below(d, 1000);
  b->amount = fuzz_nudge(1, d);
  b->changes = roll_below(d, 3) ? 0 : roll_below(d, 8);
}

static void make_dense(fuzz_operand *o, dice *d)
{
  fuzz_member *m = &o->free.members[FUZZ_VALUES];
  o->kind = FUZZ_DENSE;
  memset(m, 0, offsetof(fuzz_member, contents));
  memset(&m->contents, 0, offsetof(fuzz_contents, literal));
  m->dtype = any_value_type(d);
  m->ndim = roll_below(d, 4);
  for (int64_t i = 0; i < m->ndim; i++) m->shape[i] = roll_below(d, 6);
  m->c_order = m->fits = true;
  m->contents.start = m->contents.step = 1;
  m->contents.classes = any_classes(d);
}

static void make_operand(fuzz_operand *o, dice *d)
{
  if (roll_below(d, 4)) make_built(o, d);
  else make_dense(o, d);
}

/* A built tensor spelled out, so that every part of it can be changed. */
static void set_free(fuzz_model *model, int64_t number)
{
  static fuzz_model alone;
  static fuzz_tensor t;
  static uint8_t bytes[FUZZ_INPUT];
  fuzz_operand *o = &model->operand[number];
  if (o->kind != FUZZ_BUILT) return;
  alone.operands = 1;
  alone.operand[0] = *o;
  /* what is decoded has room in a specimen */
  if (!fuzz_decode(bytes, fuzz_encode(&alone, bytes, sizeof bytes), &alone)) return;
  fuzz_build_whole(&alone, 0, &t);
  if (!t.has_values) t.tensor.values.data = NULL;
  if (!fuzz_operand_of(&t.tensor, o)) o->kind = FUZZ_BUILT;
}

static void change_operand(fuzz_operand *o, dice *d)
{
  switch (o->kind) {
    case FUZZ_BUILT: change_built(&o->built, d); break;
    case FUZZ_DENSE: change_member(&o->free.members[FUZZ_VALUES], true, d); break;
    default: change_free(&o->free, d); break;
  }
}

static void splice_values(fuzz_operand *to, const fuzz_operand *from)
{
  fuzz_contents *const into =
      to->kind == FUZZ_BUILT ? &to->built.values : &to->free.members[FUZZ_VALUES].contents;
  *into = from->kind == FUZZ_BUILT ? from->built.values : from->free.members[FUZZ_VALUES].contents;
}

void fuzz_splice(fuzz_operand *to, const fuzz_operand *from, dice *d)
{
  if (to->kind != from->kind || roll_below(d, 4) == 0) {
    splice_values(to, from);
  } else if (to->kind == FUZZ_BUILT) {
    if (roll_below(d, 2)) to->built.plan = from->built.plan;
    else to->built.violation = from->built.violation;
  } else if (to->kind == FUZZ_DENSE) {
    to->free.members[FUZZ_VALUES] = from->free.members[FUZZ_VALUES];
  } else {
    const bool has_coo = to->free.layout == SPW_COO || from->free.layout == SPW_COO;
    const int first = has_coo ? FUZZ_PLAIN : FUZZ_COMPRESSED;
    const int64_t i = first + roll_below(d, FUZZ_MEMBERS - first);
    if (roll_below(d, 2)) to->free.members[i] = from->free.members[i];
    else to->free.members[i].contents = from->free.members[i].contents;
  }
}

/* ---- Models ---------------------------------------------------------------------------------- */

void fuzz_random_model(fuzz_model *model, dice *d)
{
  model->operation = (uint8_t)roll_below(d, 16);
  model->parameters = roll_below(d, 5);
  for (int64_t i = 0; i < model->parameters; i++) model->parameter[i] = roll_below(d, 16);
  model->operands = 1;
  make_built(&model->operand[0], d);
}

static void change_parameter(fuzz_model *model, dice *d)
{
  int64_t *const count = &model->parameters;
  if (*count < FUZZ_PARAMETERS && (*count == 0 || roll_below(d, 8) == 0)) {
    model->parameter[(*count)++] = roll_below(d, 16);
  } else if (roll_below(d, 8) == 0) {
    --*count;
  } else {
    int64_t *const one = &model->parameter[roll_below(d, *count)];
    *one = roll_below(d, 2) ? roll_below(d, 256) : fuzz_nudge(*one, d);
  }
}

static void swap_operands(fuzz_model *model, int64_t a, int64_t b)
{
  static fuzz_operand kept;
  kept = model->operand[a];
  model->operand[a] = model->operand[b];
  model->operand[b] = kept;
}

/* One more operand, a copy or another; or one fewer. */
static void change_operands(fuzz_model *model, dice *d)
{
  const int64_t from = roll_below(d, model->operands);
  const bool has_room = model->operands < FUZZ_OPERANDS;
  switch (roll_below(d, 6)) {
    case 0: case 1: case 2:
      if (has_room) model->operand[model->operands++] = model->operand[from];
      break;
    case 3:
      if (has_room) make_operand(&model->operand[model->operands++], d);
      break;
    case 4:
      if (model->operands > 1) model->operand[from] = model->operand[--model->operands];
      break;
    default: make_operand(&model->operand[from], d); break;
  }
}

/* Two operands: exchanged, or one gets the other's place, or a part of it. */
static void mix_operands(fuzz_model *model, dice *d)
{
  const int64_t a = roll_below(d, model->operands), b = roll_below(d, model->operands);
  if (a == b) return;
  switch (roll_below(d, 3)) {
    case 0: swap_operands(model, a, b); break;
    case 1: model->operand[a] = model->operand[b]; break;
    default: fuzz_splice(&model->operand[a], &model->operand[b], d); break;
  }
}

void fuzz_change(fuzz_model *model, dice *d)
{
  const int64_t number = roll_below(d, model->operands);
  switch (roll_below(d, 40)) {
    case 0: model->operation = (uint8_t)roll_below(d, 16); return;
    case 1: change_parameter(model, d); return;
    case 2: fuzz_random_model(model, d); return;
    case 3: set_free(model, number); return;
    case 4: change_operands(model, d); return;
    case 5: case 6: mix_operands(model, d); break;
    default: break;
  }
  change_operand(&model->operand[number], d);
}
