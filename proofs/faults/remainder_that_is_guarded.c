/* SPDX-License-Identifier: Apache-2.0 */
/* no fault */
#include <stdint.h>

/* level L2 */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures rest: \result == (n >= 1 && a % n == 0 ? 1 : m >= 1 ? a % m : 0); */
int32_t rest_of_division(int32_t a, int32_t n, int32_t m)
{
  if (n >= 1 && a % n == 0) return 1;
  if (m < 1) return 0;
  return a % m;
}
