/* SPDX-License-Identifier: Apache-2.0 */
/* expect: Pre is a label of ACSL */
#include <stdint.h>

enum { Pre = 3 };

/* level L2 */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures three: \result == 3; */
int32_t three(void)
{
  return Pre;
}
