/* SPDX-License-Identifier: Apache-2.0 */
/* Compressed blocks to dense matrices, of one batch and of a whole valid tensor: spw_block_rows_to_dense_i32_u32 ...
 * spw_bsc_to_dense_i64_u64. */
#ifndef SPW_CONVERT_KERNELS_BLOCKS_TO_DENSE_H
#define SPW_CONVERT_KERNELS_BLOCKS_TO_DENSE_H

#include "spread_runs.h"
#include "../../check/compressed.h"

#define SPW_VALUE_TEMPLATE "../convert/kernels/both_blocks_to_dense_contract.inc"
#define SPW_TEMPLATE "each_value_width.h"
#include "../../core/each_index_type.h"
#undef SPW_VALUE_TEMPLATE

#endif
