/* SPDX-License-Identifier: Apache-2.0 */
/* no fault */
#include <stdint.h>

/* level L1 */
/*@ requires small: 0 <= n <= 9;
    terminates \true; exits \false; assigns \nothing;
    ensures seven: \result == 7; */
int64_t helper(int64_t n)
{
  return 7 + n / 10;
}
