/* SPDX-License-Identifier: Apache-2.0 */
/* Lemmas about the lines of elements and about what becomes of them when the other dimension is compressed: ghost
 * functions, proved in lines.c, which exist for the proofs only. */
#ifndef SPW_LEMMAS_LINES_H
#define SPW_LEMMAS_LINES_H

#include "../../src/check/index/index_rules.h"
#include "slots.h"

#define SPW_TEMPLATE "../../proofs/lemmas/lines_contract.inc"
#include "../../src/core/each_index_type.h"

#endif
