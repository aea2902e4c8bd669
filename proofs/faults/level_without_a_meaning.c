/* SPDX-License-Identifier: Apache-2.0 */
/* expect: its contract is not of level L2: it ensures nothing */
#include <stdint.h>

/* level L2 */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures nothing: \true; */
int32_t twice(int32_t n)
{
  return n / 2;
}
