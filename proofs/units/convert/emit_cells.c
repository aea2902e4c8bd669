/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of how cells in order are written down, for any payload and sum. */
#include "payload/any_sums.h"
#include "../../lemmas/bit_lemmas.h"
#include "../../../src/convert/indices/sort/key_parts.h"
#include "../../../spec/acsl/cell_totals.acsl"

#define SPW_TEMPLATE "../convert/kernels/coalesce/emit_cells_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/coalesce/combined_bits.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/coalesce/put_total.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/coalesce/emit_cells.inc"
#include "../../../src/core/each_index_type.h"
