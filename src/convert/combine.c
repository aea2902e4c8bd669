/* SPDX-License-Identifier: Apache-2.0 */
#include "combine.h"
#include "values.h"

#include <string.h>

#define ADD(TYPE)                                                   \
  for (int64_t i = 0; i < n; i++) {                                 \
    TYPE a, b;                                                      \
    memcpy(&a, sum + (size_t)i * sizeof a, sizeof a);               \
    memcpy(&b, more + (size_t)i * sizeof b, sizeof b);              \
    a = (TYPE)(a + b);                                              \
    memcpy(sum + (size_t)i * sizeof a, &a, sizeof a);               \
  }                                                                 \
  return

static float float_of_bits(uint32_t bits)
{
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}

static uint32_t bits_of_float(float f)
{
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  return bits;
}

static float float_of_bfloat16(uint16_t half)
{
  return float_of_bits((uint32_t)half << 16);
}

/* Rounds to nearest, ties to even. */
static uint16_t bfloat16_of_float(float f)
{
  const uint32_t bits = bits_of_float(f);
  if (f != f) return (uint16_t)(bits >> 16 | 0x40);
  return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static float float_of_float16(uint16_t half)
{
  const uint32_t sign = (uint32_t)(half & 0x8000) << 16, exponent = half >> 10 & 31, fraction = half & 0x3ff;
  if (exponent == 31) return float_of_bits(sign | 0x7f800000 | fraction << 13);
  if (exponent > 0) return float_of_bits(sign | (exponent + 112) << 23 | fraction << 13);
  const float magnitude = (float)fraction * 0x1p-24f;
  return sign ? -magnitude : magnitude;
}

/* Rounds to nearest, ties to even. */
static uint16_t float16_of_float(float f)
{
  const uint32_t bits = bits_of_float(f), sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
  if (f != f) return (uint16_t)(sign | 0x7e00 | (magnitude >> 13 & 0x3ff));
  if (magnitude >= 0x477ff000) return (uint16_t)(sign | 0x7c00); /* 65520 and above */
  if (magnitude < 0x38800000) {                                  /* below 2^-14: a multiple of 2^-24 */
    const float shifted = float_of_bits(magnitude) + 0.5f;       /* whose last bit is 2^-24 */
    return (uint16_t)(sign | (bits_of_float(shifted) - 0x3f000000));
  }
  const uint32_t odd = magnitude >> 13 & 1;
  return (uint16_t)(sign | ((magnitude - 0x38000000 + 0xfff + odd) >> 13));
}

/* The sum of two of them, rounded to 24 bits, is rounded again to 11 (8): with p' >= 2p + 2 bits in between this
 * is the sum rounded once (S. A. Figueroa, When is double rounding innocuous?, 1995). */
static void add_halves(char *sum, const char *more, int64_t n, float (*to)(uint16_t), uint16_t (*from)(float))
{
  for (int64_t i = 0; i < n; i++) {
    uint16_t a, b;
    memcpy(&a, sum + 2 * i, 2);
    memcpy(&b, more + 2 * i, 2);
    a = from(to(a) + to(b));
    memcpy(sum + 2 * i, &a, 2);
  }
}

void spw_add_scalars(spw_dtype dtype, char *sum, const char *more, int64_t n)
{
  switch (dtype) {
  case SPW_BOOL:
    for (int64_t i = 0; i < n; i++) sum[i] = sum[i] || more[i];
    return;
  case SPW_UINT8: case SPW_INT8: ADD(uint8_t);
  case SPW_INT16: ADD(uint16_t);
  case SPW_INT32: ADD(uint32_t);
  case SPW_INT64: ADD(uint64_t);
  case SPW_FLOAT16: add_halves(sum, more, n, float_of_float16, float16_of_float); return;
  case SPW_BFLOAT16: add_halves(sum, more, n, float_of_bfloat16, bfloat16_of_float); return;
  case SPW_COMPLEX64: n *= 2; ADD(float);
  case SPW_FLOAT32: ADD(float);
  case SPW_COMPLEX128: n *= 2; ADD(double);
  case SPW_FLOAT64: ADD(double);
  case SPW_DTYPE_NONE: break;
  }
}
