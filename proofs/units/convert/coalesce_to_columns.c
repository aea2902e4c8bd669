/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of COO with duplicates to COO in order, of any number of dimensions, for any payload and sum. */
#include "../../../src/convert/payloads/any_sums.h"
#include "../../../src/convert/cells/coo_entry.h"
#include "../../../src/convert/kernels/batch_coordinate.h"
#include "../../../src/convert/kernels/cell_lasts.h"
#include "../../../src/convert/kernels/key_parts.h"

#define SPW_TEMPLATE "../convert/cells/order_places_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/emit_places_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/coalesce_to_columns_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/coo_places.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/place_lasts.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/place_parts.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/places_rise.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/listed_entries.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/coalesce_to_columns.inc"
#include "../../../src/core/each_index_type.h"
