/* SPDX-License-Identifier: Apache-2.0 */
/* How the rows of two CSR matrices are divided: spw_longest_rows_i32, spw_row_behind_i32, and those for int64. */
#ifndef SPW_OPS_ELEMENTWISE_POSITIONS_PARTS_H
#define SPW_OPS_ELEMENTWISE_POSITIONS_PARTS_H

#include <stdint.h>

#define SPW_TEMPLATE "../ops/elementwise/positions/parts_contract.inc"
#include "../../../core/each_index_type.h"

#endif
