/* SPDX-License-Identifier: Apache-2.0 */
#include "next_rank_lemmas.h"
#include "bit_lemmas.h"
#include "rank_lemmas.h"

/*@ predicate digit_refines{L}(spw_cell *a, integer low, integer shift, integer scale, integer top, integer t, integer k) =
      (cell_bits(a, low, top, t) < cell_bits(a, low, top, k) <==>
        cell_digit(a, shift, scale, t) < cell_digit(a, shift, scale, k) ||
        (cell_digit(a, shift, scale, t) == cell_digit(a, shift, scale, k) &&
         cell_bits(a, low, shift, t) < cell_bits(a, low, shift, k))) &&
      (cell_bits(a, low, top, t) == cell_bits(a, low, top, k) <==>
        cell_digit(a, shift, scale, t) == cell_digit(a, shift, scale, k) &&
        cell_bits(a, low, shift, t) == cell_bits(a, low, shift, k)); */

/*@ ghost
  /@ // the digit decides, then the bits below it
     requires cells: 0 <= n && \valid_read(a + (0 .. n - 1));
     requires places: 0 <= low <= shift < 64 && 1 <= width <= 8 && scale * pow2(width) == 256;
     terminates \true; exits \false; assigns \nothing;
     ensures refines: \forall integer t, k; 0 <= t < n && 0 <= k < n ==> digit_refines(a, low, shift, scale, shift + width, t, k); @/
  void lem_cells_refines(const spw_cell *a, int64_t n, int low, int shift, int width, int scale) {
    /@ loop invariant range: 0 <= t <= n;
       loop invariant refines: \forall integer u, k; 0 <= u < t && 0 <= k < n ==>
         digit_refines(a, low, shift, scale, shift + width, u, k);
       loop assigns t; loop variant n - t; @/
    for (int64_t t = 0; t < n; t++) {
      /@ loop invariant range: 0 <= k <= n;
         loop invariant refines: \forall integer u; 0 <= u < k ==> digit_refines(a, low, shift, scale, shift + width, t, u);
         loop assigns k; loop variant n - k; @/
      for (int64_t k = 0; k < n; k++) {
        lem_bits_order(a[t].key, a[k].key, low, shift, width, scale);
      }
    }
  }
*/

/*@ ghost
  /@ // as many cells as there are with one digit: all have it
     requires 0 <= n;
     terminates \true; exits \false; assigns \nothing;
     ensures all: \forall integer j, k; 0 <= k < n && cells_with(a, shift, scale, j, n) == n ==>
       cell_digit(a, shift, scale, k) == j; @/
  void lem_cells_all(const spw_cell *a, int64_t n, int shift, int scale) {
    /@ loop invariant range: 0 <= m <= n;
       loop invariant most: \forall integer j; cells_with(a, shift, scale, j, m) <= m;
       loop invariant all: \forall integer j, k; 0 <= k < m && cells_with(a, shift, scale, j, m) == m ==>
         cell_digit(a, shift, scale, k) == j;
       loop assigns m; loop variant n - m; @/
    for (int64_t m = 0; m < n; m++) {
      /@ assert step: \forall integer j; cells_with(a, shift, scale, j, m + 1) == cells_with(a, shift, scale, j, m) +
           (cell_digit(a, shift, scale, m) == j ? 1 : 0); @/
    }
  }
*/

/*@ ghost
  void lem_cells_next_rank(const spw_cell *a, int64_t n, int low, int shift, int width, int scale) {
    lem_cells_refines(a, n, low, shift, width, scale);
    lem_cells_rank(a, n, low, shift);
    lem_cells_all(a, n, shift, scale);
    /@ assert order: \forall integer t, k; 0 <= t < n && 0 <= k < n ==>
         (cell_before(a, low, shift, t, k) <==> cell_rank(a, low, shift, t, n) < cell_rank(a, low, shift, k, n)); @/
    /@ assert both: \forall integer t, k; 0 <= t < n && 0 <= k < n ==>
         (cell_before(a, low, shift + width, t, k) <==> cell_digit(a, shift, scale, t) < cell_digit(a, shift, scale, k) ||
          (cell_digit(a, shift, scale, t) == cell_digit(a, shift, scale, k) &&
           cell_rank(a, low, shift, t, n) < cell_rank(a, low, shift, k, n))); @/
    /@ loop invariant range: 0 <= m <= n;
       loop invariant sum: \forall integer k; 0 <= k < n ==> cell_rank(a, low, shift + width, k, m) ==
         cells_below(a, shift, scale, cell_digit(a, shift, scale, k), m) +
         cells_early(a, low, shift, scale, n, cell_digit(a, shift, scale, k), cell_rank(a, low, shift, k, n), m);
       loop invariant same: \forall integer j, k; 0 <= k < n && cells_with(a, shift, scale, j, n) == n ==>
         cell_rank(a, low, shift + width, k, m) == cell_rank(a, low, shift, k, m);
       loop assigns m; loop variant n - m; @/
    for (int64_t m = 0; m < n; m++) {
      /@ assert raw: \forall integer k; cell_rank(a, low, shift + width, k, m + 1) == cell_rank(a, low, shift + width, k, m) +
           (cell_bits(a, low, shift + width, m) < cell_bits(a, low, shift + width, k) ||
            (cell_bits(a, low, shift + width, m) == cell_bits(a, low, shift + width, k) && m < k) ? 1 : 0); @/
      /@ assert now: \forall integer k; 0 <= k < n ==>
           (cell_bits(a, low, shift + width, m) < cell_bits(a, low, shift + width, k) ||
            (cell_bits(a, low, shift + width, m) == cell_bits(a, low, shift + width, k) && m < k) <==>
            cell_digit(a, shift, scale, m) < cell_digit(a, shift, scale, k) ||
            (cell_digit(a, shift, scale, m) == cell_digit(a, shift, scale, k) &&
             cell_rank(a, low, shift, m, n) < cell_rank(a, low, shift, k, n))); @/
      /@ assert unfold: \forall integer k; 0 <= k < n ==> cell_rank(a, low, shift + width, k, m + 1) ==
           cell_rank(a, low, shift + width, k, m) + (cell_digit(a, shift, scale, m) < cell_digit(a, shift, scale, k) ||
            (cell_digit(a, shift, scale, m) == cell_digit(a, shift, scale, k) &&
             cell_rank(a, low, shift, m, n) < cell_rank(a, low, shift, k, n)) ? 1 : 0); @/
      /@ assert unfold_low: \forall integer k; 0 <= k < n ==> cell_rank(a, low, shift, k, m + 1) ==
           cell_rank(a, low, shift, k, m) + (cell_rank(a, low, shift, m, n) < cell_rank(a, low, shift, k, n) ? 1 : 0); @/
      /@ assert alike: \forall integer j, k; 0 <= k < n && cells_with(a, shift, scale, j, n) == n ==>
           cell_digit(a, shift, scale, m) == cell_digit(a, shift, scale, k); @/
      /@ assert same: \forall integer j, k; 0 <= k < n && cells_with(a, shift, scale, j, n) == n ==>
           cell_rank(a, low, shift + width, k, m + 1) == cell_rank(a, low, shift, k, m + 1); @/
    }
  }
*/
