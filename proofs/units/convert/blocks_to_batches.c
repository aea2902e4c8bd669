/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of BSR to CSR, and BSC to CSC, of any number of batches, for any payload. */
#include "payload/any.h"
#include "../../lemmas/block_lines.h"
#include "../../../src/convert/indices/offsets/join_lines.h"
#include "../../lemmas/lines_fit.h"
#include "../../lemmas/meaning.h"
#include "../../lemmas/times_apart.h"
#include "../../lemmas/times_at.h"
#include "../../lemmas/times_twice.h"

#define SPW_TEMPLATE "../convert/kernels/unblock/bsr_to_csr_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/unblock/blocks_to_batches_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/unblock/blocks_to_batches.inc"
#include "../../../src/core/each_index_type.h"
