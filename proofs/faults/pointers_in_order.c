/* SPDX-License-Identifier: Apache-2.0 */
/* expect: pointers under '<' */
#include <stdint.h>

/* level L2 */
/*@ requires readable: \valid_read(p) && \valid_read(q);
    terminates \true; exits \false; assigns \nothing;
    ensures order: \result == (p < q ? 1 : 0); */
int32_t lies_before(const int32_t *p, const int32_t *q)
{
  return p < q;
}
