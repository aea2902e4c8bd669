/* SPDX-License-Identifier: Apache-2.0 */
/* expect: 'num' is defined otherwise in */
/* with: a_typedef.c */
#include <stdint.h>

typedef int8_t num;
/*@ requires small: 0 <= n <= 9;
    terminates \true; exits \false; assigns \nothing;
    ensures seven: \result == 7; */
int64_t helped(num n);

/* level L1 */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures seven: \result == 7; */
int64_t caller(void)
{
  return helped(1);
}
