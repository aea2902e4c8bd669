/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of what the swap means, for any payload. */
#include "../../../src/convert/payloads/any.h"
#include "../../../src/convert/kernels/bands.h"
#include "../../../src/convert/cells/swap_lemmas.h"

#define SPW_TEMPLATE "../convert/cells/band_cells.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/swap_words.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/swap_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/swap_meaning_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/cells_frame.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/swap_meaning.inc"
#include "../../../src/core/each_index_type.h"
