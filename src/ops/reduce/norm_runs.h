/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of magnitudes and of squares of numbers that lie side by side, near enough to decide most roundings. */
#ifndef SPW_OPS_REDUCE_NORM_RUNS_H
#define SPW_OPS_REDUCE_NORM_RUNS_H

#include "../../number/exponential.h"

#include <stdbool.h>
#include <stdint.h>

/* The sum and x, off by less than 2^-104 of it; no number is negative. */
static inline spw_pair spw_pair_plus(spw_pair sum, double x)
{
  const double high = sum.high + x, other = high - sum.high;
  return spw_sum_of(high, (sum.high - (high - other)) + (x - other) + sum.low);
}

/* A sum, which is off by less than `error` of itself. */
typedef struct spw_run {
  spw_pair sum;
  double error;
} spw_run;

/* False: the sum is not told, as where a number is not finite, or all are very small. Of count <= 2^52 numbers. */
bool spw_sum_run_of_floats(const float *x, int64_t count, bool squares, spw_run *run);
bool spw_sum_run_of_doubles(const double *x, int64_t count, bool squares, spw_run *run);

#endif
