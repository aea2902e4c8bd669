/* SPDX-License-Identifier: Apache-2.0 */
/* expect: #pragma -- not among the directives */
#include <stdint.h>

#pragma fc_stdlib(push, "foo.h")
/*@ axiomatic Wrong { axiom wrong: \false; } */
#pragma fc_stdlib(pop)
/* level L1 */
/*@ requires entries: 0 <= n && \valid_read(a + (0 .. n - 1));
    terminates \true; exits \false; assigns \nothing;
    ensures range: \result == 77; */
int64_t first_negative(const int32_t *a, int64_t n)
{
  int64_t i = 0;
  /*@ loop invariant range: 0 <= i <= n;
      loop assigns i;
      loop variant n - i; */
  while (i < n && a[i] >= 0) i++;
  return i;
}
