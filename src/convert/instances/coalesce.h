/* SPDX-License-Identifier: Apache-2.0 */
/* COO with duplicates to COO in order, to compressed lines and to dense: spw_coalesce_to_list_i32_u32 ...
 * spw_coalesce_to_dense_i64_u64; and its steps, which threads take by themselves. */
#ifndef SPW_CONVERT_INSTANCES_COALESCE_H
#define SPW_CONVERT_INSTANCES_COALESCE_H

#include "block.h"
#include "../indices/offsets/cut_lines.h"
#include "../indices/sort/key_parts.h"
#include "../../../proofs/lemmas/lines_fit.h"
#include "../../../proofs/lemmas/meaning.h"
#include "../indices/sort/total_cells.h"
#include "../../check/coo/coo_rules.h"
#include "../../view/columns.h"

#define SPW_VALUE_TEMPLATE "../convert/instances/coalesce.h"
#define SPW_TEMPLATE "each_value_width.h"
#include "../../core/each_index_type.h"
#undef SPW_VALUE_TEMPLATE

#elif defined IDX /* for each index type and width of a payload */

#include "../kernels/coalesce/emit_cells_contract.inc"
#include "../kernels/coalesce/order_pairs_contract.inc"
#include "../kernels/coalesce/coalesce_contract.inc"
#include "../kernels/coalesce/coalesce_to_batches_contract.inc"
#include "../kernels/coalesce/coalesce_to_blocks_contract.inc"
#include "../kernels/coalesce/order_places_contract.inc"
#include "../kernels/coalesce/coalesce_to_dense_contract.inc"
#include "../kernels/coalesce/emit_places_contract.inc"
#include "../kernels/coalesce/coalesce_to_columns_contract.inc"

#endif
