/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of doubles without an error, for what has to be rounded correctly (U2, U6). */
#ifndef SPW_OPS_UNARY_EXACT_H
#define SPW_OPS_UNARY_EXACT_H

#include <stdint.h>

/* hi + lo, which is exactly a sum or a product. */
typedef struct spw_pair {
  double hi, lo;
} spw_pair;

static inline spw_pair spw_two_sum(double a, double b)
{
  const double hi = a + b, of_b = hi - a, of_a = hi - of_b;
  const spw_pair sum = {hi, (a - of_a) + (b - of_b)};
  return sum;
}

/* Where neither part overflows or underflows. */
static inline spw_pair spw_two_product(double a, double b)
{
  const double split_a = a * 0x1.0000002p+27, split_b = b * 0x1.0000002p+27;
  const double high_a = split_a - (split_a - a), high_b = split_b - (split_b - b), low_a = a - high_a, low_b = b - high_b;
  const double hi = a * b;
  const spw_pair product = {hi, ((high_a * high_b - hi) + high_a * low_b + low_a * high_b) + low_a * low_b};
  return product;
}

/* A sum of terms, whose components do not overlap: the last that is not 0 has its sign. */
enum { SPW_EXACT_TERMS = 48 };
typedef struct spw_exact_doubles {
  int64_t count;
  double components[SPW_EXACT_TERMS];
} spw_exact_doubles;

static inline void spw_exact_add_double(spw_exact_doubles *sum, double term)
{
  for (int64_t i = 0; i < sum->count; i++) {
    const spw_pair two = spw_two_sum(term, sum->components[i]);
    sum->components[i] = two.lo;
    term = two.hi;
  }
  if (sum->count < SPW_EXACT_TERMS) sum->components[sum->count++] = term;
}

static inline void spw_exact_add_pair(spw_exact_doubles *sum, spw_pair pair, double sign)
{
  spw_exact_add_double(sum, sign * pair.lo);
  spw_exact_add_double(sum, sign * pair.hi);
}

static inline int spw_exact_sign(const spw_exact_doubles *sum)
{
  for (int64_t i = sum->count - 1; i >= 0; i--)
    if (sum->components[i] != 0) return sum->components[i] > 0 ? 1 : -1;
  return 0;
}

/* How the exact number that a double is near compares with hi + lo: 1 if it is larger. */
typedef int spw_compare_exactly(const void *context, double hi, double lo);

/* The exact number, which is near c and not negative, rounded to `bits` bits, or to a multiple of `step` where that is more: to
 * nearest, ties to even. */
double spw_round_exactly(double c, int bits, double step, spw_compare_exactly *compare, const void *context);

#endif
