/* SPDX-License-Identifier: Apache-2.0 */
/* bool, a byte that is 0 or not: or of ands. What is written is 0 or 1. */
#include "../../number/checks.h"

#define VAL uint8_t
#define SUM uint8_t
#define SPW_VALUE b8

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
  return a && b;
}

static inline SUM spw_add(SUM a, SUM b)
{
  return a || b;
}

static inline VAL spw_store(SUM s)
{
  return s != 0;
}

static inline VAL spw_scale(SUM s, VAL alpha)
{
  return alpha && s;
}

static inline VAL spw_blend(SUM s, VAL alpha, VAL old, VAL beta)
{
  return (beta && old) || (alpha && s);
}

static inline VAL spw_both(VAL a, VAL alpha, VAL b)
{
  return a || (alpha && b);
}

static inline VAL spw_times_alpha(VAL alpha, VAL b)
{
  return alpha && b;
}

static inline VAL spw_plus(VAL a, VAL b)
{
  return spw_add(a, b);
}

/* Nothing is subtracted from a bool. */
static inline VAL spw_negated(VAL a)
{
  return a;
}

static inline SUM spw_widened(VAL a)
{
  return a != 0;
}

/* No bool is divided: there is no mean of them. */
static inline VAL spw_average(SUM s, int64_t n)
{
  (void)n;
  return spw_store(s);
}

static inline SUM spw_farthest(int least)
{
  return least != 0;
}

static inline SUM spw_extreme(int least, SUM a, SUM b)
{
  return least ? a && b : a || b;
}
