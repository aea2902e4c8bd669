/* SPDX-License-Identifier: Apache-2.0 */
#include "united.h"

#include "../attempts/fenced.h"
#include "oracle.h"
#include "scalar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char text[600];

#define WRONG(...) (snprintf(text, sizeof text, __VA_ARGS__), text)

/* ---- Scalars ----------------------------------------------------------------------------------- */

/* -x: the sign of each part, or 0 - x. */
static void negate(spw_dtype dtype, uint8_t *x)
{
  const int64_t width = scalar_width(dtype), part = scalar_is_complex(dtype) ? width / 2 : width;
  if (scalar_is_float(dtype)) {
    for (int64_t end = part; end <= width; end += part) x[end - 1] ^= 0x80;
    return;
  }
  unsigned borrow = 0;
  for (int64_t i = 0; i < width; i++) {
    const unsigned byte = 0x100u - x[i] - borrow;
    borrow = byte < 0x100u;
    x[i] = (uint8_t)byte;
  }
}

/* x = a + alpha * x, of 16 bits without a rounding in between. */
static void add_times(spw_dtype dtype, const uint8_t *a, const uint8_t *alpha, uint8_t *x)
{
  uint8_t one[16] = {0}, sum[16] = {0};
  const size_t width = (size_t)scalar_width(dtype);
  memcpy(sum, a, width);
  if (dtype == SPW_FLOAT16 || dtype == SPW_BFLOAT16) {
    scalar_sum product = scalar_nothing(dtype);
    scalar_one(dtype, one);
    scalar_sum_add(&product, alpha, x);
    /* From +0: the sum of -0 and it is +0, which no product of +0 and it may be. */
    if (product.part[0] == 0) {
      scalar_multiply(dtype, alpha, x);
      scalar_add(dtype, sum, x);
    } else {
      scalar_sum_store(&product, one, one, sum);
    }
  } else {
    scalar_multiply(dtype, alpha, x);
    scalar_add(dtype, sum, x);
  }
  memcpy(x, sum, width);
}

static void divide(spw_dtype dtype, uint8_t *x, const uint8_t *by)
{
  uint64_t a = 0, b = 0;
  const size_t width = (size_t)scalar_width(dtype);
  memcpy(&a, x, width);
  memcpy(&b, by, width);
  const uint64_t quotient = scalar_of_double(dtype, scalar_to_double(dtype, a) / scalar_to_double(dtype, b));
  memcpy(x, &quotient, width);
}

/* What comes of two scalars, of which one may be null; true where it is computed. */
static bool compute(const spw_elementwise_request *w, spw_dtype dtype, const uint8_t *a, const uint8_t *b, uint8_t *x)
{
  const size_t width = (size_t)scalar_width(dtype);
  uint8_t factor[16] = {0};
  if (w->scalar) memcpy(factor, w->scalar, width);
  memcpy(x, b && w->kind != SPW_SCALE ? b : a, width);
  switch (w->kind) {
  case SPW_TIMES: scalar_multiply(dtype, a, x); return true;
  case SPW_SCALE: scalar_multiply(dtype, factor, x); return true;
  case SPW_DIVIDE: divide(dtype, x, factor); return true;
  case SPW_MINUS:
    if (w->scalar) negate(dtype, factor);
    else if (b) negate(dtype, x);
    break;
  default: break;
  }
  if (!b) return false;
  if (w->scalar && a) add_times(dtype, a, factor, x);
  else if (w->scalar) scalar_multiply(dtype, factor, x);
  else if (a) scalar_add(dtype, x, a);
  return w->scalar || a;
}

/* ---- What must come out ------------------------------------------------------------------------ */

typedef struct task {
  const spw_tensor *a, *b;
  const spw_elementwise_request *w;
  meaning of[2], out;
  bool keeps;
  unsigned obstacles; /* any of these; 0: none */
} task;

static void refuse(task *t, spw_obstacle obstacle)
{
  t->obstacles |= 1u << obstacle;
}

static bool blocked(spw_layout layout)
{
  return layout == SPW_BSR || layout == SPW_BSC;
}

static void judge_types(task *t)
{
  const spw_dtype dtype = t->a->values.array.dtype;
  const bool quotients = scalar_is_float(dtype) && !scalar_is_complex(dtype);
  if ((t->w->kind == SPW_MINUS && dtype == SPW_BOOL) || (t->w->kind == SPW_DIVIDE && !quotients)) refuse(t, SPW_OBSTACLE_TYPES);
  if (t->b && t->b->values.array.dtype != dtype) refuse(t, SPW_OBSTACLE_TYPES);
}

static void judge_forms(task *t)
{
  const meaning *m = &t->of[0], *n = &t->of[1];
  if (!t->b) return;
  if (m->ndim != n->ndim) refuse(t, SPW_OBSTACLE_DIMENSIONS);
  for (int64_t d = 0; d < m->ndim && m->ndim == n->ndim; d++)
    if (m->size[d] != n->size[d]) refuse(t, SPW_OBSTACLE_SHAPES);
  if (t->b->layout == SPW_DENSE) return;
  if (t->a->layout != t->b->layout) refuse(t, SPW_OBSTACLE_OPERAND);
  if (t->a->plain.array.dtype != t->b->plain.array.dtype) refuse(t, SPW_OBSTACLE_OPERAND);
  if (m->ndim - m->leading != n->ndim - n->leading) refuse(t, SPW_OBSTACLE_HYBRID);
  if (!blocked(t->a->layout) || t->a->layout != t->b->layout || m->ndim != n->ndim || m->leading != n->leading) return;
  for (int64_t i = 0; i < 2; i++)
    if (t->a->values.array.shape[m->leading - 1 + i] != t->b->values.array.shape[m->leading - 1 + i])
      refuse(t, SPW_OBSTACLE_BLOCKS);
}

static void combine(task *t, meaning *m)
{
  const int64_t all = m->count;
  meaning_sort(m);
  meaning_combine(m, t->w->duplicates == SPW_COMBINE_REFUSE ? SPW_COMBINE_FIRST : t->w->duplicates);
  if (t->w->duplicates == SPW_COMBINE_REFUSE && m->count < all) refuse(t, SPW_OBSTACLE_DUPLICATE);
}

static int compare_at(const cell *a, const cell *b, int64_t n)
{
  for (int64_t d = 0; d < n; d++)
    if (a->at[d] != b->at[d]) return a->at[d] < b->at[d] ? -1 : 1;
  return 0;
}

static void put_cell(task *t, const cell *a, const cell *b)
{
  meaning *const out = &t->out;
  const int64_t width = scalar_width(out->dtype);
  cell *const c = &out->cells[out->count];
  *c = a ? *a : *b;
  c->scalars = out->memory + out->count * out->scalars * width;
  c->computed = (a && a->computed) || (b && b->computed);
  for (int64_t e = 0; e < out->scalars; e++)
    c->computed |= compute(t->w, out->dtype, a ? a->scalars + e * width : NULL, b ? b->scalars + e * width : NULL,
                           c->scalars + e * width);
  out->count++;
}

static void begin(task *t, int64_t most)
{
  const meaning *const m = &t->of[0];
  t->out = (meaning){.dtype = m->dtype, .ndim = m->ndim, .leading = m->leading, .scalars = m->scalars};
  memcpy(t->out.size, m->size, sizeof m->size);
  t->out.cells = calloc((size_t)most + 1, sizeof *t->out.cells);
  t->out.memory = calloc((size_t)(most * m->scalars) + 1, 16);
  if (!t->out.cells || !t->out.memory) abort();
}

/* One list of all positions, each with what stands there. */
static void unite(task *t)
{
  const meaning *const m = &t->of[0], *const n = &t->of[1];
  begin(t, m->count + n->count);
  for (int64_t i = 0, j = 0; i < m->count || j < n->count;) {
    const cell *a = i < m->count ? &m->cells[i] : NULL, *b = j < n->count ? &n->cells[j] : NULL;
    const int before = !b ? -1 : !a ? 1 : compare_at(a, b, m->leading);
    if (before > 0) a = NULL;
    if (before < 0) b = NULL;
    i += a != NULL;
    j += b != NULL;
    if (t->w->kind != SPW_TIMES || (a && b)) put_cell(t, a, b);
  }
}

/* Every batch that there is has as many elements as every other. */
static void judge_batches(task *t)
{
  const meaning *const out = &t->out;
  const int64_t batch_dims = t->a->layout == SPW_COO ? 0 : out->leading - 2;
  int64_t batches = 1, *counts;
  for (int64_t d = 0; d < batch_dims; d++) batches *= out->size[d];
  if (out->count == 0 || batches == 0) return;
  counts = calloc((size_t)batches, sizeof *counts);
  if (!counts) abort();
  for (int64_t k = 0; k < out->count; k++) {
    int64_t b = 0;
    for (int64_t d = 0; d < batch_dims; d++) b = b * out->size[d] + out->cells[k].at[d];
    counts[b]++;
  }
  for (int64_t b = 1; b < batches; b++)
    if (counts[b] != counts[0]) refuse(t, SPW_OBSTACLE_BATCHES);
  free(counts);
}

/* The scalar of a dense array at a position: e of the dense part of a cell. */
static const uint8_t *dense_at(const task *t, const cell *c, int64_t e)
{
  const spw_array *const v = &t->b->values.array;
  int64_t place = v->offset;
  for (int64_t d = t->out.ndim - 1; d >= t->out.leading; d--) {
    place += e % t->out.size[d] * v->strides[d];
    e /= t->out.size[d];
  }
  for (int64_t d = 0; d < t->out.leading; d++) place += c->at[d] * v->strides[d];
  return (const uint8_t *)t->b->values.data + place * scalar_width(v->dtype);
}

/* The cells of a, in their order. */
static void keep(task *t)
{
  const meaning *const m = &t->of[0];
  const int64_t width = scalar_width(m->dtype);
  begin(t, m->count);
  for (int64_t k = 0; k < m->count; k++) {
    cell factors = m->cells[k];
    uint8_t *const memory = calloc((size_t)m->scalars + 1, 16);
    if (!memory) abort();
    factors.scalars = memory;
    for (int64_t e = 0; t->b && e < m->scalars; e++)
      memcpy(memory + e * width, dense_at(t, &m->cells[k], e), (size_t)width);
    put_cell(t, &m->cells[k], t->b ? &factors : NULL);
    free(memory);
  }
}

static const char *compare_forms(const task *t, const spw_tensor *r)
{
  const meaning *const m = &t->out;
  if (r->layout != t->a->layout) return WRONG("layout %d and not %d", (int)r->layout, (int)t->a->layout);
  const spw_rule broken = oracle_broken_rule(r);
  if (broken != SPW_RULE_NONE) return WRONG("the result breaks rule %d", (int)broken);
  const spw_claim claim = t->keeps ? t->a->coalesced : SPW_CLAIM_YES;
  if (r->layout == SPW_COO && r->coalesced != claim) return WRONG("claim %d and not %d", (int)r->coalesced, (int)claim);
  if (r->plain.array.dtype != t->a->plain.array.dtype) return WRONG("another type of indices");
  if (r->values.array.dtype != m->dtype || !r->has_size || r->ndim != m->ndim) return WRONG("another form");
  for (int64_t d = 0; d < m->ndim; d++)
    if (r->size[d] != m->size[d])
      return WRONG("size[%lld] is %lld and not %lld", (long long)d, (long long)r->size[d], (long long)m->size[d]);
  for (int64_t i = 0; blocked(r->layout) && i < 2; i++)
    if (r->values.array.shape[m->leading - 1 + i] != t->a->values.array.shape[m->leading - 1 + i]) return WRONG("other blocks");
  return NULL;
}

static const char *compare_result(const task *t, const spw_tensor *r)
{
  const meaning *const m = &t->out;
  meaning got = {.count = 0};
  const char *wrong = compare_forms(t, r);
  if (wrong) return wrong;
  if (!meaning_of(r, 0, &got)) return NULL;
  if (!t->keeps && r->layout != SPW_COO) meaning_sort(&got); /* columns, and elements of blocks */
  if (got.leading != m->leading) wrong = "other dense dimensions";
  else if (got.count != m->count) wrong = WRONG("%lld cells and not %lld", (long long)got.count, (long long)m->count);
  const int64_t width = scalar_width(m->dtype);
  for (int64_t k = 0; k < m->count && !wrong; k++) {
    if (compare_at(&got.cells[k], &m->cells[k], m->leading) != 0) wrong = WRONG("cell %lld lies elsewhere", (long long)k);
    for (int64_t e = 0; e < m->scalars && !wrong; e++)
      if (!scalar_same(m->dtype, m->cells[k].scalars + e * width, got.cells[k].scalars + e * width, m->cells[k].computed))
        wrong = WRONG("scalar %lld of cell %lld", (long long)e, (long long)k);
  }
  meaning_free(&got);
  return wrong;
}

static const char *judge_answer(task *t, spw_status status, const spw_refusal *refusal, const spw_tensor *result)
{
  t->keeps = !t->b || t->b->layout == SPW_DENSE;
  judge_types(t);
  judge_forms(t);
  if (!t->obstacles && !t->keeps) {
    combine(t, &t->of[0]);
    combine(t, &t->of[1]);
    if (!t->obstacles) unite(t);
    if (!t->obstacles) judge_batches(t);
  } else if (!t->obstacles) {
    keep(t);
  }
  if (t->obstacles && status == SPW_ERANGE)
    return t->obstacles >> refusal->obstacle & 1 ? NULL : WRONG("obstacle %d, none of %x", (int)refusal->obstacle, t->obstacles);
  /* Few elements beside dimensions that make more offsets, or a larger array, than can be numbered. */
  if (status == SPW_ERANGE && refusal->obstacle == SPW_OBSTACLE_SIZE && t->of[0].count == 0) return NULL;
  if (status != SPW_OK || t->obstacles)
    return WRONG("status %d, obstacle %d, where there are %x", (int)status, (int)refusal->obstacle, t->obstacles);
  return result ? compare_result(t, result) : NULL;
}

const char *wrong_elementwise(const spw_tensor *a, const spw_tensor *b, const spw_elementwise_request *wanted, spw_status status,
                              const spw_refusal *refusal, const spw_tensor *result, bool *seen)
{
  task t = {.a = a, .b = b, .w = wanted};
  const char *wrong = NULL;
  *seen = meaning_of(a, 0, &t.of[0]) && (!b || meaning_of(b, 0, &t.of[1]));
  if (*seen) wrong = judge_answer(&t, status, refusal, result);
  meaning_free(&t.of[0]);
  meaning_free(&t.of[1]);
  meaning_free(&t.out);
  return wrong;
}

/* ---- By all calls ------------------------------------------------------------------------------ */

typedef struct asked {
  const spw_tensor *a, *b;
  const spw_elementwise_request *wanted;
} asked;

static spw_status size_of_asked(const void *context, bool judged, spw_room *room, spw_refusal *refusal)
{
  const asked *q = context;
  return (judged ? spw_elementwise_size : spw_elementwise_size_unchecked)(q->a, q->b, q->wanted, room, refusal);
}

static spw_status fill_asked(const void *context, bool judged, const spw_buffers *buffers, spw_tensor *result,
                             spw_refusal *refusal)
{
  const asked *q = context;
  return (judged ? spw_elementwise : spw_elementwise_unchecked)(q->a, q->b, q->wanted, buffers, result, refusal);
}

/* Only COO that does not claim to be coalesced may need less than it was told, or where that is asked for. */
static const char *wrong_lengths(const spw_tensor *a, const spw_tensor *b, const spw_elementwise_request *w, const spw_room *room,
                                 const spw_tensor *result)
{
  const bool coo = a->layout == SPW_COO, united = b && b->layout != SPW_DENSE;
  const bool duplicates = coo && united && (a->coalesced != SPW_CLAIM_YES || b->coalesced != SPW_CLAIM_YES);
  const bool bound = duplicates || (united && w->upper_bound);
  const int64_t plain = result->plain.array.length, values = result->values.array.length;
  if (plain > room->plain || values > room->values) return WRONG("longer than its room");
  if (!coo && result->compressed.array.length != room->compressed) return WRONG("another number of lines than its room");
  if (!bound && (plain != room->plain || values != room->values))
    return WRONG("%lld indices and %lld values where room is for %lld and %lld", (long long)plain, (long long)values,
                 (long long)room->plain, (long long)room->values);
  return NULL;
}

static const char *wrong_asked(const void *context, spw_status status, const spw_refusal *refusal, const spw_room *room,
                               const spw_tensor *result, bool *seen)
{
  const asked *q = context;
  const char *const wrong = wrong_elementwise(q->a, q->b, q->wanted, status, refusal, result, seen);
  return wrong || status != SPW_OK ? wrong : wrong_lengths(q->a, q->b, q->wanted, room, result);
}

const char *attempt_elementwise(const spw_tensor *a, const spw_tensor *b, const spw_elementwise_request *wanted,
                                spw_status *status, bool *seen)
{
  static const two_calls calls = {size_of_asked, fill_asked, wrong_asked};
  const asked q = {a, b, wanted};
  return attempt_two_calls(&calls, &q, status, seen);
}
