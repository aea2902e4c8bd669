/* SPDX-License-Identifier: Apache-2.0 */
/* expect: gcc says:  */
#include <stdint.h>

/* level L1 */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures one: \result == 1; */
int64_t one(a) int32_t a;
{
  (void)a;
  return 1;
}
