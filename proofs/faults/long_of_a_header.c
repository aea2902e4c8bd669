/* SPDX-License-Identifier: Apache-2.0 */
/* expect: the reserved name INT32_C */
#include <stdint.h>

/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures next: \result == n + 1; */
/* level L2 */
int64_t next_number(int32_t n);

int64_t next_number(int32_t n)
{
  return n + INT32_C(1);
}
