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
    ensures first: \result == a - b; */
static int32_t difference(int32_t a, int32_t b)
{
  return a > 0 && b > 0 ? a - b : a > 0 || b > 0 ? a / 2 - b / 2 : 0;
}

/* level L2 */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures sum: \result == 1; */
int32_t difference_of_both(void)
{
  int32_t y = 10;
  return difference(put(&y), y);
}
