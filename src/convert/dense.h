/* SPDX-License-Identifier: Apache-2.0 */
/* Which cells of a dense array are stored. */
#ifndef SPW_CONVERT_DENSE_H
#define SPW_CONVERT_DENSE_H

#include "plan.h"

/* How many cells of the result batch b has. Reads the array where it lies. */
int64_t spw_count_dense(const spw_plan *plan, int64_t b);

/* How many batches lie at places of their own, and the number among all batches of number i of these. */
int64_t spw_different_batches(const spw_plan *plan);
int64_t spw_different_batch(const spw_plan *plan, int64_t i);

#endif
