/* SPDX-License-Identifier: Apache-2.0 */
/* expect: recursion not seen to be well-founded */
#include <stdint.h>

/*@ logic integer sum(integer n) = (n <= 0 ? 0 : 1) + sum(n - 1) * sum(n - 1); */
/* level L1 */
/*@ requires entries: 0 <= n && \valid_read(a + (0 .. n - 1));
    terminates \true; exits \false; assigns \nothing;
    ensures range: \result <= n || sum(0) == 1; */
int64_t first_negative(const int32_t *a, int64_t n)
{
  int64_t i = 0;
  /*@ loop invariant range: 0 <= i <= n;
      loop assigns i;
      loop variant n - i; */
  while (i < n && a[i] >= 0) i++;
  return i;
}
