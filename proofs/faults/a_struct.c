/* SPDX-License-Identifier: Apache-2.0 */
/* no fault */
#include <stdint.h>

struct pair { int32_t first; int32_t second; };
/* level L1 */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures first: \result == pair.first; */
int32_t first_of(struct pair pair)
{
  return pair.first;
}
