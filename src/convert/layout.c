/* SPDX-License-Identifier: Apache-2.0 */
/* How long everything is that a conversion writes. */
#include "arena.h"
#include "dense.h"
#include "in_order.h"
#include "list_batches.h"
#include "pairs.h"
#include "sort_shared.h"
#include "steps.h"
#include "swap_batches.h"
#include "values.h"
#include "workspace.h"
#include "../core/size.h"

static spw_indices take_indices(spw_arena *r, int64_t count, bool wide)
{
  void *at = spw_take(r, count, wide ? 8 : 4);
  const spw_indices indices = {wide ? NULL : at, wide ? at : NULL, wide};
  return indices;
}

static bool needs_wide(const spw_plan *plan)
{
  if (plan->to.index_dtype == SPW_INT64) return true;
  if (plan->t->layout == SPW_DENSE) return false;
  if (plan->t->layout == SPW_COO) /* only lines between two steps are of this type */
    return plan->rows > INT32_MAX || plan->columns > INT32_MAX || plan->nse > INT32_MAX;
  return plan->t->plain.array.dtype == SPW_INT64 || plan->rows > INT32_MAX || plan->columns > INT32_MAX ||
         spw_source_elements(plan) > INT32_MAX;
}

/* Of lines of several batches, as of one matrix: those before a step, or after it, whichever are more. */
static spw_indices take_joined(spw_arena *r, int64_t batches, int64_t of_blocks, int64_t of_lines, bool wide)
{
  const int64_t lines = spw_mul_saturated(batches, of_blocks > of_lines ? of_blocks : of_lines);
  return take_indices(r, spw_add_saturated(lines, 1), wide);
}

/* Lines of `n` elements, which have so many offsets, before a step. */
static void take_lines(spw_arena *r, spw_workspace *w, const spw_plan *plan, int slot, int64_t offsets, int64_t n)
{
  const bool as_they_are = spw_stores_batches(plan);
  w->ptr[slot] = take_indices(r, offsets, w->wide);
  w->index[slot] = take_indices(r, n, w->wide);
  w->payload[slot] = spw_take(r, n, as_they_are ? plan->scalar : (int64_t)spw_payload_size(plan->payload));
}

static void take_cells(spw_arena *r, spw_workspace *w, const spw_plan *plan, int64_t n)
{
  w->cells[0] = spw_take(r, n, sizeof(spw_cell));
  w->cells[1] = spw_take(r, n, sizeof(spw_cell));
  if (plan->payload == SPW_PLACES && spw_may_repeat(plan))
    w->sums = spw_take(r, n, spw_mul_saturated(plan->moved, plan->scalar));
}

/* payload: of so many bytes */
static void take_swap(spw_arena *r, spw_workspace *w, const spw_steps *s, int64_t n, int threads, int64_t payload)
{
  w->cursor = spw_take(r, s->lines[1], 8);
  w->swap.threads = threads;
  const int64_t starts = spw_swap_starts(n, s->lines[1], threads);
  if (starts > 0) w->swap.starts = spw_take(r, starts, 8);
  if (spw_wants_swap_room(n)) w->swap.cells = spw_take(r, n, SPW_BAND_CELL_BYTES(payload));
}

static void lay_out_compressed(spw_arena *r, spw_workspace *w, const spw_plan *plan, const spw_steps *s)
{
  if (spw_writes_all(plan) || spw_lists_batches(plan) || spw_changes_types_only(plan)) return;
  if (spw_swaps_batches(plan) || spw_lists_columns(plan)) {
    take_swap(r, w, s, plan->nse, plan->threads, plan->moved_bytes);
    if (plan->to.layout == SPW_COO) w->ptr[0] = take_indices(r, spw_add_saturated(s->lines[1], 1), w->wide);
    return;
  }
  const int64_t batches = spw_batches_at_once(plan), n = spw_source_elements(plan), all = spw_mul_saturated(batches, n);
  const int64_t before = spw_mul_saturated(batches, spw_add_saturated(s->lines[0], 1));
  const int64_t after = spw_mul_saturated(batches, spw_add_saturated(s->lines[1], 1));
  if (w->wide && plan->t->plain.array.dtype == SPW_INT32) {
    w->c = take_indices(r, spw_mul_saturated(batches, spw_add_saturated(plan->C, 1)), true);
    w->p = take_indices(r, spw_mul_saturated(batches, plan->nse), true);
  }
  if (plan->payload == SPW_PLACES || (s->explode && plan->t->layout == SPW_BSC)) w->places = spw_take(r, all, 8);
  if (s->explode || s->collect) {
    w->joined = take_joined(r, batches, s->explode ? plan->C : 0, s->collect ? s->lines[1] : 0, w->wide);
    w->whole = take_joined(r, batches, s->collect ? plan->out_C : 0, s->explode ? s->lines[0] : 0, w->wide);
  }
  if (s->explode && !(s->writes && !s->swap)) take_lines(r, w, plan, 0, before, all);
  if (s->swap) take_swap(r, w, s, n, plan->threads, (int64_t)spw_payload_size(plan->payload));
  if (s->swap && !s->writes) take_lines(r, w, plan, 1, after, all);
}

static void lay_out_dense(spw_arena *r, spw_workspace *w, const spw_plan *plan, const spw_steps *s)
{
  const bool lines = spw_is_compressed(plan->to.layout) && !spw_stores_blocks(plan);
  const int64_t parts = spw_parts_of_work(spw_mul_saturated(plan->rows, plan->columns), plan->threads);
  if (lines && parts > 1) w->starts = spw_take(r, parts + 1, 8);
  if (!s->swap) return;
  take_lines(r, w, plan, 0, spw_add_saturated(s->lines[0], 1), plan->cap);
  if (spw_stores_batches(plan)) /* which has no bands */
    w->cursor = spw_take(r, s->lines[1], 8);
  else
    take_swap(r, w, s, plan->cap, plan->threads, (int64_t)spw_payload_size(plan->payload));
}

static void lay_out_made(spw_arena *r, spw_workspace *w, const spw_plan *plan, const spw_steps *s)
{
  const int64_t n = spw_mul_saturated(spw_source_elements(plan), plan->batches);
  w->columns = spw_take(r, spw_mul_saturated(3, n), 8);
  take_cells(r, w, plan, n);
  if (s->collect) take_lines(r, w, plan, 0, spw_add_saturated(spw_lines_with_elements(plan, n), 1), n);
}

static void lay_out_sort(spw_arena *r, spw_workspace *w, const spw_plan *plan)
{
  const int64_t parts = spw_parts_of_work(plan->nse, plan->threads);
  take_cells(r, w, plan, plan->nse);
  if (parts > 1) w->starts = spw_take(r, spw_sort_counts(parts), 8);
}

/* The lines of all batches, or of all their blocks; and, before blocks, lines of elements, of one batch only those that may have
 * one. With several threads, too: there may be fewer when the room is used. */
static void lay_out_batches(spw_arena *r, spw_workspace *w, const spw_plan *plan, const spw_steps *s)
{
  const bool all = spw_has_room_for_batches(plan);
  if (all) w->whole = take_indices(r, spw_add_saturated(plan->out_batches * plan->out_C, 1), w->wide);
  if (!s->collect) return;
  const int64_t height = plan->out_block[spw_major_of(plan->to.layout)];
  const int64_t lines = all ? plan->out_batches * plan->out_C * height : spw_lines_with_elements(plan, plan->nse);
  take_lines(r, w, plan, 0, spw_add_saturated(lines, 1), plan->nse);
}

int64_t spw_lay_out(const spw_plan *plan, char *base, spw_workspace *work)
{
  spw_arena r = {base, 0};
  const spw_workspace none = {.wide = needs_wide(plan)};
  const spw_steps s = spw_steps_of(plan);
  *work = none;
  if (spw_holds_nothing(plan)) return 0;
  if (plan->packed) work->packed = spw_take(&r, spw_count_values(&plan->t->values.array), plan->scalar);
  if (plan->made)
    lay_out_made(&r, work, plan, &s);
  else if (plan->t->layout == SPW_COO) {
    const bool as_it_is = spw_writes_all(plan) || (plan->ordered && spw_wants_row_order(plan));
    if (!as_it_is) lay_out_sort(&r, work, plan);
    lay_out_batches(&r, work, plan, &s);
  } else if (plan->t->layout == SPW_DENSE)
    lay_out_dense(&r, work, plan, &s);
  else
    lay_out_compressed(&r, work, plan, &s);
  if (s.collect && plan->out_C > 0)
    work->left = spw_take(&r, plan->out_block[spw_major_of(plan->to.layout)], sizeof *work->left);
  const bool compressed = spw_is_compressed(plan->to.layout);
  if (work->wide && plan->to.index_dtype == SPW_INT32 && compressed && !spw_changes_types_only(plan)) {
    const int64_t batches = spw_is_compressed(plan->t->layout) && !plan->made ? spw_batches_at_once(plan) : 1;
    work->out_c = take_indices(&r, spw_mul_saturated(batches, spw_add_saturated(plan->out_C, 1)), true);
    work->out_p = take_indices(&r, spw_mul_saturated(batches, plan->cap), true);
  }
  const bool lines = compressed && !spw_has_blocks(plan->to.layout);
  const bool direct = plan->to.layout == SPW_DENSE || (plan->t->layout == SPW_DENSE && !lines) || plan->rows_as_they_are ||
                      spw_swaps_batches(plan) || spw_lists_columns(plan) || spw_lists_batches(plan) || spw_stores_batches(plan);
  if (plan->payload == SPW_PLACES && !direct)
    work->map = spw_take(&r, spw_mul_saturated(plan->out_batches, spw_mul_saturated(plan->cap, spw_payloads_of_cell(plan))), 8);
  return r.used < INT64_MAX ? r.used : -1;
}

spw_status spw_plan_room(const spw_plan *plan, spw_room *room_of, spw_refusal *refusal)
{
  const bool compressed = spw_is_compressed(plan->to.layout), dense = plan->to.layout == SPW_DENSE;
  const int64_t batch_dims = plan->to.batch_dims, blocks = spw_has_blocks(plan->to.layout) ? 2 : 0;
  const int64_t index_dims = dense ? 0 : compressed ? 4 * (batch_dims + 1) : 4;
  const int64_t value_dims = dense ? plan->ndim : batch_dims + 1 + blocks + plan->dense_dims;
  const int64_t cells = spw_mul_saturated(plan->out_batches, plan->cap);
  const int64_t block = spw_mul_saturated(plan->out_block[0], plan->out_block[1]);
  spw_workspace work;
  const int64_t bytes = spw_lay_out(plan, NULL, &work);
  spw_room r = {.index_dtype = dense ? SPW_DTYPE_NONE : plan->to.index_dtype, .dtype = plan->dtype};
  r.nse = plan->cap;
  r.dims = plan->ndim + index_dims + 2 * value_dims;
  r.compressed = compressed ? spw_mul_saturated(plan->out_batches, spw_add_saturated(plan->out_C, 1)) : 0;
  r.plain = dense ? 0 : compressed ? cells : spw_mul_saturated(plan->sparse_dims, cells);
  r.values = dense ? spw_size_product(plan, plan->ndim)
             : cells == 0 ? 0 : spw_mul_saturated(cells, spw_mul_saturated(block, plan->width));
  r.work = (size_t)bytes;
  const bool too_many_lines = compressed && plan->out_C == INT64_MAX; /* even of no batches */
  if (bytes < 0 || too_many_lines || r.compressed == INT64_MAX || r.plain == INT64_MAX || r.values == INT64_MAX)
    return spw_refuse(refusal, SPW_OBSTACLE_SIZE, -1, -1, -1, -1);
  *room_of = r;
  return SPW_OK;
}
