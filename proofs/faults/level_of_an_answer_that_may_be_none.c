/* SPDX-License-Identifier: Apache-2.0 */
/* expect: its contract is not of level L2: one result may be given always */
#include <stdint.h>

/* level L2 */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures half: \result == -1 || \result == n / 2; */
int32_t half(int32_t n)
{
  return n > 3 ? n / 2 : -1;
}
