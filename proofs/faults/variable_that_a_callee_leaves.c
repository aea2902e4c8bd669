/* SPDX-License-Identifier: Apache-2.0 */
/* expect: x has no initializer */
#include <stdint.h>

/* level L1 */
/*@ requires one: \valid(p);
    terminates \true; exits \false; assigns *p;
    ensures set: n > 0 ==> *p == n; */
static void set(int32_t *p, int32_t n)
{
  if (n > 0) *p = n;
}

/* level L2 */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures zero: \result == 0; */
int32_t nothing(int32_t n)
{
  int32_t x;
  set(&x, n);
  return x - x;
}
