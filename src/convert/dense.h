/* SPDX-License-Identifier: Apache-2.0 */
/* Which cells of a dense array are stored. */
#ifndef SPW_CONVERT_DENSE_H
#define SPW_CONVERT_DENSE_H

#include "plan.h"

/* How many cells of the result batch b has. Reads the array where it lies. */
int64_t spw_count_dense(const spw_plan *plan, int64_t b);

#endif
