/* SPDX-License-Identifier: Apache-2.0 */
#include "entries.h"

/* level L2 */
int spw_entries_equal(const int64_t *a, const int64_t *b, int64_t n)
{
  /*@ loop invariant range: 0 <= i <= n;
      loop invariant same: equal(a, b, i);
      loop assigns i;
      loop variant n - i; */
  for (int64_t i = 0; i < n; i++)
    if (a[i] != b[i]) return 0;
  return 1;
}

/* level L2 */
int spw_entries_non_negative(const int64_t *a, int64_t n)
{
  /*@ loop invariant range: 0 <= i <= n;
      loop invariant sign: non_negative(a, i);
      loop assigns i;
      loop variant n - i; */
  for (int64_t i = 0; i < n; i++)
    if (a[i] < 0) return 0;
  return 1;
}
