/* SPDX-License-Identifier: Apache-2.0 */
/* Products of a sparse tensor with random ones that fit it, or do not: by the checked and the unchecked calls, into buffers
 * with fences, some of them too short; held to sparse_product_expected.h. */
#ifndef TESTS_SPARSE_PRODUCT_ATTEMPT_H
#define TESTS_SPARSE_PRODUCT_ATTEMPT_H

#include "../operands/specimen.h"

/* What has been met so far. */
typedef struct sparse_product_tally {
  int64_t results, converted, long_rows, batched, invalid, too_short;
  int64_t judged; /* by the oracle, which has found a number that was changed */
  int64_t obstacles[SPW_OBSTACLE_WORK + 1], by_layout[SPW_LAYOUT_COUNT], by_type[SPW_DTYPE_COUNT];
} sparse_product_tally;

/* Null when all that must hold does, else what does not (in static storage). What would be large is passed over. */
const char *attempt_sparse_product(const spw_tensor *a, dice *d, sparse_product_tally *tally);

#endif
