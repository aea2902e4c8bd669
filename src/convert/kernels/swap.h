/* SPDX-License-Identifier: Apache-2.0 */
/* CSR to CSC and back, BSR to BSC and back, of one batch: spw_swap_i32_u32 ... spw_swap_i64_u64. */
#ifndef SPW_CONVERT_KERNELS_SWAP_H
#define SPW_CONVERT_KERNELS_SWAP_H

#include "lines.h"

#define SPW_VALUE_TEMPLATE "../convert/kernels/swap_contract.inc"
#define SPW_TEMPLATE "each_value_width.h"
#include "../../core/each_index_type.h"
#undef SPW_VALUE_TEMPLATE

#endif
