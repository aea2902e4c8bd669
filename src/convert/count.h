/* SPDX-License-Identifier: Apache-2.0 */
/* How many cells a batch of a result has. */
#ifndef SPW_CONVERT_COUNT_H
#define SPW_CONVERT_COUNT_H

#include "indices.h"
#include "target.h"

/* Of so many lines of elements of one batch, along the compressed dimension of the result. */
int64_t spw_count_line_blocks(const spw_plan *plan, spw_indices ptr, spw_indices index, int64_t lines);

/* Batches of compressed lines have more blocks than there is room for: counts them to name the first one that has another number
 * than batch 0. SPW_EINVAL where there is none. */
spw_status spw_refuse_unequal(const spw_plan *plan, spw_refusal *refusal);

/* Batch b of what is dense has more cells than the first, which are not filled in any
 * more: counts them to name both. SPW_EINVAL where it has not, as values have changed since. */
spw_status spw_refuse_more(const spw_plan *plan, const spw_target *out, int64_t b, spw_refusal *refusal);

#endif
