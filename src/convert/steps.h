/* SPDX-License-Identifier: Apache-2.0 */
/* Which steps lead from a source to a result. */
#ifndef SPW_CONVERT_STEPS_H
#define SPW_CONVERT_STEPS_H

#include "plan.h"

/* blocks -> elements (explode) -> the other dimension compressed (swap) -> blocks (collect) */
typedef struct spw_steps {
  bool explode, swap, collect;
  bool writes;      /* the last of the first two gives lines of the result: nothing follows */
  int64_t lines[2]; /* along the compressed dimension, before and after the swap */
  int64_t minor;    /* and along the other one, before it */
} spw_steps;

spw_steps spw_steps_of(const spw_plan *plan);

/* Does a compressed source need none of these steps, but another type of indices? */
bool spw_changes_types_only(const spw_plan *plan);

/* How many batches of a compressed source go through its steps at once, taken as one matrix where blocks are opened or gathered.
 * All where there is one such step, of values that are moved as they lie; else a few, which stay in a cache from one step to the
 * next, or one where indices do not lie one behind the other. No more than that indices number their elements and lines. */
int64_t spw_batches_at_once(const spw_plan *plan);

/* Is a compressed source to be made canonical, or would its steps take more lines than there are elements and offsets that
 * both sides store? Sorting cells takes no line that is empty. */
bool spw_wants_cells(const spw_plan *plan);

/* Does a dense result get every element from kernels that need none of them cleared before, nor any workspace, and take the
 * tensor as it lies? */
bool spw_writes_all(const spw_plan *plan);

/* How many lines of blocks can have one of n elements, in lines of elements. */
int64_t spw_lines_with_elements(const spw_plan *plan, int64_t n);

#endif
