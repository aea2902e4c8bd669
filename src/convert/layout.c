/* SPDX-License-Identifier: Apache-2.0 */
/* How long everything is that a conversion writes: of the workspace, the steps know what they take. */
#include "joined.h"
#include "steps.h"
#include "../core/size.h"

spw_indices spw_take_indices(spw_arena *arena, int64_t count, bool wide)
{
  void *at = spw_take(arena, count, wide ? 8 : 4);
  const spw_indices indices = {wide ? NULL : at, wide ? at : NULL, wide};
  return indices;
}

void spw_take_lines(const spw_plan *plan, spw_arena *arena, spw_workspace *w, int slot, int64_t offsets, int64_t n)
{
  w->ptr[slot] = spw_take_indices(arena, offsets, plan->wide);
  w->index[slot] = spw_take_indices(arena, n, plan->wide);
  w->payload[slot] = spw_take(arena, n, (int64_t)spw_payload_size(plan->payload));
}

void spw_take_transpose(const spw_plan *plan, spw_arena *arena, spw_workspace *w, int64_t n, int64_t payload)
{
  w->cursor = spw_take(arena, plan->lines[1], 8);
  w->transpose.threads = plan->threads;
  const int64_t starts = spw_transpose_starts(n, plan->lines[1], plan->threads);
  if (starts > 0) w->transpose.starts = spw_take(arena, starts, 8);
  if (spw_wants_transpose_room(n)) w->transpose.cells = spw_take(arena, n, SPW_BAND_CELL_BYTES(payload));
}

void spw_take_other_type(const spw_plan *plan, spw_arena *arena, spw_workspace *w)
{
  if (!plan->wide || plan->to.index_dtype == SPW_INT64) return;
  w->out_c = spw_take_indices(arena, spw_mul_saturated(plan->at_once, spw_add_saturated(plan->out_C, 1)), true);
  w->out_p = spw_take_indices(arena, spw_mul_saturated(plan->at_once, plan->cap), true);
}

int64_t spw_lay_out(const spw_plan *plan, char *base, spw_workspace *work)
{
  spw_arena arena = {base, 0};
  const spw_workspace none = {0};
  const spw_step *const *const steps = plan->route->steps;
  *work = none;
  for (int i = 0; i < SPW_STEPS_MOST && steps[i]; i++)
    if (steps[i]->room && spw_is_taken(plan, steps[i])) steps[i]->room(plan, &arena, work);
  return arena.used;
}

/* What is enough for several threads is for one, whose steps may be others. */
static int64_t work_of(const spw_plan *plan)
{
  spw_workspace work;
  int64_t bytes = spw_lay_out(plan, NULL, &work);
  const int64_t joined = spw_joined_work(plan);
  if (joined != INT64_MAX && joined > bytes) bytes = joined;
  if (plan->threads == 1) return bytes;
  spw_plan alone = *plan;
  spw_plan_choose(&alone, 1);
  const int64_t for_one = spw_lay_out(&alone, NULL, &work);
  return for_one > bytes ? for_one : bytes;
}

spw_status spw_plan_room(const spw_plan *plan, spw_room *room_of, spw_refusal *refusal)
{
  const bool compressed = spw_is_compressed(plan->to.layout), dense = plan->to.layout == SPW_DENSE;
  const int64_t batch_dims = plan->to.batch_dims, blocks = spw_has_blocks(plan->to.layout) ? 2 : 0;
  const int64_t index_dims = dense ? 0 : compressed ? 4 * (batch_dims + 1) : 4;
  const int64_t value_dims = dense ? plan->ndim : batch_dims + 1 + blocks + plan->dense_dims;
  const int64_t cells = spw_mul_saturated(plan->out_batches, plan->cap);
  const int64_t block = spw_mul_saturated(plan->out_block[0], plan->out_block[1]);
  const int64_t bytes = work_of(plan);
  spw_room r = {.index_dtype = dense ? SPW_DTYPE_NONE : plan->to.index_dtype, .dtype = plan->dtype};
  r.nse = plan->cap;
  r.dims = plan->ndim + index_dims + 2 * value_dims;
  r.compressed = compressed ? spw_mul_saturated(plan->out_batches, spw_add_saturated(plan->out_C, 1)) : 0;
  r.plain = dense ? 0 : compressed ? cells : spw_mul_saturated(plan->sparse_dims, cells);
  r.values = dense ? plan->elements
             : cells == 0 ? 0 : spw_mul_saturated(cells, spw_mul_saturated(block, plan->width));
  r.work = (size_t)bytes;
  const bool too_many_lines = compressed && plan->out_C == INT64_MAX; /* even of no batches */
  if (bytes == INT64_MAX || too_many_lines || r.compressed == INT64_MAX || r.plain == INT64_MAX || r.values == INT64_MAX)
    return spw_refuse(refusal, SPW_OBSTACLE_SIZE, -1, -1, -1, -1);
  *room_of = r;
  return SPW_OK;
}
