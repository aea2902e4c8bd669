/* SPDX-License-Identifier: Apache-2.0 */
#include "upper.h"
#include "binary.h"

#include <string.h>

static spw_upper limited(uint64_t m, int64_t e)
{
  const spw_upper most = {(uint64_t)1 << 63, SPW_UPPER_MOST}, result = {m, e};
  return m && e >= SPW_UPPER_MOST ? most : result;
}

/* One more in the last place. */
static spw_upper above(uint64_t m, int64_t e)
{
  return m == UINT64_MAX ? limited((uint64_t)1 << 63, e + 1) : limited(m + 1, e);
}

spw_upper spw_upper_of(uint64_t m, int64_t e, bool more)
{
  const spw_upper zero = {0, 0};
  if (m == 0) return more ? spw_upper_power(e) : zero;
  const int32_t shift = 64 - spw_bit_length(m);
  return more ? above(m << shift, e - shift) : limited(m << shift, e - shift);
}

spw_upper spw_upper_power(int64_t e)
{
  return limited((uint64_t)1 << 63, e - 63);
}

spw_upper spw_upper_add(spw_upper a, spw_upper b)
{
  if (a.m == 0) return b;
  if (b.m == 0) return a;
  if (a.e < b.e) {
    const spw_upper larger = b;
    b = a;
    a = larger;
  }
  const int64_t distance = a.e - b.e;
  const uint64_t part = distance < 64 ? b.m >> distance : 0;
  const bool rest = distance >= 64 || part << distance != b.m;
  uint64_t sum = a.m + part;
  if (sum >= a.m) return rest ? above(sum, a.e) : limited(sum, a.e);
  const bool odd = sum % 2 != 0; /* beyond 64 bits: one place to the right */
  sum = sum >> 1 | (uint64_t)1 << 63;
  return rest || odd ? above(sum, a.e + 1) : limited(sum, a.e + 1);
}

spw_upper spw_upper_mul(spw_upper a, spw_upper b)
{
  const uint64_t low = 0xffffffff, a1 = a.m >> 32, a0 = a.m & low, b1 = b.m >> 32, b0 = b.m & low;
  const uint64_t zero = a0 * b0, one = a1 * b0, other = a0 * b1;
  const uint64_t middle = (zero >> 32) + (one & low) + (other & low);
  uint64_t high = a1 * b1 + (one >> 32) + (other >> 32) + (middle >> 32);
  uint64_t rest = middle << 32 | (zero & low);
  int64_t e = a.e + b.e + 64;
  if (high == 0) return limited(0, 0); /* of two with the highest bit set, only where one is 0 */
  if (high >> 63 == 0) {
    high = high << 1 | rest >> 63;
    rest <<= 1;
    e--;
  }
  return rest ? above(high, e) : limited(high, e);
}

spw_upper spw_upper_growth(int32_t bits, int64_t n)
{
  const spw_upper u = spw_upper_power(-bits), two = spw_upper_power(1);
  spw_upper g = {0, 0}; /* of the bits of n that were seen: twice as many give 2 g + g^2, one more g + u + g u */
  for (int32_t bit = 62; bit >= 0; bit--) {
    g = spw_upper_add(spw_upper_mul(g, two), spw_upper_mul(g, g));
    if (n >> bit & 1) g = spw_upper_add(spw_upper_add(g, u), spw_upper_mul(g, u));
  }
  return g;
}

bool spw_upper_reaches(spw_upper a, spw_upper b)
{
  if (a.m == 0 || b.m == 0) return b.m == 0;
  return a.e != b.e ? a.e > b.e : a.m >= b.m;
}

/* 2^e as a double, its exponent cut off at the ends of the normal numbers. */
static double power(int64_t e)
{
  const uint64_t bits = (uint64_t)(e < -1022 ? 1 : e > 1023 ? 2046 : e + 1023) << 52;
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* In two steps, since the number itself may be as large as 2^64. */
static double scaled(double value, int64_t e)
{
  const int64_t half = e / 2;
  return value * power(half) * power(e - half);
}

double spw_upper_double(spw_upper a)
{
  return a.m == 0 ? 0 : scaled((double)((a.m >> 11) + 1), a.e + 11);
}

double spw_upper_ratio(spw_upper a, spw_upper b)
{
  if (a.m == 0) return 0;
  return b.m == 0 ? 2 * power(1023) : scaled((double)a.m / (double)b.m, a.e - b.e);
}
