/* SPDX-License-Identifier: Apache-2.0 */
/* expect: a call of put, which assigns, beside an access of memory */
#include <stdint.h>

/* level L2 */
/*@ requires writable: \valid(p);
    terminates \true; exits \false; assigns *p;
    ensures put: *p == 1 && \result == 2; */
static int32_t put(int32_t *p)
{
  *p = 1;
  return 2;
}

/* level L2 */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures sum: \result == 3; */
int32_t sum_of_both(void)
{
  int32_t y = 10;
  return put(&y) + y;
}
