/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of CSR to BSR, and CSC to BSC, of any number of batches, for any payload. */
#include "../../../src/convert/payloads/any.h"
#include "../../../src/convert/cells/lines_to_blocks_lemmas.h"
#include "../../../src/convert/kernels/join_lines.h"
#include "../../../src/convert/kernels/lines_fit.h"
#include "../../../src/convert/kernels/meaning.h"
#include "../../../src/convert/kernels/times_apart.h"
#include "../../../src/convert/kernels/times_twice.h"

#define SPW_TEMPLATE "../convert/cells/lines_to_blocks_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/csr_to_bsr_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/batches_to_blocks_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/batches_to_blocks.inc"
#include "../../../src/core/each_index_type.h"
