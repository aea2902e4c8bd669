/* SPDX-License-Identifier: Apache-2.0 */
/* expect: found two contracts */
#include <stdint.h>

/*@ requires small: 0 <= n <= 9;
    terminates \true; exits \false; assigns \nothing;
    ensures seven: \result == 7; */
int64_t helper(int64_t n);

/* level L1 */
/*@ requires odd: n % 2 == 1; */
int64_t helper(int64_t n)
{
  return 7 + n / 10;
}
