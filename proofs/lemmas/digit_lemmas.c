/* SPDX-License-Identifier: Apache-2.0 */
#include "digit_lemmas.h"
#include "bit_lemmas.h"
#include "next_rank_lemmas.h"
#include "rank_lemmas.h"

/*@ ghost
  /@ // the cells of one digit, by their ranks
     requires 0 <= n;
     terminates \true; exits \false; assigns \nothing;
     ensures none: \forall integer j; cells_early(a, low, shift, scale, n, j, 0, n) == 0;
     ensures step: \forall integer j, p; 0 <= p < n ==> cells_early(a, low, shift, scale, n, j, p + 1, n) ==
       cells_early(a, low, shift, scale, n, j, p, n) +
       (cell_digit(a, shift, scale, cell_origin(a, low, shift, p, n)) == j ? 1 : 0);
     ensures all: \forall integer j; cells_early(a, low, shift, scale, n, j, n, n) == cells_with(a, shift, scale, j, n); @/
  void lem_cells_early(const spw_cell *a, int64_t n, int low, int shift, int scale) {
    lem_cells_origin(a, n, low, shift);
    /@ loop invariant range: 0 <= m <= n;
       loop invariant none: \forall integer j; cells_early(a, low, shift, scale, n, j, 0, m) == 0;
       loop invariant step: \forall integer j, p; 0 <= p < n ==> cells_early(a, low, shift, scale, n, j, p + 1, m) ==
         cells_early(a, low, shift, scale, n, j, p, m) + (cell_origin(a, low, shift, p, n) < m &&
         cell_digit(a, shift, scale, cell_origin(a, low, shift, p, n)) == j ? 1 : 0);
       loop invariant all: \forall integer j; cells_early(a, low, shift, scale, n, j, n, m) == cells_with(a, shift, scale, j, m);
       loop assigns m; loop variant n - m; @/
    for (int64_t m = 0; m < n; m++) {
      /@ assert here: \forall integer p; 0 <= p < n ==> (cell_origin(a, low, shift, p, n) == m <==>
           cell_rank(a, low, shift, m, n) == p); @/
      /@ assert unfold: \forall integer j, p; cells_early(a, low, shift, scale, n, j, p, m + 1) ==
           cells_early(a, low, shift, scale, n, j, p, m) +
           (cell_digit(a, shift, scale, m) == j && cell_rank(a, low, shift, m, n) < p ? 1 : 0); @/
      /@ assert unfold_all: \forall integer j; cells_with(a, shift, scale, j, m + 1) ==
           cells_with(a, shift, scale, j, m) + (cell_digit(a, shift, scale, m) == j ? 1 : 0); @/
    }
  }
*/

/*@ ghost
  void lem_cells_below(const spw_cell *a, int64_t n, int shift, int scale) {
    lem_bits_shift(0, shift);
    /@ loop invariant range: 0 <= t <= n;
       loop invariant step: \forall integer j; cells_below(a, shift, scale, j + 1, t) ==
         cells_below(a, shift, scale, j, t) + cells_with(a, shift, scale, j, t);
       loop invariant bound: \forall integer j; 0 <= cells_below(a, shift, scale, j, t) <= t;
       loop invariant mono: \forall integer i, j; i <= j ==> cells_below(a, shift, scale, i, t) <= cells_below(a, shift, scale, j, t);
       loop invariant none: cells_below(a, shift, scale, 0, t) == 0;
       loop assigns t; loop variant n - t; @/
    for (int64_t t = 0; t < n; t++) {
      /@ assert quotient: 0 <= a[t].key / pow2(shift); @/
      /@ assert digit: 0 <= cell_digit(a, shift, scale, t); @/
      /@ assert unfold: \forall integer j; cells_below(a, shift, scale, j, t + 1) ==
           cells_below(a, shift, scale, j, t) + (cell_digit(a, shift, scale, t) < j ? 1 : 0); @/
      /@ assert unfold_o: \forall integer j; cells_with(a, shift, scale, j, t + 1) ==
           cells_with(a, shift, scale, j, t) + (cell_digit(a, shift, scale, t) == j ? 1 : 0); @/
    }
  }
*/

/*@ ghost
  void lem_cells_digit_sorts(const spw_cell *a, int64_t n, int low, int shift, int width, int scale) {
    lem_bits_scale_range(width, scale);
    lem_cells_next_rank(a, n, low, shift, width, scale);
    lem_cells_early(a, n, low, shift, scale);
    lem_cells_origin(a, n, low, shift);
    lem_cells_below(a, n, shift, scale);
    lem_bits_digit_range(shift, scale);
    /@ assert digit: \forall integer k; 0 <= k < n ==> 0 <= cell_digit(a, shift, scale, k) < 256; @/
  }
*/

/*@ ghost
  void lem_cells_digits_sort(const spw_cell *a, int64_t n, int low, int high, int digits, int last) {
    /@ assert eight: pow2(8) == 256; @/
    /@ loop invariant range: 0 <= i <= digits;
       loop invariant sort: \forall integer t; 0 <= t < i ==> digits_sort(a, n, low, high, digits, last, t);
       loop assigns i; loop variant digits - i; @/
    for (int i = 0; i < digits; i++) {
      int width = i < digits - 1 ? 8 : high - low - 8 * i, scale = i < digits - 1 ? 1 : last;
      /@ assert scale: scale == scale_of(i, digits, last) && scale * pow2(width) == 256; @/
      /@ assert top: low + 8 * i + width == reach_of(low, high, i + 1); @/
      lem_cells_digit_sorts(a, n, low, low + 8 * i, width, scale);
      /@ assert now: digits_sort(a, n, low, high, digits, last, i); @/
    }
  }
*/
