/* SPDX-License-Identifier: Apache-2.0 */
/* A compressed line to a line of a dense array, contiguous: spw_spread_line_i32_u32 ... spw_spread_line_i64_u64. */
#ifndef SPW_CONVERT_KERNELS_SPREAD_LINE_H
#define SPW_CONVERT_KERNELS_SPREAD_LINE_H

#include "lines.h"
#include "meaning.h"

#define SPW_VALUE_TEMPLATE "../convert/kernels/spread_line_contract.inc"
#define SPW_TEMPLATE "each_value_width.h"
#include "../../core/each_index_type.h"
#undef SPW_VALUE_TEMPLATE

#endif
