/* SPDX-License-Identifier: Apache-2.0 */
/* Lemmas about what one batch of a compressed layout means: ghost functions, proved in meaning.c, which exist for
 * the proofs only. */
#ifndef SPW_LEMMAS_MEANING_H
#define SPW_LEMMAS_MEANING_H

#include "../../src/check/index/index_rules.h"

#define SPW_TEMPLATE "../../proofs/lemmas/meaning_contract.inc"
#include "../../src/core/each_index_type.h"

#endif
