/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of COO with duplicates to dense, for any payload and sum. */
#include "../../../src/convert/payloads/any_sums.h"
#include "../../../src/convert/cells/coo_entry.h"
#include "../../../src/convert/kernels/cell_lasts.h"

#define SPW_TEMPLATE "../convert/cells/order_places_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/coalesce_to_dense_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/clear.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/place_lasts.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/combined_bits.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/coalesce_to_dense.inc"
#include "../../../src/core/each_index_type.h"
