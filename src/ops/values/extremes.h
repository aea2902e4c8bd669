/* SPDX-License-Identifier: Apache-2.0 */
/* The larger and the smaller of floating numbers. Needs SUM, a floating type of C. */
#include <math.h>

/* +0 exceeds -0. */
static inline bool spw_exceeds(SUM a, SUM b)
{
  return a > b || (a == b && !signbit(a) && signbit(b));
}

/* What every number but NaN is taken before, where the smallest, or the largest, is looked for. */
static inline SUM spw_farthest(int least)
{
  return least ? INFINITY : -INFINITY;
}

/* The first NaN wins. */
static inline SUM spw_extreme(int least, SUM a, SUM b)
{
  if (a != a || b != b) return a != a ? a : b;
  return (least ? spw_exceeds(a, b) : spw_exceeds(b, a)) ? b : a;
}
