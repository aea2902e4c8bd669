/* SPDX-License-Identifier: Apache-2.0 */
/* The public calls of reductions. */
#include "reduce.h"
#include "../../operand/fits.h"
#include "../../operand/overlap.h"
#include "../../convert/buffers.h"
#include "../../convert/shape.h"

static spw_status find_room(const spw_tensor *a, const spw_tensor *b, const spw_reduction *wanted, bool judged, spw_room *room,
                            spw_refusal *refusal)
{
  spw_reduce_plan plan;
  if (!room) return SPW_EINVAL;
  const spw_status status = spw_reduce_plan_make(a, b, wanted, judged, &plan, refusal);
  if (status == SPW_OK) *room = plan.room;
  return status;
}

static spw_status reduce(const spw_tensor *a, const spw_tensor *b, const spw_reduction *wanted, bool judged,
                         const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal)
{
  spw_reduce_plan plan;
  if (!buffers || !result) return SPW_EINVAL;
  spw_status status = spw_reduce_plan_make(a, b, wanted, judged, &plan, refusal);
  if (status != SPW_OK) return status;
  if (!spw_buffers_hold(buffers, &plan.room)) return SPW_EINVAL;
  status = spw_keep_apart(plan.taken, b ? 2 : 1, wanted, (int64_t)sizeof *wanted, buffers, &plan.room, refusal);
  if (status != SPW_OK) return status;
  const spw_reduce_work work = spw_reduce_lay_out(&plan, buffers->work);
  spw_reduce_all(&plan, &work, buffers->values);
  *result = spw_dense_result(plan.dtype, plan.ndim, plan.size, buffers->dims, buffers->values);
  return SPW_OK;
}

spw_status spw_reduce_size(const spw_tensor *a, const spw_tensor *b, const spw_reduction *wanted, spw_room *room,
                           spw_refusal *refusal)
{
  return find_room(a, b, wanted, true, room, refusal);
}

spw_status spw_reduce_size_unchecked(const spw_tensor *a, const spw_tensor *b, const spw_reduction *wanted, spw_room *room,
                                     spw_refusal *refusal)
{
  return find_room(a, b, wanted, false, room, refusal);
}

spw_status spw_reduce(const spw_tensor *a, const spw_tensor *b, const spw_reduction *wanted, const spw_buffers *buffers,
                      spw_tensor *result, spw_refusal *refusal)
{
  return reduce(a, b, wanted, true, buffers, result, refusal);
}

spw_status spw_reduce_unchecked(const spw_tensor *a, const spw_tensor *b, const spw_reduction *wanted,
                                const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal)
{
  return reduce(a, b, wanted, false, buffers, result, refusal);
}
