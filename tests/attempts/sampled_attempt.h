/* SPDX-License-Identifier: Apache-2.0 */
/* Products at the stored positions of a sparse tensor, of random dense operands that fit it, or do not: by every call, into
 * buffers with fences, some of them too short; each value is held to a plain sum. */
#ifndef TESTS_SAMPLED_ATTEMPT_H
#define TESTS_SAMPLED_ATTEMPT_H

#include "../operands/specimen.h"

/* What has been met so far. */
typedef struct sampled_tally {
  int64_t results, worked, batched, invalid, too_short;
  int64_t obstacles[SPW_OBSTACLE_WORK + 1], by_layout[SPW_LAYOUT_COUNT], by_type[SPW_DTYPE_COUNT];
} sampled_tally;

/* Null when all that must hold does, else what does not (in static storage). What would be large is passed over. */
const char *attempt_sampled(const spw_tensor *s, dice *d, sampled_tally *tally);

#endif
