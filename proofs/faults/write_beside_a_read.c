/* SPDX-License-Identifier: Apache-2.0 */
/* expect: a write inside an expression */
#include <stdint.h>

/* level L2 */
/*@ requires small: \valid(p) && \valid_read(q) && 0 <= *p < 100 && 0 <= *q < 100;
    terminates \true; exits \false; assigns *p;
    ensures one: p == q ==> \result == 2 * \old(*p) + 1; */
int32_t next_and_sum(int32_t *p, const int32_t *q)
{
  return (*p)++ + *q;
}
