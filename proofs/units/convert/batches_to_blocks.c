/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of CSR to BSR, and CSC to BSC, of any number of batches, for any payload. */
#include "payload/any.h"
#include "../../../src/convert/kernels/block/uses.h"
#include "../../../src/convert/indices/offsets/join_lines.h"
#include "../../lemmas/lines_fit.h"
#include "../../lemmas/meaning.h"
#include "../../lemmas/times_apart.h"
#include "../../lemmas/times_twice.h"

#define SPW_TEMPLATE "../convert/kernels/block/lines_to_blocks_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/block/csr_to_bsr_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/block/batches_to_blocks_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/block/batches_to_blocks.inc"
#include "../../../src/core/each_index_type.h"
