/* SPDX-License-Identifier: Apache-2.0 */
/* How many blocks elements make. */
#ifndef SPW_CONVERT_COUNT_H
#define SPW_CONVERT_COUNT_H

#include "indices.h"
#include "plan.h"

/* Of so many lines of elements of one batch, along the compressed dimension of the result. */
int64_t spw_count_line_blocks(const spw_plan *plan, spw_indices ptr, spw_indices index, int64_t lines);

#endif
