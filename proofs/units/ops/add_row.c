/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of one row of a sum of sparse matrices, for any value type. */
#include "../../../src/ops/values/any_terms.h"

#define SPW_TEMPLATE "../ops/kernels/elementwise/common.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../ops/kernels/elementwise/term.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../ops/kernels/elementwise/add_row.inc"
#include "../../../src/core/each_index_type.h"
