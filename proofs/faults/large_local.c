/* SPDX-License-Identifier: Apache-2.0 */
/* expect: bytes of local variables */
#include <stdint.h>

/* level L2 */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures five: \result == 5; */
int32_t five(void)
{
  int32_t a[1 << 22];
  a[7] = 5;
  return a[7];
}
