/* SPDX-License-Identifier: Apache-2.0 */
/* expect: storing the address of local variable 'x' */
#include <stdint.h>

typedef struct box {
  const int32_t *p;
} box;

/* level L2 */
/*@ requires writable: \valid(out);
    terminates \true; exits \false; assigns *out;
    ensures kept: out->p == p; */
static void keep(box *out, const int32_t *p)
{
  out->p = p;
}

/* level L2 */
/*@ requires writable: \valid(out);
    terminates \true; exits \false; assigns *out;
    ensures five: *(out->p) == 5; */
void box_of_five(box *out)
{
  int32_t x = 5;
  keep(out, &x);
}
