/* SPDX-License-Identifier: Apache-2.0 */
#include "sort_cells.h"
#include "cell_passes.h"
#include "../../../../proofs/lemmas/bit_lemmas.h"
#include "../../../../proofs/lemmas/digit_lemmas.h"
#include "../../../../proofs/lemmas/rank_lemmas.h"

/*@ ghost
  /@ // by no bits, all cells are equal and stay where they are
     requires 0 <= n;
     terminates \true; exits \false; assigns \nothing;
     ensures none: \forall integer k; cell_bits(a, low, low, k) == 0;
     ensures stay: \forall integer k; 0 <= k < n ==> cell_rank(a, low, low, k, n) == k; @/
  void lem_cells_no_bits(const spw_cell *a, int64_t n, int low) {
    /@ assert none: \forall integer k; cell_bits(a, low, low, k) == 0; @/
    /@ loop invariant range: 0 <= m <= n;
       loop invariant stay: \forall integer k; 0 <= k < n ==> cell_rank(a, low, low, k, m) == (k < m ? k : m);
       loop assigns m; loop variant n - m; @/
    for (int64_t m = 0; m < n; m++);
  }
*/

/* level L2 */
int spw_sort_cells(spw_cell *a, spw_cell *b, int64_t n, int low, int high)
{
  int64_t count[SPW_CELL_DIGITS_MAX * SPW_CELL_RADIX];
  //@ ghost lem_cells_no_bits(a, n, low);
  //@ ghost lem_cells_origin(a, n, low, high);
  //@ ghost lem_cells_rank(a, n, low, high);
  /*@ assert order: \forall integer q, r; 0 <= q < r < n ==>
        cell_before(a, low, high, cell_origin(a, low, high, q, n), cell_origin(a, low, high, r, n)); */
  /*@ assert rising: \forall integer q, r; 0 <= q < r < n ==> cell_bits(a, low, high, cell_origin(a, low, high, q, n)) <=
        cell_bits(a, low, high, cell_origin(a, low, high, r, n)); */
  if (low == high || n == 0) return 0;
  const int digits = (high - low + 7) / 8, bits = high - low - 8 * (digits - 1);
  //@ ghost lem_bits_last_scale(bits);
  const int last = SPW_CELL_RADIX >> bits;
  //@ ghost lem_cells_digits_sort(a, n, low, high, digits, last);
  spw_count_cell_digits(a, n, low, digits, (uint64_t)last, count);
  const int where = spw_sort_by_digits(a, b, n, low, high, digits, (uint64_t)last, count);
  //@ ghost spw_cell *sorted = where == 0 ? a : b;
  /*@ assert origins: \forall integer q; 0 <= q < n ==> 0 <= cell_origin{Pre}(a, low, high, q, n) < n &&
        cell_rank{Pre}(a, low, high, cell_origin{Pre}(a, low, high, q, n), n) == q &&
        cell_key(sorted, q) == cell_key{Pre}(a, cell_origin{Pre}(a, low, high, q, n)); */
  /*@ assert bits: \forall integer q; 0 <= q < n ==>
        cell_bits(sorted, low, high, q) == cell_bits{Pre}(a, low, high, cell_origin{Pre}(a, low, high, q, n)); */
  /*@ assert ascending: \forall integer q, r; 0 <= q < r < n ==> cell_bits(sorted, low, high, q) <= cell_bits(sorted, low, high, r); */
  return where;
}
