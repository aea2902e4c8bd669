/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of fold_products.inc, for any value type. */
#include "../../../src/ops/values/any_folds.h"

#define SPW_TEMPLATE "../ops/kernels/reduce/fold.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../ops/kernels/reduce/fold_products.inc"
#include "../../../src/core/each_index_type.h"
