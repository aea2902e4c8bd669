/* SPDX-License-Identifier: Apache-2.0 */
/* expect: a cast to 'int32_t *' (IntegralToPointer) */
#include <stdint.h>

/*@ requires there: \valid(p);
    terminates \true;
    exits \false;
    assigns *p;
    ensures kept: \result == 1; */
/* level L2 */
int64_t kept_through_a_number(int64_t *p);

int64_t kept_through_a_number(int64_t *p)
{
  int32_t *q = (int32_t *)(uint64_t)p;
  *p = 1;
  *q = 2;
  return *p;
}
