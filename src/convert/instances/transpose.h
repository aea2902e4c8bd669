/* SPDX-License-Identifier: Apache-2.0 */
/* CSR to CSC and back, BSR to BSC and back, of one batch: spw_swap_i32_u32 ... spw_swap_i64_u64; spw_swap_meaning_i32_u32 ... are
 * the same with what the result means as their contract. spw_fill_bands_i32_u32 ... and spw_place_band_i32_u32 ... are steps of
 * them. */
#ifndef SPW_CONVERT_INSTANCES_TRANSPOSE_H
#define SPW_CONVERT_INSTANCES_TRANSPOSE_H

#include "../kernels/transpose/uses.h"
#include "../indices/partition/bands.h"

#define SPW_VALUE_TEMPLATE "../convert/kernels/transpose/band_words.inc"
#define SPW_TEMPLATE "each_value_width.h"
#include "../../core/each_index_type.h"
#undef SPW_VALUE_TEMPLATE

#define SPW_VALUE_TEMPLATE "../convert/kernels/transpose/fill_bands_contract.inc"
#define SPW_TEMPLATE "each_value_width.h"
#include "../../core/each_index_type.h"
#undef SPW_VALUE_TEMPLATE

#define SPW_VALUE_TEMPLATE "../convert/kernels/transpose/place_band_contract.inc"
#define SPW_TEMPLATE "each_value_width.h"
#include "../../core/each_index_type.h"
#undef SPW_VALUE_TEMPLATE

#define SPW_VALUE_TEMPLATE "../convert/kernels/transpose/swap_contract.inc"
#define SPW_TEMPLATE "each_value_width.h"
#include "../../core/each_index_type.h"
#undef SPW_VALUE_TEMPLATE

#define SPW_VALUE_TEMPLATE "../convert/kernels/transpose/swap_meaning_contract.inc"
#define SPW_TEMPLATE "each_value_width.h"
#include "../../core/each_index_type.h"
#undef SPW_VALUE_TEMPLATE

#endif
