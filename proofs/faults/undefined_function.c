/* SPDX-License-Identifier: Apache-2.0 */
/* expect: whose body is proved in no unit */
#include <stdint.h>

/*@ requires sign: 0 <= n;
    terminates \true; exits \false; assigns \nothing;
    ensures \result == 0; */
int64_t elsewhere(int64_t n);

/* level L1 */
/*@ requires sign: 0 <= n;
    terminates \true; exits \false; assigns \nothing;
    ensures \result == 0; */
int64_t caller(int64_t n)
{
  return elsewhere(n);
}
