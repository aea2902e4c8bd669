/* SPDX-License-Identifier: Apache-2.0 */
/* Products of a sparse tensor with random dense ones that fit it, or do not: by the checked and the unchecked call, into
 * strided outputs whose gaps are looked at, with fences around the workspace; held to product_expected.h. */
#ifndef TESTS_PRODUCT_ATTEMPT_H
#define TESTS_PRODUCT_ATTEMPT_H

#include "../operands/specimen.h"

enum { PRODUCT_LAYOUTS = 5 };

/* What has been met so far. */
typedef struct product_tally {
  int64_t results, worked; /* products, and those that needed a workspace */
  int64_t prepared; /* by a handle with memory of its own */
  int64_t judged;   /* by the oracle, which has found a number that was changed */
  int64_t invalid, obstacles[SPW_OBSTACLE_OVERLAP + 1];
  int64_t by_layout[PRODUCT_LAYOUTS][2], by_type[SPW_DTYPE_COUNT];
} product_tally;

/* Multiplies; the dense operand is the left one or the right one. Null when all that must hold does, else what does not
 * (in static storage). Operands that would be large are passed over. */
const char *attempt_product(const spw_tensor *sparse, bool from_left, dice *d, product_tally *tally);

#endif
