/* SPDX-License-Identifier: Apache-2.0 */
/* CSR to BSR, CSC to BSC, of one batch: spw_lines_to_blocks_i32_u32 ... spw_lines_to_blocks_i64_u64; spw_csr_to_bsr_i32_u32 ...
 * are the same with what the result means as their contract, and spw_batches_to_blocks_i32_u32 ... are of all batches. */
#ifndef SPW_CONVERT_INSTANCES_BLOCK_H
#define SPW_CONVERT_INSTANCES_BLOCK_H

#include "../kernels/block/uses.h"
#include "../indices/offsets/join_lines.h"
#include "../../../proofs/lemmas/lines_fit.h"
#include "../../../proofs/lemmas/meaning.h"

#define SPW_VALUE_TEMPLATE "../convert/instances/block.h"
#define SPW_TEMPLATE "each_value_width.h"
#include "../../core/each_index_type.h"
#undef SPW_VALUE_TEMPLATE

#elif defined IDX /* for each index type and width of a payload */

#include "../kernels/block/lines_to_blocks_contract.inc"
#include "../kernels/block/csr_to_bsr_contract.inc"
#include "../kernels/block/batches_to_blocks_contract.inc"

#endif
