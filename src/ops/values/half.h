/* SPDX-License-Identifier: Apache-2.0 */
/* A floating type of 16 bits, by its bits: products and sums in float, rounded once at the end. Needs WIDEN, to float, and
 * NARROW, from it. */
#include "../../number/checks.h"
#include "../../number/half.h"

#define VAL uint16_t
#define SUM float

static inline VAL spw_one(void)
{
  return NARROW(1);
}

static inline SUM spw_nothing(void)
{
  return 0;
}

static inline SUM spw_mul(VAL a, VAL b)
{
  return WIDEN(a) * WIDEN(b);
}

static inline SUM spw_add(SUM a, SUM b)
{
  return a + b;
}

static inline VAL spw_store(SUM s)
{
  return NARROW(s);
}

static inline VAL spw_scale(SUM s, VAL alpha)
{
  return NARROW(WIDEN(alpha) * s);
}

static inline VAL spw_blend(SUM s, VAL alpha, VAL old, VAL beta)
{
  const float kept = WIDEN(beta) * WIDEN(old), added = WIDEN(alpha) * s;
  return NARROW(kept + added);
}

static inline VAL spw_both(VAL a, VAL alpha, VAL b)
{
  const float added = WIDEN(alpha) * WIDEN(b);
  return NARROW(WIDEN(a) + added);
}

static inline VAL spw_times_alpha(VAL alpha, VAL b)
{
  return NARROW(WIDEN(alpha) * WIDEN(b));
}

static inline VAL spw_plus(VAL a, VAL b)
{
  return spw_store(spw_add(WIDEN(a), WIDEN(b)));
}

static inline VAL spw_negated(VAL a)
{
  return a ^ 0x8000;
}

static inline SUM spw_widened(VAL a)
{
  return WIDEN(a);
}

static inline VAL spw_average(SUM s, int64_t n)
{
  return NARROW(s / (float)n);
}

/* Rounding keeps order: the extreme of what is not rounded yet is rounded to the extreme. */
#include "extremes.h"
