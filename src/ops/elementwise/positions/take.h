/* SPDX-License-Identifier: Apache-2.0 */
/* The coordinates of columns that were chosen: spw_take_columns_i32, spw_take_united_i32, and those
 * for int64. */
#ifndef SPW_OPS_ELEMENTWISE_POSITIONS_TAKE_H
#define SPW_OPS_ELEMENTWISE_POSITIONS_TAKE_H

#include "../../../view/entry_of.h"

#define SPW_TEMPLATE "../ops/elementwise/positions/take_contract.inc"
#include "../../../core/each_index_type.h"

#endif
