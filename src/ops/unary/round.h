/* SPDX-License-Identifier: Apache-2.0 */
/* One rounding of a double to the narrower types, to nearest with ties to even. */
#ifndef SPW_OPS_UNARY_ROUND_H
#define SPW_OPS_UNARY_ROUND_H

#include "../../number/double_bits.h"
#include "../../number/half.h"

/* Rounded to odd: what is not a float becomes the one beside it whose last bit is set. Another rounding to fewer bits then
 * gives what one rounding would. */
static inline float spw_odd_float(double d)
{
  const float f = (float)d;
  if ((double)f == d || d != d) return f;
  uint32_t bits = spw_bits_of_float(f);
  const double back = (double)f;
  if ((back > d) == (d > 0)) bits--; /* rounded away from zero */
  return spw_float_of_bits(bits | 1);
}

static inline uint16_t spw_float16_of_double(double d)
{
  return spw_float16_of_float(spw_odd_float(d));
}

static inline uint16_t spw_bfloat16_of_double(double d)
{
  return spw_bfloat16_of_float(spw_odd_float(d));
}

#endif
