/* SPDX-License-Identifier: Apache-2.0 */
/* expect: its contract is not of level L2: one result may be given always */
#include <stdint.h>

/* level L2 */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures large: \result == 1 ==> n > 3; */
int32_t is_large(int32_t n)
{
  return n > 100;
}
