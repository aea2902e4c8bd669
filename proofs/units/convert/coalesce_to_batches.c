/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of COO with duplicates to CSR and CSC of any number of batches, for any payload and sum. */
#include "payload/any_sums.h"
#include "../../../src/convert/indices/coordinates/coo_entry.h"
#include "../../../src/check/coo/coo_rules.h"
#include "../../../src/convert/indices/offsets/cut_lines.h"
#include "../../../src/convert/indices/sort/key_parts.h"
#include "../../lemmas/lines_fit.h"
#include "../../lemmas/meaning.h"
#include "../../../src/convert/indices/sort/total_cells.h"
#include "../../../src/view/columns.h"

#define SPW_TEMPLATE "../convert/kernels/coalesce/order_pairs_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/coalesce/coalesce_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/coalesce/coalesce_to_batches_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/coalesce/coalesce_to_batches.inc"
#include "../../../src/core/each_index_type.h"
