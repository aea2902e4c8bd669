/* SPDX-License-Identifier: Apache-2.0 */
#include "quotient.h"

#include <math.h>
#include <string.h>

typedef unsigned __int128 wide128;

static spw_lower normal(uint64_t m, int64_t e)
{
  const spw_lower none = {0, 0};
  if (m == 0) return none;
  const int32_t shift = 64 - spw_bit_length(m);
  const spw_lower l = {m << shift, e - shift};
  return l;
}

/* One less in the last place than what is not below it. */
spw_lower spw_wide_lower(const uint32_t *wide)
{
  const spw_upper u = spw_wide_upper(wide);
  const spw_lower none = {0, 0};
  return u.m == 0 ? none : normal(u.m - 1, u.e);
}

spw_lower spw_lower_add(spw_lower a, spw_lower b)
{
  if (a.m == 0) return b;
  if (b.m == 0) return a;
  if (a.e < b.e) {
    const spw_lower larger = b;
    b = a;
    a = larger;
  }
  const int64_t distance = a.e - b.e;
  const uint64_t part = distance < 64 ? b.m >> distance : 0, sum = a.m + part;
  const spw_lower carried = {sum >> 1 | (uint64_t)1 << 63, a.e + 1}, plain = {sum, a.e};
  return sum < part ? carried : plain;
}

spw_lower spw_lower_mul(spw_lower a, spw_lower b)
{
  const wide128 product = (wide128)a.m * b.m;
  const spw_lower none = {0, 0};
  if (product == 0) return none;
  const bool top = (uint64_t)(product >> 127) != 0;
  const spw_lower l = {(uint64_t)(product >> (top ? 64 : 63)), a.e + b.e + (top ? 64 : 63)};
  return l;
}

spw_upper spw_upper_over(spw_upper a, spw_lower b)
{
  const wide128 n = (wide128)a.m << 63;
  const wide128 q = n / b.m;
  return spw_upper_of((uint64_t)q, a.e - b.e - 63, n % b.m != 0);
}

/* The largest number whose square is not above n. */
static uint64_t root_of(wide128 n)
{
  uint64_t root = 0;
  for (uint64_t bit = (uint64_t)1 << 63; bit > 0; bit >>= 1) {
    const uint64_t next = root | bit;
    if ((wide128)next * next <= n) root = next;
  }
  return root;
}

spw_upper spw_upper_root(spw_upper a)
{
  const int32_t shift = a.e % 2 != 0 ? 63 : 62; /* an even exponent is left */
  const wide128 n = (wide128)a.m << shift;
  const uint64_t root = root_of(n);
  return spw_upper_of(root, (a.e - shift) / 2, (wide128)root * root != n);
}

spw_upper spw_upper_compound(spw_upper a, spw_upper b)
{
  return spw_upper_add(spw_upper_add(a, b), spw_upper_mul(a, b));
}

/* 1 / (1 - u) <= (1 + u) (1 + 2 u^2) */
spw_upper spw_upper_shrunk(int32_t bits, int64_t n)
{
  return spw_upper_compound(spw_upper_growth(bits, n), spw_upper_growth(2 * bits - 1, n));
}

spw_upper spw_upper_magnitude(double value)
{
  const spw_binary b = spw_binary_of(value);
  return spw_upper_of(b.kind == SPW_KIND_FINITE ? b.mantissa : 0, b.exponent, false);
}

double spw_next_above(double x)
{
  int64_t bits;
  memcpy(&bits, &x, sizeof bits);
  if (x == 0) bits = 1;
  else if (isfinite(x) || x < 0) bits += x > 0 ? 1 : -1;
  memcpy(&x, &bits, sizeof bits);
  return x;
}

double spw_next_below(double x)
{
  return -spw_next_above(-x);
}

/* Small ones are rounded on the way. */
double spw_upper_above(spw_upper a)
{
  const double near = spw_upper_double(a);
  return a.m > 0 && near < 0x1p-900 ? spw_next_above(near) : near;
}
