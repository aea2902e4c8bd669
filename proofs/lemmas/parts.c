/* SPDX-License-Identifier: Apache-2.0 */
#include "parts.h"

/*@ ghost
  void lem_parts(int64_t n, int64_t m) {
    lem_times(n, m);
    /@ assert next: \forall integer k; 0 <= k < n ==> times(k, m) + m == times(k + 1, m); @/
    /@ assert lie: parts_lie(n, m); @/
    /@ loop invariant range: 0 <= t <= n;
       loop invariant cover: \forall integer x; 0 <= x < times(t, m) ==> in_part(x, n, m);
       loop assigns t; loop variant n - t; @/
    for (int64_t t = 0; t < n; t++) {
      /@ assert step: times(t + 1, m) == times(t, m) + m; @/
      /@ loop invariant range: 0 <= r <= m;
         loop invariant newest: \forall integer x; times(t, m) <= x < times(t, m) + r ==> in_part(x, n, m);
         loop assigns r; loop variant m - r; @/
      for (int64_t r = 0; r < m; r++) {
        /@ assert number: number_in(times(t, m) + r, n, m, t, r); @/
        /@ assert inside: in_part(times(t, m) + r, n, m); @/
      }
    }
  }
*/

/*@ logic integer only_place{L}(int64_t *shape, int64_t *strides, integer flat) = (flat % shape[0]) * strides[0];

    lemma one_dimension_only{L}: \forall int64_t *shape, int64_t *strides, integer flat;
      position_of(shape, strides, 1, flat) == only_place(shape, strides, flat);

    logic integer only_reach{L}(int64_t *shape, int64_t *strides) = (shape[0] - 1) * strides[0];

    lemma one_dimension_reach{L}: \forall int64_t *shape, int64_t *strides;
      reach(shape, strides, 1) == only_reach(shape, strides);
*/

/*@ ghost
  /@ // n batches, m apart
     requires one: 0 <= n && 0 <= m && \valid_read(shape) && \valid_read(strides) && shape[0] == n && strides[0] == m;
     terminates \true; exits \false; assigns \nothing;
     ensures place: \forall integer b; 0 <= b < n ==> position_of(shape, strides, 1, b) == times(b, m);
     ensures reach: n > 0 ==> reach(shape, strides, 1) == times(n - 1, m) && times(n - 1, m) + m == times(n, m); @/
  void lem_one_dimension(const int64_t *shape, const int64_t *strides, int64_t n, int64_t m) {
    lem_times(n, m);
    /@ loop invariant range: 0 <= b <= n;
       loop invariant place: \forall integer k; 0 <= k < b ==> position_of(shape, strides, 1, k) == times(k, m);
       loop assigns b; loop variant n - b; @/
    for (int64_t b = 0; b < n; b++) {
      /@ assert own: b % n == b; @/
      /@ assert product: times(b, m) == b * m; @/
      /@ assert along: only_place(shape, strides, b) == b * m; @/
      /@ assert place: position_of(shape, strides, 1, b) == times(b, m); @/
    }
    if (n > 0) {
      /@ assert product: times(n - 1, m) == (n - 1) * m; @/
      /@ assert reach: only_reach(shape, strides) == (n - 1) * m; @/
    }
  }
*/

/*@ ghost
  void lem_packed(spw_grid m) {
    lem_one_dimension(m.shape, m.c_strides, m.batches, m.C + 1);
    lem_one_dimension(m.shape, m.p_strides, m.batches, m.nse);
    lem_times(m.batches, m.nse);
    /@ assert none: m.nse == 0 ==> \forall integer b; 0 <= b < m.batches ==> times(b, m.nse) == 0; @/
    /@ assert starts: \forall integer b; 0 <= b < m.batches ==> compressed_start(m, b) == times(b, m.C + 1); @/
    /@ assert plain: \forall integer b; 0 <= b < m.batches ==> plain_start(m, b) == times(b, m.nse); @/
  }
*/
