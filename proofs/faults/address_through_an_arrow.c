/* SPDX-License-Identifier: Apache-2.0 */
/* expect: the address of s is kept */
#include <stdint.h>

struct box { int32_t a, b; };
struct two { const int32_t *p, *q; };

/* level L2 */
/*@ requires readable: \valid_read(q);
    terminates \true; exits \false; assigns \nothing;
    ensures five: *\result.p == 5;
    ensures readable: \valid_read(\result.q); */
struct two pointers(const int32_t *q)
{
  struct box s = {1, 5};
  const struct two r = {&(&s)->b, q};
  return r;
}
