/* SPDX-License-Identifier: Apache-2.0 */
#include "swap_lemma.h"

#define SPW_TEMPLATE "../../proofs/lemmas/swap_lemma.inc"
#include "../../src/core/each_index_type.h"
