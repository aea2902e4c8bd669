/* SPDX-License-Identifier: Apache-2.0 */
/* expect: one result may be given always, whatever holds: 0 */
#include <stdint.h>

/* level L2 */
/*@ requires readable: 0 <= n && \valid_read(p + (0 .. n - 1));
    terminates \true; exits \false; assigns \nothing;
    ensures zeros: \result != 0 ==> (\forall integer i; 0 <= i < n ==> p[i] == 0);
    ensures truth: \result == 0 || \result == 1; */
int32_t are_zeros(const int32_t *p, int64_t n)
{
  (void)p, (void)n;
  return 0;
}
