/* SPDX-License-Identifier: Apache-2.0 */
/* expect: failed smoke test first_negative_i64_wp_smoke_default_requires */
#include <stdint.h>

/* level L1 */
/*@ requires entries: 0 <= n && \valid_read(a + (0 .. n - 1));
    terminates \true; exits \false; assigns \nothing;
    ensures range: 0 <= \result <= n; */
int64_t first_negative_i32(const int32_t *a, int64_t n)
{
  int64_t i = 0;
  /*@ loop invariant range: 0 <= i <= n;
      loop assigns i;
      loop variant n - i; */
  while (i < n && a[i] >= 0) i++;
  return i;
}

/* level L1 */
/*@ requires entries: 0 <= n && n < 0 && \valid_read(a + (0 .. n - 1));
    terminates \true; exits \false; assigns \nothing;
    ensures range: 0 <= \result <= n; */
int64_t first_negative_i64(const int64_t *a, int64_t n)
{
  int64_t i = 0;
  /*@ loop invariant range: 0 <= i <= n;
      loop assigns i;
      loop variant n - i; */
  while (i < n && a[i] >= 0) i++;
  return i;
}
