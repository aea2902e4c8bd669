/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of how cells in the order of their places are written down as COO, for any payload and sum. */
#include "payload/any_sums.h"
#include "../../../src/convert/indices/coordinates/batch_coordinate.h"
#include "../../../src/convert/indices/sort/key_parts.h"
#include "../../lemmas/times_apart.h"
#include "../../../src/convert/indices/sort/total_cells.h"

#define SPW_TEMPLATE "../convert/kernels/coalesce/emit_places_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/coalesce/combined_bits.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/coalesce/put_total.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/indices/coordinates/put_place.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/coalesce/emit_places.inc"
#include "../../../src/core/each_index_type.h"
