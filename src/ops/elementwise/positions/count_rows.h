/* SPDX-License-Identifier: Apache-2.0 */
/* What rows of two CSR matrices have in common: spw_count_common_rows_i32, spw_count_common_rows_i64. */
#ifndef SPW_OPS_ELEMENTWISE_POSITIONS_COUNT_ROWS_H
#define SPW_OPS_ELEMENTWISE_POSITIONS_COUNT_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#define SPW_TEMPLATE "../ops/elementwise/positions/count_rows_contract.inc"
#include "../../../core/each_index_type.h"

#endif
