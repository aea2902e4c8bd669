/* SPDX-License-Identifier: Apache-2.0 */
/* expect: storing the address of local variable 'x' */
#include <stdint.h>

typedef struct box {
  const int32_t *p;
} box;

/* level L2 */
/*@ requires writable: \valid(out);
    terminates \true; exits \false; assigns *out;
    ensures five: *(out->p) == 5; */
void box_of_five(box *out, int32_t which)
{
  const int32_t x = 5;
  const int32_t *p = which ? &x : out->p;
  out->p = which ? p : &x;
}
