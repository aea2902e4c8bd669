/* SPDX-License-Identifier: Apache-2.0 */
/* expect: logic of any type */
#include <stdint.h>

/*@ logic integer grows<A>(A x, integer n) = n + 1; */

/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures same: \result == 1; */
/* level L2 */
int64_t one_number(void);

int64_t one_number(void)
{
  return 1;
}
