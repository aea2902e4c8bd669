/* SPDX-License-Identifier: Apache-2.0 */
/* expect: a remainder by n */
#include <stdint.h>

/* level L2 */
/*@ requires divisor: n != 0;
    terminates \true; exits \false; assigns \nothing;
    ensures rest: \result == a % n; */
int64_t rest_of_division(int64_t a, int64_t n)
{
  int64_t rest = a;
  rest %= n;
  return rest;
}
