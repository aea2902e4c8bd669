/* SPDX-License-Identifier: Apache-2.0 */
/* 2:4: which elements of a tile are kept, so that rows and columns hold at most two of four. */
#ifndef SPW_SEMI_KERNELS_TILE_H
#define SPW_SEMI_KERNELS_TILE_H

#include <stdint.h>

#include "../../../spec/acsl/semi_tile.acsl"
#include "prune.h"

/* The greedy choice in a tile of 4 x 4, row by row: from the largest key to the smallest one, of equal keys the earlier first,
 * what its row and its column have room for. */
/*@ requires reads: \valid_read(key + (0 .. 15));
    requires writes: \valid(keep + (0 .. 15));
    requires apart: \separated(key + (0 .. 15), keep + (0 .. 15));
    terminates \true; exits \false; assigns keep[0 .. 15];
    ensures told: only_kept_or_not(keep);
    ensures rows: \forall integer r; 0 <= r < 4 ==> kept_in_row(keep, r) <= 2;
    ensures columns: \forall integer c; 0 <= c < 4 ==> kept_in_column(keep, c) <= 2;
    ensures largest: \forall integer r, c; 0 <= r < 4 && 0 <= c < 4 && keep[4 * r + c] == 0 ==>
      row_is_full(key, keep, r, c) || column_is_full(key, keep, r, c); */
void spw_semi_choose_in_tile(const uint32_t *key, uint8_t *keep);

/* The same in a tile of 2 x 2, whose rows and columns hold one of two: of the keys a b, c d either a and d are kept, then it is
 * 1, or b and c. */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures told: \result == 0 || \result == 1;
    ensures main: \result == 1 ==> (ranks_before(a, 0, b, 1) || ranks_before(d, 3, b, 1)) &&
      (ranks_before(a, 0, c, 2) || ranks_before(d, 3, c, 2));
    ensures other: \result == 0 ==> (ranks_before(b, 1, a, 0) || ranks_before(c, 2, a, 0)) &&
      (ranks_before(b, 1, d, 3) || ranks_before(c, 2, d, 3)); */
uint8_t spw_semi_main_diagonal(uint32_t a, uint32_t b, uint32_t c, uint32_t d);

#endif
