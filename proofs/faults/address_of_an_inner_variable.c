/* SPDX-License-Identifier: Apache-2.0 */
/* expect: the address of x is kept */
#include <stdint.h>

/* level L2 */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures five: \result == 5; */
int32_t five(uint32_t n)
{
  int32_t y = 5;
  const int32_t *p[2] = {&y, &y};     /* gcc does not follow what an array holds at a place that it does not know */
  if (n > 1) {
    int32_t x = 5;
    p[n & 1] = &x;
  }
  return *p[n & 1];
}
