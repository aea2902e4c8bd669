/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of BSR times a vector, for any value type. */
#include "../../../src/ops/values/any.h"

#define SPW_TEMPLATE "../ops/kernels/multiply/finish.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../ops/kernels/multiply/bsr_mv.inc"
#include "../../../src/core/each_index_type.h"
