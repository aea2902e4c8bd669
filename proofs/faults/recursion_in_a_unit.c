/* SPDX-License-Identifier: Apache-2.0 */
/* expect: recursion:  */
#include <stdint.h>

/* level L1 */
/*@ requires bound: 0 <= n;
    terminates \true; exits \false; assigns \nothing;
    ensures zero: \result == 0; */
int64_t down(int64_t n)
{
  return n == 0 ? 0 : down(n - 1);
}
