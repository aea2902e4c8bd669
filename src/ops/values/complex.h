/* SPDX-License-Identifier: Apache-2.0 */
/* Complex numbers of PART: (ac - bd, ad + bc), each operation rounded once. C99 has a product that looks at infinities.
 * Needs PART. */
#include "../../number/checks.h"

#define VAL spw_complex
#define SUM spw_complex

typedef struct spw_complex {
  PART re, im;
} spw_complex;

static inline spw_complex times(spw_complex a, spw_complex b)
{
  const PART rr = a.re * b.re, ii = a.im * b.im, ri = a.re * b.im, ir = a.im * b.re;
  const spw_complex product = {rr - ii, ri + ir};
  return product;
}

static inline spw_complex plus(spw_complex a, spw_complex b)
{
  const spw_complex sum = {a.re + b.re, a.im + b.im};
  return sum;
}

static inline VAL spw_one(void)
{
  const VAL one = {1, 0};
  return one;
}

static inline SUM spw_nothing(void)
{
  const SUM zero = {0, 0};
  return zero;
}

static inline SUM spw_mul(VAL a, VAL b)
{
  return times(a, b);
}

static inline SUM spw_add(SUM a, SUM b)
{
  return plus(a, b);
}

static inline VAL spw_store(SUM s)
{
  return s;
}

static inline VAL spw_scale(SUM s, VAL alpha)
{
  return times(alpha, s);
}

static inline VAL spw_blend(SUM s, VAL alpha, VAL old, VAL beta)
{
  return plus(times(beta, old), times(alpha, s));
}

static inline VAL spw_both(VAL a, VAL alpha, VAL b)
{
  return plus(a, times(alpha, b));
}

static inline VAL spw_times_alpha(VAL alpha, VAL b)
{
  return times(alpha, b);
}

static inline VAL spw_plus(VAL a, VAL b)
{
  return spw_add(a, b);
}

static inline VAL spw_negated(VAL a)
{
  const VAL negated = {-a.re, -a.im};
  return negated;
}

static inline SUM spw_widened(VAL a)
{
  return a;
}

/* There is no mean of complex numbers, and no order. */
static inline VAL spw_average(SUM s, int64_t n)
{
  (void)n;
  return s;
}

static inline SUM spw_farthest(int least)
{
  (void)least;
  return spw_nothing();
}

static inline SUM spw_extreme(int least, SUM a, SUM b)
{
  (void)least, (void)b;
  return a;
}
