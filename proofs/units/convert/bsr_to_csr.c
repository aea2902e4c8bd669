/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of BSR to CSR, of one matrix, for any payload. */
#include "../../../src/convert/payloads/any.h"
#include "../../../src/convert/cells/blocks_to_lines_lemmas.h"
#include "../../../src/convert/kernels/blocks_meaning.h"

#define SPW_TEMPLATE "../convert/cells/blocks_to_lines_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/bsr_to_csr_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/lines_frame.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/cells_frame.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/each_frame.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/bsr_to_csr.inc"
#include "../../../src/core/each_index_type.h"
