/* SPDX-License-Identifier: Apache-2.0 */
/* expect: a bit-field */
#include <stdint.h>

typedef struct parts {
  unsigned int low : 3;
  unsigned int high : 5;
} parts;

/* level L2 */
/*@ requires small: n < 8;
    terminates \true; exits \false; assigns \nothing;
    ensures same: \result == n; */
unsigned int low_part(unsigned int n)
{
  const parts p = {(unsigned char)(n & 7U), 0};
  return p.low;
}
