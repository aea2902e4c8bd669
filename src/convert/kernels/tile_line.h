/* SPDX-License-Identifier: Apache-2.0 */
/* What writes the values where lines become blocks. The functions are compiled into their caller, lines_to_blocks.inc, which
 * is not proved; they are, in tile_line.c. */
#ifndef SPW_CONVERT_KERNELS_TILE_LINE_H
#define SPW_CONVERT_KERNELS_TILE_LINE_H

#include "times_at.h"

/* what is left of a line: its first element, and the index of that */
typedef struct spw_line_left {
  int64_t at, next;
} spw_line_left;

#define SPW_VALUE_TEMPLATE "../convert/kernels/tile_line.inc"
#define SPW_TEMPLATE "each_value_width.h"
#include "../../core/each_index_type.h"
#undef SPW_VALUE_TEMPLATE

#endif
