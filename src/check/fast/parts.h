/* SPDX-License-Identifier: Apache-2.0 */
/* Batches divided into parts, which threads can share. */
#ifndef SPW_CHECK_FAST_PARTS_H
#define SPW_CHECK_FAST_PARTS_H

#include "count_rows.h"

typedef struct spw_parts {
  int64_t rows;    /* rows in a part; 0: threads would take longer than they save */
  int64_t chunk;   /* parts that a thread takes at a time */
  int64_t batches; /* batches that are shared out at a time; after an invalid one no more are */
} spw_parts;

/*@ logic integer part_end(integer i, integer C) = i < C ? i : C; */

/*@ requires sign: 0 <= batches && 0 <= C && 0 <= nse;
    terminates \true; exits \false; assigns \nothing;
    ensures rows: 0 <= \result.rows && 1 <= \result.chunk && 1 <= \result.batches;
    ensures fits: \result.rows > 0 ==> 0 < C && C + \result.rows <= INT64_MAX;
    // there are at most C parts in a batch: this many can be numbered
    ensures countable: \result.rows > 0 ==> \result.batches * C <= INT64_MAX; */
spw_parts spw_parts_of(int64_t batches, int64_t C, int64_t nse);

#define SPW_TEMPLATE "../check/fast/parts_contract.inc"
#include "../../core/each_index_type.h"

#endif
