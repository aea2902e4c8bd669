/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of COO with duplicates to CSR and CSC, and of one matrix to COO in order, for any payload and sum. */
#include "payload/any_sums.h"
#include "../../../src/convert/indices/coordinates/coo_entry.h"
#include "../../../src/check/coo/coo_rules.h"
#include "../../../src/convert/indices/sort/key_parts.h"
#include "../../lemmas/meaning.h"
#include "../../lemmas/lines_fit.h"
#include "../../../src/convert/indices/sort/total_cells.h"
#include "../../../src/view/columns.h"

#define SPW_TEMPLATE "../convert/kernels/coalesce/emit_cells_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/coalesce/order_pairs_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/coalesce/coalesce_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../../proofs/lemmas/pairs_frame.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/coalesce/coalesce.inc"
#include "../../../src/core/each_index_type.h"
