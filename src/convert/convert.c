/* SPDX-License-Identifier: Apache-2.0 */
/* The public calls of conversions: judge, plan, fill, view. */
#include "buffers.h"
#include "list_batches.h"
#include "overlap.h"
#include "pairs.h"
#include "steps.h"
#include "swap_batches.h"
#include "target.h"
#include "to_dense.h"
#include "values.h"

#include <string.h>

static spw_status size_with(const spw_tensor *tensor, const spw_conversion *wanted, int threads, spw_room *room,
                            spw_refusal *refusal)
{
  spw_plan plan;
  spw_status status = spw_plan_make(tensor, wanted, &plan, refusal);
  if (status != SPW_OK) return status;
  plan.threads = threads;
  status = spw_plan_count(&plan, refusal);
  return status == SPW_OK ? spw_plan_room(&plan, room, refusal) : status;
}

spw_status spw_convert_size_unchecked(const spw_tensor *tensor, const spw_conversion *wanted, spw_room *room,
                                      spw_refusal *refusal)
{
  return tensor && wanted && room ? size_with(tensor, wanted, 1, room, refusal) : SPW_EINVAL;
}

spw_status spw_convert_size_parallel(const spw_tensor *tensor, const spw_conversion *wanted, int threads, spw_room *room,
                                     spw_refusal *refusal)
{
  if (!tensor || !wanted || !room || threads < 1) return SPW_EINVAL;
  const spw_status status = spw_convert_judge(tensor, wanted->canonicalize, threads, refusal);
  return status == SPW_OK ? size_with(tensor, wanted, threads, room, refusal) : status;
}

spw_status spw_convert_size(const spw_tensor *tensor, const spw_conversion *wanted, spw_room *room, spw_refusal *refusal)
{
  return spw_convert_size_parallel(tensor, wanted, 1, room, refusal);
}

/* ---- Buffers --------------------------------------------------------------------------------- */

static spw_target target_of(const spw_plan *plan, const spw_buffers *b, const spw_workspace *w)
{
  const spw_value_array *const values = &plan->t->values;
  const bool wide = plan->to.index_dtype == SPW_INT64;
  const int64_t n = spw_count_values(&values->array);
  spw_target out = {.c = {b->compressed_i32, b->compressed_i64, wide}, .p = {b->plain_i32, b->plain_i64, wide},
                    .values = b->values, .nse = 0};
  if (n > 0) {
    out.source = plan->packed ? w->packed : spw_value_at(values, values->array.offset);
    out.source_length = n / plan->moved;
  }
  return out;
}

/* ---- Filling --------------------------------------------------------------------------------- */

/* Without an element there are only offsets to write; each of no batches keeps its number of cells where cells are kept. */
static spw_status fill_nothing(const spw_plan *plan, spw_target *out, spw_refusal *refusal)
{
  const bool compressed = spw_is_compressed(plan->to.layout);
  const bool cells = compressed && spw_is_compressed(plan->t->layout) && !plan->made && !spw_steps_of(plan).collect;
  const int64_t offsets = compressed && plan->out_batches > 0 ? plan->out_batches * (plan->out_C + 1) : 0;
  const int64_t n = cells ? spw_source_elements(plan) : 0;
  if (n == INT64_MAX) return spw_refuse(refusal, SPW_OBSTACLE_SIZE, -1, -1, -1, -1); /* more than a number can tell */
  for (int64_t i = 0; i < offsets; i++) spw_put_index(out->c, i, 0);
  return spw_take_count(plan, out, 0, n, refusal);
}

static spw_status fill(const spw_plan *plan, const spw_workspace *w, spw_target *out, spw_refusal *refusal)
{
  const bool dense = plan->to.layout == SPW_DENSE;
  if (spw_holds_nothing(plan) || (dense && !spw_may_repeat(plan) && spw_size_product(plan, plan->ndim) == 0))
    return fill_nothing(plan, out, refusal);
  if (spw_writes_all(plan)) {
    spw_convert_to_dense(plan, out);
    return SPW_OK;
  }
  if (plan->made || plan->t->layout == SPW_COO) return spw_convert_columns(plan, w, out, refusal);
  if (spw_swaps_batches(plan) || spw_lists_columns(plan)) return spw_convert_swapped(plan, w, out, refusal);
  if (spw_lists_batches(plan)) return spw_convert_listed(plan, out, refusal);
  if (plan->t->layout == SPW_DENSE) return spw_convert_dense(plan, w, out, refusal);
  return spw_convert_compressed(plan, w, out, refusal);
}

/* The size of the result, which is the source's: it may have to be read off all indices, once. */
static void take_size(spw_plan *plan, int64_t *size)
{
  for (int64_t d = 0; d < plan->ndim; d++) size[d] = spw_size_entry(plan, d);
  plan->size = size;
}

static spw_status convert_into(spw_plan *plan, const spw_room *need, const spw_buffers *buffers, spw_tensor *result,
                               spw_refusal *refusal)
{
  spw_workspace w;
  take_size(plan, buffers->dims);
  spw_lay_out(plan, buffers->work, &w);
  spw_target out = target_of(plan, buffers, &w);
  if (plan->packed) spw_pack_values(&plan->t->values, w.packed);
  if (plan->to.layout == SPW_DENSE && need->values > 0 && !spw_writes_all(plan) && !spw_can_coalesce_places(plan))
    memset(out.values, 0, (size_t)(need->values * plan->scalar));
  spw_status status = fill(plan, &w, &out, refusal);
  if (status != SPW_OK) return status;
  if (out.nse < 0) out.nse = 0; /* there is no batch */
  const int64_t payloads = plan->out_batches * out.nse * spw_payloads_of_cell(plan);
  if (w.map) spw_move_cells(plan, &w, &out, payloads);
  if (plan->to.prune && plan->to.layout != SPW_DENSE) status = spw_prune(plan, &out, refusal);
  if (status == SPW_OK) spw_view_result(plan, &out, buffers, result);
  return status;
}

/* What a conversion into these buffers takes of them. */
static spw_status plan_within(const spw_tensor *tensor, const spw_conversion *wanted, int threads, const spw_buffers *buffers,
                              spw_plan *plan, spw_room *need, spw_refusal *refusal)
{
  if (buffers->room.nse < 0) return SPW_EINVAL;
  const spw_status status = spw_plan_make(tensor, wanted, plan, refusal);
  if (status != SPW_OK) return status;
  plan->threads = threads;
  plan->cap = plan->to.layout == SPW_DENSE ? 0 : buffers->room.nse;
  spw_refusal unused;
  return spw_plan_room(plan, need, &unused) == SPW_OK ? SPW_OK : SPW_EINVAL;
}

spw_status spw_convert_within(const spw_tensor *tensor, const spw_conversion *wanted, const spw_buffers *buffers, spw_room *need,
                              spw_refusal *refusal)
{
  spw_plan plan;
  return plan_within(tensor, wanted, 1, buffers, &plan, need, refusal);
}

static spw_status convert_with(const spw_tensor *tensor, const spw_conversion *wanted, int threads, const spw_buffers *buffers,
                               spw_tensor *result, spw_refusal *refusal)
{
  spw_plan plan;
  spw_room need;
  spw_status status = plan_within(tensor, wanted, threads, buffers, &plan, &need, refusal);
  if (status != SPW_OK) return status;
  if (!spw_buffers_hold(buffers, &need)) return SPW_EINVAL;
  status = spw_keep_apart(&tensor, 1, wanted, (int64_t)sizeof *wanted, buffers, &need, refusal);
  return status != SPW_OK ? status : convert_into(&plan, &need, buffers, result, refusal);
}

spw_status spw_convert_unchecked(const spw_tensor *tensor, const spw_conversion *wanted, const spw_buffers *buffers,
                                 spw_tensor *result, spw_refusal *refusal)
{
  if (!tensor || !wanted || !buffers || !result) return SPW_EINVAL;
  return convert_with(tensor, wanted, 1, buffers, result, refusal);
}

spw_status spw_convert_parallel(const spw_tensor *tensor, const spw_conversion *wanted, int threads, const spw_buffers *buffers,
                                spw_tensor *result, spw_refusal *refusal)
{
  if (!tensor || !wanted || !buffers || !result || threads < 1) return SPW_EINVAL;
  const spw_status status = spw_convert_judge(tensor, wanted->canonicalize, threads, refusal);
  return status == SPW_OK ? convert_with(tensor, wanted, threads, buffers, result, refusal) : status;
}

spw_status spw_convert(const spw_tensor *tensor, const spw_conversion *wanted, const spw_buffers *buffers,
                       spw_tensor *result, spw_refusal *refusal)
{
  return spw_convert_parallel(tensor, wanted, 1, buffers, result, refusal);
}
