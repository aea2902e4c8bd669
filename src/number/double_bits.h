/* SPDX-License-Identifier: Apache-2.0 */
/* Doubles and their bits, and a pair of doubles rounded to odd. */
#ifndef SPW_NUMBER_DOUBLE_BITS_H
#define SPW_NUMBER_DOUBLE_BITS_H

#include "checks.h"

#include <stdint.h>
#include <string.h>

static inline uint64_t spw_bits_from_double(double x)
{
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static inline double spw_double_from_bits(uint64_t bits)
{
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* high + low, of which low is less than a unit in the last place of high, rounded to odd: rounding it once more, to a type of two
 * bits less at least, is as good as rounding once. */
static inline double spw_odd_double(double high, double low)
{
  uint64_t bits = spw_bits_from_double(high);
  if (low == 0 || high != high || high - high != 0) return high;
  if ((low < 0) == (high > 0)) bits--; /* beyond the exact number, away from zero */
  return spw_double_from_bits(bits | 1);
}

#endif
