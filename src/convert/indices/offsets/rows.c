/* SPDX-License-Identifier: Apache-2.0 */
/* Compressed lines and the line of each element. */
#ifndef IDX
#include "rows.h"

#define SPW_TEMPLATE "../convert/indices/offsets/rows.c"
#include "../../../core/each_index_type.h"

#else /* for each index type */

/* level L2 */
void N(spw_expand_rows)(const IDX *ptr, int64_t major, int64_t n, IDX *out_row)
{
  (void)n;
  //@ ghost N(lem_line_only)(ptr, major, n);
  //@ ghost N(lem_line_order)(ptr, major, n);
  int64_t k = 0;
  /*@ loop invariant range: 0 <= i <= major && 0 <= k <= n && k == \at(ptr[\at(i,Here)],Pre);
      loop invariant expanded: \forall integer m; 0 <= m < k ==> out_row[m] == N(line_of){Pre}(ptr, major, m);
      loop assigns i, k, out_row[0 .. n - 1];
      loop variant major - i; */
  for (int64_t i = 0; i < major; i++) {
    const int64_t end = ptr[i + 1];
    //@ assert end: end == \at(ptr[\at(i,Here) + 1],Pre);
    //@ assert line: \at(ptr[\at(i,Here)],Pre) == k <= end <= n;
    /*@ loop invariant range: \at(k,LoopEntry) <= k <= end;
        loop invariant expanded: \forall integer m; 0 <= m < k ==> out_row[m] == N(line_of){Pre}(ptr, major, m);
        loop assigns k, out_row[0 .. n - 1];
        loop variant end - k; */
    for (; k < end; k++) {
      //@ assert mine: N(line_of){Pre}(ptr, major, k) == i;
      out_row[k] = (IDX)i;
      //@ assert kept: \forall integer m; 0 <= m < k ==> out_row[m] == \at(out_row[m],LoopCurrent);
    }
  }
}

/* level L2 */
void N(spw_compress_rows)(const IDX *row, int64_t n, int64_t major, IDX *out_ptr)
{
  int64_t k = 0;
  out_ptr[0] = 0;
  /*@ loop invariant range: 0 <= i <= major && 0 <= k <= n && out_ptr[i] == k && out_ptr[0] == 0;
      loop invariant same: \forall integer m; 0 <= m < n ==> row[m] == \at(row[m],Pre);
      loop invariant before: \forall integer m; 0 <= m < k ==> \at(row[m],Pre) < i;
      loop invariant after: \forall integer m; k <= m < n ==> \at(row[m],Pre) >= i;
      loop invariant order: \forall integer t; 1 <= t <= i ==> 0 <= out_ptr[t - 1] <= out_ptr[t] <= k;
      loop invariant lower: \forall integer t, m; 0 <= t <= i && 0 <= m < n ==> (out_ptr[t] <= m <==> t <= \at(row[m],Pre));
      loop assigns i, k, out_ptr[0 .. major];
      loop variant major - i; */
  for (int64_t i = 0; i < major; i++) {
    /*@ loop invariant range: \at(k,LoopEntry) <= k <= n;
        loop invariant mine: \forall integer m; \at(k,LoopEntry) <= m < k ==> row[m] == i;
        loop assigns k;
        loop variant n - k; */
    while (k < n && row[k] == i) k++;
    //@ assert stop: \forall integer m; k <= m < n ==> \at(row[m],Pre) >= i + 1;
    //@ assert passed: \forall integer m; 0 <= m < k ==> \at(row[m],Pre) < i + 1;
    out_ptr[i + 1] = (IDX)k;
    //@ assert kept: \forall integer t; 0 <= t <= i ==> out_ptr[t] == \at(out_ptr[t],LoopCurrent);
    //@ assert kept_row: \forall integer m; 0 <= m < n ==> row[m] == \at(row[m],Pre);
  }
  //@ assert end: k < n ==> \at(row[\at(k,Here)],Pre) >= major;
}

#endif
