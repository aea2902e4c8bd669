/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of products at stored positions, for any value type. */
#include "../../../src/ops/values/any.h"

#define SPW_TEMPLATE "../ops/kernels/multiply/finish.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../ops/kernels/sampled/sddmm.inc"
#include "../../../src/core/each_index_type.h"
