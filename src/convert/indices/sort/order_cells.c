/* SPDX-License-Identifier: Apache-2.0 */
#include "order_cells.h"
#include "../../../../proofs/lemmas/rank_lemmas.h"

/*@ ghost
  void lem_keys_are_bits(const spw_cell *a, int64_t n, int bits) {
    /@ assert unit: pow2(0) == 1; @/
    /@ loop invariant range: 0 <= t <= n;
       loop invariant bits: \forall integer k; 0 <= k < t ==> cell_bits(a, 0, bits, k) == cell_key(a, k);
       loop assigns t; loop variant n - t; @/
    for (int64_t t = 0; t < n; t++) {
      /@ assert whole: a[t].key / pow2(0) == a[t].key; @/
      /@ assert small: 0 <= a[t].key < pow2(bits); @/
      /@ assert rest: a[t].key % pow2(bits) == a[t].key; @/
      /@ assert own: cell_bits(a, 0, bits, t) == cell_key(a, t); @/
    }
  }

  /@ // cells that are in order stay where they are
     requires range: 0 <= n;
     requires order: \forall integer i, j; 0 <= i < j < n ==> cell_bits(a, 0, bits, i) <= cell_bits(a, 0, bits, j);
     terminates \true; exits \false; assigns \nothing;
     ensures stay: \forall integer k; 0 <= k < n ==> cell_rank(a, 0, bits, k, n) == k;
     ensures origin: \forall integer q; 0 <= q < n ==> cell_origin(a, 0, bits, q, n) == q; @/
  void lem_cells_in_order(const spw_cell *a, int64_t n, int bits) {
    /@ loop invariant range: 0 <= m <= n;
       loop invariant stay: \forall integer k; 0 <= k < n ==> cell_rank(a, 0, bits, k, m) == (k < m ? k : m);
       loop assigns m; loop variant n - m; @/
    for (int64_t m = 0; m < n; m++) {
      /@ assert before: \forall integer k; m < k < n ==> cell_bits(a, 0, bits, m) <= cell_bits(a, 0, bits, k); @/
      /@ assert behind: \forall integer k; 0 <= k < m ==> cell_bits(a, 0, bits, k) <= cell_bits(a, 0, bits, m); @/
    }
    lem_cells_origin(a, n, 0, bits);
    /@ assert there: \forall integer q; 0 <= q < n ==> cell_rank(a, 0, bits, q, n) == q; @/
  }
*/

/* level L2 */
int spw_order_cells(spw_cell *a, spw_cell *b, int64_t n, int bits)
{
  //@ ghost lem_keys_are_bits(a, n, bits);
  //@ ghost lem_cells_origin(a, n, 0, bits);
  if (spw_cells_ascend(a, n) != 0) {
    //@ ghost lem_cells_in_order(a, n, bits);
    return 0;
  }
  const int where = spw_sort_cells(a, b, n, 0, bits);
  //@ ghost spw_cell *sorted = where == 0 ? a : b;
  /*@ assert ascending: \forall integer q, r; 0 <= q < r < n ==>
        cell_bits{Pre}(a, 0, bits, cell_origin{Pre}(a, 0, bits, q, n)) <= cell_bits{Pre}(a, 0, bits, cell_origin{Pre}(a, 0, bits, r, n)); */
  /*@ assert keys: \forall integer q; 0 <= q < n ==>
        cell_key(sorted, q) == cell_bits{Pre}(a, 0, bits, cell_origin{Pre}(a, 0, bits, q, n)); */
  return where;
}
