/* SPDX-License-Identifier: Apache-2.0 */
/* expect: a macro before a header? */
#include <stdint.h>

/* The function that is proved takes and returns what others do not know of. */
#define int64_t int32_t
#include "../../src/core/size.h"
#undef int64_t

/* level L2 */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures one: \result == 1; */
int64_t one(void)
{
  return 1;
}
