/* SPDX-License-Identifier: Apache-2.0 */
/* expect: #1 -- not among the directives */
#include <stdint.h>

# 1 "/usr/share/frama-c/libc/stdint.h" 1 3
#define FIRST 0
# 7 "line_marker_of_a_system_header.c" 2
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
