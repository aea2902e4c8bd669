/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of the union of two rows, for any value type. */
#include "../../../src/ops/values/any.h"

#define SPW_TEMPLATE "../ops/kernels/elementwise/merge_row.inc"
#include "../../../src/core/each_index_type.h"
