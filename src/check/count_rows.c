/* SPDX-License-Identifier: Apache-2.0 */
#include "count_rows.h"

/* An attribute that compiles the loops for more than one instruction set, from the Makefile. */
#ifndef SPW_CLONES
#define SPW_CLONES
#endif

/* A tile is a run of rows: about TILE_ENTRIES entries where rows have the average length, so that
 * its indices stay in the first-level cache from loop to loop; TILE_ROWS_MAX bounds the counters. */
#define TILE_ENTRIES 4096
#define TILE_ROWS_MAX 4096
#define TILE_ROWS_MIN 16
/* Tiles of up to so many entries, and up to so many a row, are checked by marking. */
#define MARKED_ENTRIES_MAX 8192
#define MARKED_ROW_MAX 3

#define SPW_TEMPLATE "../check/count_rows.inc"
#include "../core/each_index_type.h"
