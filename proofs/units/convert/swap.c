/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of the swap of rows and columns, for any payload. */
#include "../../../src/convert/payloads/any.h"
#include "../../../src/convert/kernels/bands.h"
#include "../../../src/convert/cells/swap_lemmas.h"

#define SPW_TEMPLATE "../convert/cells/band_cells.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/swap_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/swap_bands_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/swap.inc"
#include "../../../src/core/each_index_type.h"
