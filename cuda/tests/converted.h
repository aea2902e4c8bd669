/* SPDX-License-Identifier: Apache-2.0 */
/* The conversion kernels, where they run (kernels_under_test), against spw_convert: the same status, the same
 * violation or refusal, the same sizes, strides and indices, and the same bits of values. */
#ifndef CUDA_TESTS_CONVERTED_H
#define CUDA_TESTS_CONVERTED_H

#include "rows.h"

enum { CONVERTED_LAYOUTS = SPW_LAYOUT_COUNT + 1 }; /* dense, too */

typedef struct converted_tally {
  uint64_t done[CONVERTED_LAYOUTS][CONVERTED_LAYOUTS]; /* from the first layout to the second */
  uint64_t invalid, refused, unsupported;
  /* With `canonicalize` or `prune`, where that means something: of those done, and refused by contents. And of what was pruned
   * how often cells were left out. */
  uint64_t mended, mending_refused, pruned, pruning_refused, left_out;
} converted_tally;

/* Larger results are left alone: offsets, and scalars of values. */
extern int64_t converted_most_offsets, converted_most_values;

/* From all layouts to all. */
uint64_t converted_done(const converted_tally *count);

/* One generated tensor by every conversion that its layout has. False, after words on stderr, where they differ. */
bool converted_one(dice *d, converted_tally *count);

/* One conversion of a tensor in `launches` ways. */
bool converted_alike(const spw_tensor *t, const spw_conversion *wanted, dice *d, int launches, converted_tally *count);

#endif
