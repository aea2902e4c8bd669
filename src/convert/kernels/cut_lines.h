/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of all batches, as one matrix has them, become those of each batch: spw_cut_lines_i32, spw_cut_lines_i64. */
#ifndef SPW_CONVERT_KERNELS_CUT_LINES_H
#define SPW_CONVERT_KERNELS_CUT_LINES_H

#include "lines_fit.h"
#include "meaning.h"
#include "times_apart.h"
#include "times_at.h"

#define SPW_TEMPLATE "../convert/kernels/cut_lines_contract.inc"
#include "../../core/each_index_type.h"

#endif
