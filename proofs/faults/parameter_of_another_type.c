/* SPDX-License-Identifier: Apache-2.0 */
/* expect: uses the contract of hint, whose body is proved in no unit */
#include <stdint.h>

/*@ axiomatic of_hints {
      logic uint8_t hint_of(int32_t n);
    } */

/*@ terminates \true; exits \false; assigns \nothing; ensures meaning: \result == hint_of(n); */
int32_t hint(int32_t n);

/* level L2 */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures small: \result == hint_of(n) && 0 <= \result <= 255; */
int32_t small_hint(int32_t n)
{
  return hint(n);
}
