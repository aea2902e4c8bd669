/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of BSR to CSR, of one matrix, for any payload. */
#include "payload/any.h"
#include "../../../src/convert/kernels/unblock/uses.h"
#include "../../lemmas/blocks_meaning.h"

#define SPW_TEMPLATE "../convert/kernels/unblock/blocks_to_lines_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/unblock/bsr_to_csr_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../../proofs/lemmas/lines_frame.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../../proofs/lemmas/cells_frame.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../../proofs/lemmas/each_frame.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/unblock/bsr_to_csr.inc"
#include "../../../src/core/each_index_type.h"
