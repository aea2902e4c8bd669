/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of lines as blocks, for any payload. */
#include "../../../src/convert/payloads/any.h"
#include "../../../src/convert/cells/lines_to_blocks_lemmas.h"

#define SPW_TEMPLATE "../convert/cells/lines_to_blocks_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/tile_line.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/stripes_stay.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/merge_stripe.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/lines_to_blocks.inc"
#include "../../../src/core/each_index_type.h"
