/* SPDX-License-Identifier: Apache-2.0 */
/* The meaning of a batch whose other dimension has been compressed: the same matrix. Ghost functions, proved in swap_lemma.c. */
#ifndef SPW_LEMMAS_SWAP_LEMMA_H
#define SPW_LEMMAS_SWAP_LEMMA_H

#include "lines.h"
#include "meaning.h"

#define SPW_TEMPLATE "../../proofs/lemmas/swap_lemma_contract.inc"
#include "../../src/core/each_index_type.h"

#endif
