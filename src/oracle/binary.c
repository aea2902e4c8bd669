/* SPDX-License-Identifier: Apache-2.0 */
#include "binary.h"

#include <string.h>

spw_format spw_format_of(spw_dtype dtype)
{
  static const spw_format half = {16, 11, -14, 15}, brain = {16, 8, -126, 127}, single = {32, 24, -126, 127},
                          twice = {64, 53, -1022, 1023}, none = {0, 0, 0, 0};
  switch (dtype) {
    case SPW_FLOAT16: return half;
    case SPW_BFLOAT16: return brain;
    case SPW_FLOAT32: case SPW_COMPLEX64: return single;
    case SPW_FLOAT64: case SPW_COMPLEX128: return twice;
    default: return none;
  }
}

int32_t spw_format_lowest(spw_format f)
{
  return f.least - (f.bits - 1);
}

bool spw_format_holds(spw_format wide, spw_format narrow)
{
  return wide.bits >= narrow.bits && wide.most >= narrow.most && spw_format_lowest(wide) <= spw_format_lowest(narrow);
}

int32_t spw_bit_length(uint64_t n)
{
  int32_t length = 0;
  for (int32_t step = 32; step > 0; step /= 2)
    if (n >> step) length += step, n >>= step;
  return length + (n > 0);
}

int32_t spw_binary_top(spw_binary b)
{
  return b.exponent + spw_bit_length(b.mantissa);
}

/* Zeros behind the last bit that is set. */
static int32_t trailing_zeros(uint64_t n)
{
  return spw_bit_length(n & (~n + 1)) - 1;
}

static uint64_t ones(int32_t count)
{
  return ((uint64_t)1 << count) - 1;
}

spw_binary spw_binary_of_bits(spw_format f, uint64_t bits)
{
  const int32_t stored = f.bits - 1;
  const uint64_t fraction = bits & ones(stored), highest = ones(f.width - 1 - stored);
  const uint64_t exponent = bits >> stored & highest;
  spw_binary b = {SPW_KIND_ZERO, (bits >> (f.width - 1) & 1) != 0, 0, 0};
  if (exponent == highest) {
    b.kind = fraction ? SPW_KIND_NAN : SPW_KIND_INFINITE;
  } else if (exponent || fraction) {
    const uint64_t whole = exponent ? fraction | (uint64_t)1 << stored : fraction;
    const int32_t zeros = trailing_zeros(whole);
    b.kind = SPW_KIND_FINITE;
    b.mantissa = whole >> zeros;
    b.exponent = spw_format_lowest(f) + (exponent ? (int32_t)exponent - 1 : 0) + zeros;
  }
  return b;
}

spw_binary spw_binary_of(double value)
{
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return spw_binary_of_bits(spw_format_of(SPW_FLOAT64), bits);
}

double spw_double_of_bits(spw_format f, uint64_t bits)
{
  const spw_format wide = spw_format_of(SPW_FLOAT64);
  const spw_binary b = spw_binary_of_bits(f, bits);
  uint64_t word = 0;
  if (b.kind == SPW_KIND_FINITE) { /* a number of a narrower format is a normal double */
    const int32_t length = spw_bit_length(b.mantissa);
    word = f.width == wide.width ? bits & ones(63)
                                 : ((uint64_t)(b.exponent + length - 1 + 1023) << 52) |
                                       (b.mantissa << (53 - length) & ones(52));
  }
  if (b.kind == SPW_KIND_INFINITE) word = (uint64_t)0x7ff << 52;
  if (b.kind == SPW_KIND_NAN) word = (uint64_t)0xfff << 51;
  if (b.negative) word |= (uint64_t)1 << 63;
  double value;
  memcpy(&value, &word, sizeof value);
  return value;
}
