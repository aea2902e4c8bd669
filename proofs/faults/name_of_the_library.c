/* SPDX-License-Identifier: Apache-2.0 */
/* expect: knows a function of this name */
#include <stdint.h>

/* level L2 */
/*@ terminates \true; exits \false; assigns \nothing; ensures own: \result == x; */
int abs(int x)
{
  return x;
}

/* level L2 */
/*@ terminates \true; exits \false; assigns \nothing; ensures own: \result == -1; */
int minus_one(void)
{
  return abs(-1);
}
