/* SPDX-License-Identifier: Apache-2.0 */
#include "times.h"

/*@ ghost
  void lem_times(int64_t n, int64_t m) {
    /@ loop invariant range: 0 <= t <= n && times(t, m) == t * m;
       loop invariant product: \forall integer k; 0 <= k <= t ==> times(k, m) == k * m;
       loop invariant step: \forall integer k; 0 <= k < t ==> times(k + 1, m) == times(k, m) + m;
       loop invariant order: \forall integer a, b; 0 <= a <= b <= t ==> 0 <= times(a, m) <= times(b, m);
       loop assigns t; loop variant n - t; @/
    for (int64_t t = 0; t < n; t++) {
      /@ assert unfold: times(t + 1, m) == times(t, m) + m; @/
      /@ assert mul: (t + 1) * m == t * m + m; @/
    }
  }
*/
