/* SPDX-License-Identifier: Apache-2.0 */
/* expect: LoopEntry is a label of ACSL */
#include <stdint.h>

/* level L2 */
/*@ requires some: 0 < n;
    terminates \true; exits \false; assigns \nothing;
    ensures own: \result == n; */
int32_t own(int32_t n)
{
  if (n > 3) goto LoopEntry;
  return n;
LoopEntry:
  return n;
}
