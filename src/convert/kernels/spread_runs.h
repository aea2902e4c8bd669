/* SPDX-License-Identifier: Apache-2.0 */
/* One row of each block of a compressed line to a dense array: spw_spread_runs_i32_u32 ... spw_spread_runs_i64_u64. */
#ifndef SPW_CONVERT_KERNELS_SPREAD_RUNS_H
#define SPW_CONVERT_KERNELS_SPREAD_RUNS_H

#include "lines.h"
#include "meaning.h"

#define SPW_VALUE_TEMPLATE "../convert/kernels/spread_runs_contract.inc"
#define SPW_TEMPLATE "each_value_width.h"
#include "../../core/each_index_type.h"
#undef SPW_VALUE_TEMPLATE

#endif
