/* SPDX-License-Identifier: Apache-2.0 */
/* expect: what is compiled is not what is proved */
/* make: CFLAGS=-D'SPW_CLONES=__attribute__((flatten,target_clones("avx2","default")))' */
#include <stdint.h>

#ifndef SPW_CLONES
#define SPW_CLONES
#endif
#define START_ 0
#define START___attribute__(x) 1
#define PASTED(x) START_##x
#define CHOSEN(x) PASTED(x)
/* level L1 */
/*@ requires entries: 0 <= n && \valid_read(a + (0 .. n - 1));
    terminates \true; exits \false; assigns \nothing;
    ensures range: 0 <= \result <= n; */
int64_t first_negative(const int32_t *a, int64_t n)
{
  int64_t i = CHOSEN(SPW_CLONES);
  /*@ loop invariant range: 0 <= i <= n;
      loop assigns i;
      loop variant n - i; */
  while (i < n && a[i] >= 0) i++;
  return i;
}
