/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes as models and back. What is decoded here is encoded below, in the same order. */
#include "model.h"

#include <string.h>

enum { KIND = 3, HAS_SIZE = 4 };
enum { C_ORDER = 1, FITS = 2 };

/* ---- Decoding -------------------------------------------------------------------------------- */

/* Every element type, and one number that is none. */
static spw_dtype take_dtype(fuzz_source *source)
{
  const int64_t dtype = fuzz_take_below(source, SPW_DTYPE_COUNT + 1);
  return dtype == SPW_DTYPE_COUNT ? (spw_dtype)99 : (spw_dtype)dtype;
}

static void take_list(fuzz_source *source, int64_t count, int64_t *list)
{
  for (int64_t i = 0; i < count; i++) list[i] = fuzz_take(source);
}

static void take_contents(fuzz_source *source, bool has_classes, fuzz_contents *c)
{
  c->start = fuzz_take(source);
  c->step = fuzz_take(source);
  c->period = fuzz_take_below(source, FUZZ_ELEMENTS);
  c->classes = has_classes ? fuzz_take(source) & FUZZ_EVERY_CLASS : 0;
  c->patches = fuzz_take_below(source, FUZZ_PATCHES + 1);
  for (int64_t i = 0; i < c->patches; i++) {
    c->at[i] = fuzz_take_below(source, FUZZ_ELEMENTS);
    c->value[i] = fuzz_take(source);
  }
  c->count = fuzz_take_below(source, FUZZ_LITERALS + 1);
  for (int64_t i = 0; i < c->count; i++) c->literal[i] = fuzz_take_element(source);
}

static void take_member(fuzz_source *source, bool is_values, fuzz_member *m)
{
  m->dtype = take_dtype(source);
  m->ndim = fuzz_take_below(source, FUZZ_DIMS + 1);
  take_list(source, m->ndim, m->shape);
  m->offset = fuzz_take(source);
  const uint8_t flags = fuzz_take_byte(source);
  m->c_order = flags & C_ORDER;
  m->fits = flags & FITS;
  if (!m->c_order) take_list(source, m->ndim, m->strides);
  m->length = m->fits ? 0 : fuzz_take(source) & INT64_MAX;
  take_contents(source, is_values, &m->contents);
}

static void take_free(fuzz_source *source, bool has_size, fuzz_free *free)
{
  free->has_size = has_size;
  free->layout = (spw_layout)fuzz_take_below(source, SPW_LAYOUT_COUNT);
  free->coalesced = (spw_claim)(fuzz_take_below(source, 3) - 1);
  free->index_dtype = take_dtype(source);
  free->dtype = take_dtype(source);
  free->ndim = has_size ? fuzz_take_below(source, FUZZ_DIMS + 1) : 0;
  take_list(source, free->ndim, free->size);
  const int first = free->layout == SPW_COO ? FUZZ_PLAIN : FUZZ_COMPRESSED;
  for (int i = first; i < FUZZ_MEMBERS; i++)
    take_member(source, i == FUZZ_VALUES, &free->members[i]);
}

static int64_t smaller(int64_t a, int64_t b)
{
  return a < b ? a : b;
}

enum { MOST_COLUMNS = 100 }; /* of COO indices */

/* Only plans that specimen_make has room for. */
static void take_plan(fuzz_source *source, bool has_size, plan *p)
{
  int64_t grid = 1;
  memset(p, 0, sizeof *p);
  p->has_size = has_size;
  p->layout = (spw_layout)fuzz_take_below(source, SPW_LAYOUT_COUNT);
  p->index_dtype = fuzz_take_below(source, 2) ? SPW_INT32 : SPW_INT64;
  p->spread = (spread)fuzz_take_below(source, SPREAD_COUNT);
  p->declares = fuzz_take_below(source, 2);
  p->coalesced = (spw_claim)(fuzz_take_below(source, 3) - 1);
  p->batch_ndim = fuzz_take_below(source, 4);
  for (int64_t i = 0; i < p->batch_ndim; i++) p->batch[i] = fuzz_take_below(source, 4);
  p->C = fuzz_take_below(source, 13);
  p->P = fuzz_take_below(source, 13);
  for (int i = 0; i < 2; i++) p->block[i] = 1 + fuzz_take_below(source, LARGEST_BLOCK);
  p->dense_ndim = fuzz_take_below(source, 3);
  for (int64_t i = 0; i < p->dense_ndim; i++) p->dense[i] = fuzz_take_below(source, 4);
  p->sparse_dim = fuzz_take_below(source, 4);
  for (int64_t i = 0; i < p->sparse_dim; i++)
    grid *= p->sparse_size[i] = fuzz_take_below(source, 8);
  if (p->layout != SPW_COO) grid = p->C * p->P;
  p->scattered = fuzz_take_below(source, 2) && p->layout == SPW_COO && grid > 0 &&
                 p->coalesced != SPW_CLAIM_YES;
  if (p->scattered) grid = MOST_COLUMNS;
  p->nse = fuzz_take_below(source, 1 + smaller(grid, p->layout == SPW_COO ? MOST_COLUMNS : 13));
}

static void take_built(fuzz_source *source, bool has_size, fuzz_built *built)
{
  take_plan(source, has_size, &built->plan);
  built->seed = fuzz_take(source);
  built->dtype = (spw_dtype)(1 + fuzz_take_below(source, SPW_DTYPE_COUNT - 1));
  take_contents(source, true, &built->values);
  built->violation = fuzz_take_byte(source);
  built->where = fuzz_take(source);
  built->amount = fuzz_take(source);
  built->changes = fuzz_take_below(source, 8);
}

static void take_operand(fuzz_source *source, fuzz_operand *operand)
{
  const uint8_t flags = fuzz_take_byte(source);
  operand->kind = (fuzz_kind)((flags & KIND) % FUZZ_KINDS);
  switch (operand->kind) {
    case FUZZ_BUILT: take_built(source, flags & HAS_SIZE, &operand->built); break;
    case FUZZ_DENSE: take_member(source, true, &operand->free.members[FUZZ_VALUES]); break;
    default: take_free(source, flags & HAS_SIZE, &operand->free); break;
  }
}

bool fuzz_decode(const uint8_t *bytes, size_t size, fuzz_model *model)
{
  fuzz_source source = {bytes, size ? bytes + size : bytes};
  if (fuzz_take_byte(&source) != FUZZ_VERSION) return false;
  model->operation = fuzz_take_byte(&source);
  model->parameters = fuzz_take_below(&source, FUZZ_PARAMETERS + 1);
  take_list(&source, model->parameters, model->parameter);
  model->operands = 1 + fuzz_take_below(&source, FUZZ_OPERANDS);
  for (int64_t i = 0; i < model->operands; i++) take_operand(&source, &model->operand[i]);
  return true;
}

/* ---- What is asked --------------------------------------------------------------------------- */

int fuzz_operation(const fuzz_model *model, int count)
{
  return model->operation % count;
}

int64_t fuzz_parameter(const fuzz_model *model, int64_t i, int64_t count)
{
  return i < model->parameters ? (int64_t)((uint64_t)model->parameter[i] % (uint64_t)count) : 0;
}

spw_level fuzz_level(const fuzz_model *model)
{
  return (spw_level)(SPW_CANONICAL - fuzz_parameter(model, 0, SPW_CANONICAL));
}

/* ---- Encoding -------------------------------------------------------------------------------- */

static void put_dtype(fuzz_sink *sink, spw_dtype dtype)
{
  fuzz_put(sink, spw_dtype_size(dtype) || !dtype ? (int64_t)dtype : SPW_DTYPE_COUNT);
}

static void put_list(fuzz_sink *sink, int64_t count, const int64_t *list)
{
  for (int64_t i = 0; i < count; i++) fuzz_put(sink, list[i]);
}

static void put_contents(fuzz_sink *sink, bool has_classes, const fuzz_contents *c)
{
  fuzz_put(sink, c->start);
  fuzz_put(sink, c->step);
  fuzz_put(sink, c->period);
  if (has_classes) fuzz_put(sink, c->classes);
  fuzz_put(sink, c->patches);
  for (int64_t i = 0; i < c->patches; i++) {
    fuzz_put(sink, c->at[i]);
    fuzz_put(sink, c->value[i]);
  }
  fuzz_put(sink, c->count);
  for (int64_t i = 0; i < c->count; i++) fuzz_put_element(sink, c->literal[i]);
}

static void put_member(fuzz_sink *sink, bool is_values, const fuzz_member *m)
{
  put_dtype(sink, m->dtype);
  fuzz_put(sink, m->ndim);
  put_list(sink, m->ndim, m->shape);
  fuzz_put(sink, m->offset);
  fuzz_put_byte(sink, (uint8_t)((m->c_order ? C_ORDER : 0) | (m->fits ? FITS : 0)));
  if (!m->c_order) put_list(sink, m->ndim, m->strides);
  if (!m->fits) fuzz_put(sink, m->length);
  put_contents(sink, is_values, &m->contents);
}

static void put_free(fuzz_sink *sink, const fuzz_free *free)
{
  fuzz_put(sink, free->layout);
  fuzz_put(sink, free->coalesced + 1);
  put_dtype(sink, free->index_dtype);
  put_dtype(sink, free->dtype);
  if (free->has_size) fuzz_put(sink, free->ndim);
  if (free->has_size) put_list(sink, free->ndim, free->size);
  const int first = free->layout == SPW_COO ? FUZZ_PLAIN : FUZZ_COMPRESSED;
  for (int i = first; i < FUZZ_MEMBERS; i++)
    put_member(sink, i == FUZZ_VALUES, &free->members[i]);
}

static void put_plan(fuzz_sink *sink, const plan *p)
{
  fuzz_put(sink, p->layout);
  fuzz_put(sink, p->index_dtype == SPW_INT32);
  fuzz_put(sink, p->spread);
  fuzz_put(sink, p->declares);
  fuzz_put(sink, p->coalesced + 1);
  fuzz_put(sink, p->batch_ndim);
  put_list(sink, p->batch_ndim, p->batch);
  fuzz_put(sink, p->C);
  fuzz_put(sink, p->P);
  for (int i = 0; i < 2; i++) fuzz_put(sink, p->block[i] - 1);
  fuzz_put(sink, p->dense_ndim);
  put_list(sink, p->dense_ndim, p->dense);
  fuzz_put(sink, p->sparse_dim);
  put_list(sink, p->sparse_dim, p->sparse_size);
  fuzz_put(sink, p->scattered);
  fuzz_put(sink, p->nse);
}

static void put_built(fuzz_sink *sink, const fuzz_built *built)
{
  put_plan(sink, &built->plan);
  fuzz_put(sink, built->seed);
  fuzz_put(sink, built->dtype - 1);
  put_contents(sink, true, &built->values);
  fuzz_put_byte(sink, (uint8_t)built->violation);
  fuzz_put(sink, built->where);
  fuzz_put(sink, built->amount);
  fuzz_put(sink, built->changes);
}

static void put_operand(fuzz_sink *sink, const fuzz_operand *operand)
{
  const bool is_built = operand->kind == FUZZ_BUILT, is_dense = operand->kind == FUZZ_DENSE;
  const bool has_size = is_built ? operand->built.plan.has_size
                                 : !is_dense && operand->free.has_size;
  fuzz_put_byte(sink, (uint8_t)(operand->kind | (has_size ? HAS_SIZE : 0)));
  if (is_built) put_built(sink, &operand->built);
  else if (is_dense) put_member(sink, true, &operand->free.members[FUZZ_VALUES]);
  else put_free(sink, &operand->free);
}

size_t fuzz_encode(const fuzz_model *model, uint8_t *bytes, size_t capacity)
{
  fuzz_sink sink = {bytes, capacity, 0, 0, false};
  fuzz_put_byte(&sink, FUZZ_VERSION);
  fuzz_put_byte(&sink, model->operation);
  fuzz_put(&sink, model->parameters);
  put_list(&sink, model->parameters, model->parameter);
  fuzz_put(&sink, model->operands - 1);
  for (int64_t i = 0; i < model->operands; i++) put_operand(&sink, &model->operand[i]);
  return sink.full ? 0 : fuzz_finish(&sink);
}

/* ---- The operand of a tensor ----------------------------------------------------------------- */

enum { WORD = 8 };

/* Word `w` of a storage. Integers keep their value, so that they stay small. */
static int64_t word_at(const char *data, spw_dtype dtype, int64_t w)
{
  const int64_t element = spw_dtype_size(dtype) ? spw_dtype_size(dtype) : 1; /* as build.c has it */
  const int64_t size = smaller(element, WORD);
  uint64_t bits = 0;
  memcpy(&bits, data + w * size, (size_t)size);
  const int shift = (int)(8 * (WORD - size));
  return (int64_t)(bits << shift) >> shift;
}

/* The words of all elements are those of the first. */
static void repeat_first(const char *data, spw_dtype dtype, fuzz_contents *c)
{
  c->start = word_at(data, dtype, 0);
  if (fuzz_words(dtype) == 1) return;
  c->period = fuzz_words(dtype);
  c->step = (int64_t)((uint64_t)word_at(data, dtype, 1) - (uint64_t)c->start);
}

static bool copy_contents(const char *data, const fuzz_member *m, bool may_lose, fuzz_contents *c)
{
  memset(c, 0, offsetof(fuzz_contents, literal));
  if (!data || m->length == 0) return true;
  /* values that build.c does not fill either: there may be no memory behind them */
  if (may_lose && (m->length > FUZZ_ELEMENTS || !spw_dtype_size(m->dtype))) return true;
  const int64_t words = fuzz_words(m->dtype);
  int64_t differing = 0; /* words up to and including the last element that is not the first */
  for (int64_t w = 0; w < smaller(m->length, FUZZ_ELEMENTS) * words; w++)
    if (word_at(data, m->dtype, w) != word_at(data, m->dtype, w % words))
      differing = w - w % words + words;
  repeat_first(data, m->dtype, c);
  c->count = smaller(differing, FUZZ_LITERALS);
  for (int64_t w = 0; w < c->count; w++) c->literal[w] = word_at(data, m->dtype, w);
  return may_lose || (differing <= FUZZ_LITERALS && m->length <= FUZZ_ELEMENTS);
}

static bool copy_member(const spw_array *array, const void *data, bool may_lose, fuzz_member *m)
{
  if (array->ndim > FUZZ_DIMS) return false;
  m->dtype = array->dtype;
  m->ndim = array->ndim;
  for (int64_t d = 0; d < m->ndim; d++) {
    m->shape[d] = array->shape[d];
    m->strides[d] = array->strides[d];
  }
  m->offset = array->offset;
  m->c_order = m->fits = false;
  m->length = array->length;
  return copy_contents(data, m, may_lose, &m->contents);
}

static bool copy_index_member(const spw_index_array *a, fuzz_member *m)
{
  const void *data = a->raw;
  if (a->array.dtype == SPW_INT32) data = a->i32;
  if (a->array.dtype == SPW_INT64) data = a->i64;
  return copy_member(&a->array, data, false, m);
}

bool fuzz_operand_of(const spw_tensor *tensor, fuzz_operand *operand)
{
  fuzz_free *free = &operand->free;
  fuzz_member *const values = &free->members[FUZZ_VALUES];
  if (tensor->layout == SPW_DENSE) {
    operand->kind = FUZZ_DENSE;
    return copy_member(&tensor->values.array, tensor->values.data, true, values);
  }
  if (tensor->has_size && tensor->ndim > FUZZ_DIMS) return false;
  operand->kind = FUZZ_FREE;
  free->layout = tensor->layout;
  free->coalesced = tensor->coalesced;
  free->index_dtype = tensor->index_dtype;
  free->dtype = tensor->dtype;
  free->has_size = tensor->has_size;
  free->ndim = tensor->has_size ? tensor->ndim : 0;
  for (int64_t d = 0; d < free->ndim; d++) free->size[d] = tensor->size[d];
  return (tensor->layout == SPW_COO ||
          copy_index_member(&tensor->compressed, &free->members[FUZZ_COMPRESSED])) &&
         copy_index_member(&tensor->plain, &free->members[FUZZ_PLAIN]) &&
         copy_member(&tensor->values.array, tensor->values.data, true, values);
}

bool fuzz_model_of(const spw_tensor *tensor, fuzz_model *model)
{
  model->operation = 0;
  model->parameters = 0;
  model->operands = 1;
  return fuzz_operand_of(tensor, &model->operand[0]);
}
