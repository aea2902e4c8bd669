/* SPDX-License-Identifier: Apache-2.0 */
/* Elements of the narrow types as equal numbers of the widest type of their kind. */
#include "widen.h"

#include <string.h>

/* The address need not be aligned. */
#define LOAD(type, at) \
  type element;        \
  memcpy(&element, at, sizeof element)

static int64_t widen_uint8(const void *at)
{
  LOAD(uint8_t, at);
  return element;
}

static int64_t widen_int8(const void *at)
{
  LOAD(int8_t, at);
  return element;
}

static int64_t widen_int16(const void *at)
{
  LOAD(int16_t, at);
  return element;
}

static int64_t widen_int32(const void *at)
{
  LOAD(int32_t, at);
  return element;
}

static int64_t widen_int64(const void *at)
{
  LOAD(int64_t, at);
  return element;
}

int64_t spw_widen_integer(spw_dtype dtype, const void *at)
{
  switch (dtype) {
  case SPW_UINT8: return widen_uint8(at);
  case SPW_INT8: return widen_int8(at);
  case SPW_INT16: return widen_int16(at);
  case SPW_INT32: return widen_int32(at);
  case SPW_INT64: return widen_int64(at);
  default: return 0;
  }
}

static float float_of_bits(uint32_t bits)
{
  float number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

/* Sign, 5 bits of exponent (bias 15), 10 of fraction; float has 8 (bias 127) and 23. */
static float widen_float16(const void *at)
{
  LOAD(uint16_t, at);
  const uint32_t sign = (uint32_t)(element >> 15) << 31, fraction = element & 0x3ffu;
  const uint32_t exponent = (element >> 10) & 0x1fu;
  if (exponent == 0) return (sign ? -1.0f : 1.0f) * (float)fraction * 0x1p-24f;
  const uint32_t wide = exponent == 31 ? 255 : exponent + (127 - 15);
  return float_of_bits(sign | wide << 23 | fraction << 13);
}

static float widen_bfloat16(const void *at)
{
  LOAD(uint16_t, at);
  return float_of_bits((uint32_t)element << 16);
}

static float load_float32(const void *at)
{
  LOAD(float, at);
  return element;
}

static double load_float64(const void *at)
{
  LOAD(double, at);
  return element;
}

double spw_widen_float(spw_dtype dtype, const void *at)
{
  switch (dtype) {
  case SPW_FLOAT16: return (double)widen_float16(at);
  case SPW_BFLOAT16: return (double)widen_bfloat16(at);
  case SPW_FLOAT32: return (double)load_float32(at);
  case SPW_FLOAT64: return load_float64(at);
  default: return 0;
  }
}
