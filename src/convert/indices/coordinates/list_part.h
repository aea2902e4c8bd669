/* SPDX-License-Identifier: Apache-2.0 */
/* CSR to COO, several of all batches: spw_list_part_i32, spw_list_part_i64. */
#ifndef SPW_CONVERT_INDICES_COORDINATES_LIST_PART_H
#define SPW_CONVERT_INDICES_COORDINATES_LIST_PART_H

#include "batch_lines.h"

#define SPW_TEMPLATE "../convert/indices/coordinates/list_part_contract.inc"
#include "../../../core/each_index_type.h"

#endif
