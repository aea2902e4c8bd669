/* SPDX-License-Identifier: Apache-2.0 */
/* CSR to BSR, CSC to BSC, of one batch: spw_lines_to_blocks_i32_u32 ... spw_lines_to_blocks_i64_u64. */
#ifndef SPW_CONVERT_LINES_TO_BLOCKS_H
#define SPW_CONVERT_LINES_TO_BLOCKS_H

#include <stdint.h>

/* Where the elements of a block lie: element t of its line r is number r * line + t * lane. */
typedef struct spw_block_shape {
  int64_t height, width; /* lines, and elements of each */
  int64_t line, lane;
} spw_block_shape;

#define SPW_VALUE_TEMPLATE "../convert/lines_to_blocks_contract.inc"
#define SPW_TEMPLATE "each_value_width.h"
#include "../core/each_index_type.h"
#undef SPW_VALUE_TEMPLATE

#endif
