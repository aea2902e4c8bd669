/* SPDX-License-Identifier: Apache-2.0 */
/* expect: the prototype of helper differs */
/* with: helper.c */
#include <stdint.h>

/*@ requires small: 0 <= n <= 9;
    terminates \true; exits \false; assigns \nothing;
    ensures seven: \result == 7; */
int64_t helper(int32_t n);

/* level L1 */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures seven: \result == 7; */
int64_t caller(void)
{
  return helper(1);
}
