/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of CSR to BSR, of one matrix, for any payload. */
#include "payload/any.h"
#include "../../../src/convert/kernels/block/uses.h"
#include "../../lemmas/meaning.h"
#include "../../lemmas/lines_fit.h"
#include "../../lemmas/times_apart.h"

#define SPW_TEMPLATE "../convert/kernels/block/lines_to_blocks_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/block/csr_to_bsr_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../../proofs/lemmas/lines_frame.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../../proofs/lemmas/cells_frame.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../../proofs/lemmas/each_frame.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/block/csr_to_bsr.inc"
#include "../../../src/core/each_index_type.h"
