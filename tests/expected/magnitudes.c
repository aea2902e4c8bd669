/* SPDX-License-Identifier: Apache-2.0 */
#include "magnitudes.h"

#include "scalar.h"

#include <math.h>
#include <string.h>

enum { UNIT = -2176 };

__extension__ typedef unsigned __int128 wide;

static void add_at(uint32_t *to, wide digits, int exponent)
{
  const int place = exponent - UNIT;
  wide carry = digits << (place % 32);
  for (int i = place / 32; carry > 0 && i < MAGNITUDE_LIMBS; i++) {
    carry += to[i];
    to[i] = (uint32_t)carry;
    carry >>= 32;
  }
}

/* x * y of 54 bits each, times 2^exponent. */
static void add_product(uint32_t *to, uint64_t x, uint64_t y, int exponent)
{
  add_at(to, (wide)x * (uint32_t)y, exponent);
  add_at(to, (wide)x * (y >> 32), exponent + 32);
}

static int compare(const uint32_t *a, const uint32_t *b)
{
  for (int i = MAGNITUDE_LIMBS - 1; i >= 0; i--)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}

static void add_all(uint32_t *to, const uint32_t *from)
{
  uint64_t carry = 0;
  for (int i = 0; i < MAGNITUDE_LIMBS; i++) {
    carry += (uint64_t)to[i] + from[i];
    to[i] = (uint32_t)carry;
    carry >>= 32;
  }
}

/* |x| = digits * 2^*exponent, of at most 53 bits. */
static uint64_t digits_of(double x, int *exponent)
{
  const double fraction = frexp(fabs(x), exponent);
  *exponent -= 53;
  return (uint64_t)ldexp(fraction, 53);
}

void magnitudes_add(magnitudes *m, spw_dtype dtype, const void *value, bool plain)
{
  uint32_t square[MAGNITUDE_LIMBS] = {0};
  const int parts = scalar_is_complex(dtype) ? 2 : 1;
  for (int p = 0; p < parts; p++) {
    const double x = scalar_to_double(scalar_part_type(dtype), scalar_bits(dtype, value, p));
    int exponent;
    m->nan |= x != x;
    m->infinite |= x == x && isinf(x);
    if (x != x || isinf(x) || x == 0) continue;
    uint64_t digits = digits_of(x, &exponent);
    for (; digits % 2 == 0; digits /= 2) exponent++;
    add_product(square, digits, digits, 2 * exponent);
    if (plain) add_at(m->sum, digits, exponent);
  }
  if (!plain) add_all(m->sum, square);
  if (compare(square, m->largest) > 0) memcpy(m->largest, square, sizeof square);
  m->nonzero += !scalar_is_zero(dtype, value);
}

void magnitudes_join(magnitudes *m, const magnitudes *other)
{
  add_all(m->sum, other->sum);
  if (compare(other->largest, m->largest) > 0) memcpy(m->largest, other->largest, sizeof m->largest);
  m->nan |= other->nan;
  m->infinite |= other->infinite;
  m->nonzero += other->nonzero;
}

/* Is `sum`, or its root, at least (at most) digits * 2^exponent? */
static int beside(const uint32_t *sum, bool root, uint64_t digits, int exponent)
{
  uint32_t end[MAGNITUDE_LIMBS] = {0};
  if (root)
    add_product(end, digits, digits, 2 * exponent);
  else
    add_at(end, digits, exponent);
  return compare(sum, end);
}

/* Between the middles to its neighbours, of which those to an even number are its own. */
static bool is_nearest(const uint32_t *sum, bool root, spw_dtype dtype, double r)
{
  static const int bits[] = {11, 8, 24, 53}, least[] = {-24, -133, -149, -1074}, most[] = {16, 128, 128, 1024};
  const int f = (int)dtype - SPW_FLOAT16;
  static const uint32_t zero[MAGNITUDE_LIMBS];
  int exponent;
  if (isinf(r)) return beside(sum, root, ((uint64_t)1 << (bits[f] + 1)) - 1, most[f] - bits[f] - 1) >= 0;
  if (r == 0) return compare(sum, zero) == 0 && !signbit(r);
  uint64_t digits = digits_of(r, &exponent);
  int unit = exponent + 53 - bits[f];
  if (unit < least[f]) unit = least[f];
  digits >>= unit - exponent;
  const bool even = digits % 2 == 0, power = digits == (uint64_t)1 << (bits[f] - 1) && unit > least[f];
  const int above = beside(sum, root, 2 * digits + 1, unit - 1);
  const int below = power ? beside(sum, root, 4 * digits - 1, unit - 2) : beside(sum, root, 2 * digits - 1, unit - 1);
  return (above < 0 || (above == 0 && even)) && (below > 0 || (below == 0 && even));
}

bool magnitudes_give(const magnitudes *m, spw_dtype dtype, spw_dims_kind kind, const void *got)
{
  const double r = scalar_to_double(dtype, scalar_bits(dtype, got, 0));
  if (kind == SPW_DIMS_NORM_0) return scalar_bits(dtype, got, 0) == scalar_of_double(dtype, (double)m->nonzero);
  if (m->nan) return r != r;
  if (m->infinite) return r == INFINITY;
  return is_nearest(kind == SPW_DIMS_NORM_INF ? m->largest : m->sum, kind != SPW_DIMS_NORM_1, dtype, r);
}
