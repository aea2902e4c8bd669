/* SPDX-License-Identifier: Apache-2.0 */
/* The fast verdict on one batch: spw_rows_valid_i32 and spw_rows_valid_i64. */
#ifndef SPW_CHECK_FAST_COUNT_ROWS_H
#define SPW_CHECK_FAST_COUNT_ROWS_H

#include "../index/index_rules.h"

/* The part of a batch that is fetched early: compressed indices up to `row`, plain ones below `entry`. */
typedef struct spw_horizon {
  int64_t row;
  int64_t entry;
} spw_horizon;

#define SPW_TEMPLATE "../check/fast/count_rows_contract.inc"
#include "../../core/each_index_type.h"

#endif
