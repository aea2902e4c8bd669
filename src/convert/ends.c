/* SPDX-License-Identifier: Apache-2.0 */
/* Steps before and after the others, which are about values; and those where nothing is stored. */
#include "instances/move.h"
#include "steps.h"
#include "values.h"
#include "../core/size.h"

#include <string.h>

static spw_status pack(const spw_plan *plan, const spw_workspace *w, spw_target *out, spw_refusal *refusal)
{
  (void)out, (void)refusal;
  spw_pack_values(&plan->t->values, w->packed);
  return SPW_OK;
}

static void pack_room(const spw_plan *plan, spw_arena *arena, spw_workspace *w)
{
  w->packed = spw_take(arena, plan->values, plan->scalar);
}

static spw_status clear(const spw_plan *plan, const spw_workspace *w, spw_target *out, spw_refusal *refusal)
{
  (void)w, (void)refusal;
  if (plan->elements > 0) memset(out->values, 0, (size_t)(plan->elements * plan->scalar));
  return SPW_OK;
}

/* Fetches the cells of the map, n of them, to their places in the result. */
static void move_cells(const spw_plan *plan, const spw_workspace *w, const spw_target *out, int64_t n)
{
  const int64_t moved = plan->moved, length = out->source_length;
  const void *const in = out->source;
  void *const to = out->values;
  if (n == 0 || moved == 0) return;
  switch (plan->scalar) {
  case 1: spw_move_u8(in, length, w->map, n, moved, to); return;
  case 2: spw_move_u16(in, length, w->map, n, moved, to); return;
  case 4: spw_move_u32(in, length, w->map, n, moved, to); return;
  case 8:
    if (plan->dtype == SPW_COMPLEX64) /* which need not be aligned as 8 bytes */
      spw_move_u32(in, length, w->map, n, 2 * moved, to);
    else
      spw_move_u64(in, length, w->map, n, moved, to);
    return;
  default: spw_move_u64(in, length, w->map, n, 2 * moved, to);
  }
}

static spw_status gather(const spw_plan *plan, const spw_workspace *w, spw_target *out, spw_refusal *refusal)
{
  (void)refusal;
  move_cells(plan, w, out, plan->out_batches * out->nse * spw_payloads_of_cell(plan));
  return SPW_OK;
}

static void gather_room(const spw_plan *plan, spw_arena *arena, spw_workspace *w)
{
  const int64_t each = spw_mul_saturated(plan->cap, spw_payloads_of_cell(plan));
  w->map = spw_take(arena, spw_mul_saturated(plan->out_batches, each), 8);
}

/* Without an element there are only offsets to write. */
static spw_status end_none(const spw_plan *plan, spw_target *out, int64_t n, spw_refusal *refusal)
{
  const bool offsets = spw_is_compressed(plan->to.layout) && plan->out_batches > 0;
  const int64_t count = offsets ? plan->out_batches * (plan->out_C + 1) : 0;
  for (int64_t i = 0; i < count; i++) spw_put_index(out->c, i, 0);
  return spw_take_count(plan, out, 0, n, refusal);
}

static spw_status write_none(const spw_plan *plan, const spw_workspace *w, spw_target *out, spw_refusal *refusal)
{
  (void)w;
  return end_none(plan, out, 0, refusal);
}

static spw_status keep_none(const spw_plan *plan, const spw_workspace *w, spw_target *out, spw_refusal *refusal)
{
  const int64_t n = spw_source_elements(plan);
  (void)w;
  if (n == INT64_MAX) return spw_refuse(refusal, SPW_OBSTACLE_SIZE, -1, -1, -1, -1); /* more than a number can tell */
  return end_none(plan, out, n, refusal);
}

const spw_step spw_step_pack = {
    "pack", "copies values that do not lie one behind the other", .when = SPW_FACT_PACKS, .run = pack, .room = pack_room};
const spw_step spw_step_clear = {"clear", "writes zeros", .run = clear};
const spw_step spw_step_gather = {
    "gather", "fetches each cell from the place that was carried for it", .when = SPW_FACT_PLACES, .turn = SPW_STEP_ALWAYS,
    .run = gather, .room = gather_room};
const spw_step spw_step_write_none = {"write none", "writes offsets that are 0", .run = write_none};
const spw_step spw_step_keep_none = {
    "keep none", "writes offsets that are 0; of no batches, each keeps its number of cells", .run = keep_none};
