/* SPDX-License-Identifier: Apache-2.0 */
#include "summation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../expected/scalar.h"

enum { LANES = 8 };

const char *summation_name(summation_order order)
{
  static const char *const names[] = {"ascending", "descending", "pairwise", "blocked", "shuffled"};
  return names[order];
}

bool summation_fuses(spw_precision precision)
{
  return precision != SPW_IN_FLOAT16 && precision != SPW_IN_BFLOAT16;
}

/* ---- Operations of a precision ----------------------------------------------------------------- */

static double flushed(spw_precision p, double value)
{
  return p == SPW_IN_FLOAT32_FTZ && fabs(value) < 0x1p-126 ? copysign(0, value) : value;
}

/* The nearest with so many significant bits, or, by turns, the next one towards zero. */
static double cut(double value, int bits, bool truncate)
{
  int exponent;
  if (value == 0 || !isfinite(value)) return value;
  const double significand = ldexp(frexp(value, &exponent), bits);
  return ldexp(truncate ? trunc(significand) : nearbyint(significand), exponent - bits);
}

static double as_operand(spw_precision p, double value, bool truncate)
{
  if (p == SPW_FROM_TF32) return (double)(float)cut(value, 11, truncate);
  if (p == SPW_FROM_BFLOAT16)
    return truncate ? cut(value, 8, true) : scalar_to_double(SPW_BFLOAT16, scalar_of_double(SPW_BFLOAT16, value));
  return flushed(p, value);
}

static spw_dtype format_of(spw_precision p)
{
  switch (p) {
    case SPW_IN_FLOAT64: return SPW_FLOAT64;
    case SPW_IN_FLOAT16: return SPW_FLOAT16;
    case SPW_IN_BFLOAT16: return SPW_BFLOAT16;
    default: return SPW_FLOAT32;
  }
}

/* Sums and products of two float16 or bfloat16 are rounded once through double, which has more than twice as many
 * bits. */
static double rounded(spw_precision p, double value)
{
  const spw_dtype f = format_of(p);
  return scalar_to_double(f, scalar_of_double(f, value));
}

static double times(spw_precision p, double a, double b)
{
  switch (format_of(p)) {
    case SPW_FLOAT64: return a * b;
    case SPW_FLOAT32: return flushed(p, (double)((float)a * (float)b));
    default: return rounded(p, a * b);
  }
}

static double plus(spw_precision p, double a, double b)
{
  switch (format_of(p)) {
    case SPW_FLOAT64: return a + b;
    case SPW_FLOAT32: return flushed(p, (double)((float)a + (float)b));
    default: return rounded(p, a + b);
  }
}

static double onto(const summation *s, double sum, double a, double b)
{
  if (!s->fused) return plus(s->precision, sum, times(s->precision, a, b));
  if (s->precision == SPW_IN_FLOAT64) return fma(a, b, sum);
  return flushed(s->precision, (double)fmaf((float)a, (float)b, (float)sum));
}

/* ---- Orders -------------------------------------------------------------------------------------- */

static double pairwise(const summation *s, int64_t n, const double *a, const double *x)
{
  if (n == 0) return 0;
  if (n == 1) return times(s->precision, a[0], x[0]);
  return plus(s->precision, pairwise(s, n / 2, a, x), pairwise(s, n - n / 2, a + n / 2, x + n / 2));
}

/* Lanes as of a vector unit, joined at the end. */
static double blocked(const summation *s, int64_t n, const double *a, const double *x)
{
  double lanes[LANES] = {0};
  for (int64_t i = 0; i < n; i++) lanes[i % LANES] = onto(s, lanes[i % LANES], a[i], x[i]);
  for (int width = LANES / 2; width > 0; width /= 2)
    for (int i = 0; i < width; i++) lanes[i] = plus(s->precision, lanes[i], lanes[i + width]);
  return lanes[0];
}

static double in_turn(const summation *s, double sum, int64_t n, const double *a, const double *x, dice *d)
{
  int64_t order[SUMMATION_TERMS];
  for (int64_t i = 0; i < n; i++) order[i] = s->order == DESCENDING ? n - 1 - i : i;
  for (int64_t i = n - 1; s->order == SHUFFLED && i > 0; i--) {
    const int64_t j = roll_below(d, i + 1), other = order[i];
    order[i] = order[j];
    order[j] = other;
  }
  for (int64_t i = 0; i < n; i++) sum = onto(s, sum, a[order[i]], x[order[i]]);
  return sum;
}

static double sum_of(const summation *s, double start, int64_t n, const double *a, const double *x, dice *d)
{
  if (s->order == PAIRWISE) return s->form == ONTO_C ? plus(s->precision, start, pairwise(s, n, a, x)) : pairwise(s, n, a, x);
  if (s->order == BLOCKED) return s->form == ONTO_C ? plus(s->precision, start, blocked(s, n, a, x)) : blocked(s, n, a, x);
  return in_turn(s, start, n, a, x, d);
}

uint64_t summation_result(const summation *s, spw_dtype result, int64_t n, const double *a, const double *x, dice *d)
{
  double p[SUMMATION_TERMS], q[SUMMATION_TERMS];
  const bool truncate = roll_below(d, 2) != 0;
  const double alpha = as_operand(s->precision, s->alpha, truncate);
  if (n > SUMMATION_TERMS) abort();
  for (int64_t i = 0; i < n; i++) {
    p[i] = as_operand(s->precision, a[i], truncate);
    q[i] = as_operand(s->precision, x[i], truncate);
    if (s->form == ALPHA_ON_A) p[i] = as_operand(s->precision, times(s->precision, alpha, p[i]), truncate);
    if (s->form == ALPHA_ON_X || s->form == ONTO_C) q[i] = as_operand(s->precision, times(s->precision, alpha, q[i]), truncate);
  }
  double start = 0;
  if (s->form != PLAIN)
    start = times(s->precision, as_operand(s->precision, s->beta, truncate), as_operand(s->precision, s->c, truncate));
  double sum = sum_of(s, s->form == ONTO_C ? start : 0, n, p, q, d);
  if (s->form == SUM_FIRST) sum = times(s->precision, alpha, sum);
  if (s->form != PLAIN && s->form != ONTO_C) sum = plus(s->precision, start, sum);
  return scalar_of_double(result, sum);
}
