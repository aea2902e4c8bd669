/* SPDX-License-Identifier: Apache-2.0 */
/* expect: a remainder by divisor */
#include <stdint.h>

/* level L2 */
/*@ requires divisor: 0 < n;
    terminates \true; exits \false; assigns \nothing;
    ensures rest: \result == a % -n; */
int32_t rest_of_division(int32_t a, int32_t n)
{
  int32_t divisor = n;
  //@ assert positive: divisor > 0;
  divisor = -n;
  return a % divisor;
}
