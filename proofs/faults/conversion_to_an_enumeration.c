/* SPDX-License-Identifier: Apache-2.0 */
/* expect: the conversion (kind)n -- WP does not ask whether a value of an enumerated type fits */
#include <stdint.h>

typedef enum kind { FIRST, SECOND } kind;
/* level L1 */
/*@ requires large: 0 <= n <= 0xfffffffff;
    terminates \true; exits \false; assigns \nothing;
    ensures same: \result == n; */
int64_t same(int64_t n)
{
  const kind k = (kind)n;
  return (int64_t)k;
}
