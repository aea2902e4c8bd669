/* SPDX-License-Identifier: Apache-2.0 */
/* float16 and bfloat16, which C11 does not have, from their bits and to them. */
#ifndef SPW_NUMBER_HALF_H
#define SPW_NUMBER_HALF_H

#include "checks.h"

#include <stdint.h>
#include <string.h>

static inline float spw_float_of_bits(uint32_t bits)
{
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}

static inline uint32_t spw_bits_of_float(float f)
{
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  return bits;
}

static inline float spw_float_of_bfloat16(uint16_t half)
{
  return spw_float_of_bits((uint32_t)half << 16);
}

/* Rounds to nearest, ties to even. */
static inline uint16_t spw_bfloat16_of_float(float f)
{
  const uint32_t bits = spw_bits_of_float(f);
  if (f != f) return (uint16_t)(bits >> 16 | 0x40);
  return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static inline float spw_float_of_float16(uint16_t half)
{
  const uint32_t sign = (uint32_t)(half & 0x8000) << 16, exponent = half >> 10 & 31, fraction = half & 0x3ff;
  if (exponent == 31) return spw_float_of_bits(sign | 0x7f800000 | fraction << 13);
  if (exponent > 0) return spw_float_of_bits(sign | (exponent + 112) << 23 | fraction << 13);
  const float magnitude = (float)fraction * 0x1p-24f;
  return sign ? -magnitude : magnitude;
}

/* Rounds to nearest, ties to even. */
static inline uint16_t spw_float16_of_float(float f)
{
  const uint32_t bits = spw_bits_of_float(f), sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
  if (f != f) return (uint16_t)(sign | 0x7e00 | (magnitude >> 13 & 0x3ff));
  if (magnitude >= 0x477ff000) return (uint16_t)(sign | 0x7c00); /* 65520 and above */
  if (magnitude < 0x38800000) {                                  /* below 2^-14: a multiple of 2^-24 */
    const float shifted = spw_float_of_bits(magnitude) + 0.5f;       /* whose last bit is 2^-24 */
    return (uint16_t)(sign | (spw_bits_of_float(shifted) - 0x3f000000));
  }
  const uint32_t odd = magnitude >> 13 & 1;
  return (uint16_t)(sign | ((magnitude - 0x38000000 + 0xfff + odd) >> 13));
}

#endif
