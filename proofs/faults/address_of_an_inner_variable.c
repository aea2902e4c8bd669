/* SPDX-License-Identifier: Apache-2.0 */
/* expect: dangling-pointer */
#include <stdint.h>

/* level L2 */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures five: \result == 5; */
int32_t five(int32_t n)
{
  int32_t y = 5;
  const int32_t *p[1];
  p[0] = &y;
  if (n > 0) {
    int32_t x = 5;
    p[0] = &x;
  }
  return **p;
}
