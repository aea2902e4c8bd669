/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of COO times a dense matrix, for any value type. */
#include "../../../src/ops/values/any.h"

#define SPW_TEMPLATE "../ops/kernels/multiply/finish.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../ops/kernels/multiply/sums.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../ops/kernels/multiply/finish_rows.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../ops/kernels/multiply/coo_mm.inc"
#include "../../../src/core/each_index_type.h"
