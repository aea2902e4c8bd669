/* SPDX-License-Identifier: Apache-2.0 */
/* bfloat16, by its bits: products and sums in float, rounded to bfloat16 once at the end. */
#include "checks.h"
#include "../../number/half.h"

#define VAL uint16_t
#define SUM float
#define SPW_VALUE bf16

static inline VAL spw_one(void)
{
  return 0x3f80;
}

static inline SUM spw_nothing(void)
{
  return 0;
}

static inline SUM spw_mul(VAL a, VAL b)
{
  return spw_float_of_bfloat16(a) * spw_float_of_bfloat16(b);
}

static inline SUM spw_add(SUM a, SUM b)
{
  return a + b;
}

static inline VAL spw_store(SUM s)
{
  return spw_bfloat16_of_float(s);
}

static inline VAL spw_scale(SUM s, VAL alpha)
{
  return spw_bfloat16_of_float(spw_float_of_bfloat16(alpha) * s);
}

static inline VAL spw_blend(SUM s, VAL alpha, VAL old, VAL beta)
{
  const float kept = spw_float_of_bfloat16(beta) * spw_float_of_bfloat16(old), added = spw_float_of_bfloat16(alpha) * s;
  return spw_bfloat16_of_float(kept + added);
}

static inline VAL spw_both(VAL a, VAL alpha, VAL b)
{
  const float added = spw_float_of_bfloat16(alpha) * spw_float_of_bfloat16(b);
  return spw_bfloat16_of_float(spw_float_of_bfloat16(a) + added);
}

static inline VAL spw_times_alpha(VAL alpha, VAL b)
{
  return spw_bfloat16_of_float(spw_float_of_bfloat16(alpha) * spw_float_of_bfloat16(b));
}
