/* SPDX-License-Identifier: Apache-2.0 */
/* CSR to COO, in one sweep: all batches of a tensor at once, read where they lie: that is what the theorem is about. */
#include "steps.h"
#include "indices/coordinates/csr_to_coo.h"
#include "../core/size.h"
#include "../view/members.h"

#include <string.h>

static spw_status list_rows(const spw_plan *plan, const spw_workspace *w, spw_target *out, spw_refusal *refusal)
{
  const spw_index_array *const c = &plan->t->compressed, *const p = &plan->t->plain;
  const spw_grid g = spw_grid_of(plan->t, plan->batches, plan->P);
  const int64_t all = spw_mul_saturated(plan->batches, plan->nse);
  const spw_columns columns = {.sparse_dim = plan->sparse_dims, .nse = all, .dim_stride = all, .stride = 1};
  const spw_status status = spw_take_count(plan, out, 0, all, refusal);
  (void)w;
  if (status != SPW_OK) return status;
  if (out->p.wide)
    spw_csr_to_coo_i64(c->i64, c->array.length, p->i64, p->array.length, g, columns, plan->size, out->p.i64);
  else
    spw_csr_to_coo_i32(c->i32, c->array.length, p->i32, p->array.length, g, columns, plan->size, out->p.i32);
  const int64_t bytes = all * plan->moved_bytes;
  if (bytes > 0) memcpy(out->values, out->source, (size_t)bytes);
  return SPW_OK;
}

const spw_step spw_step_list_rows = {
    "list rows", "writes the coordinates of all elements down, and copies values", .run = list_rows};
