/* SPDX-License-Identifier: Apache-2.0 */
/* BSR to CSR, BSC to CSC, of one batch: spw_blocks_to_lines_i32_u32 ... spw_blocks_to_lines_i64_u64; spw_bsr_to_csr_i32_u32 ...
 * are the same with what the result means as their contract, and spw_blocks_to_batches_i32_u32 ... are of all batches. */
#ifndef SPW_CONVERT_INSTANCES_UNBLOCK_H
#define SPW_CONVERT_INSTANCES_UNBLOCK_H

#include "../kernels/unblock/uses.h"
#include "../indices/offsets/join_lines.h"
#include "../../../proofs/lemmas/meaning.h"

#define SPW_VALUE_TEMPLATE "../convert/instances/unblock.h"
#define SPW_TEMPLATE "each_value_width.h"
#include "../../core/each_index_type.h"
#undef SPW_VALUE_TEMPLATE

#elif defined IDX /* for each index type and width of a payload */

#include "../kernels/unblock/blocks_to_lines_contract.inc"
#include "../kernels/unblock/bsr_to_csr_contract.inc"
#include "../kernels/unblock/blocks_to_batches_contract.inc"

#endif
