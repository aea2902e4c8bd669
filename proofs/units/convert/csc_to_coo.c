/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of CSC to COO, of one matrix, for any payload. */
#include "../../../src/convert/payloads/any.h"
#include "../../../src/convert/kernels/bands.h"
#include "../../../src/convert/kernels/rows_meaning.h"
#include "../../../src/view/grid.h"

#define SPW_TEMPLATE "../convert/cells/band_cells.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/swap_words.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/swap_meaning_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/csc_to_coo_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/lines_frame.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/cells_frame.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/each_frame.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/turned_frame.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/csc_to_coo.inc"
#include "../../../src/core/each_index_type.h"
