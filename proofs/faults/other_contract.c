/* SPDX-License-Identifier: Apache-2.0 */
/* expect: differs from the one proved */
/* with: none.c */
#include <stdint.h>

/*@ requires sign: 0 <= n;
    terminates \true; exits \false; assigns \nothing;
    ensures \result == 7; */
int64_t first_negative(const int32_t *a, int64_t n);

/* level L1 */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures \result == 7; */
int64_t caller(void)
{
  return first_negative(0, 0);
}
