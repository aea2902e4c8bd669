/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of the values of a union, for any value type. */
#include "../../../src/ops/values/any.h"

#define SPW_TEMPLATE "../ops/kernels/elementwise/union_values.inc"
#include "../../../src/core/each_index_type.h"
