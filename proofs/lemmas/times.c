/* SPDX-License-Identifier: Apache-2.0 */
/* Sums that products are: of times.h, times_at.h, times_apart.h, times_part.h and times_twice.h. */
#include "times.h"
#include "times_at.h"
#include "times_apart.h"
#include "times_part.h"
#include "times_twice.h"

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

  void lem_times_apart(int64_t n, int64_t m) {
    lem_times(n, m);
    /@ assert next: \forall integer k; 0 <= k < n ==> times(k, m) + m == times(k + 1, m); @/
  }

  void lem_times_product(int64_t k, int64_t m) { lem_times(k, m); }

  void lem_times_part(int64_t from, int64_t n, int64_t m) {
    /@ loop invariant range: 0 <= t <= n;
       loop invariant follow: parts_follow(from, t, m);
       loop assigns t; loop variant n - t; @/
    for (int64_t t = 0; t < n; t++) {
      /@ assert next: times(t + 1, m) == times(t, m) + m; @/
      /@ assert behind: times(from + t + 1, m) == times(from + t, m) + m; @/
    }
  }

  void lem_times_twice(int64_t b, int64_t C, int64_t h, int64_t w) {
    /@ loop invariant range: 0 <= t <= b && 0 <= times(t, C);
       loop invariant whole: times(times(t, C), h) == times(t, w);
       loop assigns t; loop variant b - t; @/
    for (int64_t t = 0; t < b; t++) {
      /@ loop invariant range: 0 <= i <= C;
         loop invariant part: times(times(t, C) + i, h) == times(t, w) + times(i, h);
         loop assigns i; loop variant C - i; @/
      for (int64_t i = 0; i < C; i++) {
        /@ assert step: times(times(t, C) + i + 1, h) == times(times(t, C) + i, h) + h && times(i + 1, h) == times(i, h) + h; @/
      }
      /@ assert next: times(t + 1, C) == times(t, C) + C && times(t + 1, w) == times(t, w) + w; @/
    }
    /@ loop invariant range: 0 <= i <= C;
       loop invariant part: \forall integer k; 0 <= k <= i ==> times(times(b, C) + k, h) == times(b, w) + times(k, h);
       loop assigns i; loop variant C - i; @/
    for (int64_t i = 0; i < C; i++) {
      /@ assert step: times(times(b, C) + i + 1, h) == times(times(b, C) + i, h) + h && times(i + 1, h) == times(i, h) + h; @/
    }
  }
*/
