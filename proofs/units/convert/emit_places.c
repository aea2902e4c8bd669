/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of how cells in the order of their places are written down as COO, for any payload and sum. */
#include "../../../src/convert/payloads/any_sums.h"
#include "../../../src/convert/kernels/batch_coordinate.h"
#include "../../../src/convert/kernels/key_parts.h"
#include "../../../src/convert/kernels/times_apart.h"
#include "../../../src/convert/kernels/total_cells.h"

#define SPW_TEMPLATE "../convert/cells/emit_places_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/combined_bits.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/put_total.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/put_place.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/emit_places.inc"
#include "../../../src/core/each_index_type.h"
