/* SPDX-License-Identifier: Apache-2.0 */
#include "softmaxed.h"

#include "../attempts/fenced.h"
#include "exactly.h"
#include "scalar.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SCALARS = 3000, MOST_DIMS = SPW_STRUCTURE_DIMS + 8 };

static char text[300];

#define WRONG(...) (snprintf(text, sizeof text, __VA_ARGS__), text)

typedef struct asked {
  const spw_tensor *t;
  const spw_softmax_request *wanted;
} asked;

/* ---- Refusals ------------------------------------------------------------------------------------ */

typedef struct shape {
  int64_t ndim, size[MOST_DIMS], batch, dim;
} shape;

static shape shape_of(const asked *q)
{
  shape s = {.ndim = 0};
  spw_numbers n;
  spw_numbers_of(q->t, &n);
  if (q->t->has_size) {
    s.ndim = q->t->ndim;
    for (int64_t d = 0; d < s.ndim && d < MOST_DIMS; d++) s.size[d] = q->t->size[d];
  } else {
    spw_infer_size(q->t, s.size, MOST_DIMS, &s.ndim);
  }
  s.batch = n.batch_dims;
  s.dim = q->wanted->dim + (q->wanted->dim < 0 ? s.ndim : 0);
  return s;
}

static bool is_real(spw_dtype dtype)
{
  return dtype >= SPW_FLOAT16 && dtype <= SPW_FLOAT64;
}

static const char *wrong_refusal(const asked *q, const shape *s, spw_status status, const spw_refusal *r)
{
  const bool there = s->dim >= 0 && s->dim < s->ndim, real = is_real(q->t->values.array.dtype);
  if (s->ndim > SPW_STRUCTURE_DIMS) return status == SPW_EUNSUPPORTED ? NULL : "so many dimensions are not refused";
  if (status == SPW_OK) return there && real && s->dim >= s->batch ? NULL : "it is not refused";
  if (status != SPW_ERANGE) return WRONG("status %d", (int)status);
  double volume = 256;
  for (int64_t d = 0; d < s->ndim; d++) volume *= s->size[d] > 1 ? (double)s->size[d] : 2;
  switch (r->obstacle) {
  case SPW_OBSTACLE_DIMENSION: return !there && r->lhs == q->wanted->dim
      && r->rhs == s->ndim ? NULL : "there is such a dimension";
  case SPW_OBSTACLE_LAYOUT: return there && s->dim < s->batch && r->place == s->dim ? NULL : "it is no batch dimension";
  case SPW_OBSTACLE_TYPES: return real ? "the type has a softmax" : NULL;
  case SPW_OBSTACLE_SIZE: return volume > 0x1p62 ? NULL : "nothing is too large";
  default: return WRONG("obstacle %d", (int)r->obstacle);
  }
}

/* ---- What it must be ----------------------------------------------------------------------------- */

static double value_of(const meaning *m, const cell *c, int64_t i)
{
  uint64_t bits = 0;
  memcpy(&bits, c->scalars + i * scalar_width(m->dtype), (size_t)scalar_width(m->dtype));
  return scalar_to_double(m->dtype, bits);
}

/* Rounded to float, in which float16 and bfloat16 are computed too. */
static double in(spw_dtype dtype, double x)
{
  return dtype == SPW_FLOAT64 ? x : (double)(float)x;
}

/* Index of a scalar along dimension d, and whether two differ in `dim` only. */
static int64_t index_of(const meaning *m, const cell *c, int64_t i, int64_t d)
{
  if (d < m->leading) return c->at[d];
  for (int64_t e = m->ndim - 1; e > d; e--) i /= m->size[e];
  return i % m->size[d];
}

static bool same_fibre(const meaning *m, int64_t dim, int64_t k, int64_t i, int64_t l, int64_t j)
{
  for (int64_t d = 0; d < m->ndim; d++)
    if (d != dim && index_of(m, &m->cells[k], i, d) != index_of(m, &m->cells[l], j, d)) return false;
  return true;
}

typedef struct fibre {
  double most, sum;
  bool finite;
} fibre;

/* Cells are in order of positions. The fibre of scalar i of cell k. */
static fibre fibre_of(const meaning *m, int64_t dim, int64_t k, int64_t i)
{
  const int bits = m->dtype == SPW_FLOAT64 ? 53 : 24;
  fibre f = {.most = -INFINITY, .finite = true};
  for (int pass = 0; pass < 2; pass++)
    for (int64_t l = 0; l < m->count; l++)
      for (int64_t j = 0; j < m->scalars; j++) {
        if (!same_fibre(m, dim, k, i, l, j)) continue;
        const double x = value_of(m, &m->cells[l], j);
        if (pass == 0) f.finite = f.finite && x == x, f.most = x > f.most ? x : f.most;
        else if (f.finite) f.sum = in(m->dtype, f.sum + exactly_exp(in(m->dtype, x - f.most), bits));
      }
  f.finite = f.finite && isfinite(f.most);
  return f;
}

static const char *wrong_values(const asked *q, const shape *s, const meaning *m, const meaning *r)
{
  const int bits = m->dtype == SPW_FLOAT64 ? 53 : 24;
  for (int64_t k = 0; k < m->count; k++)
    for (int64_t i = 0; i < m->scalars; i++) {
      const fibre f = fibre_of(m, s->dim, k, i);
      const double below = in(m->dtype, value_of(m, &m->cells[k], i) - f.most);
      double want = NAN;
      if (f.finite && q->wanted->logarithm) want = in(m->dtype, below - exactly_log(f.sum, bits));
      else if (f.finite) want = in(m->dtype, exactly_exp(below, bits) / f.sum);
      const uint64_t stored = scalar_of_double(m->dtype, want);
      if (!scalar_same(m->dtype, &stored, r->cells[k].scalars + i * scalar_width(m->dtype), true))
        return WRONG("scalar %lld of cell %lld: %a is expected", (long long)i, (long long)k, want);
    }
  return NULL;
}

static bool same_cells(const meaning *m, const meaning *r)
{
  if (m->count != r->count || m->scalars != r->scalars || m->dtype != r->dtype || m->ndim != r->ndim) return false;
  for (int64_t d = 0; d < m->ndim; d++)
    if (m->size[d] != r->size[d]) return false;
  for (int64_t k = 0; k < m->count; k++)
    for (int64_t d = 0; d < m->leading; d++)
      if (m->cells[k].at[d] != r->cells[k].at[d]) return false;
  return true;
}

static const char *wrong_result_of(const asked *q, const shape *s, const spw_tensor *r, bool *seen)
{
  const spw_tensor *const t = q->t;
  meaning m, made;
  bool valid = false;
  const char *wrong = NULL;
  *seen = false;
  if (spw_is_valid(r, SPW_CANONICAL, &valid) != SPW_OK || !valid) return "the result is not valid";
  if (r->layout != t->layout || r->plain.array.dtype != t->plain.array.dtype) return "another layout or index type";
  if (!meaning_of(t, 0, &m)) return NULL;
  const bool combined = t->layout == SPW_COO && t->coalesced != SPW_CLAIM_YES && m.count > 1;
  if (t->layout == SPW_COO && r->coalesced != (combined ? SPW_CLAIM_YES : t->coalesced)) wrong = "another claim";
  if (combined || t->layout != SPW_COO) meaning_sort(&m);
  if (combined) meaning_combine(&m, SPW_COMBINE_SUM);
  if (!meaning_of(r, 0, &made)) return meaning_free(&m), "the result is larger";
  if (r->layout != SPW_COO) meaning_sort(&made);
  if (!wrong && !same_cells(&m, &made)) wrong = "other cells";
  const int64_t scalars = m.count * m.scalars;
  if (!wrong && scalars * scalars * m.ndim <= MOST_SCALARS * 100) {
    *seen = true;
    wrong = wrong_values(q, s, &m, &made);
  }
  meaning_free(&made);
  meaning_free(&m);
  return wrong;
}

/* ---- Trying -------------------------------------------------------------------------------------- */

static spw_status size_asked(const void *context, bool judged, spw_room *room, spw_refusal *refusal)
{
  const asked *const q = context;
  return (judged ? spw_softmax_size : spw_softmax_size_unchecked)(q->t, q->wanted, room, refusal);
}

static spw_status fill_asked(const void *context, bool judged, const spw_buffers *buffers, spw_tensor *result,
                             spw_refusal *refusal)
{
  const asked *const q = context;
  return (judged ? spw_softmax : spw_softmax_unchecked)(q->t, q->wanted, buffers, result, refusal);
}

static const char *wrong_asked(const void *context, spw_status status, const spw_refusal *refusal, const spw_room *room,
                               const spw_tensor *result, bool *seen)
{
  const asked *const q = context;
  const shape s = shape_of(q);
  *seen = true;
  (void)room;
  const char *const wrong = wrong_refusal(q, &s, status, refusal);
  return wrong || status != SPW_OK || !result ? wrong : wrong_result_of(q, &s, result, seen);
}

const char *attempt_softmax(const spw_tensor *t, const spw_softmax_request *wanted, spw_status *status, bool *seen)
{
  static const two_calls calls = {size_asked, fill_asked, wrong_asked};
  const asked q = {t, wanted};
  bool valid = false;
  spw_room room = {.dims = -77};
  spw_refusal refusal;
  *seen = true;
  *status = spw_is_valid(t, SPW_CANONICAL, &valid);
  if (*status == SPW_OK && !valid) *status = SPW_EINVALID;
  if (*status == SPW_OK) return attempt_two_calls(&calls, &q, status, seen);
  return spw_softmax_size(t, wanted, &room, &refusal) == *status && room.dims == -77 ? NULL : "an invalid operand is taken";
}

/* Of a valid tensor, with or without a size. */
static const char *many_dimensions_are_refused(const spw_tensor *t, spw_status *status)
{
  const spw_softmax_request wanted = {.dim = 0};
  bool valid = false;
  spw_room room;
  spw_refusal refusal;
  *status = spw_is_valid(t, SPW_CANONICAL, &valid);
  if (*status != SPW_OK || !valid) return NULL;
  *status = spw_softmax_size(t, &wanted, &room, &refusal);
  return *status == SPW_EUNSUPPORTED ? NULL : "so many dimensions are not refused";
}

const char *attempt_any_softmax(const spw_tensor *t, dice *d, spw_softmax_request *wanted, spw_status *status, bool *seen)
{
  spw_numbers n = {.batch_dims = 0};
  spw_numbers_of(t, &n);
  const int64_t ndim = n.sparse_dims < 0 ? 0 : meaning_ndim(&n);
  wanted->logarithm = roll_below(d, 2);
  *seen = false;
  if (ndim > SPW_STRUCTURE_DIMS) return many_dimensions_are_refused(t, status);
  wanted->dim = ndim > 0 && roll_below(d, 20) ? roll_below(d, 2 * ndim) - ndim : roll_below(d, 2) ? ndim : -ndim - 1;
  return attempt_softmax(t, wanted, status, seen);
}
