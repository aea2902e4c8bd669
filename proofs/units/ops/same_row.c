/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of sums and products of rows with the same columns, for any value type. */
#include "../../../src/ops/values/any_terms.h"

#define SPW_TEMPLATE "../ops/kernels/elementwise/common.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../ops/kernels/elementwise/term.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../ops/kernels/elementwise/same_columns.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../ops/kernels/elementwise/same_row.inc"
#include "../../../src/core/each_index_type.h"
