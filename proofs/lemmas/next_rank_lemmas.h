/* SPDX-License-Identifier: Apache-2.0 */
/* The rank of a cell by one digit more: spec/acsl/cell_digits.acsl. */
#ifndef SPW_LEMMAS_NEXT_RANK_LEMMAS_H
#define SPW_LEMMAS_NEXT_RANK_LEMMAS_H

#include "../../src/convert/indices/sort/sort_cells.h"
#include "../../spec/acsl/cell_digits.acsl"

/*@ ghost
  /@ // the rank by one digit more
     requires cells: 0 <= n && \valid_read(a + (0 .. n - 1));
     requires places: 0 <= low <= shift < 64 && 1 <= width <= 8 && scale * pow2(width) == 256;
     terminates \true; exits \false; assigns \nothing;
     ensures sum: \forall integer k; 0 <= k < n ==> cell_rank(a, low, shift + width, k, n) ==
       cells_below(a, shift, scale, cell_digit(a, shift, scale, k), n) +
       cells_early(a, low, shift, scale, n, cell_digit(a, shift, scale, k), cell_rank(a, low, shift, k, n), n);
     ensures same: \forall integer j, k; 0 <= k < n && cells_with(a, shift, scale, j, n) == n ==>
       cell_rank(a, low, shift + width, k, n) == cell_rank(a, low, shift, k, n); @/
  void lem_cells_next_rank(const spw_cell *a, int64_t n, int low, int shift, int width, int scale);
*/

#endif
