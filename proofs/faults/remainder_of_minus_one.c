/* SPDX-License-Identifier: Apache-2.0 */
/* expect: a remainder by n */
#include <stdint.h>

/* level L2 */
/*@ requires divisor: n != 0;
    terminates \true; exits \false; assigns \nothing;
    ensures rest: \result == a % n; */
int32_t rest_of_division(int32_t a, int32_t n)
{
  return a % n;
}
