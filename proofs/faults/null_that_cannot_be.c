/* SPDX-License-Identifier: Apache-2.0 */
/* expect: 'static' in the brackets of a parameter */
#include <stdint.h>

/* level L2 */
/*@ requires one: p != \null ==> \valid_read(p); terminates \true; exits \false; assigns \nothing;
    ensures null: \result == (p == \null ? 0 : 1); */
int32_t is_there(const int32_t p[static 1])
{
  return p ? 1 : 0;
}
