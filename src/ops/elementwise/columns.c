/* SPDX-License-Identifier: Apache-2.0 */
/* Two canonical COO tensors made one. */
#include "plan.h"
#include "positions/columns.h"
#include "positions/take.h"
#include "../../view/members.h"

#define SPW_TEMPLATE "../ops/elementwise/columns.inc"
#include "../../core/each_index_type.h"

int64_t spw_count_common_columns(const spw_tensor *a, const spw_tensor *b)
{
  return a->plain.array.dtype == SPW_INT64 ? common_columns_i64(a, b) : common_columns_i32(a, b);
}

void spw_unite_columns(const spw_elementwise_plan *plan, spw_line_union *u, int64_t nse, spw_indices out)
{
  if (out.wide)
    unite_columns_i64(plan, u, nse, out.i64);
  else
    unite_columns_i32(plan, u, nse, out.i32);
}
