/* SPDX-License-Identifier: Apache-2.0 */
/* COO in order to a dense array: spw_coo_to_dense_i32_u32 ... spw_coo_to_dense_i64_u64. */
#ifndef SPW_CONVERT_KERNELS_COO_TO_DENSE_H
#define SPW_CONVERT_KERNELS_COO_TO_DENSE_H

#include "../../check/coo/coo_rules.h"
#include "../../../spec/acsl/times.acsl"

#define SPW_TEMPLATE "../../spec/acsl/coo_dense.acsl"
#include "../../core/each_index_type.h"

#define SPW_VALUE_TEMPLATE "../convert/kernels/coo_to_dense_contract.inc"
#define SPW_TEMPLATE "each_value_width.h"
#include "../../core/each_index_type.h"
#undef SPW_VALUE_TEMPLATE

#endif
