/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of how elements of COO become cells in the order of their places, for any payload and sum. */
#include "../../../src/convert/payloads/any_sums.h"
#include "../../../src/convert/cells/coo_entry.h"
#include "../../../src/convert/kernels/cell_lasts.h"

#define SPW_TEMPLATE "../convert/cells/order_places_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/coo_places.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/place_lasts.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/order_places.inc"
#include "../../../src/core/each_index_type.h"
