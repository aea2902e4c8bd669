/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of the swap of all batches, for any payload. */
#include "../../../src/convert/payloads/any.h"
#include "../../../src/convert/kernels/bands.h"
#include "../../../src/check/compressed.h"
#include "../../../src/convert/cells/grid_frame.h"
#include "../../../src/convert/kernels/lines.h"
#include "../../../src/convert/kernels/meaning.h"
#include "../../../src/convert/kernels/times_at.h"

#define SPW_TEMPLATE "../convert/cells/band_cells.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/swap_words.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/swap_batch_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/swap_batches_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/lines_frame.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/cells_frame.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/each_frame.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/turned_frame.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/batch_frame.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/product.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/swap_batches.inc"
#include "../../../src/core/each_index_type.h"
