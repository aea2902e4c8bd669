/* SPDX-License-Identifier: Apache-2.0 */
#include "extent_of.h"

/*@ terminates \true; exits \false; assigns \nothing;
    ensures flag: \result.natural == 0 || \result.natural == 1;
    ensures none: range.low > range.high ==> \result.natural == 1 && \result.last == -1;
    ensures some: range.low <= range.high ==> \result.natural == (range.low >= 0) && \result.last == range.high; */
/* level L2 */
static spw_extent extent_of(spw_range range)
{
  spw_extent e = {1, -1};
  if (range.low > range.high) return e;
  e.natural = range.low >= 0;
  e.last = range.high;
  return e;
}

#define SPW_TEMPLATE "../check/infer/extent_of_body.inc"
#include "../../core/each_index_type.h"
