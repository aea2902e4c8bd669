/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of the swap of one batch of many, for any payload. */
#include "../../../src/convert/payloads/any.h"
#include "../../../src/convert/kernels/bands.h"
#include "../../../src/convert/kernels/lines.h"
#include "../../../src/convert/kernels/meaning.h"
#include "../../../src/view/grid.h"
#include "../../../spec/acsl/same_sizes.acsl"

#define SPW_TEMPLATE "../convert/cells/band_cells.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/swap_words.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/swap_meaning_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/swap_batch_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/swap_batch.inc"
#include "../../../src/core/each_index_type.h"
