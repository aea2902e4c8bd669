/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of magnitudes and of squares in large integers, and whether a number is what they are rounded to. It shares nothing with
 * src. */
#ifndef TESTS_MAGNITUDES_H
#define TESTS_MAGNITUDES_H

#include "../../src/sparsewright.h"

enum { MAGNITUDE_LIMBS = 140 }; /* of 32 bits, from 2^-2176 on */

typedef struct magnitudes {
  uint32_t sum[MAGNITUDE_LIMBS];     /* of magnitudes or of squares */
  uint32_t largest[MAGNITUDE_LIMBS]; /* square */
  bool nan, infinite;
  int64_t nonzero;
} magnitudes;

/* Adds a value of a floating or complex type: its magnitude if `plain`, which is for real ones, or else its square. */
void magnitudes_add(magnitudes *m, spw_dtype dtype, const void *value, bool plain);
void magnitudes_join(magnitudes *m, const magnitudes *other);

/* Is `got`, of a real floating type, the norm of that kind? */
bool magnitudes_give(const magnitudes *m, spw_dtype dtype, spw_dims_kind kind, const void *got);

#endif
