/* SPDX-License-Identifier: Apache-2.0 */
/* A lemma about the block row of a line. */
#ifndef SPW_OPS_KERNELS_BLOCK_ROW_H
#define SPW_OPS_KERNELS_BLOCK_ROW_H

#include "../../../spec/acsl/block_row.acsl"
#include "place.h"

/*@ ghost
  /@ requires sizes: 0 < bh && 0 <= r < rows < INT64_MAX && times(r, bh) <= t < times(r, bh) + bh;
     terminates \true; exits \false; assigns \nothing;
     ensures owner: block_row(bh, t, rows) == r; @/
  void lem_block_row(int64_t bh, int64_t t, int64_t r, int64_t rows) {
    lem_places(rows, bh);
    /@ loop invariant range: r < n <= rows && block_row(bh, t, n) == r;
       loop assigns n; loop variant rows - n; @/
    for (int64_t n = r + 1; n < rows; n++) {
      /@ assert behind: times(r, bh) + bh == times(r + 1, bh) <= times(n, bh); @/
      /@ assert unfold: block_row(bh, t, n + 1) == block_row(bh, t, n); @/
    }
  }
*/

#endif
