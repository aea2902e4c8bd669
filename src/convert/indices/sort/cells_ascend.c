/* SPDX-License-Identifier: Apache-2.0 */
#include "sort_cells.h"

/* level L2 */
int spw_cells_ascend(const spw_cell *a, int64_t n)
{
  int strict = 1;
  /*@ loop invariant range: 1 <= k && (0 < n ==> k <= n) && (strict == 0 || strict == 1);
      loop invariant ascending: \forall integer i, j; 0 <= i < j < k && j < n ==> cell_key(a, i) <= cell_key(a, j);
      loop invariant strictly: strict == 1 <==>
        \forall integer i, j; 0 <= i < j < k && j < n ==> cell_key(a, i) < cell_key(a, j);
      loop assigns k, strict;
      loop variant n - k; */
  for (int64_t k = 1; k < n; k++) {
    //@ assert last: cell_key(a, k - 1) == a[k - 1].key && cell_key(a, k) == a[k].key;
    if (a[k].key < a[k - 1].key) return 0;
    if (a[k].key == a[k - 1].key) strict = 0;
  }
  return 1 + strict;
}
