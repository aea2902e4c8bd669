/* SPDX-License-Identifier: Apache-2.0 */
/* expect: reads through the result */
#include <stdint.h>

typedef struct box {
  const int32_t *p;
} box;

/* level L2 */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures five: *\result.p == 5; */
box box_of_five(void)
{
  const int32_t x = 5;
  const box b = {&x};
  return b;
}
