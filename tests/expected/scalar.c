/* SPDX-License-Identifier: Apache-2.0 */
#include "scalar.h"

#include <string.h>

/* How IEEE 754 lays a float out; width 0: no float. */
typedef struct format {
  int width, fraction;
} format;

/* Of a complex type: that of its parts. */
static format format_of(spw_dtype dtype)
{
  switch (dtype) {
    case SPW_FLOAT16: return (format){16, 10};
    case SPW_BFLOAT16: return (format){16, 7};
    case SPW_FLOAT32: case SPW_COMPLEX64: return (format){32, 23};
    case SPW_FLOAT64: case SPW_COMPLEX128: return (format){64, 52};
    default: return (format){0, 0};
  }
}

bool scalar_is_float(spw_dtype dtype)
{
  return dtype >= SPW_FLOAT16;
}

bool scalar_is_complex(spw_dtype dtype)
{
  return dtype == SPW_COMPLEX64 || dtype == SPW_COMPLEX128;
}

spw_dtype scalar_part_type(spw_dtype dtype)
{
  return dtype == SPW_COMPLEX64 ? SPW_FLOAT32 : dtype == SPW_COMPLEX128 ? SPW_FLOAT64 : dtype;
}

static int parts_of(spw_dtype dtype)
{
  return scalar_is_complex(dtype) ? 2 : 1;
}

int64_t scalar_width(spw_dtype dtype)
{
  switch (dtype) {
    case SPW_BOOL: case SPW_UINT8: case SPW_INT8: return 1;
    case SPW_INT16: return 2;
    case SPW_INT32: return 4;
    case SPW_INT64: return 8;
    default: return (int64_t)parts_of(dtype) * format_of(dtype).width / 8;
  }
}

static size_t part_bytes(spw_dtype dtype)
{
  return (size_t)scalar_width(dtype) / (size_t)parts_of(dtype);
}

/* The bits of a part; the machine is little-endian, as all that the project runs on. */
uint64_t scalar_bits(spw_dtype dtype, const void *scalar, int part)
{
  uint64_t bits = 0;
  memcpy(&bits, (const char *)scalar + (size_t)part * part_bytes(dtype), part_bytes(dtype));
  return bits;
}

static void put(spw_dtype dtype, void *scalar, int part, uint64_t bits)
{
  memcpy((char *)scalar + (size_t)part * part_bytes(dtype), &bits, part_bytes(dtype));
}

/* ---- Zero ------------------------------------------------------------------------------------ */

bool scalar_has_no_bits(spw_dtype dtype, const void *scalar)
{
  for (int part = 0; part < parts_of(dtype); part++)
    if (scalar_bits(dtype, scalar, part) != 0) return false;
  return true;
}

bool scalar_is_zero(spw_dtype dtype, const void *scalar)
{
  const format f = format_of(dtype);
  const uint64_t sign = f.width ? (uint64_t)1 << (f.width - 1) : 0;
  for (int part = 0; part < parts_of(dtype); part++)
    if ((scalar_bits(dtype, scalar, part) & ~sign) != 0) return false;
  return true;
}

/* ---- Sums ------------------------------------------------------------------------------------ */

static double double_of_bits(uint64_t bits)
{
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static uint64_t bits_of_double(double value)
{
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static uint64_t ones(int count)
{
  return ((uint64_t)1 << count) - 1;
}

static int bias_of(format f)
{
  return (1 << (f.width - f.fraction - 2)) - 1;
}

/* value * 2^power, exact wherever it is asked; -1022 <= power <= 1023, so that the factor is a normal number. */
static double scaled(double value, int power)
{
  return value * double_of_bits((uint64_t)(1023 + power) << 52);
}

/* A finite or special float of at most 32 bits is a double, exactly. */
static double widen(format f, uint64_t bits)
{
  const int exponents = f.width - 1 - f.fraction;
  const uint64_t fraction = bits & ones(f.fraction), exponent = bits >> f.fraction & ones(exponents);
  const double sign = bits >> (f.width - 1) & 1 ? -1 : 1;
  if (exponent == ones(exponents))
    return double_of_bits((sign < 0 ? (uint64_t)1 << 63 : 0) | (uint64_t)0x7ff << 52 | fraction << (52 - f.fraction));
  const double significand = (double)(exponent ? fraction + ((uint64_t)1 << f.fraction) : fraction);
  const int power = (exponent ? (int)exponent : 1) - bias_of(f) - f.fraction;
  return sign * scaled(significand, power);
}

/* The nearest of the narrower format, ties to even: the quotient by the last place is rounded as an
 * integer. A sum of two of them rounds through double as if at once, since 53 >= 2 * 24 + 2; and a
 * sum below the normal numbers is exact in both. */
static uint64_t narrow(format f, double value)
{
  const int exponents = f.width - 1 - f.fraction, least = 1 - bias_of(f);
  const uint64_t sign = bits_of_double(value) >> 63 << (f.width - 1), infinity = ones(exponents) << f.fraction;
  double size = value < 0 ? -value : value;
  if (value != value) return sign | infinity | (uint64_t)1 << (f.fraction - 1);
  if (size == 0) return sign;
  if (size > 1.7976931348623157e308) return sign | infinity;
  int exponent = (int)(bits_of_double(size) >> 52) - 1023;
  if (exponent < least) exponent = least;
  const double quotient = scaled(size, f.fraction - exponent);
  uint64_t whole = (uint64_t)quotient;
  const double rest = quotient - (double)whole;
  if (rest > 0.5 || (rest == 0.5 && whole % 2 == 1)) whole++;
  /* What is carried goes from the fraction into the exponent, and from the largest to infinity. */
  const uint64_t bits = whole >> f.fraction ? ((uint64_t)(exponent - least) << f.fraction) + whole : whole;
  return sign | (bits > infinity ? infinity : bits);
}

uint64_t scalar_of_double(spw_dtype dtype, double value)
{
  const format f = format_of(dtype);
  return f.width == 64 ? bits_of_double(value) : narrow(f, value);
}

double scalar_to_double(spw_dtype dtype, uint64_t bits)
{
  const format f = format_of(dtype);
  return f.width == 64 ? double_of_bits(bits) : widen(f, bits);
}

static uint64_t sum_of_floats(format f, uint64_t a, uint64_t b)
{
  if (f.width == 64) return bits_of_double(double_of_bits(a) + double_of_bits(b));
  return narrow(f, widen(f, a) + widen(f, b));
}

void scalar_add(spw_dtype dtype, void *sum, const void *next)
{
  const format f = format_of(dtype);
  for (int part = 0; part < parts_of(dtype); part++) {
    const uint64_t a = scalar_bits(dtype, sum, part), b = scalar_bits(dtype, next, part);
    put(dtype, sum, part, f.width ? sum_of_floats(f, a, b) : dtype == SPW_BOOL ? (a | b) != 0 : a + b);
  }
}

/* ---- Sums of products ------------------------------------------------------------------------ */

/* Products and sums of 16 bits are those of float. */
static format format_of_sums(spw_dtype dtype)
{
  const format f = format_of(dtype);
  return f.width == 16 ? (format){32, 23} : f;
}

/* What a format makes of an exact product, or of a sum that double has rounded innocuously. */
static double rounded(format f, double value)
{
  return f.width == 64 ? value : widen(f, narrow(f, value));
}

static double part_of(spw_dtype dtype, const void *scalar, int part)
{
  const format f = format_of(dtype);
  return f.width == 64 ? double_of_bits(scalar_bits(dtype, scalar, part)) : widen(f, scalar_bits(dtype, scalar, part));
}

static void store_part(spw_dtype dtype, void *scalar, int part, double value)
{
  const format f = format_of(dtype);
  put(dtype, scalar, part, f.width == 64 ? bits_of_double(value) : narrow(f, value));
}

typedef struct pair {
  double re, im;
} pair;

static pair pair_at(spw_dtype dtype, const void *scalar)
{
  return (pair){part_of(dtype, scalar, 0), parts_of(dtype) == 2 ? part_of(dtype, scalar, 1) : 0};
}

static pair times(format f, bool complex, pair a, pair b)
{
  if (!complex) return (pair){rounded(f, a.re * b.re), 0};
  const double rr = rounded(f, a.re * b.re), ii = rounded(f, a.im * b.im);
  const double ri = rounded(f, a.re * b.im), ir = rounded(f, a.im * b.re);
  return (pair){rounded(f, rr - ii), rounded(f, ri + ir)};
}

static pair plus(format f, pair a, pair b)
{
  return (pair){rounded(f, a.re + b.re), rounded(f, a.im + b.im)};
}

static uint64_t whole_product(spw_dtype dtype, uint64_t a, uint64_t b)
{
  return dtype == SPW_BOOL ? a != 0 && b != 0 : a * b;
}

static uint64_t whole_sum(spw_dtype dtype, uint64_t a, uint64_t b)
{
  return dtype == SPW_BOOL ? a != 0 || b != 0 : a + b;
}

scalar_sum scalar_nothing(spw_dtype dtype)
{
  return (scalar_sum){.dtype = dtype};
}

void scalar_sum_add(scalar_sum *sum, const void *a, const void *b)
{
  const spw_dtype dtype = sum->dtype;
  const format f = format_of_sums(dtype);
  if (f.width == 0) {
    sum->whole = whole_sum(dtype, sum->whole, whole_product(dtype, scalar_bits(dtype, a, 0), scalar_bits(dtype, b, 0)));
    return;
  }
  const pair product = times(f, parts_of(dtype) == 2, pair_at(dtype, a), pair_at(dtype, b));
  const pair grown = plus(f, (pair){sum->part[0], sum->part[1]}, product);
  sum->part[0] = grown.re;
  sum->part[1] = grown.im;
}

void scalar_sum_grow(scalar_sum *sum, const void *a)
{
  const spw_dtype dtype = sum->dtype;
  const format f = format_of_sums(dtype);
  if (f.width == 0) {
    sum->whole = whole_sum(dtype, sum->whole, scalar_bits(dtype, a, 0));
    return;
  }
  const pair grown = plus(f, (pair){sum->part[0], sum->part[1]}, pair_at(dtype, a));
  sum->part[0] = grown.re;
  sum->part[1] = grown.im;
}

void scalar_sum_join(scalar_sum *sum, const scalar_sum *other)
{
  const format f = format_of_sums(sum->dtype);
  sum->whole = whole_sum(sum->dtype, sum->whole, other->whole);
  if (f.width == 0) return;
  const pair grown = plus(f, (pair){sum->part[0], sum->part[1]}, (pair){other->part[0], other->part[1]});
  sum->part[0] = grown.re;
  sum->part[1] = grown.im;
}

void scalar_sum_mean(const scalar_sum *sum, int64_t n, void *result)
{
  const format f = format_of_sums(sum->dtype);
  store_part(sum->dtype, result, 0, rounded(f, sum->part[0] / rounded(f, (double)n)));
}

void scalar_sum_store(const scalar_sum *sum, const void *alpha, const void *beta, void *result)
{
  const spw_dtype dtype = sum->dtype;
  const format f = format_of_sums(dtype);
  const bool complex = parts_of(dtype) == 2;
  uint64_t one[2] = {0, 0};
  scalar_one(dtype, one);
  if (!alpha && beta) alpha = one;
  if (f.width == 0) {
    uint64_t whole = alpha ? whole_product(dtype, scalar_bits(dtype, alpha, 0), sum->whole) : sum->whole;
    if (beta) whole = whole_sum(dtype, whole_product(dtype, scalar_bits(dtype, beta, 0), scalar_bits(dtype, result, 0)), whole);
    put(dtype, result, 0, whole);
    return;
  }
  pair p = {sum->part[0], sum->part[1]};
  if (alpha) p = times(f, complex, pair_at(dtype, alpha), p);
  if (beta) p = plus(f, times(f, complex, pair_at(dtype, beta), pair_at(dtype, result)), p);
  store_part(dtype, result, 0, p.re);
  if (complex) store_part(dtype, result, 1, p.im);
}

void scalar_multiply(spw_dtype dtype, const void *a, void *result)
{
  const format f = format_of_sums(dtype);
  if (f.width == 0) {
    put(dtype, result, 0, whole_product(dtype, scalar_bits(dtype, a, 0), scalar_bits(dtype, result, 0)));
    return;
  }
  const pair p = times(f, parts_of(dtype) == 2, pair_at(dtype, a), pair_at(dtype, result));
  store_part(dtype, result, 0, p.re);
  if (parts_of(dtype) == 2) store_part(dtype, result, 1, p.im);
}

void scalar_one(spw_dtype dtype, void *one)
{
  memset(one, 0, (size_t)scalar_width(dtype));
  if (format_of(dtype).width == 0) put(dtype, one, 0, 1);
  else store_part(dtype, one, 0, 1);
}

/* ---- Comparing ------------------------------------------------------------------------------- */

static bool is_nan(format f, uint64_t bits)
{
  return f.width && (bits & ones(f.width - 1)) > ones(f.width - 1 - f.fraction) << f.fraction;
}

bool scalar_same(spw_dtype dtype, const void *expected, const void *actual, bool computed)
{
  const format f = format_of(dtype);
  for (int part = 0; part < parts_of(dtype); part++) {
    const uint64_t a = scalar_bits(dtype, expected, part), b = scalar_bits(dtype, actual, part);
    const bool as_good = (is_nan(f, a) && is_nan(f, b)) || (dtype == SPW_BOOL && a != 0 && b == 1);
    if (a != b && !(computed && as_good)) return false;
  }
  return true;
}
