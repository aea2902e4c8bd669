/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of one row of a product by element of sparse matrices, for any value type. */
#include "../../../src/ops/values/any.h"

#define SPW_TEMPLATE "../ops/kernels/elementwise/common.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../ops/kernels/elementwise/times_row.inc"
#include "../../../src/core/each_index_type.h"
