/* SPDX-License-Identifier: Apache-2.0 */
/* The largest index, one more than which is the extent that the indices imply. */
#ifndef SPW_CHECK_INFER_EXTENT_OF_H
#define SPW_CHECK_INFER_EXTENT_OF_H

#include "range_of.h"

/* natural: no index is negative. Then `last` is the largest of them, -1 when there are none. */
typedef struct spw_extent {
  int natural;
  int64_t last;
} spw_extent;

#define SPW_TEMPLATE "../check/infer/extent_of.inc"
#include "../../core/each_index_type.h"

#endif
