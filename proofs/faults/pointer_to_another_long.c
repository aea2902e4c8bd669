/* SPDX-License-Identifier: Apache-2.0 */
/* expect: a cast to 'long long *' (BitCast) */
#include <stdint.h>

/*@ requires there: \valid(p);
    terminates \true;
    exits \false;
    assigns *p;
    ensures changed: \result == 2; */
/* level L2 */
int64_t changed_by_another_long(int64_t *p);

int64_t changed_by_another_long(int64_t *p)
{
  long long *q = (long long *)p;
  *p = 1;
  *q = 2;
  return *p;
}
