/* SPDX-License-Identifier: Apache-2.0 */
/* expect: recursion:  */
/* with: recursion_across_units_back.c */
#include <stdint.h>

/*@ requires small: 0 <= n <= 9;
    terminates \true; exits \false; assigns \nothing;
    ensures seven: \result == 7; */
int64_t helper(int64_t n);

/* level L1 */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures seven: \result == 7; */
int64_t caller(void)
{
  return helper(1);
}
