/* SPDX-License-Identifier: Apache-2.0 */
#include "swap_lemma.h"

#define SPW_TEMPLATE "../convert/kernels/swap_lemma.inc"
#include "../../core/each_index_type.h"
