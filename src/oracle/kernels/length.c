/* SPDX-License-Identifier: Apache-2.0 */
#include "limbs.h"

/* level L2 */
int64_t spw_limbs_length(const uint32_t *a, int64_t n)
{
  int64_t length = n;
  /*@ loop invariant range: 0 <= length <= n;
      loop invariant rest: \forall integer k; length <= k < n ==> a[k] == 0;
      loop assigns length;
      loop variant length; */
  while (length > 0 && a[length - 1] == 0) length--;
  /*@ ghost
    /@ loop invariant range: length <= i <= n;
       loop invariant same: limbs(a, i) == limbs(a, length);
       loop assigns i; loop variant n - i; @/
    for (int64_t i = length; i < n; i++) {
      /@ assert unfold: limbs(a, i + 1) == limbs(a, i) + a[i] * pow32(i); @/
    }
  */
  return length;
}
