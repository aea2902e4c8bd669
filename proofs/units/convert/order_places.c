/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of how elements of COO become cells in the order of their places, for any payload and sum. */
#include "payload/any_sums.h"
#include "../../../src/convert/indices/coordinates/coo_entry.h"
#include "../../lemmas/cell_lasts.h"

#define SPW_TEMPLATE "../convert/kernels/coalesce/order_places_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/indices/coordinates/coo_places.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../../proofs/lemmas/place_lasts.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/coalesce/order_places.inc"
#include "../../../src/core/each_index_type.h"
