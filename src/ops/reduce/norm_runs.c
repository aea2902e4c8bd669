/* SPDX-License-Identifier: Apache-2.0 */
/* Eight sums run side by side. u is 2^-53, m the most terms of one of them. */
#include "norm_runs.h"

#ifndef SPW_CLONES
#define SPW_CLONES
#endif

enum { LANES = 8 };

/* Where neither a sum nor, by more than the error, a square of its terms overflows or underflows; false for NaN. */
static bool is_in_range(double sum)
{
  return sum >= 0x1p-800 && sum <= 0x1p+900;
}

/* ---- Floats: magnitudes and squares are doubles --------------------------------------------------- */

SPW_CLONES static double squares_of_floats(const float *x, int64_t count)
{
  double sums[LANES] = {0}, sum = 0;
  int64_t i = 0;
  for (; i + LANES <= count; i += LANES)
    for (int l = 0; l < LANES; l++) sums[l] += (double)x[i + l] * (double)x[i + l];
  for (; i < count; i++) sums[0] += (double)x[i] * (double)x[i];
  for (int l = 0; l < LANES; l++) sum += sums[l];
  return sum;
}

SPW_CLONES static double magnitudes_of_floats(const float *x, int64_t count)
{
  double sums[LANES] = {0}, sum = 0;
  int64_t i = 0;
  for (; i + LANES <= count; i += LANES)
    for (int l = 0; l < LANES; l++) sums[l] += __builtin_fabs((double)x[i + l]);
  for (; i < count; i++) sums[0] += __builtin_fabs((double)x[i]);
  for (int l = 0; l < LANES; l++) sum += sums[l];
  return sum;
}

/* m + 2 LANES additions of u each, and as much again for what these make of each other. */
bool spw_sum_run_of_floats(const float *x, int64_t count, bool squares, spw_run *run)
{
  const double sum = squares ? squares_of_floats(x, count) : magnitudes_of_floats(x, count);
  const spw_run found = {{sum, 0}, ((double)count / LANES + 3 * LANES) * 0x1p-52};
  *run = found;
  return is_in_range(sum) && found.error < 0x1p-10;
}

/* ---- Doubles: each sum is a pair, whose second number takes up what the first one loses ------------ */

typedef struct lanes {
  double high[LANES], low[LANES];
} lanes;

static inline void add_square(lanes *s, int l, double x)
{
  const spw_pair square = spw_product_of(x, x);
  const double high = s->high[l] + square.high, other = high - s->high[l];
  s->low[l] += (s->high[l] - (high - other)) + (square.high - other) + square.low;
  s->high[l] = high;
}

static inline void add_magnitude(lanes *s, int l, double x)
{
  const double size = __builtin_fabs(x), high = s->high[l] + size, other = high - s->high[l];
  s->low[l] += (s->high[l] - (high - other)) + (size - other);
  s->high[l] = high;
}

SPW_CLONES static lanes squares_of_doubles(const double *x, int64_t count)
{
  lanes s = {{0}, {0}};
  int64_t i = 0;
  for (; i + LANES <= count; i += LANES)
    for (int l = 0; l < LANES; l++) add_square(&s, l, x[i + l]);
  for (; i < count; i++) add_square(&s, 0, x[i]);
  return s;
}

SPW_CLONES static lanes magnitudes_of_doubles(const double *x, int64_t count)
{
  lanes s = {{0}, {0}};
  int64_t i = 0;
  for (; i + LANES <= count; i += LANES)
    for (int l = 0; l < LANES; l++) add_magnitude(&s, l, x[i + l]);
  for (; i < count; i++) add_magnitude(&s, 0, x[i]);
  return s;
}

/* What `low` takes up is exact, m times at most u of the sum and u of it from the squares; two roundings each make of that
 * (m + 2)^2 u^2 at most. Twice that, and 2^-98 for the pairs that are added at the end and for squares that underflow. */
bool spw_sum_run_of_doubles(const double *x, int64_t count, bool squares, spw_run *run)
{
  const lanes s = squares ? squares_of_doubles(x, count) : magnitudes_of_doubles(x, count);
  const double most = (double)count / LANES + LANES + 2;
  spw_run found = {{0, 0}, most * most * 0x1p-105 * 2 + 0x1p-98};
  for (int l = 0; l < LANES; l++) {
    found.sum = spw_pair_plus(found.sum, s.high[l]);
    found.sum = spw_pair_plus(found.sum, s.low[l]);
  }
  *run = found;
  return is_in_range(found.sum.high) && found.error < 0x1p-10;
}
