/* SPDX-License-Identifier: Apache-2.0 */
/* Sparse tensors to dense arrays in one sweep. All batches of a tensor at once, read where they lie: the theorems are about that.
 * An element of several scalars is a run of payloads, and a row of a block is one of as many elements. */
#include "steps.h"
#include "instances/to_dense.h"
#include "values.h"
#include "../view/members.h"

static spw_status expand_dense(const spw_plan *plan, const spw_workspace *w, spw_target *out, spw_refusal *refusal)
{
  const int64_t payload = (int64_t)spw_alignment(plan->dtype); /* bytes: a scalar, of a complex one a part */
  const int64_t run = plan->element_bytes / payload;
  spw_to_dense x = {.t = plan->t, .payloads = out->source, .out = out->values, .height = plan->block[0],
                    .width = plan->block[1] * run};
  if (plan->t->layout == SPW_COO) {
    x.columns = spw_columns_of(plan->t);
    x.size = plan->size;
    x.places = spw_size_product(plan, plan->sparse_dims);
  } else {
    x.grid = spw_grid_of(plan->t, plan->batches, plan->P);
  }
  (void)w, (void)refusal;
  switch (payload) {
  case 1: spw_to_dense_u8(&x); break;
  case 2: spw_to_dense_u16(&x); break;
  case 4: spw_to_dense_u32(&x); break;
  default: spw_to_dense_u64(&x);
  }
  return SPW_OK;
}

const spw_step spw_step_expand_dense = {
    "expand dense", "writes every element of the array: what is stored at its place, and zeros between", .run = expand_dense};
