/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of each batch become those of all batches, as one matrix has them: spw_join_lines_i32, spw_join_lines_i64. */
#ifndef SPW_CONVERT_INDICES_OFFSETS_JOIN_LINES_H
#define SPW_CONVERT_INDICES_OFFSETS_JOIN_LINES_H

#include "cut_lines.h"
#include "../../../view/grid.h"

#define SPW_TEMPLATE "../convert/indices/offsets/join_lines_contract.inc"
#include "../../../core/each_index_type.h"

#endif
