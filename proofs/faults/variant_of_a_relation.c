/* SPDX-License-Identifier: Apache-2.0 */
/* expect: nobody checks that it is well-founded */
#include <stdint.h>

/*@ predicate nearer(integer a, integer b) = \true; */

/* level L1 */
/*@ requires entries: 0 <= n && \valid_read(a + (0 .. n - 1));
    terminates \true; exits \false; assigns \nothing;
    ensures range: 0 <= \result <= n; */
int64_t first_negative(const int32_t *a, int64_t n)
{
  int64_t i = 0;
  /*@ loop invariant range: 0 <= i <= n;
      loop assigns i;
      loop variant n - i for nearer; */
  while (i < n && a[i] >= 0) i++;
  return i;
}
