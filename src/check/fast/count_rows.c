/* SPDX-License-Identifier: Apache-2.0 */
#include "count_rows.h"
#include "../../core/prefetch.h"

/* An attribute that compiles the loops for more than one instruction set, from the Makefile. */
#ifndef SPW_CLONES
#define SPW_CLONES
#endif

/* A tile is a run of rows: about TILE_BYTES of entries where rows have the average length, so that
 * its indices stay in the first-level cache from loop to loop; TILE_ROWS_MAX bounds the counters. */
#define TILE_BYTES 16384
#define TILE_ENTRIES (TILE_BYTES / (int64_t)sizeof(IDX))
#define TILE_ROWS_MAX 4096
#define TILE_ROWS_MIN 16
/* Tiles of up to so many entries, and up to so many a row, are checked by marking. */
#define MARKED_ENTRIES_MAX 8192
#define MARKED_ROW_MAX 3

/* While the row starts of a tile are looked at, RUN_ROWS rows at a time, which keeps the processor
 * busy and the memory idle, the next tile is fetched, a LINE a request, and
 * no more than AHEAD entries. */
#define RUN_ROWS 32
#define LINE (64 / (int64_t)sizeof(IDX))
#define AHEAD (2 * TILE_ENTRIES)

#define SPW_TEMPLATE "../check/fast/count_rows.inc"
#include "../../core/each_index_type.h"
