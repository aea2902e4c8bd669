/* SPDX-License-Identifier: Apache-2.0 */
/* Do two valid tensors mean the same? */
#ifndef SPW_STRUCTURE_CERTIFIED_SAME_H
#define SPW_STRUCTURE_CERTIFIED_SAME_H

#include "assumed.h"

/* Everything of it may be read, and it is valid. */
/*@ predicate ready{L}(spw_tensor *t) =
      \valid_read(t) && array_readable(&t->values.array) &&
      (t->layout == SPW_LAYOUT_COUNT ? \true
       : (sized(t) && tensor_valid(t) && tensor_readable(t) && readable_indices(&t->plain) &&
          (t->layout != SPW_COO ==> readable_indices(&t->compressed)))); */

/* 1: they are the same; 0: they differ; -1: this is left to others. `drops`: a may specify positions that b does not, where it
 * has zeros; `adds`: b such that a does not. */
/*@ requires ready: ready(a) && ready(b);
    terminates \true; exits \false; assigns \nothing;
    ensures same: \result == 1 ==> same_tensors(a, b, drops, adds); */
int spw_same_tensors(const spw_tensor *a, const spw_tensor *b, int drops, int adds, const spw_buffers *buffers, int64_t bytes);

#endif
