/* SPDX-License-Identifier: Apache-2.0 */
/* Lemmas about the slots of a stable counting sort by the minor index: ghost functions, proved in slots.c,
 * which exist for the proofs only. */
#ifndef SPW_CONVERT_KERNELS_SLOTS_H
#define SPW_CONVERT_KERNELS_SLOTS_H

#include <stdint.h>

#define SPW_TEMPLATE "../convert/kernels/slots_contract.inc"
#include "../../core/each_index_type.h"

#endif
