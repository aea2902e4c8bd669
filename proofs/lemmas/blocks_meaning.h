/* SPDX-License-Identifier: Apache-2.0 */
/* What lines of elements mean that were blocks: ghost functions, proved in blocks_meaning.c. */
#ifndef SPW_LEMMAS_BLOCKS_MEANING_H
#define SPW_LEMMAS_BLOCKS_MEANING_H

#include "block_lines.h"
#include "lines.h"
#include "meaning.h"
#include "times_apart.h"
#include "times_at.h"

#define SPW_TEMPLATE "../../proofs/lemmas/blocks_meaning_contract.inc"
#include "../../src/core/each_index_type.h"

#endif
