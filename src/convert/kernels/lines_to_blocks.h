/* SPDX-License-Identifier: Apache-2.0 */
/* CSR to BSR, CSC to BSC, of one batch: spw_lines_to_blocks_i32_u32 ... spw_lines_to_blocks_i64_u64. */
#ifndef SPW_CONVERT_KERNELS_LINES_TO_BLOCKS_H
#define SPW_CONVERT_KERNELS_LINES_TO_BLOCKS_H

#include "block_places.h"
#include "times_at.h"

/* what is left of a line: its first element, and the index of that */
typedef struct spw_line_left {
  int64_t at, next;
} spw_line_left;

#define SPW_TEMPLATE "../convert/kernels/stripes.inc"
#include "../../core/each_index_type.h"
#define SPW_VALUE_TEMPLATE "../convert/kernels/lines_to_blocks_contract.inc"
#define SPW_TEMPLATE "each_value_width.h"
#include "../../core/each_index_type.h"
#undef SPW_VALUE_TEMPLATE

#endif
