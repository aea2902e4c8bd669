/* SPDX-License-Identifier: Apache-2.0 */
#include "rank_lemmas.h"

/*@ ghost
  void lem_cells_rank(const spw_cell *a, int64_t n, int low, int high) {
    /@ loop invariant range: 0 <= m <= n;
       loop invariant count: \forall integer k, j; 0 <= k < n && 0 <= j <= m ==> 0 <= cell_rank(a, low, high, k, j) <= j;
       loop invariant less: \forall integer k, j; 0 <= k < j <= m ==> cell_rank(a, low, high, k, j) < j;
       loop invariant order: \forall integer t, k, j; 0 <= t < n && 0 <= k < n && 0 <= j <= m &&
         cell_before(a, low, high, t, k) ==> cell_rank(a, low, high, t, j) <= cell_rank(a, low, high, k, j);
       loop invariant strict: \forall integer t, k, j; 0 <= t < j <= m && 0 <= k < n &&
         cell_before(a, low, high, t, k) ==> cell_rank(a, low, high, t, j) < cell_rank(a, low, high, k, j);
       loop assigns m; loop variant n - m; @/
    for (int64_t m = 0; m < n; m++) {
      /@ assert step: \forall integer k; cell_rank(a, low, high, k, m + 1) == cell_rank(a, low, high, k, m) +
           (cell_bits(a, low, high, m) < cell_bits(a, low, high, k) ||
            (cell_bits(a, low, high, m) == cell_bits(a, low, high, k) && m < k) ? 1 : 0); @/
    }
  }
*/

/*@ ghost
  void lem_cells_origin(const spw_cell *a, int64_t n, int low, int high) {
    lem_cells_rank(a, n, low, high);
    /@ loop invariant range: 0 <= m <= n;
       loop invariant back: \forall integer q; 0 <= q < m ==> 0 <= cell_origin(a, low, high, q, m) < m &&
         cell_rank(a, low, high, cell_origin(a, low, high, q, m), m) == q;
       loop assigns m; loop variant n - m; @/
    for (int64_t m = 0; m < n; m++) {
      /@ assert step: \forall integer k; cell_rank(a, low, high, k, m + 1) == cell_rank(a, low, high, k, m) +
           (cell_bits(a, low, high, m) < cell_bits(a, low, high, k) ||
            (cell_bits(a, low, high, m) == cell_bits(a, low, high, k) && m < k) ? 1 : 0); @/
      /@ assert new: cell_rank(a, low, high, m, m + 1) == cell_rank(a, low, high, m, m); @/
      /@ assert lower: \forall integer k; 0 <= k < m && cell_rank(a, low, high, k, m) < cell_rank(a, low, high, m, m) ==>
           cell_rank(a, low, high, k, m + 1) == cell_rank(a, low, high, k, m); @/
      /@ assert upper: \forall integer k; 0 <= k < m && cell_rank(a, low, high, m, m) <= cell_rank(a, low, high, k, m) ==>
           cell_rank(a, low, high, k, m + 1) == cell_rank(a, low, high, k, m) + 1; @/
      /@ assert unfold: \forall integer q; cell_origin(a, low, high, q, m + 1) ==
           (q == cell_rank(a, low, high, m, m) ? m :
             cell_origin(a, low, high, q < cell_rank(a, low, high, m, m) ? q : q - 1, m)); @/
    }
    /@ assert there: \forall integer k; 0 <= k < n ==>
         cell_rank(a, low, high, cell_origin(a, low, high, cell_rank(a, low, high, k, n), n), n) == cell_rank(a, low, high, k, n) &&
         cell_origin(a, low, high, cell_rank(a, low, high, k, n), n) == k; @/
  }
*/
