/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of COO with duplicates to BSR and BSC of any number of batches, for any payload and sum. */
#include "payload/any_sums.h"
#include "../../../src/convert/indices/coordinates/coo_entry.h"
#include "../../../src/convert/kernels/block/uses.h"
#include "../../../src/check/coo/coo_rules.h"
#include "../../../src/convert/indices/offsets/cut_lines.h"
#include "../../../src/convert/indices/sort/key_parts.h"
#include "../../lemmas/lines_fit.h"
#include "../../lemmas/meaning.h"
#include "../../lemmas/times_apart.h"
#include "../../../src/convert/indices/sort/total_cells.h"
#include "../../../src/view/columns.h"

#define SPW_TEMPLATE "../convert/kernels/coalesce/order_pairs_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/coalesce/coalesce_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/block/lines_to_blocks_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/block/csr_to_bsr_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/coalesce/coalesce_to_blocks_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/coalesce/coalesce_to_blocks.inc"
#include "../../../src/core/each_index_type.h"
