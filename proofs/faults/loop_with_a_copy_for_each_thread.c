/* SPDX-License-Identifier: Apache-2.0 */
/* expect: #pragma omp parallel for private(i) */
#include <stdint.h>

#ifdef _OPENMP
#define SHARE _Pragma("omp parallel for private(i)")
#else
#define SHARE
#endif
/* level L1 */
/*@ requires few: 0 <= n < 1000;
    terminates \true; exits \false; assigns \nothing;
    ensures same: \result == n; */
int64_t counted(int64_t n)
{
  int64_t i = 0;
  /*@ loop invariant same: 0 <= k <= n && i == k;
      loop assigns i, k;
      loop variant n - k; */
  SHARE
  for (int64_t k = 0; k < n; k++) i++;
  return i;
}
