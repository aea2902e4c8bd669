/* SPDX-License-Identifier: Apache-2.0 */
/* exp of what is not positive and log of what is not below 1, as two doubles: their sum is off by less than 2^-66 of itself.
 * Every float is therefore correctly rounded, and of doubles all but one of some 2^12. No library for mathematics is asked, so
 * the bits are the same everywhere. */
#ifndef SPW_NUMBER_EXPONENTIAL_H
#define SPW_NUMBER_EXPONENTIAL_H

#include "double_bits.h"
#include "exponential_table.h"

/* high is the sum of both, rounded. */
typedef struct spw_pair {
  double high, low;
} spw_pair;

/* a + b without an error; |a| >= |b|, or a is 0. */
static inline spw_pair spw_sum_of(double a, double b)
{
  const double high = a + b;
  const spw_pair sum = {high, b - (high - a)};
  return sum;
}

/* a * b without an error, where nothing overflows. */
static inline spw_pair spw_product_of(double a, double b)
{
  const double split = 134217729, ca = split * a, cb = split * b;
  const double ah = ca - (ca - a), al = a - ah, bh = cb - (cb - b), bl = b - bh, high = a * b;
  const spw_pair product = {high, ((ah * bh - high) + ah * bl + al * bh) + al * bl};
  return product;
}

/* exp(x) = 2^*power * the pair, for -800 <= x <= 0. */
static inline spw_pair spw_exp_pair(double x, int *power)
{
  const double scaled = x * 0x1.71547652b82fep+6;
  const int k = (int)(scaled - 0.5);
  /* x - k log(2) / 64: the parts of that have so few bits that products with k are exact */
  const double near = x - k * 0x1.62e42fee00000p-7;
  const spw_pair first = spw_sum_of(near, -(k * 0x1.a39ef35600000p-39));
  const spw_pair r = spw_sum_of(first.high, first.low - k * 0x1.93c7673007e5fp-71);
  const double h = r.high;
  const spw_pair square = spw_product_of(h, h);
  const double tail = h * square.high * (1. / 6 + h * (1. / 24 + h * (1. / 120 + h * (1. / 720 + h * (1. / 5040 + h / 40320)))));
  const spw_pair sum = spw_sum_of(h, 0.5 * square.high);
  const double low = sum.low + (0.5 * square.low + (r.low + h * r.low) + tail);
  const double *const table = spw_powers[(unsigned)k & 63];
  const spw_pair grown = spw_product_of(table[0], sum.high);
  const spw_pair all = spw_sum_of(table[0], grown.high);
  *power = (k - (int)((unsigned)k & 63)) / 64;
  return spw_sum_of(all.high, all.low + (grown.low + (table[0] * low + (table[1] + table[1] * sum.high))));
}

/* The same as one double, which is off by less than 2^-51 of itself: |r| < 2^-7.5, so that what the polynomial leaves out is
 * less than 2^-64. */
static inline double spw_exp_near(double x, int *power)
{
  const double scaled = x * 0x1.71547652b82fep+6;
  const int k = (int)(scaled - 0.5);
  const double r = (x - k * 0x1.62e42fee00000p-7) - k * 0x1.a39ef35793c76p-39;
  const double grown = r + r * r * (0.5 + r * (1. / 6 + r * (1. / 24 + r * (1. / 120 + r / 720))));
  const double table = spw_powers[(unsigned)k & 63][0];
  *power = (k - (int)((unsigned)k & 63)) / 64;
  return table + table * grown;
}

/* log(x) for 1 <= x, finite. */
static inline spw_pair spw_log_pair(double x)
{
  const uint64_t bits = spw_bits_from_double(x);
  int power = (int)(bits >> 52) - 1023;
  double z = spw_double_from_bits((bits & 0xfffffffffffffu) | 0x3ff0000000000000u);
  if (z > 0x1.6a09e667f3bcdp+0) {
    z *= 0.5;
    power++;
  }
  const double *const table = spw_reciprocals[(int)(z * 128) - 90];
  const spw_pair product = spw_product_of(z, table[0]);
  const spw_pair t = spw_sum_of(product.high - 1, product.low);
  const double h = t.high;
  const spw_pair square = spw_product_of(h, h);
  const double tail = h * square.high * (1. / 3 - h * (1. / 4 - h * (1. / 5 - h * (1. / 6 - h * (1. / 7 - h * (1. / 8 -
                      h * (1. / 9 - h * (1. / 10 - h / 11))))))));
  const spw_pair sum = spw_sum_of(h, -0.5 * square.high);
  const double low = sum.low + ((t.low - h * t.low) - 0.5 * square.low + tail);
  const double whole = power * 0x1.62e42fefa2000p-1, part = power * 0x1.9ef35793c7673p-41; /* the first is exact */
  const spw_pair some = whole > 0 ? spw_sum_of(whole, table[1]) : spw_sum_of(table[1], whole);
  const spw_pair most = some.high == 0 ? spw_sum_of(sum.high, 0) : spw_sum_of(some.high, sum.high);
  return spw_sum_of(most.high, most.low + (some.low + (part + (table[2] + low))));
}

static inline double spw_to_odd(spw_pair x)
{
  return spw_odd_double(x.high, x.low);
}

static inline double spw_scaled(double x, int power)
{
  return power >= -1000 ? x * spw_double_from_bits((uint64_t)(power + 1023) << 52)
                        : x * 0x1p-1000 * spw_double_from_bits((uint64_t)(power + 2023) << 52);
}

/* exp(x) for x <= 0, and log(x) for finite x >= 1. */
static inline float spw_expf(float x)
{
  int power;
  if (x < -110) return 0;
  const double y = spw_exp_near(x, &power), unsure = y * 0x1p-50;
  const float low = (float)spw_scaled(y - unsure, power);
  if (low == (float)spw_scaled(y + unsure, power)) return low;
  const spw_pair exactly = spw_exp_pair(x, &power);
  return (float)spw_scaled(spw_to_odd(exactly), power);
}

static inline double spw_exp(double x)
{
  int power;
  if (x < -750) return 0;
  const spw_pair y = spw_exp_pair(x, &power);
  const bool normal = power > -1022 || (power == -1022 && y.high >= 1);
  return spw_scaled(normal ? y.high : spw_to_odd(y), power);
}

static inline float spw_logf(float x)
{
  return x == 1 ? 0 : (float)spw_to_odd(spw_log_pair(x));
}

static inline double spw_log(double x)
{
  return x == 1 ? 0 : spw_log_pair(x).high;
}

#endif
