/* SPDX-License-Identifier: Apache-2.0 */
/* Elements of compressed layouts by their positions: spw_block_at_i32, spw_block_at_i64. */
#ifndef SPW_CONVERT_INDICES_LOOKUP_BLOCK_AT_H
#define SPW_CONVERT_INDICES_LOOKUP_BLOCK_AT_H

#include "../../../../proofs/lemmas/lines.h"
#include "../../../../proofs/lemmas/meaning.h"
#include "../../../check/compressed.h"

/* Elements begin .. end - 1 of a batch. */
typedef struct spw_line {
  int64_t begin, end;
} spw_line;

#define SPW_TEMPLATE "../convert/indices/lookup/block_at_contract.inc"
#include "../../../core/each_index_type.h"

#endif
