/* SPDX-License-Identifier: Apache-2.0 */
/* expect: the type int_fast16_t */
#include <stdint.h>

/* level L2 */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures four: \result == 4; */
int64_t bytes(void)
{
  return (int64_t)sizeof(int_fast16_t);
}
