/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of the swap of one batch of many, for any payload. */
#include "payload/any.h"
#include "../../../src/convert/indices/partition/bands.h"
#include "../../lemmas/lines.h"
#include "../../lemmas/meaning.h"
#include "../../../src/view/grid.h"
#include "../../../spec/acsl/same_sizes.acsl"

#define SPW_TEMPLATE "../convert/kernels/transpose/band_cells.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/transpose/swap_words.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/transpose/swap_meaning_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/transpose/swap_batch_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/transpose/swap_batch.inc"
#include "../../../src/core/each_index_type.h"
