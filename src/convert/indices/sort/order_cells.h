/* SPDX-License-Identifier: Apache-2.0 */
/* Cells in the order of their keys, which may be there already. */
#ifndef SPW_CONVERT_INDICES_SORT_ORDER_CELLS_H
#define SPW_CONVERT_INDICES_SORT_ORDER_CELLS_H

#include "sort_cells.h"

/*@ ghost
  /@ // keys are what they are sorted by
     requires range: 0 <= n && 0 <= bits <= 64 && \forall integer k; 0 <= k < n ==> cell_key(a, k) < pow2(bits);
     terminates \true; exits \false; assigns \nothing;
     ensures bits: \forall integer k; 0 <= k < n ==> cell_bits(a, 0, bits, k) == cell_key(a, k); @/
  void lem_keys_are_bits(const spw_cell *a, int64_t n, int bits);
*/

/* spw_sort_cells by all `bits` bits that keys have, of cells that may be in order: then they are looked at only. */
/*@ requires cells: 0 <= n && \valid(a + (0 .. n - 1)) && \valid(b + (0 .. n - 1));
    requires apart: \separated(a + (0 .. n - 1), b + (0 .. n - 1));
    requires keys: 0 <= bits <= 64 && \forall integer k; 0 <= k < n ==> cell_key(a, k) < pow2(bits);
    terminates \true; exits \false; assigns a[0 .. n - 1], b[0 .. n - 1];
    ensures one: \result == 0 || \result == 1;
    ensures placed: sorted_cells{Pre,Post}(a, n, 0, bits, \result == 0 ? a : b);
    ensures origin: \forall integer q; 0 <= q < n ==> 0 <= cell_origin{Pre}(a, 0, bits, q, n) < n &&
      cell_key(\result == 0 ? a : b, q) == cell_key{Pre}(a, cell_origin{Pre}(a, 0, bits, q, n)) &&
      cell_payload(\result == 0 ? a : b, q) == cell_payload{Pre}(a, cell_origin{Pre}(a, 0, bits, q, n));
    ensures ascending: \forall integer q, r; 0 <= q < r < n ==>
      cell_key(\result == 0 ? a : b, q) <= cell_key(\result == 0 ? a : b, r); */
int spw_order_cells(spw_cell *a, spw_cell *b, int64_t n, int bits);

#endif
