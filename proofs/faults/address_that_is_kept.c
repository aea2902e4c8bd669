/* SPDX-License-Identifier: Apache-2.0 */
/* expect: the address of x is kept */
#include <stdint.h>

typedef struct box {
  const int32_t *p;
} box;

/* level L2 */
/*@ requires writable: \valid(out);
    terminates \true; exits \false; assigns *out;
    ensures five: *(out->p) == 5; */
void box_of_five(box *out, uint32_t which)
{
  const int32_t x = 5;
  const int32_t *p[2] = {&x, &x};     /* gcc does not follow what an array holds at a place that it does not know */
  out->p = p[which & 1];
}
