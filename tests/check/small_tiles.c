/* SPDX-License-Identifier: Apache-2.0 */
#include "small_tiles.h"

#define SPW_CLONES
#define TILE_ENTRIES 8
#define TILE_ROWS_MAX 3
#define TILE_ROWS_MIN 3
#define MARKED_ENTRIES_MAX 6
#define MARKED_ROW_MAX 2
#define RUN_ROWS 2
#define LINE 2
#define AHEAD 5
#define SPW_PREFETCH(address) (void)*(const volatile IDX *)(address) /* must be readable */

#undef N
#define N(name) SPW_CAT(small_##name, SUF)
#define SPW_TEMPLATE "../check/fast/count_rows.inc"
#include "../../src/core/each_index_type.h"
