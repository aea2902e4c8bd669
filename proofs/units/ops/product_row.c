/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of one row of a sparse times a sparse matrix, for any value type. */
#include "../../../src/ops/values/any.h"

#define SPW_TEMPLATE "../ops/kernels/spgemm/product_row.inc"
#include "../../../src/core/each_index_type.h"
