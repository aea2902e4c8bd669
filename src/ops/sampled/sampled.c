/* SPDX-License-Identifier: Apache-2.0 */
/* The public calls of products at stored positions. */
#include "sampled.h"
#include "../../operand/fits.h"
#include "../../operand/overlap.h"
#include "../../convert/buffers.h"
#include "../../structure/pattern.h"

static spw_status find_room(const spw_tensor *s, const spw_tensor *a, const spw_tensor *b, const spw_factors *how, bool judged,
                            spw_room *room, spw_refusal *refusal)
{
  spw_sampled_plan plan;
  if (!room) return SPW_EINVAL;
  const spw_status status = spw_sampled_plan_make(s, a, b, how, judged, &plan, refusal);
  if (status == SPW_OK) *room = plan.room;
  return status;
}

static spw_status sample(const spw_tensor *s, const spw_tensor *a, const spw_tensor *b, const spw_factors *how, bool judged,
                         const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal)
{
  spw_sampled_plan plan;
  if (!buffers || !result) return SPW_EINVAL;
  spw_status status = spw_sampled_plan_make(s, a, b, how, judged, &plan, refusal);
  if (status != SPW_OK) return status;
  if (!spw_buffers_hold(buffers, &plan.room)) return SPW_EINVAL;
  status = spw_keep_apart(plan.taken, 3, how, (int64_t)sizeof *how, buffers, &plan.room, refusal);
  if (status != SPW_OK) return status;
  const spw_sampled_work work = spw_sampled_lay_out(&plan, buffers->work);
  spw_pattern_copy(&plan.form, &plan.room, buffers);
  spw_sample(&plan, &work, buffers->values);
  spw_pattern_view(&plan.form, &plan.room, buffers, result);
  return SPW_OK;
}

spw_status spw_sampled_multiply_size(const spw_tensor *s, const spw_tensor *a, const spw_tensor *b, const spw_factors *how,
                                     spw_room *room, spw_refusal *refusal)
{
  return find_room(s, a, b, how, true, room, refusal);
}

spw_status spw_sampled_multiply_size_unchecked(const spw_tensor *s, const spw_tensor *a, const spw_tensor *b,
                                               const spw_factors *how, spw_room *room, spw_refusal *refusal)
{
  return find_room(s, a, b, how, false, room, refusal);
}

spw_status spw_sampled_multiply(const spw_tensor *s, const spw_tensor *a, const spw_tensor *b, const spw_factors *how,
                                const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal)
{
  return sample(s, a, b, how, true, buffers, result, refusal);
}

spw_status spw_sampled_multiply_unchecked(const spw_tensor *s, const spw_tensor *a, const spw_tensor *b, const spw_factors *how,
                                          const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal)
{
  return sample(s, a, b, how, false, buffers, result, refusal);
}
