/* SPDX-License-Identifier: Apache-2.0 */
#include "columns.h"
#include "../core/lemmas.h"

/* level L2 */
int64_t spw_column_at(spw_columns g, int64_t length, int64_t d, int64_t k)
{
  (void)length;
  //@ ghost lem_mul_order(d, g.sparse_dim - 1, g.dim_stride);
  //@ ghost lem_mul_order(k, g.nse - 1, g.stride);
  return g.start + d * g.dim_stride + k * g.stride;
}
