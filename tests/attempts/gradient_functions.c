/* SPDX-License-Identifier: Apache-2.0 */
/* Extremes and softmax: second models over dense arrays. */
#include "gradient_parts.h"

#include "../expected/exactly.h"
#include "../expected/scalar.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = GRADIENT_MOST };

static char text[200];

/* The number of the fibre in which a position lies, and whether dimensions are reduced. */
static int64_t fibre_of(const spread_out *s, const bool *reduced, int64_t place)
{
  int64_t at[SPW_STRUCTURE_DIMS], number = 0;
  for (int64_t d = s->ndim - 1; d >= 0; place /= s->size[d], d--) at[d] = place % s->size[d];
  for (int64_t d = 0; d < s->ndim; d++)
    if (!reduced[d]) number = number * s->size[d] + at[d];
  return number;
}

static const char *compare(const spread_out *s, const double *want, const spread_out *got)
{
  for (int64_t i = 0; i < s->count; i++)
    if (s->there[i] && memcmp(&want[i], &got->re[i], sizeof(double)) != 0)
      return snprintf(text, sizeof text, "place %lld: %a, not %a", (long long)i, got->re[i], want[i]), text;
  return NULL;
}

/* ---- Extremes ------------------------------------------------------------------------------------ */

static bool is_better(spw_dims_kind kind, double x, double best)
{
  return kind == SPW_DIMS_AMAX || kind == SPW_DIMS_MAX || kind == SPW_DIMS_NORM_INF ? x > best : x < best;
}

static const char *model_extreme(attempted *a, const spw_tensor *gradient)
{
  static spread_out x, g, got;
  static double want[MOST];
  static int64_t first[MOST], members[MOST], whole[MOST];
  const spw_dims_reduction *const wanted = a->wanted;
  const bool norm = wanted->kind >= SPW_DIMS_NORM_0, dense = wanted->kind == SPW_DIMS_MAX || wanted->kind == SPW_DIMS_MIN;
  bool reduced[SPW_STRUCTURE_DIMS];
  if (!gradient_spread(a->x, &x, true) || !gradient_spread(a->g, &g, true)) return NULL;
  if (!gradient_spread(gradient, &got, false)) return "the gradient is larger than the operand";
  for (int64_t d = 0; d < x.ndim; d++) reduced[d] = !wanted->dims;
  for (int64_t i = 0; wanted->dims && i < wanted->count; i++) reduced[(wanted->dims[i] + x.ndim) % x.ndim] = true;
  memset(members, 0, sizeof members);
  memset(whole, 0, sizeof whole);
  for (int64_t i = 0; i < x.count; i++) {
    const int64_t f = fibre_of(&x, reduced, i);
    const double value = norm ? fabs(x.re[i]) : x.re[i];
    whole[f]++;
    if (!x.there[i]) continue;
    const double best = members[f] ? (norm ? fabs(x.re[first[f]]) : x.re[first[f]]) : 0;
    if (members[f]++ == 0 || is_better(wanted->kind, value, best)) first[f] = i;
  }
  for (int64_t i = 0; i < x.count; i++) {
    const int64_t f = fibre_of(&x, reduced, i);
    const bool implied = dense && members[f] < whole[f] && !is_better(wanted->kind, x.re[first[f]], 0);
    const double sign = (x.re[i] > 0) - (x.re[i] < 0);
    const bool all = wanted->kind == SPW_DIMS_NORM_1;
    want[i] = !x.there[i] || implied || (!all && first[f] != i) ? 0 : norm ? g.re[f] * sign : g.re[f];
  }
  return compare(&x, want, &got);
}

spw_status gradient_try_extreme(attempted *a)
{
  static const spw_dims_kind kinds[] = {SPW_DIMS_AMAX, SPW_DIMS_AMIN, SPW_DIMS_MAX, SPW_DIMS_MIN, SPW_DIMS_NORM_1,
                                        SPW_DIMS_NORM_INF};
  dice *const d = a->bag.d;
  int64_t *const dims = gradient_hold(&a->bag, SPW_STRUCTURE_DIMS * sizeof *dims), count = 0;
  spw_dims_reduction *const wanted = gradient_hold(&a->bag, sizeof *wanted);
  for (int64_t e = 0; e < a->x->ndim; e++)
    if (roll_below(d, 2)) dims[count++] = roll_below(d, 2) ? e : e - a->x->ndim;
  *wanted = (spw_dims_reduction){.kind = kinds[roll_below(d, 6)], .dims = roll_below(d, 4) ? dims : NULL, .count = count,
                                 .keepdim = roll_below(d, 2)};
  a->wanted = wanted;
  a->model = model_extreme;
  if (scalar_is_complex(a->dtype)) return a->status = SPW_ERANGE; /* a norm of another type, which is not exact */
  a->status = spw_reduce_dims_new(a->x, wanted, 0, &a->made, NULL);
  if (!gradient_upstream(a, false, 1)) return SPW_OK;
  return spw_vjp_reduce_dims_new(a->x, wanted, a->g, &a->how, 0, &a->made, NULL);
}

/* ---- Softmax ------------------------------------------------------------------------------------- */

/* Each operation on doubles is rounded once more, to float: the same as rounding it once. */
static double rounded(double x, bool single)
{
  return single ? (double)(float)x : x;
}

/* exp of a function of values: of doubles that of the C library, of floats correctly rounded. */
static double exponential(double x, bool single)
{
  return single ? exactly_exp(x, 24) : exp(x);
}

static const char *model_softmax(attempted *a, const spw_tensor *gradient)
{
  static spread_out x, g, got;
  static double want[MOST], most[MOST], sum[MOST], t[MOST], y[MOST];
  const spw_softmax_request *const wanted = a->wanted;
  const bool single = a->dtype == SPW_FLOAT32;
  const int bits = single ? 24 : 53;
  bool reduced[SPW_STRUCTURE_DIMS] = {false};
  if (!gradient_spread(a->x, &x, true) || !gradient_spread(a->g, &g, true)) return NULL;
  if (!gradient_spread(gradient, &got, false)) return "the gradient is larger than the operand";
  reduced[wanted->dim] = true;
  for (int64_t i = 0; i < MOST; i++) most[i] = -INFINITY, sum[i] = t[i] = 0;
  for (int pass = 0; pass < 4; pass++)
    for (int64_t i = 0; i < x.count; i++) { /* along a fibre in ascending order */
      const int64_t f = fibre_of(&x, reduced, i);
      const double less = x.re[i] - most[f], up = g.re[i];
      if (!x.there[i]) continue;
      if (pass == 0) most[f] = fmax(most[f], x.re[i]);
      if (pass == 1) sum[f] = rounded(sum[f] + exactly_exp(less, bits), single);
      if (pass == 2) {
        y[i] = wanted->logarithm ? exponential(rounded(less - exactly_log(sum[f], bits), single), single)
                                 : rounded(exactly_exp(less, bits) / sum[f], single);
        t[f] = rounded(t[f] + (wanted->logarithm ? up : rounded(up * y[i], single)), single);
      }
      if (pass < 3) continue;
      want[i] = wanted->logarithm ? rounded(up - rounded(y[i] * t[f], single), single)
                                  : rounded(y[i] * rounded(up - t[f], single), single);
    }
  return compare(&x, want, &got);
}

spw_status gradient_try_softmax(attempted *a)
{
  dice *const d = a->bag.d;
  spw_softmax_request *const wanted = gradient_hold(&a->bag, sizeof *wanted);
  *wanted = (spw_softmax_request){.dim = a->x->ndim > 0 ? roll_below(d, a->x->ndim) : 0, .logarithm = roll_below(d, 2)};
  a->wanted = wanted;
  a->model = model_softmax;
  a->status = spw_softmax_new(a->x, wanted, 0, &a->made, NULL);
  if (!gradient_upstream(a, false, 1)) return SPW_OK;
  a->result = NULL;
  return spw_vjp_softmax_new(a->x, wanted, a->g, &a->how, 0, &a->made, NULL);
}
