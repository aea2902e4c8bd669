/* SPDX-License-Identifier: Apache-2.0 */
#include "times_part.h"

/*@ ghost
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
*/
