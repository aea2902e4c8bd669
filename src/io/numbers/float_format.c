/* SPDX-License-Identifier: Apache-2.0 */
/* Binary floating-point formats as bit patterns: exact conversion with one rounding. */
#include "float_format.h"

static int64_t bias(spw_float_format format)
{
  return ((int64_t)1 << (format.bits - format.fraction - 2)) - 1;
}

uint64_t spw_float_sign(spw_float_format format)
{
  return (uint64_t)1 << (format.bits - 1);
}

uint64_t spw_float_infinity(spw_float_format format)
{
  return spw_float_sign(format) - ((uint64_t)1 << format.fraction);
}

uint64_t spw_float_quiet_nan(spw_float_format format)
{
  return spw_float_infinity(format) | (uint64_t)1 << (format.fraction - 1);
}

/* significand / 2^drop to the nearest integer, ties to even; 1 <= drop <= 64. */
static uint64_t shift_and_round(uint64_t significand, int64_t drop, bool inexact)
{
  const uint64_t half = (uint64_t)1 << (drop - 1);
  const bool rest = inexact || (significand & (half - 1)) != 0;
  const uint64_t kept = drop == 64 ? 0 : significand >> drop;
  return kept + (uint64_t)((significand & half) && (rest || (kept & 1)));
}

/* Bits without the sign of a value whose significand has its top bit set. A carry out of the
 * fraction runs into the exponent, which is just the next number. */
static uint64_t round_magnitude(spw_float_format format, spw_scaled value)
{
  const int64_t leading = value.exponent + 63, lowest = 1 - bias(format);
  if (leading > bias(format)) return spw_float_infinity(format);
  const int64_t lost = leading < lowest ? lowest - leading : 0;
  const int64_t drop = 63 - format.fraction + lost;
  if (drop > 64) return 0;
  const uint64_t kept = shift_and_round(value.significand, drop, value.inexact);
  if (lost) return kept;
  return ((uint64_t)(leading - lowest) << format.fraction) + kept;
}

bool spw_float_round(spw_float_format format, spw_scaled value, uint64_t *bits)
{
  uint64_t magnitude = 0;
  if (value.significand) {
    const int shift = __builtin_clzll(value.significand);
    value.significand <<= shift;
    value.exponent -= shift;
    magnitude = round_magnitude(format, value);
  }
  if (magnitude >= spw_float_infinity(format)) return false;
  *bits = magnitude | (value.negative ? spw_float_sign(format) : 0);
  return true;
}

spw_scaled spw_float_unpack(spw_float_format format, uint64_t bits)
{
  const uint64_t implicit = (uint64_t)1 << format.fraction;
  const uint64_t magnitude = bits & (spw_float_sign(format) - 1);
  const int64_t biased = (int64_t)(magnitude >> format.fraction);
  spw_scaled value = {.negative = (bits & spw_float_sign(format)) != 0};
  value.significand = (magnitude & (implicit - 1)) | (biased ? implicit : 0);
  value.exponent = (biased ? biased : 1) - bias(format) - format.fraction;
  return value;
}
