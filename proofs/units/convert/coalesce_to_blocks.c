/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of COO with duplicates to BSR and BSC of any number of batches, for any payload and sum. */
#include "../../../src/convert/payloads/any_sums.h"
#include "../../../src/convert/cells/coo_entry.h"
#include "../../../src/convert/cells/lines_to_blocks_lemmas.h"
#include "../../../src/check/coo/coo_rules.h"
#include "../../../src/convert/kernels/cut_lines.h"
#include "../../../src/convert/kernels/key_parts.h"
#include "../../../src/convert/kernels/lines_fit.h"
#include "../../../src/convert/kernels/meaning.h"
#include "../../../src/convert/kernels/times_apart.h"
#include "../../../src/convert/kernels/total_cells.h"
#include "../../../src/view/columns.h"

#define SPW_TEMPLATE "../convert/cells/order_pairs_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/coalesce_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/lines_to_blocks_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/csr_to_bsr_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/coalesce_to_blocks_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/coalesce_to_blocks.inc"
#include "../../../src/core/each_index_type.h"
