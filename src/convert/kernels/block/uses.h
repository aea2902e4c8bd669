/* SPDX-License-Identifier: Apache-2.0 */
/* What the templates of lines as blocks stand on. */
#ifndef SPW_CONVERT_KERNELS_BLOCK_USES_H
#define SPW_CONVERT_KERNELS_BLOCK_USES_H

#include "../../../../proofs/lemmas/block_places.h"
#include "../../../../proofs/lemmas/times_at.h"

/* what is left of a line: its first element, and the index of that */
typedef struct spw_line_left {
  int64_t at, next;
} spw_line_left;

#define SPW_TEMPLATE "../../spec/acsl/stripes.acsl"
#include "../../../core/each_index_type.h"

#endif
