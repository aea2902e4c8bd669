/* SPDX-License-Identifier: Apache-2.0 */
/* expect: it ensures nothing */
#include <stdint.h>

/*@ predicate told(integer r) = r == r || r > 7; */

/* level L2 */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures told: told(\result); */
int32_t first(int32_t a)
{
  return a;
}
