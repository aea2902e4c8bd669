/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of lines as blocks, for any payload. */
#include "payload/any.h"
#include "../../../src/convert/kernels/block/uses.h"

#define SPW_TEMPLATE "../convert/kernels/block/lines_to_blocks_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/block/tile_line.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../../proofs/lemmas/stripes_stay.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/block/merge_stripe.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/block/lines_to_blocks.inc"
#include "../../../src/core/each_index_type.h"
