/* SPDX-License-Identifier: Apache-2.0 */
#include "block_places.h"

/*@ ghost
  void lem_rows_placed(int64_t bh, int64_t bw, int64_t bs) {
    lem_times(bw, 1);
    lem_times(bh, bw);
    /@ assert one: \forall integer t; 0 <= t < bw ==> times(t, 1) == t; @/
    /@ assert line: \forall integer i; 0 <= i < bh ==> 0 <= times(i, bw) && times(i, bw) + bw == times(i + 1, bw) <= bs; @/
    /@ assert order: \forall integer i, j; 0 <= i < j < bh ==> times(i, bw) + bw <= times(j, bw); @/
  }

  void lem_columns_placed(int64_t bh, int64_t bw, int64_t bs) {
    lem_times(bh, 1);
    lem_times(bw, bh);
    /@ assert one: \forall integer i; 0 <= i < bh ==> times(i, 1) == i; @/
    /@ assert lane: \forall integer t; 0 <= t < bw ==> 0 <= times(t, bh) && times(t, bh) + bh == times(t + 1, bh) <= bs; @/
    /@ assert order: \forall integer t, u; 0 <= t < u < bw ==> times(t, bh) + bh <= times(u, bh); @/
  }
*/
