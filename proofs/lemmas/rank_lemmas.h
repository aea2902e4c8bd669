/* SPDX-License-Identifier: Apache-2.0 */
/* The ranks of cells are the numbers 0 .. n - 1, each once, in the order of the cells: spec/acsl/cells.acsl. */
#ifndef SPW_LEMMAS_RANK_LEMMAS_H
#define SPW_LEMMAS_RANK_LEMMAS_H

#include "../../src/convert/indices/sort/sort_cells.h"

/*@ ghost
  /@ // ranks among the first j cells
     requires 0 <= n;
     terminates \true; exits \false; assigns \nothing;
     ensures count: \forall integer k, j; 0 <= k < n && 0 <= j <= n ==> 0 <= cell_rank(a, low, high, k, j) <= j;
     ensures less: \forall integer k, j; 0 <= k < j <= n ==> cell_rank(a, low, high, k, j) < j;
     ensures order: \forall integer t, k, j; 0 <= t < n && 0 <= k < n && 0 <= j <= n &&
       cell_before(a, low, high, t, k) ==> cell_rank(a, low, high, t, j) <= cell_rank(a, low, high, k, j);
     ensures strict: \forall integer t, k, j; 0 <= t < j <= n && 0 <= k < n &&
       cell_before(a, low, high, t, k) ==> cell_rank(a, low, high, t, j) < cell_rank(a, low, high, k, j); @/
  void lem_cells_rank(const spw_cell *a, int64_t n, int low, int high);
*/

/*@ ghost
  /@ // cell_origin is the inverse of cell_rank
     requires 0 <= n;
     terminates \true; exits \false; assigns \nothing;
     ensures back: \forall integer q; 0 <= q < n ==> 0 <= cell_origin(a, low, high, q, n) < n &&
       cell_rank(a, low, high, cell_origin(a, low, high, q, n), n) == q;
     ensures there: \forall integer k; 0 <= k < n ==> 0 <= cell_rank(a, low, high, k, n) < n &&
       cell_origin(a, low, high, cell_rank(a, low, high, k, n), n) == k; @/
  void lem_cells_origin(const spw_cell *a, int64_t n, int low, int high);
*/

#endif
