/* SPDX-License-Identifier: Apache-2.0 */
/* Positions of two canonical COO tensors: spw_count_common_columns_i32, spw_unite_columns_i32, spw_meet_columns_i32, and those
 * for int64. */
#ifndef SPW_OPS_ELEMENTWISE_POSITIONS_COLUMNS_H
#define SPW_OPS_ELEMENTWISE_POSITIONS_COLUMNS_H

#include "../../../view/entry_of.h"

/* Where two tensors are, and how many columns they met on the way. */
typedef struct spw_meeting {
  int64_t a, b, n;
} spw_meeting;

#define SPW_TEMPLATE "../ops/elementwise/positions/columns_contract.inc"
#include "../../../core/each_index_type.h"

#endif
