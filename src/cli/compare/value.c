/* SPDX-License-Identifier: Apache-2.0 */
/* A value as text from which its bits can be told: the shortest decimal that reads back, and the bits of
 * a NaN. */
#include "compare.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t bits_of(const void *value, size_t size)
{
  uint8_t u8;
  uint16_t u16;
  uint32_t u32;
  uint64_t u64;
  switch (size) {
  case 1: memcpy(&u8, value, size); return u8;
  case 2: memcpy(&u16, value, size); return u16;
  case 4: memcpy(&u32, value, size); return u32;
  default: memcpy(&u64, value, sizeof u64); return u64;
  }
}

/* Of 16 bits with so many for the exponent; what is left is the fraction. */
static double half_number(uint64_t bits, int exponent_bits)
{
  const int fraction_bits = 15 - exponent_bits, bias = (1 << (exponent_bits - 1)) - 1;
  const int exponent = (int)(bits >> fraction_bits) & ((1 << exponent_bits) - 1);
  const double fraction = ldexp((double)(bits & ((1u << fraction_bits) - 1)), -fraction_bits);
  const double magnitude = exponent == (1 << exponent_bits) - 1 ? (fraction > 0 ? (double)NAN : (double)INFINITY)
                           : exponent ? ldexp(1 + fraction, exponent - bias) : ldexp(fraction, 1 - bias);
  return bits >> 15 ? -magnitude : magnitude;
}

static double number_of(spw_dtype dtype, const void *value)
{
  float single;
  double twice;
  switch (dtype) {
  case SPW_FLOAT16: return half_number(bits_of(value, 2), 5);
  case SPW_BFLOAT16: return half_number(bits_of(value, 2), 8);
  case SPW_FLOAT32: memcpy(&single, value, sizeof single); return (double)single;
  default: memcpy(&twice, value, sizeof twice); return twice;
  }
}

/* The types that double holds exactly: a decimal that gives the double back gives theirs. */
static void add_float(cli_text *text, spw_dtype dtype, const void *value)
{
  const size_t size = (size_t)spw_dtype_size(dtype);
  const double number = number_of(dtype, value);
  char decimal[40];
  if (isnan(number)) {
    add_format(text, "nan (bits %0*" PRIx64 ")", (int)(2 * size), bits_of(value, size));
    return;
  }
  for (int digits = 1;; digits++) { /* 17 are enough for any */
    snprintf(decimal, sizeof decimal, "%.*g", digits, number);
    const double read = strtod(decimal, NULL);
    if (size == 8 ? read == number : (float)read == (float)number) break;
  }
  add_text(text, decimal);
}

static void add_integer(cli_text *text, spw_dtype dtype, const void *value)
{
  int8_t i8;
  int16_t i16;
  int32_t i32;
  int64_t i64;
  switch (dtype) {
  case SPW_INT8: memcpy(&i8, value, sizeof i8); i64 = i8; break;
  case SPW_INT16: memcpy(&i16, value, sizeof i16); i64 = i16; break;
  case SPW_INT32: memcpy(&i32, value, sizeof i32); i64 = i32; break;
  case SPW_INT64: memcpy(&i64, value, sizeof i64); break;
  default: i64 = (int64_t)bits_of(value, 1); break; /* uint8 and bool */
  }
  add_format(text, "%" PRId64, i64);
}

void add_value(cli_text *text, spw_dtype dtype, const void *value)
{
  const bool is_complex = dtype == SPW_COMPLEX64 || dtype == SPW_COMPLEX128;
  const spw_dtype part = dtype == SPW_COMPLEX64 ? SPW_FLOAT32 : SPW_FLOAT64;
  if (is_complex) {
    add_text(text, "[");
    add_float(text, part, value);
    add_text(text, ", ");
    add_float(text, part, (const char *)value + spw_dtype_size(part));
    add_text(text, "]");
  } else if (dtype >= SPW_FLOAT16) {
    add_float(text, dtype, value);
  } else {
    add_integer(text, dtype, value);
  }
}
