/* SPDX-License-Identifier: Apache-2.0 */
/* The public calls of conversions: judge, plan, fill, view. */
#include "buffers.h"
#include "joined.h"
#include "../operand/overlap.h"
#include "steps.h"
#include "values.h"

static spw_status size_with(const spw_tensor *tensor, const spw_conversion *wanted, bool judged, int threads, spw_room *room,
                            spw_refusal *refusal)
{
  spw_operand source;
  spw_plan plan;
  if (!tensor || !wanted || !room || threads < 1) return SPW_EINVAL;
  spw_status status = spw_operand_convert(tensor, wanted->canonicalize, judged, threads, &source, refusal);
  if (status == SPW_OK) status = spw_plan_make(&source, wanted, &plan, refusal);
  if (status != SPW_OK) return status;
  spw_plan_choose(&plan, threads);
  status = spw_plan_count(&plan, refusal);
  return status == SPW_OK ? spw_plan_room(&plan, room, refusal) : status;
}

spw_status spw_convert_size_unchecked(const spw_tensor *tensor, const spw_conversion *wanted, spw_room *room,
                                      spw_refusal *refusal)
{
  return size_with(tensor, wanted, false, 1, room, refusal);
}

spw_status spw_convert_size_parallel(const spw_tensor *tensor, const spw_conversion *wanted, int threads, spw_room *room,
                                     spw_refusal *refusal)
{
  return size_with(tensor, wanted, true, threads, room, refusal);
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
  spw_target out = {.c = {b->compressed_i32, b->compressed_i64, wide}, .p = {b->plain_i32, b->plain_i64, wide},
                    .values = b->values, .nse = 0};
  if (plan->values > 0) {
    out.source = plan->packed ? w->packed : spw_value_at(values, values->array.offset);
    out.source_length = plan->values / plan->moved;
  }
  return out;
}

/* ---- Filling --------------------------------------------------------------------------------- */

/* The size of the result, which is the source's: it may have to be read off all indices, once. */
static void take_size(spw_plan *plan, int64_t *size)
{
  for (int64_t d = 0; d < plan->ndim; d++) size[d] = spw_size_entry(plan, d);
  plan->size = size;
}

/* What steps refused as batches are unequal, or one has more cells than there is room for in each: without zeros it may do. */
static spw_status without_zeros(const spw_plan *plan, const spw_buffers *buffers, spw_target *out, spw_status refused,
                                spw_refusal *refusal)
{
  spw_refusal other;
  const spw_status status = spw_convert_joined(plan, buffers, out, &other);
  if (status == SPW_ERANGE) *refusal = other;
  return status == SPW_OK || status == SPW_ERANGE ? status : refused;
}

static spw_status convert_into(spw_plan *plan, const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal)
{
  spw_workspace w;
  take_size(plan, buffers->dims);
  spw_lay_out(plan, buffers->work, &w);
  spw_target out = target_of(plan, buffers, &w);
  spw_refusal own = {.obstacle = SPW_OBSTACLE_NONE};
  spw_status status = spw_take_steps(plan, &w, &out, &own);
  if (status == SPW_EINVAL || (status == SPW_ERANGE && own.obstacle == SPW_OBSTACLE_BATCHES))
    status = without_zeros(plan, buffers, &out, status, &own);
  if (status == SPW_OK) spw_view_result(plan, &out, buffers, result);
  if (status == SPW_ERANGE && refusal) *refusal = own;
  return status;
}

/* What a conversion into these buffers takes of them. */
static spw_status plan_within(const spw_operand *source, const spw_conversion *wanted, int threads, const spw_buffers *buffers,
                              spw_plan *plan, spw_room *need, spw_refusal *refusal)
{
  if (buffers->room.nse < 0) return SPW_EINVAL;
  const spw_status status = spw_plan_make(source, wanted, plan, refusal);
  if (status != SPW_OK) return status;
  spw_plan_choose(plan, threads);
  plan->cap = plan->to.layout == SPW_DENSE ? 0 : buffers->room.nse;
  spw_refusal unused;
  return spw_plan_room(plan, need, &unused) == SPW_OK ? SPW_OK : SPW_EINVAL;
}

spw_status spw_convert_within(const spw_tensor *tensor, const spw_conversion *wanted, const spw_buffers *buffers, spw_room *need,
                              spw_refusal *refusal)
{
  spw_operand source;
  spw_plan plan;
  const spw_status status = spw_operand_read(tensor, &source);
  return status == SPW_OK ? plan_within(&source, wanted, 1, buffers, &plan, need, refusal) : status;
}

static spw_status convert_with(const spw_tensor *tensor, const spw_conversion *wanted, bool judged, int threads,
                               const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal)
{
  spw_operand source;
  spw_plan plan;
  spw_room need;
  if (!tensor || !wanted || !buffers || !result || threads < 1) return SPW_EINVAL;
  spw_status status = spw_operand_convert(tensor, wanted->canonicalize, judged, threads, &source, refusal);
  if (status == SPW_OK) status = plan_within(&source, wanted, threads, buffers, &plan, &need, refusal);
  if (status != SPW_OK) return status;
  if (!spw_buffers_hold(buffers, &need)) return SPW_EINVAL;
  status = spw_keep_apart(&source, 1, wanted, (int64_t)sizeof *wanted, buffers, &need, refusal);
  return status != SPW_OK ? status : convert_into(&plan, buffers, result, refusal);
}

spw_status spw_convert_unchecked(const spw_tensor *tensor, const spw_conversion *wanted, const spw_buffers *buffers,
                                 spw_tensor *result, spw_refusal *refusal)
{
  return convert_with(tensor, wanted, false, 1, buffers, result, refusal);
}

spw_status spw_convert_parallel(const spw_tensor *tensor, const spw_conversion *wanted, int threads, const spw_buffers *buffers,
                                spw_tensor *result, spw_refusal *refusal)
{
  return convert_with(tensor, wanted, true, threads, buffers, result, refusal);
}

spw_status spw_convert(const spw_tensor *tensor, const spw_conversion *wanted, const spw_buffers *buffers,
                       spw_tensor *result, spw_refusal *refusal)
{
  return spw_convert_parallel(tensor, wanted, 1, buffers, result, refusal);
}
