/* SPDX-License-Identifier: Apache-2.0 */
/* expect: the conversion (int32_t)k -- WP does not ask whether a value of an enumerated type fits */
#include <stdint.h>

typedef enum kind { FIRST, SECOND } kind;
/* level L1 */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures same: \result == n; */
int64_t same(uint32_t n)
{
  const kind k = n;
  const int32_t small = (int32_t)k;
  return small;
}
