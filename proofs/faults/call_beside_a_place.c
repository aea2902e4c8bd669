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
/*@ requires place: \valid(a + (0 .. 1)) && \valid(i) && *i == 0 && \separated(i, a + (0 .. 1));
    terminates \true; exits \false; assigns *i, a[0 .. 1];
    ensures put: a[1] == 2; */
void put_at(int64_t *a, int32_t *i)
{
  a[*i] = put(i);
}
