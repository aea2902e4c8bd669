/* SPDX-License-Identifier: Apache-2.0 */
/* expect: pointers under '==' */
#include <stdint.h>

/* level L2 */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures never: \result == 0; */
int32_t end_is_the_other(void)
{
  int32_t a[4] = {1, 2, 3, 4}, b[4] = {1, 2, 3, 4};
  return a + 4 == b;
}
