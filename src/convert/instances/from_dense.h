/* SPDX-License-Identifier: Apache-2.0 */
/* Dense matrices to compressed lines of their rows or columns, and of blocks: kernels that are proved for payloads of any width,
 * spw_rows_from_dense_i32_u8 ... spw_batches_from_dense_i64_pair64. */
#ifndef SPW_CONVERT_INSTANCES_FROM_DENSE_H
#define SPW_CONVERT_INSTANCES_FROM_DENSE_H

#include "../kernels/from_dense/uses.h"
#include "../payloads/pair32.h"
#include "../payloads/pair64.h"

#define SPW_VALUE_TEMPLATE "../instances/from_dense.h"
#define SPW_TEMPLATE "../convert/payloads/each_width.inc"
#include "../../core/each_index_type.h"
#undef SPW_VALUE_TEMPLATE

#elif defined IDX /* for each index type and width of a payload */

#include "../kernels/from_dense/from_dense_contract.inc"
#include "../kernels/transpose/swap_words.inc"
#include "../kernels/from_dense/batches_from_dense_contract.inc"
#include "../kernels/from_dense/dense_to_coo_contract.inc"
#include "../kernels/from_dense/dense_to_columns_contract.inc"
#include "../kernels/from_dense/long_rows_from_dense_contract.inc"
#include "../kernels/from_dense/blocks_from_dense_contract.inc"
#include "../kernels/from_dense/elements_from_dense_contract.inc"
#include "../kernels/from_dense/batches_in_blocks_contract.inc"

#endif
