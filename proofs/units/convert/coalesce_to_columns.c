/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of COO with duplicates to COO in order, of any number of dimensions, for any payload and sum. */
#include "payload/any_sums.h"
#include "../../../src/convert/indices/coordinates/coo_entry.h"
#include "../../../src/convert/indices/coordinates/batch_coordinate.h"
#include "../../lemmas/cell_lasts.h"
#include "../../../src/convert/indices/sort/key_parts.h"

#define SPW_TEMPLATE "../convert/kernels/coalesce/order_places_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/coalesce/emit_places_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/coalesce/coalesce_to_columns_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/indices/coordinates/coo_places.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../../proofs/lemmas/place_lasts.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../../proofs/lemmas/place_parts.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../../proofs/lemmas/places_rise.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../../proofs/lemmas/listed_entries.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/coalesce/coalesce_to_columns.inc"
#include "../../../src/core/each_index_type.h"
