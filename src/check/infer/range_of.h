/* SPDX-License-Identifier: Apache-2.0 */
/* The smallest and the largest index, from which a missing size is inferred. */
#ifndef SPW_CHECK_INFER_RANGE_OF_H
#define SPW_CHECK_INFER_RANGE_OF_H

#include "../../view/columns.h"
#include "../../view/grid.h"

/* The range of the indices; low > high when there are none. */
typedef struct spw_range {
  int64_t low;
  int64_t high;
} spw_range;

#define SPW_TEMPLATE "../../spec/acsl/inferred.acsl"
#include "../../core/each_index_type.h"

#define SPW_TEMPLATE "../check/infer/range_of.inc"
#include "../../core/each_index_type.h"

#endif
