/* SPDX-License-Identifier: Apache-2.0 */
/* expect: a write inside an expression */
#include <stdint.h>

/* level L2 */
/*@ requires small: \valid(p) && \valid(q) && *q < 100;
    terminates \true; exits \false; assigns *p, *q;
    ensures one: p == q ==> *p == \old(*q); */
void next_and_put(int32_t *p, int32_t *q)
{
  *p = (*q)++;
}
