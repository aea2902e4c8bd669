/* SPDX-License-Identifier: Apache-2.0 */
#include "times_twice.h"

/*@ ghost
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
