/* SPDX-License-Identifier: Apache-2.0 */
/* The tensor that a conversion has written, as views of the buffers. */
#include "shape.h"
#include "target.h"

static spw_index_array indices_of(const spw_plan *plan, spw_indices from, spw_shape s)
{
  const spw_index_array array = {spw_array_of(plan->to.index_dtype, s), from.wide ? NULL : from.i32,
                                 from.wide ? from.i64 : NULL, NULL};
  return array;
}

void spw_view_result(const spw_plan *plan, const spw_target *out, const spw_buffers *buffers, spw_tensor *result)
{
  const bool compressed = spw_is_compressed(plan->to.layout), dense = plan->to.layout == SPW_DENSE;
  const int64_t batch_dims = plan->to.batch_dims;
  int64_t *dims = buffers->dims;
  const int64_t *const size = spw_take_numbers(&dims, plan->ndim); /* which is written down there already */
  spw_tensor r = {.layout = plan->to.layout, .has_size = true, .ndim = plan->ndim, .size = size,
                  .dtype = plan->dtype, .coalesced = SPW_CLAIM_NONE};
  if (!dense) r.index_dtype = plan->to.index_dtype;
  if (plan->to.layout == SPW_COO) {
    r.coalesced = SPW_CLAIM_YES;
    const spw_shape s = spw_take_shape(&dims, 2);
    s.entries[0] = plan->sparse_dims;
    s.entries[1] = out->nse;
    r.plain = indices_of(plan, out->p, s);
  }
  if (compressed) {
    const spw_shape c = spw_take_shape(&dims, batch_dims + 1), p = spw_take_shape(&dims, batch_dims + 1);
    for (int64_t d = 0; d < batch_dims; d++) c.entries[d] = p.entries[d] = size[d];
    c.entries[batch_dims] = plan->out_C + 1;
    p.entries[batch_dims] = out->nse;
    r.compressed = indices_of(plan, out->c, c);
    r.plain = indices_of(plan, out->p, p);
  }
  const int64_t blocks = spw_has_blocks(plan->to.layout) ? 2 : 0;
  const spw_shape v = spw_take_shape(&dims, dense ? plan->ndim : batch_dims + 1 + blocks + plan->dense_dims);
  if (dense) {
    for (int64_t d = 0; d < plan->ndim; d++) v.entries[d] = size[d];
  } else {
    int64_t at = 0;
    for (int64_t d = 0; d < batch_dims; d++) v.entries[at++] = size[d];
    v.entries[at++] = out->nse;
    for (int i = 0; i < blocks; i++) v.entries[at++] = plan->out_block[i];
    for (int64_t d = 0; d < plan->dense_dims; d++) v.entries[at++] = size[plan->sparse_dims + d];
  }
  r.values.array = spw_array_of(plan->dtype, v);
  r.values.data = out->values;
  *result = r;
}
