/* SPDX-License-Identifier: Apache-2.0 */
/* expect: a string literal */
#include <stdint.h>

/* level L2 */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures first: \result == 97; */
int32_t first_letter(void)
{
  const char *const text = "abc";
  return text[0];
}
