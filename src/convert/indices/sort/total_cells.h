/* SPDX-License-Identifier: Apache-2.0 */
/* Cells that are to be added up where they share a key, in order. */
#ifndef SPW_CONVERT_INDICES_SORT_TOTAL_CELLS_H
#define SPW_CONVERT_INDICES_SORT_TOTAL_CELLS_H

#include "order_cells.h"
#include "../../../../spec/acsl/cell_totals.acsl"

/* spw_order_cells; then the cells of each key lie side by side, and come there, one after another, to what they came to in the
 * order of the list (statement M4). how: spw_combine but SPW_COMBINE_REFUSE; type: of what is added.
 *   in, out   a[n]; keys of at most `bits` bits
 *   work      b[n]
 * Returns 0 where the result is in a, 1 where it is in b. Time: n * bits / 8. */
/*@ requires cells: 0 <= n && \valid(a + (0 .. n - 1)) && \valid(b + (0 .. n - 1));
    requires apart: \separated(a + (0 .. n - 1), b + (0 .. n - 1));
    requires keys: 0 <= bits <= 64 && keys_within(a, n, bits);
    terminates \true; exits \false; assigns a[0 .. n - 1], b[0 .. n - 1];
    ensures one: \result == 0 || \result == 1;
    ensures ascending: keys_ascend(\result == 0 ? a : b, n);
    ensures there: \forall integer k; 0 <= k < n ==> 0 <= cell_rank{Pre}(a, 0, bits, k, n) < n &&
      cell_key(\result == 0 ? a : b, cell_rank{Pre}(a, 0, bits, k, n)) == cell_key{Pre}(a, k);
    ensures back: \forall integer q; 0 <= q < n ==> 0 <= cell_last{Pre}(a, cell_key(\result == 0 ? a : b, q), n) < n;
    ensures keys: keys_begun(\result == 0 ? a : b, n) == keys_met{Pre}(a, n);
    ensures totals: \forall integer q; 0 <= q < n && key_ends(\result == 0 ? a : b, q, n) ==>
      run_total(\result == 0 ? a : b, how, type, q + 1) == cell_total{Pre}(a, how, type, cell_key(\result == 0 ? a : b, q), n); */
int spw_total_cells(spw_cell *a, spw_cell *b, int64_t n, int bits, int how, int type);

#endif
