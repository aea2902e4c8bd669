/* SPDX-License-Identifier: Apache-2.0 */
#include "reduced.h"

#include "../attempts/fenced.h"
#include "scalar.h"
#include "../operands/strided.h"

#include "../../fuzz/inputs/values.h"

#include <stdio.h>
#include <string.h>

enum { MOST_STEPS = 40000 };

static char text[300];

#define WRONG(...) (snprintf(text, sizeof text, __VA_ARGS__), text)

typedef struct asked {
  const spw_tensor *a, *b;
  const spw_reduction *wanted;
} asked;

/* ---- Refusals ---------------------------------------------------------------------------------- */

static bool has_kind(spw_dtype dtype, spw_reduction_kind kind)
{
  if (kind == SPW_REDUCE_SUM) return true;
  return !scalar_is_complex(dtype) && (kind != SPW_REDUCE_MEAN || dtype >= SPW_FLOAT16);
}

/* Bits 1u << spw_obstacle; 0: it is not refused. */
static unsigned obstacles_of(const asked *q)
{
  const spw_tensor *const a = q->a;
  unsigned why = 0;
  spw_numbers numbers;
  if (!a->has_size) return 1u << SPW_OBSTACLE_NO_SIZE;
  spw_numbers_of(a, &numbers);
  if (numbers.dense_dims > 0) why |= 1u << SPW_OBSTACLE_HYBRID;
  if (a->ndim < 2) return why | 1u << SPW_OBSTACLE_DIMENSIONS;
  const spw_dtype dtype = a->values.array.dtype;
  if (!has_kind(dtype, q->wanted->kind)) why |= 1u << SPW_OBSTACLE_TYPES;
  const bool twice = a->layout == SPW_COO && a->coalesced != SPW_CLAIM_YES && numbers.nse > 1;
  if (twice && q->wanted->kind != SPW_REDUCE_SUM) why |= 1u << SPW_OBSTACLE_DUPLICATE;
  if (!q->b || why & 1u << SPW_OBSTACLE_HYBRID) return why;
  const spw_array *const b = &q->b->values.array;
  const int64_t n = a->ndim - 2;
  if (b->dtype != dtype) why |= 1u << SPW_OBSTACLE_TYPES;
  if (b->ndim != n + 2 && !(n == 0 && b->ndim == 1)) return why | 1u << SPW_OBSTACLE_DIMENSIONS;
  bool fits = b->shape[n] == a->size[n + 1];
  for (int64_t d = 0; d < n; d++) fits = fits && b->shape[d] == a->size[d];
  return fits ? why : why | 1u << SPW_OBSTACLE_SHAPES;
}

/* Are there so many numbers, or sums of them, that a buffer could have more bytes than can be numbered? */
static bool is_vast(const spw_tensor *a)
{
  double volume = 256;
  for (int64_t d = 0; d < a->ndim; d++) volume *= a->size[d] > 1 ? (double)a->size[d] : 2;
  return volume > 0x1p62;
}

static const char *wrong_refusal(const asked *q, spw_status status, const spw_refusal *r)
{
  const unsigned why = obstacles_of(q);
  if (status == SPW_OK) return why ? WRONG("it is not refused, and should be: %x", why) : NULL;
  if (status == SPW_EUNSUPPORTED) return q->a->ndim > SPW_STRUCTURE_DIMS ? NULL : WRONG("it is not supported");
  if (status != SPW_ERANGE) return WRONG("status %d", (int)status);
  if (r->obstacle == SPW_OBSTACLE_SIZE && !why && !is_vast(q->a)) return WRONG("nothing is too large");
  if (r->obstacle == SPW_OBSTACLE_SIZE && !why) return r->operand == 2 ? NULL : WRONG("operand %d is too large", r->operand);
  if (!(why >> r->obstacle & 1)) return WRONG("obstacle %d, not one of %x", (int)r->obstacle, why);
  const bool of_b = r->obstacle == SPW_OBSTACLE_SHAPES || (r->obstacle == SPW_OBSTACLE_TYPES && r->rhs >= 0) ||
                    (r->obstacle == SPW_OBSTACLE_DIMENSIONS && q->a->ndim >= 2);
  return r->operand == (of_b ? 1 : 0) ? NULL : WRONG("obstacle %d of operand %d", (int)r->obstacle, r->operand);
}

/* ---- Scalars that are compared ----------------------------------------------------------------- */

static int64_t whole_of(spw_dtype dtype, const uint8_t *x)
{
  int8_t i8;
  int16_t i16;
  int32_t i32;
  int64_t i64;
  switch (scalar_width(dtype)) {
  case 1: memcpy(&i8, x, sizeof i8); return dtype == SPW_INT8 ? i8 : dtype == SPW_BOOL ? *x != 0 : *x;
  case 2: memcpy(&i16, x, sizeof i16); return i16;
  case 4: memcpy(&i32, x, sizeof i32); return i32;
  default: memcpy(&i64, x, sizeof i64); return i64;
  }
}

static double real_of(spw_dtype dtype, const uint8_t *x)
{
  uint64_t bits = 0;
  memcpy(&bits, x, (size_t)scalar_width(dtype));
  return scalar_to_double(dtype, bits);
}

/* 1: x is larger, -1: y is; NaN is beyond all, at the side that wins. */
static int order(spw_dtype dtype, bool largest, const uint8_t *x, const uint8_t *y)
{
  if (dtype < SPW_FLOAT16) {
    const int64_t p = whole_of(dtype, x), q = whole_of(dtype, y);
    return (p > q) - (p < q);
  }
  const double p = real_of(dtype, x), q = real_of(dtype, y);
  const int wins = largest ? 1 : -1;
  if (p != p || q != q) return q == q ? wins : p == p ? -wins : 0;
  if (p != q) return p > q ? 1 : -1;
  return !__builtin_signbit(p) - !__builtin_signbit(q);
}

/* ---- What it must be --------------------------------------------------------------------------- */

/* Element [.., k, j] of b in batch number `batch`; of a vector, element k. */
static const uint8_t *element_of(const spw_tensor *b, int64_t batch, int64_t k, int64_t j)
{
  const spw_array *const x = &b->values.array;
  const int64_t n = x->ndim == 1 ? 0 : x->ndim - 2;
  int64_t place = x->offset + k * x->strides[n] + (x->ndim == 1 ? 0 : j * x->strides[n + 1]);
  for (int64_t d = n - 1; d >= 0; d--) {
    place += batch % x->shape[d] * x->strides[d];
    batch /= x->shape[d];
  }
  return (const uint8_t *)b->values.data + place * scalar_width(x->dtype);
}

/* A number that grows, element by element. */
typedef struct number {
  scalar_sum sum;
  uint8_t best[16];
  int64_t count;
} number;

static void grow(const asked *q, number *x, const uint8_t *a, const uint8_t *b)
{
  const spw_dtype dtype = q->a->values.array.dtype;
  uint8_t term[16] = {0};
  memcpy(term, a, (size_t)scalar_width(dtype));
  if (b) {
    scalar_multiply(dtype, b, term);
    scalar_sum_add(&x->sum, a, b);
  } else {
    scalar_sum_grow(&x->sum, a);
  }
  if (!scalar_is_complex(dtype)) {
    const bool largest = q->wanted->kind == SPW_REDUCE_AMAX;
    const int before = x->count == 0 ? 0 : order(dtype, largest, term, x->best);
    if (x->count == 0 || before == (largest ? 1 : -1)) memcpy(x->best, term, sizeof term);
  }
  x->count++;
}

/* The sum of a matrix is that of the sums of its rows. */
static void join(const asked *q, number *whole, const number *row)
{
  const bool largest = q->wanted->kind == SPW_REDUCE_AMAX;
  const spw_dtype dtype = q->a->values.array.dtype;
  if (row->count == 0) return;
  scalar_sum_join(&whole->sum, &row->sum);
  if (!scalar_is_complex(dtype) && (whole->count == 0 || order(dtype, largest, row->best, whole->best) == (largest ? 1 : -1)))
    memcpy(whole->best, row->best, sizeof row->best);
  whole->count += row->count;
}

static void finish(const asked *q, const number *x, uint8_t *want)
{
  const spw_reduction_kind kind = q->wanted->kind;
  memset(want, 0, 16);
  if (x->count == 0) return;
  if (kind == SPW_REDUCE_SUM) scalar_sum_store(&x->sum, NULL, NULL, want);
  if (kind == SPW_REDUCE_MEAN) scalar_sum_mean(&x->sum, x->count, want);
  if (kind == SPW_REDUCE_AMAX || kind == SPW_REDUCE_AMIN) memcpy(want, x->best, 16);
}

/* Of line `line` of batch `batch`, column j of b. */
static number number_of(const asked *q, const meaning *m, int64_t batch, int64_t line, int64_t j)
{
  const int64_t n = m->ndim - 2, along = q->wanted->span == SPW_EACH_COLUMN ? n + 1 : n;
  number x = {.sum = scalar_nothing(m->dtype)};
  for (int64_t k = 0; k < m->count; k++) {
    const cell *const c = &m->cells[k];
    int64_t own = 0;
    for (int64_t d = 0; d < n; d++) own = own * m->size[d] + c->at[d];
    if (own != batch || c->at[along] != line) continue;
    grow(q, &x, c->scalars, q->b ? element_of(q->b, batch, c->at[n + 1], j) : NULL);
  }
  return x;
}

/* The sizes of the result, and how many numbers. */
static int64_t sizes_of(const asked *q, int64_t *size, int64_t *ndim)
{
  const int64_t n = q->a->ndim - 2;
  int64_t count = 1;
  *ndim = 0;
  for (int64_t d = 0; d < n; d++) size[(*ndim)++] = q->a->size[d];
  if (q->wanted->span == SPW_EACH_ROW) size[(*ndim)++] = q->a->size[n];
  if (q->wanted->span == SPW_EACH_COLUMN) size[(*ndim)++] = q->a->size[n + 1];
  if (q->b && q->b->values.array.ndim > 1) size[(*ndim)++] = q->b->values.array.shape[n + 1];
  for (int64_t d = 0; d < *ndim; d++)
    if (__builtin_mul_overflow(count, size[d] < MOST_STEPS ? size[d] : MOST_STEPS, &count)) count = INT64_MAX / MOST_STEPS / 2;
  return count;
}

static const char *wrong_shape(const asked *q, const spw_tensor *r)
{
  int64_t size[MEANING_DIMS], ndim, stride = 1;
  sizes_of(q, size, &ndim);
  if (r->layout != SPW_DENSE || !r->has_size || r->ndim != ndim || r->coalesced != SPW_CLAIM_NONE) return WRONG("another form");
  const spw_array *const v = &r->values.array;
  if (v->dtype != q->a->values.array.dtype || r->dtype != v->dtype || v->ndim != ndim || v->offset != 0)
    return WRONG("another type or array");
  bool empty = false;
  for (int64_t d = 0; d < ndim; d++) empty |= size[d] == 0;
  for (int64_t d = ndim - 1; d >= 0; d--) {
    if (v->shape[d] != size[d] || r->size[d] != size[d])
      return WRONG("dimension %lld is %lld", (long long)d, (long long)v->shape[d]);
    if (empty) continue;
    if (v->strides[d] != stride) return WRONG("stride %lld is %lld", (long long)d, (long long)v->strides[d]);
    stride *= size[d];
  }
  return v->length == (empty ? 0 : stride) ? NULL : WRONG("its length is %lld", (long long)v->length);
}

static const char *wrong_numbers(const asked *q, const meaning *m, const spw_tensor *r, int64_t count)
{
  const int64_t n = m->ndim - 2, width = q->b && q->b->values.array.ndim > 1 ? q->b->values.array.shape[n + 1] : 1;
  const bool whole = q->wanted->span == SPW_EACH_MATRIX;
  const int64_t rows = m->size[n], lines = whole ? 1 : q->wanted->span == SPW_EACH_COLUMN ? m->size[n + 1] : rows;
  for (int64_t i = 0; i < count; i++) {
    uint8_t want[16];
    const int64_t batch = i / (lines * width), line = i / width % lines, j = i % width;
    number x = {.sum = scalar_nothing(m->dtype)};
    if (!whole) x = number_of(q, m, batch, line, j);
    for (int64_t row = 0; whole && row < rows; row++) {
      const number part = number_of(q, m, batch, row, j);
      join(q, &x, &part);
    }
    finish(q, &x, want);
    const uint8_t *const got = (const uint8_t *)r->values.data + i * scalar_width(m->dtype);
    if (m->dtype == SPW_BOOL && *got > 1) return WRONG("number %lld is a bool of %d", (long long)i, *got);
    if (!scalar_same(m->dtype, want, got, true)) return WRONG("number %lld is another one", (long long)i);
  }
  return NULL;
}

static const char *wrong_dense(const asked *q, const spw_tensor *r, bool *seen)
{
  int64_t size[MEANING_DIMS], ndim;
  meaning m;
  const char *wrong = wrong_shape(q, r);
  *seen = false;
  if (wrong || !meaning_of(q->a, 0, &m)) return wrong;
  if (q->a->layout != SPW_COO) meaning_sort(&m);
  const int64_t n = m.ndim - 2, count = sizes_of(q, size, &ndim);
  const int64_t rows = q->wanted->span == SPW_EACH_MATRIX ? m.size[n] : 1;
  if (count <= MOST_STEPS && rows <= MOST_STEPS && (double)count * (double)rows * (double)(m.count + 1) <= MOST_STEPS) {
    *seen = true;
    wrong = wrong_numbers(q, &m, r, count);
  }
  meaning_free(&m);
  return wrong;
}

const char *wrong_reduction(const spw_tensor *a, const spw_tensor *b, const spw_reduction *wanted, spw_status status,
                            const spw_refusal *refusal, const spw_tensor *result, bool *seen)
{
  const asked q = {a, b, wanted};
  *seen = true;
  const char *const wrong = wrong_refusal(&q, status, refusal);
  return wrong || status != SPW_OK || !result ? wrong : wrong_dense(&q, result, seen);
}

/* ---- Trying ------------------------------------------------------------------------------------ */

static spw_status size_asked(const void *context, bool judged, spw_room *room, spw_refusal *refusal)
{
  const asked *const q = context;
  return (judged ? spw_reduce_size : spw_reduce_size_unchecked)(q->a, q->b, q->wanted, room, refusal);
}

static spw_status fill_asked(const void *context, bool judged, const spw_buffers *buffers, spw_tensor *result,
                             spw_refusal *refusal)
{
  const asked *const q = context;
  return (judged ? spw_reduce : spw_reduce_unchecked)(q->a, q->b, q->wanted, buffers, result, refusal);
}

static const char *wrong_asked(const void *context, spw_status status, const spw_refusal *refusal, const spw_room *room,
                               const spw_tensor *result, bool *seen)
{
  const asked *const q = context;
  if (room && (room->compressed || room->plain || room->nse)) return "there is room for indices";
  return wrong_reduction(q->a, q->b, q->wanted, status, refusal, result, seen);
}

/* What is not valid, or cannot be judged. */
static bool is_judged_out(const spw_tensor *a, spw_status *status)
{
  bool valid = false;
  *status = spw_is_valid(a, SPW_CANONICAL, &valid);
  if (*status == SPW_OK && !valid) *status = SPW_EINVALID;
  return *status != SPW_OK;
}

static const char *wrong_judgement(const asked *q, spw_status status)
{
  spw_refusal refusal = {.operand = -77};
  spw_room room = {.dims = -77};
  const spw_buffers buffers = {.values = NULL};
  spw_tensor result = {.ndim = -77};
  const spw_status size = spw_reduce_size(q->a, q->b, q->wanted, &room, &refusal);
  if (size != status) return WRONG("status %d, not %d", (int)size, (int)status);
  if (status == SPW_EINVALID && refusal.operand != 0) return WRONG("operand %d is called invalid", refusal.operand);
  if (spw_reduce(q->a, q->b, q->wanted, &buffers, &result, NULL) != status) return "another status of both calls";
  return room.dims == -77 && result.ndim == -77 ? NULL : "something is written of an invalid operand";
}

const char *attempt_reduction(const spw_tensor *a, const spw_tensor *b, const spw_reduction *wanted, spw_status *status,
                              bool *seen)
{
  static const two_calls calls = {size_asked, fill_asked, wrong_asked};
  const asked q = {a, b, wanted};
  *seen = true;
  if (is_judged_out(a, status)) return wrong_judgement(&q, *status);
  const char *const wrong = attempt_two_calls(&calls, &q, status, seen);
  return wrong || *status != SPW_OK ? wrong : attempt_short_buffers(&calls, &q);
}

/* ---- A dense operand --------------------------------------------------------------------------- */

static void fit_shape(const spw_tensor *a, strided *x, dice *d)
{
  const int64_t n = a->ndim - 2;
  for (int64_t i = 0; i < n; i++) x->shape[i] = a->size[i];
  x->shape[n] = a->size[n + 1];
  x->shape[n + 1] = roll_below(d, 8) ? roll_below(d, 5) : 18 + roll_below(d, 20);
  x->array.ndim = n == 0 && roll_below(d, 3) == 0 ? 1 : n + 2;
  if (roll_below(d, 25) == 0) x->shape[roll_below(d, x->array.ndim)]++;
  if (roll_below(d, 40) == 0) x->array.ndim = roll_below(d, 2) ? x->array.ndim - 1 : 1;
}

const char *attempt_any_reduction(const spw_tensor *a, dice *d, spw_reduction *wanted, bool *dense, spw_status *status,
                                  bool *seen)
{
  strided x = {.bytes = 0};
  wanted->kind = (spw_reduction_kind)roll_below(d, REDUCED_KINDS);
  wanted->span = (spw_reduction_span)roll_below(d, SPW_EACH_MATRIX + 1);
  *dense = wanted->span == SPW_EACH_ROW && roll_below(d, 4) && !is_judged_out(a, status) && a->has_size && a->ndim >= 2 &&
           a->ndim <= STRIDED_DIMS;
  if (*dense) {
    fit_shape(a, &x, d);
    *dense = strided_small(&x);
  }
  if (!*dense) return attempt_reduction(a, NULL, wanted, status, seen);
  const int64_t tame = 1 << FUZZ_SMALL | 1 << FUZZ_NUMBER | 1 << FUZZ_MINUS_ZERO;
  strided_make(&x, roll_below(d, 40) ? a->values.array.dtype : SPW_FLOAT32, roll_below(d, 2) ? tame : FUZZ_EVERY_CLASS, true, d);
  const spw_tensor b = {.layout = SPW_DENSE, .values = {x.array, x.data}};
  const char *const wrong = attempt_reduction(a, &b, wanted, status, seen);
  strided_free(&x);
  return wrong;
}
