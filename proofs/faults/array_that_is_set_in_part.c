/* SPDX-License-Identifier: Apache-2.0 */
/* expect: t has no initializer */
#include <stdint.h>

/* level L1 */
/*@ requires place: 0 <= i <= 1; terminates \true; exits \false; assigns \nothing; ensures zero: \result == 0; */
int32_t zero(int32_t i)
{
  int32_t t[2];
  t[i] = 0;
  return t[1 - i] - t[1 - i];
}
