/* SPDX-License-Identifier: Apache-2.0 */
#include "grid.h"

/* level L2 */
int64_t spw_compressed_start(spw_grid g, int64_t b)
{
  return g.c_offset + spw_position_of(g.shape, g.c_strides, g.ndim, b);
}

/* level L2 */
int64_t spw_plain_start(spw_grid g, int64_t b)
{
  if (g.nse <= 0) return 0;
  return g.p_offset + spw_position_of(g.shape, g.p_strides, g.ndim, b);
}

/*@ ghost
  /@ requires 0 <= n && all_zero(strides, n);
     terminates \true; exits \false; assigns \nothing;
     ensures \forall integer b; position_of(shape, strides, n, b) == 0; @/
  void lem_no_strides(const int64_t *shape, const int64_t *strides, int64_t n) {
    /@ loop invariant 0 <= i <= n && \forall integer b; position_of(shape, strides, i, b) == 0;
       loop assigns i; loop variant n - i; @/
    for (int64_t i = 0; i < n; i++) {
      /@ assert step: \forall integer b; position_of(shape, strides, i + 1, b) ==
           position_of(shape, strides, i, b / shape[i]) + (b % shape[i]) * strides[i]; @/
    }
  }
*/

/* level L2 */
int spw_batches_shared(spw_grid g)
{
  /*@ loop invariant range: 0 <= i <= g.ndim;
      loop invariant zero: all_zero(g.c_strides, i) && (g.nse > 0 ==> all_zero(g.p_strides, i));
      loop assigns i;
      loop variant g.ndim - i; */
  for (int64_t i = 0; i < g.ndim; i++)
    if (g.c_strides[i] != 0 || (g.nse > 0 && g.p_strides[i] != 0)) return 0;
  //@ ghost lem_no_strides(g.shape, g.c_strides, g.ndim);
  //@ ghost if (g.nse > 0) lem_no_strides(g.shape, g.p_strides, g.ndim);
  return 1;
}
