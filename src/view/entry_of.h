/* SPDX-License-Identifier: Apache-2.0 */
/* Where a coordinate of a COO tensor lies, for loops to which a call would cost more than what they do. */
#ifndef SPW_VIEW_ENTRY_OF_H
#define SPW_VIEW_ENTRY_OF_H

#include "columns.h"
#include "../core/lemmas.h"

/* Storage element of entry (d, k): spw_column_at is the same, called. */
/*@ requires inside: columns_inside(g, length);
    requires entry: 0 <= d < g.sparse_dim && 0 <= k < g.nse;
    terminates \true; exits \false; assigns \nothing;
    ensures exact: \result == g.start + d * g.dim_stride + k * g.stride;
    ensures inside: 0 <= \result < length; */
/* level L2 */
static inline int64_t entry_of(spw_columns g, int64_t length, int64_t d, int64_t k)
{
  (void)length;
  //@ ghost lem_mul_order(d, g.sparse_dim - 1, g.dim_stride);
  //@ ghost lem_mul_order(k, g.nse - 1, g.stride);
  return g.start + d * g.dim_stride + k * g.stride;
}

/*@ ghost
  /@ requires inside: columns_inside(g, length);
     requires entry: 0 <= d < g.sparse_dim && 0 <= k < g.nse;
     terminates \true; exits \false; assigns \nothing;
     ensures exact: \result == g.start + d * g.dim_stride + k * g.stride;
     ensures inside: 0 <= \result < length; @/
  int64_t lem_entry_of(spw_columns g, int64_t length, int64_t d, int64_t k) {
    lem_mul_order(d, g.sparse_dim - 1, g.dim_stride);
    lem_mul_order(k, g.nse - 1, g.stride);
    return g.start + d * g.dim_stride + k * g.stride;
  }
*/

#endif
