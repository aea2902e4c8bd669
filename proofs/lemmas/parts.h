/* SPDX-License-Identifier: Apache-2.0 */
/* Lines in parts of equal length, and batches: ghost functions, proved in parts.c. */
#ifndef SPW_LEMMAS_PARTS_H
#define SPW_LEMMAS_PARTS_H

#include "times.h"
#include "../../src/view/grid.h"
#include "../../spec/acsl/packed.acsl"

/*@ ghost
  /@ requires sizes: 0 <= n && 0 < m;
     terminates \true; exits \false; assigns \nothing;
     ensures lie: parts_lie(n, m);
     ensures cover: parts_cover(n, m); @/
  void lem_parts(int64_t n, int64_t m);
*/

/*@ ghost
  /@ // batches that lie one behind the other, as one dimension
     requires sizes: 0 <= m.batches && 0 <= m.C < INT64_MAX && 0 <= m.nse;
     requires one: m.ndim == 1 && m.c_offset == 0 && m.p_offset == 0 && \valid_read(m.shape) && \valid_read(m.c_strides) &&
       \valid_read(m.p_strides) && m.shape[0] == m.batches && m.c_strides[0] == m.C + 1 && m.p_strides[0] == m.nse;
     terminates \true; exits \false; assigns \nothing;
     ensures packed: grid_packed(m, m.batches, m.C, m.P, m.nse);
     ensures inside: 0 <= m.P ==> grid_inside(m, times(m.batches, m.C + 1), times(m.batches, m.nse)); @/
  void lem_packed(spw_grid m);
*/

/*@ lemma in_parts: \forall integer n, m, k, r; parts_lie(n, m) && 0 <= k < n && 0 <= r < m ==>
      0 <= times(k, m) + r < times(n, m);

    lemma in_part_of: \forall integer n, m, k, x; parts_lie(n, m) && 0 <= k < n && times(k, m) <= x < times(k, m) + m ==>
      0 <= x < times(n, m);

    lemma in_part_there: \forall integer n, m, k, l, s, x;
      regrouped(n, m, k, l) && 0 <= s < k && times(s, l) <= x < times(s, l) + l ==>
      0 <= x < times(n, m) && in_part(x, n, m);
*/

#endif
