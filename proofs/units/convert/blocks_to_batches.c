/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of BSR to CSR, and BSC to CSC, of any number of batches, for any payload. */
#include "../../../src/convert/payloads/any.h"
#include "../../../src/convert/kernels/block_lines.h"
#include "../../../src/convert/kernels/join_lines.h"
#include "../../../src/convert/kernels/lines_fit.h"
#include "../../../src/convert/kernels/meaning.h"
#include "../../../src/convert/kernels/times_apart.h"
#include "../../../src/convert/kernels/times_at.h"
#include "../../../src/convert/kernels/times_twice.h"

#define SPW_TEMPLATE "../convert/cells/bsr_to_csr_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/blocks_to_batches_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/blocks_to_batches.inc"
#include "../../../src/core/each_index_type.h"
