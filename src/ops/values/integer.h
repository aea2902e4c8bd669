/* SPDX-License-Identifier: Apache-2.0 */
/* Integers modulo 2^w: sums are unsigned, and so wide that no promotion has a sign. Needs VAL, UNSIGNED of its width, SUM. */
#include "../../number/checks.h"

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
  return (SUM)a * (SUM)b;
}

static inline SUM spw_add(SUM a, SUM b)
{
  return a + b;
}

static inline VAL spw_store(SUM s)
{
  return (VAL)(UNSIGNED)s;
}

static inline VAL spw_scale(SUM s, VAL alpha)
{
  return spw_store((SUM)alpha * s);
}

static inline VAL spw_blend(SUM s, VAL alpha, VAL old, VAL beta)
{
  return spw_store((SUM)beta * (SUM)old + (SUM)alpha * s);
}

static inline VAL spw_both(VAL a, VAL alpha, VAL b)
{
  return spw_store((SUM)a + (SUM)alpha * (SUM)b);
}

static inline VAL spw_times_alpha(VAL alpha, VAL b)
{
  return spw_store((SUM)alpha * (SUM)b);
}

static inline VAL spw_plus(VAL a, VAL b)
{
  return spw_store(spw_add((SUM)a, (SUM)b));
}

static inline VAL spw_negated(VAL a)
{
  return spw_store((SUM)0 - (SUM)a);
}

static inline SUM spw_widened(VAL a)
{
  return (SUM)a;
}

/* No integer is divided: there is no mean of them. */
static inline VAL spw_average(SUM s, int64_t n)
{
  (void)n;
  return spw_store(s);
}

/* The largest VAL, signed or not, or the smallest. */
static inline SUM spw_farthest(int least)
{
  const UNSIGNED ones = (UNSIGNED)-1, largest = (VAL)-1 > 0 ? ones : ones / 2;
  return least ? largest : (UNSIGNED)(ones - largest);
}

/* Compared as values, for sums have no sign. */
static inline SUM spw_extreme(int least, SUM a, SUM b)
{
  const VAL x = spw_store(a), y = spw_store(b);
  return (least ? y < x : y > x) ? b : a;
}
