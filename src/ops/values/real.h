/* SPDX-License-Identifier: Apache-2.0 */
/* A floating type of C: each operation rounds once. Needs VAL and SUM. */
#include "../../number/checks.h"

#include <math.h>

static inline VAL spw_one(void)
{
  return 1;
}

static inline SUM spw_nothing(void)
{
  return 0;
}

static inline SUM spw_mul(VAL a, VAL b)
{
  return a * b;
}

static inline SUM spw_add(SUM a, SUM b)
{
  return a + b;
}

static inline VAL spw_store(SUM s)
{
  return s;
}

static inline VAL spw_scale(SUM s, VAL alpha)
{
  return alpha * s;
}

static inline VAL spw_blend(SUM s, VAL alpha, VAL old, VAL beta)
{
  const VAL kept = beta * old, added = alpha * s;
  return kept + added;
}

static inline VAL spw_both(VAL a, VAL alpha, VAL b)
{
  const VAL added = alpha * b;
  return a + added;
}

static inline VAL spw_times_alpha(VAL alpha, VAL b)
{
  return alpha * b;
}

static inline VAL spw_plus(VAL a, VAL b)
{
  return spw_add(a, b);
}

static inline VAL spw_negated(VAL a)
{
  return -a;
}

static inline SUM spw_widened(VAL a)
{
  return a;
}

static inline VAL spw_average(SUM s, int64_t n)
{
  return s / (SUM)n;
}

#include "extremes.h"
