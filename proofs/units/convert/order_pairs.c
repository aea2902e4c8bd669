/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of how elements of the matrices of a COO tensor become cells in order, for any payload and sum. */
#include "../../../src/convert/payloads/any_sums.h"
#include "../../../src/convert/cells/coo_entry.h"
#include "../../../src/check/coo/coo_rules.h"
#include "../../../src/convert/kernels/bit_lemmas.h"
#include "../../../src/convert/kernels/key_parts.h"
#include "../../../src/convert/kernels/meaning.h"
#include "../../../src/convert/kernels/total_cells.h"
#include "../../../src/view/columns.h"

#define SPW_TEMPLATE "../convert/cells/order_pairs_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/coo_places.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/pairs_frame.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/order_pairs.inc"
#include "../../../src/core/each_index_type.h"
