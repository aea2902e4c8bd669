/* SPDX-License-Identifier: Apache-2.0 */
/* The meaning of a batch whose other dimension has been compressed: the same matrix. spw_swap_meaning_i32_u32 ...
 * spw_swap_meaning_i64_u64 are spw_swap with that as their contract. */
#ifndef SPW_CONVERT_KERNELS_SWAP_MEANING_H
#define SPW_CONVERT_KERNELS_SWAP_MEANING_H

#include "meaning.h"
#include "swap.h"

#define SPW_TEMPLATE "../convert/kernels/swap_lemma_contract.inc"
#include "../../core/each_index_type.h"

#define SPW_VALUE_TEMPLATE "../convert/kernels/swap_meaning_contract.inc"
#define SPW_TEMPLATE "each_value_width.h"
#include "../../core/each_index_type.h"
#undef SPW_VALUE_TEMPLATE

#endif
