/* SPDX-License-Identifier: Apache-2.0 */
#include "times_at.h"

/*@ ghost
  void lem_times_at(int64_t a, int64_t b, int64_t m) { lem_times(b, m); }

  void lem_times_within(int64_t n, int64_t m) {
    lem_times(n, m);
    /@ assert next: \forall integer k; 0 <= k < n ==> times(k, m) + m == times(k + 1, m); @/
  }

  void lem_times_sum(int64_t a, int64_t b, int64_t m) {
    /@ loop invariant range: a <= t <= b;
       loop invariant sum: times(a, m) + times(t - a, m) == times(t, m);
       loop assigns t; loop variant b - t; @/
    for (int64_t t = a; t < b; t++) {
      /@ assert step: times(t + 1, m) == times(t, m) + m && times(t + 1 - a, m) == times(t - a, m) + m; @/
    }
  }

  void lem_times_area(int64_t n, int64_t bh, int64_t bw, int64_t bs) {
    lem_times(bh, bw);
    lem_times(n, bw);
    lem_times(n, bs);
    /@ assert wide: bw <= bs && n * bw <= n * bs; @/
    lem_times(bh, n * bw);
    /@ assert area: bh * (n * bw) == n * (bh * bw); @/
    /@ assert blocks: times(n, bs) == n * (bh * bw); @/
    /@ assert lines: times(bh, n * bw) == bh * (n * bw) && times(n, bw) == n * bw; @/
  }
*/
