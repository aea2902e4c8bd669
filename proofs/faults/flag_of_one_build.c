/* SPDX-License-Identifier: Apache-2.0 */
/* expect: make does not say how it is compiled, in one command that is the same wherever it builds */
/* make: CFLAGS=$(if $(filter build,$(B)),-include proofs/faults/none.c) */
#include <stdint.h>

/* level L1 */
/*@ requires entries: 0 <= n && \valid_read(a + (0 .. n - 1));
    terminates \true; exits \false; assigns \nothing;
    ensures range: 0 <= \result <= n; */
int64_t first_negative(const int32_t *a, int64_t n)
{
  int64_t i = 0;
  /*@ loop invariant range: 0 <= i <= n;
      loop assigns i;
      loop variant n - i; */
  while (i < n && a[i] >= 0) i++;
  return i;
}
