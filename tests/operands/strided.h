/* SPDX-License-Identifier: Apache-2.0 */
/* Dense operands and outputs: strided arrays in memory that ends where they end; and factors. */
#ifndef TESTS_STRIDED_H
#define TESTS_STRIDED_H

#include "specimen.h"

enum { STRIDED_DIMS = 8 };

/* A dense array in memory that ends where it ends. */
typedef struct strided {
  spw_array array;
  int64_t shape[STRIDED_DIMS], strides[STRIDED_DIMS];
  char *data, *before; /* and a copy of what it held */
  int64_t bytes;
} strided;

/* Strides and values are drawn, class by class (fuzz/inputs/values.h); ndim and shape are there.
 * `repeats`: some strides may be 0. */
void strided_make(strided *x, spw_dtype dtype, int64_t classes, bool repeats, dice *d);
void strided_free(strided *x);

/* Are the bytes between the elements what they were? */
bool strided_gaps_hold(const strided *x);

/* Is the shape one of few elements? */
bool strided_small(const strided *x);

/* The factors of a product, which point into `numbers`. */
spw_factors draw_factors(spw_dtype dtype, uint64_t numbers[4], dice *d);

#endif
