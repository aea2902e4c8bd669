/* SPDX-License-Identifier: Apache-2.0 */
/* All batches of a tensor at once, read where they lie: that is what the theorem is about. */
#include "list_batches.h"
#include "kernels/csr_to_coo.h"
#include "../core/size.h"
#include "../view/members.h"

#include <string.h>

bool spw_lists_batches(const spw_plan *plan)
{
  return plan->t->layout == SPW_CSR && plan->to.layout == SPW_COO && !plan->made && !spw_holds_nothing(plan) &&
         plan->t->plain.array.dtype == plan->to.index_dtype;
}

spw_status spw_convert_listed(const spw_plan *plan, spw_target *out, spw_refusal *refusal)
{
  const spw_index_array *const c = &plan->t->compressed, *const p = &plan->t->plain;
  const spw_grid g = spw_grid_of(plan->t, plan->batches, plan->P);
  const int64_t all = spw_mul_saturated(plan->batches, plan->nse);
  const spw_columns columns = {.sparse_dim = plan->sparse_dims, .nse = all, .dim_stride = all, .stride = 1};
  const spw_status status = spw_take_count(plan, out, 0, all, refusal);
  if (status != SPW_OK) return status;
  if (out->p.wide)
    spw_csr_to_coo_i64(c->i64, c->array.length, p->i64, p->array.length, g, columns, plan->size, out->p.i64);
  else
    spw_csr_to_coo_i32(c->i32, c->array.length, p->i32, p->array.length, g, columns, plan->size, out->p.i32);
  const int64_t bytes = all * plan->moved_bytes;
  if (bytes > 0) memcpy(out->values, out->source, (size_t)bytes);
  return SPW_OK;
}
