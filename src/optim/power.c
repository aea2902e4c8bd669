/* SPDX-License-Identifier: Apache-2.0 */
/* Whole powers of a number below 1, correctly rounded. Numbers of 256 bits are multiplied, and what does not fit is cut off. */
#include "optim.h"

#include <math.h>

enum { LIMBS = 8 };

/* 0.limbs * 2^exponent, the first limb first and its first bit set; a little less than it stands for if `cut`. */
typedef struct fraction {
  uint32_t limb[LIMBS];
  int64_t exponent;
  bool cut;
} fraction;

static fraction fraction_of(double x)
{
  fraction f = {.cut = false};
  int exponent;
  const uint64_t bits = (uint64_t)ldexp(frexp(x, &exponent), 64);
  f.limb[0] = (uint32_t)(bits >> 32);
  f.limb[1] = (uint32_t)bits;
  f.exponent = exponent;
  return f;
}

/* One bit to the left. */
static void shift(uint32_t *limb, int limbs)
{
  for (int i = 0; i < limbs; i++) limb[i] = limb[i] << 1 | (i + 1 < limbs ? limb[i + 1] >> 31 : 0);
}

static fraction times(const fraction *a, const fraction *b)
{
  uint32_t product[2 * LIMBS] = {0};
  fraction f = {.exponent = a->exponent + b->exponent, .cut = a->cut || b->cut};
  for (int i = LIMBS - 1; i >= 0; i--) {
    uint64_t carry = 0;
    for (int j = LIMBS - 1; j >= 0; j--) {
      carry += (uint64_t)a->limb[i] * b->limb[j] + product[i + j + 1];
      product[i + j + 1] = (uint32_t)carry;
      carry >>= 32;
    }
    product[i] = (uint32_t)carry;
  }
  if (product[0] >> 31 == 0) {
    shift(product, 2 * LIMBS);
    f.exponent--;
  }
  for (int i = 0; i < LIMBS; i++) f.limb[i] = product[i];
  for (int i = LIMBS; i < 2 * LIMBS; i++) f.cut = f.cut || product[i] != 0;
  return f;
}

/* To 53 bits, ties to even. At most 126 products are cut off, each by less than 2^-254: with so many bits behind them, those
 * after the 53rd say which side of a tie they are on, and only a power that is not cut can be a tie. */
static double round_to_double(const fraction *f)
{
  uint64_t first = (uint64_t)f->limb[0] << 32 | f->limb[1];
  bool more = f->cut;
  if (f->exponent < -1021) return 0;
  for (int i = 2; i < LIMBS; i++) more = more || f->limb[i] != 0;
  const uint64_t dropped = first & 0x7ff, half = 0x400;
  first >>= 11;
  if (dropped > half || (dropped == half && (more || (first & 1)))) first++;
  return ldexp((double)first, (int)f->exponent - 53);
}

double spw_whole_power(double beta, int64_t t)
{
  if (beta == 0) return 0;
  fraction power = fraction_of(beta), result = power;
  for (int64_t rest = t - 1; rest > 0; rest >>= 1) {
    if (rest & 1) result = times(&result, &power);
    power = times(&power, &power);
    if (result.exponent < -1100) return 0;
    if (power.exponent < -1100 && rest > 1) return 0;
  }
  return round_to_double(&result);
}
