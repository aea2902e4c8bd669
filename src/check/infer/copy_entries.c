/* SPDX-License-Identifier: Apache-2.0 */
#include "copy_entries.h"

/* level L2 */
void spw_copy_entries(const int64_t *from, int64_t n, int64_t *to, int64_t at)
{
  /*@ loop invariant range: 0 <= i <= n;
      loop invariant copied: \forall integer j; at <= j < at + i ==> to[j] == \at(from[j - at], Pre);
      loop invariant kept: \forall integer j; 0 <= j < n ==> from[j] == \at(from[j], Pre);
      loop assigns i, to[at .. at + n - 1];
      loop variant n - i; */
  for (int64_t i = 0; i < n; i++) to[at + i] = from[i];
}
