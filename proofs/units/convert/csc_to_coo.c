/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of CSC to COO, of one matrix, for any payload. */
#include "payload/any.h"
#include "../../../src/convert/indices/partition/bands.h"
#include "../../../src/convert/indices/offsets/rows_meaning.h"
#include "../../../src/view/grid.h"

#define SPW_TEMPLATE "../convert/kernels/transpose/band_cells.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/transpose/swap_words.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/transpose/swap_meaning_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/transpose/csc_to_coo_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../../proofs/lemmas/lines_frame.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../../proofs/lemmas/cells_frame.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../../proofs/lemmas/each_frame.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../../proofs/lemmas/turned_frame.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/transpose/csc_to_coo.inc"
#include "../../../src/core/each_index_type.h"
