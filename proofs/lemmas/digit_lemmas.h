/* SPDX-License-Identifier: Apache-2.0 */
/* How sorting by one digit more gets from one rank of the cells to the next: spec/acsl/cell_digits.acsl. */
#ifndef SPW_LEMMAS_DIGIT_LEMMAS_H
#define SPW_LEMMAS_DIGIT_LEMMAS_H

#include "../../src/convert/indices/sort/sort_cells.h"
#include "../../spec/acsl/cell_digits.acsl"

/*@ ghost
  /@ requires cells: 0 <= n && \valid_read(a + (0 .. n - 1));
     requires places: 0 <= low <= shift < 64 && 1 <= width <= 8 && scale * pow2(width) == 256;
     terminates \true; exits \false; assigns \nothing;
     ensures sorts: digit_sorts(a, n, low, shift, scale, shift + width); @/
  void lem_cells_digit_sorts(const spw_cell *a, int64_t n, int low, int shift, int width, int scale);
*/

/*@ ghost
  /@ // the digits below j + 1 are those below j and those equal to j
     requires 0 <= n && 0 <= shift < 64 && 1 <= scale <= 128;
     terminates \true; exits \false; assigns \nothing;
     ensures step: \forall integer j; cells_below(a, shift, scale, j + 1, n) ==
       cells_below(a, shift, scale, j, n) + cells_with(a, shift, scale, j, n);
     ensures bound: \forall integer j; 0 <= cells_below(a, shift, scale, j, n) <= n;
     ensures mono: \forall integer i, j; i <= j ==> cells_below(a, shift, scale, i, n) <= cells_below(a, shift, scale, j, n);
     ensures none: cells_below(a, shift, scale, 0, n) == 0; @/
  void lem_cells_below(const spw_cell *a, int64_t n, int shift, int scale);
*/

/*@ ghost
  /@ // so does every digit of bits low .. high - 1
     requires cells: 0 <= n && \valid_read(a + (0 .. n - 1));
     requires places: 0 <= low < high <= 64 && 8 * (digits - 1) < high - low <= 8 * digits;
     requires last: last * pow2(high - low - 8 * (digits - 1)) == 256;
     terminates \true; exits \false; assigns \nothing;
     ensures sort: \forall integer i; 0 <= i < digits ==> digits_sort(a, n, low, high, digits, last, i); @/
  void lem_cells_digits_sort(const spw_cell *a, int64_t n, int low, int high, int digits, int last);
*/

#endif
