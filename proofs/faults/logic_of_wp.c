/* SPDX-License-Identifier: Apache-2.0 */
/* expect: logic bit_test: WP has one of this name */
#include <stdint.h>

/*@ logic boolean bit_test(integer x, integer n) = x == n; */

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
