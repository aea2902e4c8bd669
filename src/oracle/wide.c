/* SPDX-License-Identifier: Apache-2.0 */
#include "wide.h"
#include "kernels/limbs.h"

#include <string.h>

enum { LIMBS = SPW_EXACT_LIMBS, LEAST = SPW_EXACT_LEAST, MOST = 3328 };

void spw_wide_add_at(uint32_t *wide, uint64_t low, uint64_t high, int32_t exponent)
{
  const int32_t place = exponent - LEAST, shift = place % 32;
  const uint32_t words[4] = {(uint32_t)low, (uint32_t)(low >> 32), (uint32_t)high, (uint32_t)(high >> 32)};
  uint32_t digits[5];
  uint64_t carried = 0;
  for (int i = 0; i < 4; i++) {
    carried |= (uint64_t)words[i] << shift;
    digits[i] = (uint32_t)carried;
    carried >>= 32;
  }
  digits[4] = (uint32_t)carried;
  spw_limbs_add(wide + place / 32, LIMBS - place / 32, digits, spw_limbs_length(digits, 5));
}

void spw_wide_add(uint32_t *wide, const uint32_t *other)
{
  spw_limbs_add(wide, LIMBS, other, spw_limbs_length(other, LIMBS));
}

void spw_wide_add_scaled(uint32_t *wide, const uint32_t *other, uint64_t mantissa, int32_t exponent)
{
  const int64_t length = spw_limbs_length(other, LIMBS);
  for (int32_t i = 0; i < length; i++) {
    const uint64_t zero = other[i] * (mantissa & 0xffffffff), one = other[i] * (mantissa >> 32);
    const uint64_t low = zero + (one << 32);
    const uint64_t high = (one >> 32) + (low < zero);
    if (other[i]) spw_wide_add_at(wide, low, high, LEAST + 32 * i + exponent);
  }
}

int spw_wide_difference(uint32_t *magnitude, const uint32_t *a, const uint32_t *b)
{
  const int sign = spw_limbs_compare(a, b, LIMBS);
  memcpy(magnitude, sign < 0 ? b : a, LIMBS * sizeof *magnitude);
  spw_limbs_subtract(magnitude, sign < 0 ? a : b, LIMBS);
  return sign;
}

bool spw_wide_is_zero(const uint32_t *wide)
{
  return spw_limbs_length(wide, LIMBS) == 0;
}

int32_t spw_wide_top(const uint32_t *wide)
{
  const int32_t length = (int32_t)spw_limbs_length(wide, LIMBS);
  return length == 0 ? LEAST : LEAST + 32 * (length - 1) + spw_bit_length(wide[length - 1]);
}

/* The 64 bits from 2^exponent on; places outside of the limbs are 0. */
static uint64_t bits_from(const uint32_t *wide, int32_t exponent)
{
  uint64_t bits = 0;
  for (int32_t i = 0; i < 3; i++) {
    const int32_t limb = (exponent - LEAST) / 32 + i, shift = 32 * i - (exponent - LEAST) % 32;
    const uint64_t word = limb < LIMBS ? wide[limb] : 0;
    if (shift < 64) bits |= shift < 0 ? word >> -shift : word << shift;
  }
  return bits;
}

/* Is any bit set below 2^exponent? */
static bool any_below(const uint32_t *wide, int32_t exponent)
{
  const int32_t place = exponent - LEAST, limb = place / 32;
  return spw_limbs_length(wide, limb) > 0 || (limb < LIMBS && wide[limb] % ((uint64_t)1 << place % 32) != 0);
}

spw_upper spw_wide_upper(const uint32_t *wide)
{
  const int32_t top = spw_wide_top(wide), from = top - 64 < LEAST ? LEAST : top - 64;
  return spw_upper_of(bits_from(wide, from), from, any_below(wide, from));
}

bool spw_wide_add_upper(uint32_t *wide, spw_upper bound)
{
  if (bound.m == 0) return true;
  if (bound.e + 64 > MOST) return false;
  const int64_t below = LEAST - bound.e;
  if (below <= 0) {
    spw_wide_add_at(wide, bound.m, 0, (int32_t)bound.e);
    return true;
  }
  const uint64_t whole = below < 64 ? bound.m >> below : 0;
  const bool more = below >= 64 || whole << below != bound.m;
  spw_wide_add_at(wide, whole, 0, LEAST);
  if (more) spw_wide_add_at(wide, 1, 0, LEAST);
  return true;
}

uint64_t spw_wide_round(const uint32_t *magnitude, bool negative, spw_format f)
{
  const uint64_t sign = negative ? (uint64_t)1 << (f.width - 1) : 0;
  const uint64_t infinity = (((uint64_t)1 << (f.width - f.bits)) - 1) << (f.bits - 1);
  const int32_t top = spw_wide_top(magnitude), lowest = spw_format_lowest(f);
  const int32_t last = top - f.bits < lowest ? lowest : top - f.bits; /* the place of the last bit that stays */
  if (top - 1 > f.most) return sign | infinity;
  uint64_t whole = bits_from(magnitude, last);
  const bool half = (bits_from(magnitude, last - 1) & 1) != 0;
  if (half && (any_below(magnitude, last - 1) || whole % 2 != 0)) whole++;
  /* What is carried out of the fraction goes into the exponent, and from the largest number to infinity. */
  return sign | (((uint64_t)(last - lowest) << (f.bits - 1)) + whole);
}
