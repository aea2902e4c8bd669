/* SPDX-License-Identifier: Apache-2.0 */
/* expect: the address of x goes to keep */
#include <stdint.h>

typedef struct box {
  const int32_t *p;
} box;

/* level L2 */
/*@ requires writable: \valid(out);
    terminates \true; exits \false; assigns *out;
    ensures kept: out->p == p; */
static void keep(box *out, const int32_t *p, uint32_t which)
{
  const int32_t *both[2] = {p, p};    /* gcc does not follow what an array holds at a place that it does not know */
  out->p = both[which & 1];
}

/* level L2 */
/*@ requires writable: \valid(out);
    terminates \true; exits \false; assigns *out;
    ensures five: *(out->p) == 5; */
void box_of_five(box *out, uint32_t which)
{
  int32_t x = 5;
  keep(out, &x, which);
}
