/* SPDX-License-Identifier: Apache-2.0 */
/* expect: its contract is not of level L2: it says nothing of the result */
#include <stdint.h>

/* level L2 */
/*@ requires writable: \valid(p);
    terminates \true; exits \false; assigns *p;
    ensures five: *p == 5; */
int32_t put_five(int32_t *p)
{
  *p = 5;
  return 1;
}
