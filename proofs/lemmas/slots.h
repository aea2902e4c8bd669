/* SPDX-License-Identifier: Apache-2.0 */
/* Lemmas about the slots of a stable counting sort by the minor index: ghost functions, proved in slots.c,
 * which exist for the proofs only. */
#ifndef SPW_LEMMAS_SLOTS_H
#define SPW_LEMMAS_SLOTS_H

#include <stdint.h>

#define SPW_TEMPLATE "../../proofs/lemmas/slots_contract.inc"
#include "../../src/core/each_index_type.h"

#endif
