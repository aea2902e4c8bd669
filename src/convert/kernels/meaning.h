/* SPDX-License-Identifier: Apache-2.0 */
/* Lemmas about what one batch of a compressed layout means: ghost functions, proved in meaning.c, which exist for
 * the proofs only. */
#ifndef SPW_CONVERT_KERNELS_MEANING_H
#define SPW_CONVERT_KERNELS_MEANING_H

#include "../../check/index/index_rules.h"

#define SPW_TEMPLATE "../convert/kernels/meaning_contract.inc"
#include "../../core/each_index_type.h"

#endif
