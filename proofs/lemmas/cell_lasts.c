/* SPDX-License-Identifier: Apache-2.0 */
#include "cell_lasts.h"

/*@ ghost
  void lem_cell_lasts(const spw_cell *a, int64_t n) {
    /@ loop invariant range: 0 <= m <= n;
       loop invariant found: \forall integer q; 0 <= cell_last(a, q, m) ==> cell_last(a, q, m) < m && cell_key(a, cell_last(a, q, m)) == q;
       loop invariant there: \forall integer k; 0 <= k < m ==> k <= cell_last(a, cell_key(a, k), m);
       loop assigns m; loop variant n - m; @/
    for (int64_t m = 0; m < n; m++) { }
    /@ assert behind: \forall integer q; 0 <= cell_last(a, q, n) < n - 1 ==> cell_key(a, cell_last(a, q, n) + 1) != q; @/
  }
*/
