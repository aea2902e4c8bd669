/* SPDX-License-Identifier: Apache-2.0 */
/* expect: a variable of the file */
#include <stdint.h>

static int64_t last[sizeof(const char)];
/* level L1 */
/*@ terminates \true; exits \false; assigns last[0];
    ensures kept: last[0] == n; */
void keep(int64_t n)
{
  last[0] = n;
}
