/* SPDX-License-Identifier: Apache-2.0 */
#include "columns.h"

/*@ ghost
  /@ requires 0 <= a <= b && 0 <= c;
     terminates \true; exits \false; assigns \nothing;
     ensures 0 <= a * c <= b * c; @/
  void lem_mul_order_columns(int64_t a, int64_t b, int64_t c) {
    /@ assert 0 <= (b - a) * c; @/
  }
*/

/* level L2 */
int64_t spw_column_at(spw_columns g, int64_t length, int64_t d, int64_t k)
{
  (void)length;
  //@ ghost lem_mul_order_columns(d, g.sparse_dim - 1, g.dim_stride);
  //@ ghost lem_mul_order_columns(k, g.nse - 1, g.stride);
  return g.start + d * g.dim_stride + k * g.stride;
}
