/* SPDX-License-Identifier: Apache-2.0 */
/* expect: whose body is proved in no unit */
#include <stdint.h>

/*@ terminates \true; exits \false; assigns \nothing;
    ensures seven: \result == 7; */
int64_t caller(void);

/* level L1 */
/*@ requires small: 0 <= n <= 9;
    terminates \true; exits \false; assigns \nothing;
    ensures seven: \result == 7; */
int64_t helper(int64_t n)
{
  (void)n;
  return caller();
}
