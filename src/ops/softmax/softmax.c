/* SPDX-License-Identifier: Apache-2.0 */
/* The public calls of softmax and log_softmax. */
#include "softmax.h"
#include "../elementwise/elementwise.h"
#include "../../convert/buffers.h"
#include "../../convert/plan.h"
#include "../../convert/values.h"
#include "../../core/size.h"
#include "../../number/half.h"
#include "../../operand/overlap.h"
#include "../../structure/pattern.h"

#include <string.h>

/* ---- What stands in its way ---------------------------------------------------------------------- */

static spw_status read_dim(spw_softmax_plan *plan, spw_refusal *refusal)
{
  const spw_form *const f = &plan->form;
  const int64_t lhs = plan->wanted.dim, d = lhs < 0 ? lhs + f->ndim : lhs;
  if (d < 0 || d >= f->ndim) return spw_refuse_operand(refusal, 0, SPW_OBSTACLE_DIMENSION, 0, lhs, f->ndim);
  plan->dim = d;
  plan->dtype = f->t->values.array.dtype;
  if (d < f->batch_dims) return spw_refuse_operand(refusal, 0, SPW_OBSTACLE_LAYOUT, d, (int64_t)f->layout, SPW_COO);
  if (!spw_has_quotients(plan->dtype)) return spw_refuse_operand(refusal, 0, SPW_OBSTACLE_TYPES, -1, (int64_t)plan->dtype, -1);
  return SPW_OK;
}

static void read_cell(spw_softmax_plan *plan)
{
  const spw_form *const f = &plan->form;
  plan->scalars = plan->step = 1;
  for (int64_t d = f->leading; d < f->ndim; d++) {
    plan->scalars = spw_mul_saturated(plan->scalars, f->size[d]);
    if (d > plan->dim) plan->step = spw_mul_saturated(plan->step, f->size[d]);
  }
}

typedef struct softmax_work {
  spw_arena combined;
  float *wide;
  spw_group_work groups;
  int64_t bytes;
} softmax_work;

static softmax_work lay_out(const spw_softmax_plan *plan, char *base)
{
  softmax_work w = {.wide = NULL};
  spw_arena arena = {base, 0};
  if (plan->combines) {
    w.combined = arena;
    (void)spw_take_buffers(&arena, &plan->combined.room);
    (void)spw_take_bytes(&arena, plan->combined.room.work);
  }
  if (plan->wide) w.wide = spw_take(&arena, plan->room.values, sizeof(float));
  if (plan->dim < plan->form.leading && !plan->runs) w.groups = spw_take_groups(&plan->grouping, &arena);
  w.bytes = arena.used;
  return w;
}

/* Along the last sparse dimension of COO in order, and along the lines of CSR and CSC. */
static bool has_runs(const spw_softmax_plan *plan)
{
  const spw_form *const f = &plan->form;
  if (plan->dim >= f->leading) return false;
  if (f->layout == SPW_COO) return plan->grouping.ascends;
  return f->block[0] == 1 && f->block[1] == 1 && plan->dim != f->batch_dims + spw_major_of(f->layout);
}

static bool group(spw_softmax_plan *plan)
{
  bool along[SPW_STRUCTURE_DIMS] = {false};
  along[plan->dim] = true;
  const bool fits = plan->dim >= plan->form.leading || spw_groups_of(&plan->form, along, SPW_KEYS_OF_GROUPS, &plan->grouping);
  if (plan->combines && plan->form.t->coalesced != SPW_CLAIM_YES) plan->grouping.ascends = false; /* not before it is combined */
  plan->runs = has_runs(plan);
  return fits;
}

static spw_status take_room(spw_softmax_plan *plan, spw_refusal *refusal)
{
  const spw_tensor *const t = plan->form.t;
  read_cell(plan);
  plan->wide = plan->dtype == SPW_FLOAT16 || plan->dtype == SPW_BFLOAT16;
  plan->combines = t->layout == SPW_COO && t->coalesced != SPW_CLAIM_YES && plan->form.nse > 1;
  if (plan->combines) {
    const spw_status status = spw_specified_size(t, SPW_COMBINE_SUM, t->plain.array.dtype, &plan->combined, refusal);
    if (status != SPW_OK) return status;
  }
  const bool fits = group(plan);
  plan->room = spw_pattern_room(&plan->form, spw_mul_saturated(plan->scalars,
                                                               spw_mul_saturated(plan->form.block[0], plan->form.block[1])));
  const int64_t bytes = lay_out(plan, NULL).bytes;
  const spw_room *const r = &plan->room;
  if (!fits || r->values == INT64_MAX || r->plain == INT64_MAX || r->compressed == INT64_MAX || !spw_is_object_size(bytes))
    return spw_refuse_operand(refusal, 2, SPW_OBSTACLE_SIZE, -1, -1, -1);
  plan->room.work = (size_t)bytes;
  return SPW_OK;
}

static spw_status make_plan(const spw_tensor *t, const spw_softmax_request *wanted, bool judged, spw_softmax_plan *plan,
                            spw_refusal *refusal)
{
  if (!t || !wanted || t->layout == SPW_DENSE) return SPW_EINVAL;
  memset(plan, 0, sizeof *plan);
  plan->wanted = *wanted;
  spw_status status = spw_operand_take(t, 0, judged, 1, &plan->taken, refusal);
  if (status == SPW_OK) status = spw_form_of(&plan->taken, &plan->form);
  if (status == SPW_OK) status = read_dim(plan, refusal);
  return status == SPW_OK ? take_room(plan, refusal) : status;
}

/* ---- Values -------------------------------------------------------------------------------------- */

static void widen(spw_dtype dtype, const uint16_t *halves, int64_t n, float *out)
{
  for (int64_t i = 0; i < n; i++)
    out[i] = dtype == SPW_FLOAT16 ? spw_float_of_float16(halves[i]) : spw_float_of_bfloat16(halves[i]);
}

static void narrow(spw_dtype dtype, const float *v, int64_t n, uint16_t *out)
{
  for (int64_t i = 0; i < n; i++) out[i] = dtype == SPW_FLOAT16 ? spw_float16_of_float(v[i]) : spw_bfloat16_of_float(v[i]);
}

static void take_fibre(const spw_softmax_plan *plan, void *values, int64_t first, const spw_cell *cells, int64_t n, int64_t step)
{
  if (plan->dtype == SPW_FLOAT64)
    spw_softmax_double((double *)values + first, cells, n, step, plan->wanted.logarithm);
  else
    spw_softmax_float((float *)values + first, cells, n, step, plan->wanted.logarithm);
}

/* Along a dense dimension, in each cell. */
static void take_cells(const spw_softmax_plan *plan, void *values, int64_t count)
{
  const int64_t length = plan->form.size[plan->dim], step = plan->step, fibres = length * step;
  for (int64_t first = 0; first < count; first += fibres)
    for (int64_t i = 0; i < step; i++) take_fibre(plan, values, first + i, NULL, length, step);
}

/* Along a sparse one: a group is a fibre for each scalar of a cell. */
static void take_groups(const spw_softmax_plan *plan, void *values, const spw_cell *cells)
{
  const int64_t items = plan->grouping.items;
  for (int64_t i = 0, end; i < items; i = end) {
    for (end = i + 1; end < items && cells[end].key == cells[i].key;) end++;
    for (int64_t w = 0; w < plan->scalars; w++) take_fibre(plan, values, w, cells + i, end - i, plan->scalars);
  }
}

/* A fibre for each scalar of n cells, from cell `first` on. */
static void take_run(const spw_softmax_plan *plan, void *values, int64_t first, int64_t n)
{
  for (int64_t w = 0; w < plan->scalars; w++) take_fibre(plan, values, first * plan->scalars + w, NULL, n, plan->scalars);
}

/* Where do indices along the sparse dimensions, but for the last, differ from those of column k? */
static int64_t end_of_run(const spw_form *f, int64_t k)
{
  const spw_index_array *const p = &f->t->plain;
  for (int64_t end = k + 1; end < f->nse; end++)
    for (int64_t d = 0; d < f->leading - 1; d++) {
      const int64_t row = p->array.offset + d * p->array.strides[0], stride = p->array.strides[1];
      if (spw_index_at(p, row + end * stride) != spw_index_at(p, row + k * stride)) return end;
    }
  return f->nse;
}

static void take_lines(const spw_softmax_plan *plan, void *values)
{
  const spw_form *const f = &plan->form;
  int64_t at[SPW_STRUCTURE_DIMS];
  for (int64_t b = 0; b < f->batches; b++) {
    spw_batch_at(f, b, at);
    const int64_t c = spw_lines_of(f, at).c;
    for (int64_t i = 0, from = 0; i < f->C; i++) {
      const int64_t to = spw_index_at(&f->t->compressed, c + i + 1);
      take_run(plan, values, b * f->nse + from, to - from);
      from = to;
    }
  }
}

static void take_runs(const spw_softmax_plan *plan, void *values)
{
  const spw_form *const f = &plan->form;
  if (f->layout != SPW_COO) take_lines(plan, values);
  for (int64_t k = 0, end; f->layout == SPW_COO && k < f->nse; k = end) {
    end = end_of_run(f, k);
    take_run(plan, values, k, end - k);
  }
}

static void take_values(const spw_softmax_plan *plan, const softmax_work *work, int64_t count, void *out)
{
  void *const values = plan->wide ? (void *)work->wide : out;
  spw_pack_values(&plan->form.t->values, out);
  if (plan->wide) widen(plan->dtype, out, count, work->wide);
  if (plan->dim >= plan->form.leading)
    take_cells(plan, values, count);
  else if (plan->runs)
    take_runs(plan, values);
  else
    take_groups(plan, values, spw_group_items(&plan->form, &plan->grouping, &work->groups));
  if (plan->wide) narrow(plan->dtype, work->wide, count, out);
}

/* ---- Calls --------------------------------------------------------------------------------------- */

static spw_status find_room(const spw_tensor *t, const spw_softmax_request *wanted, bool judged, spw_room *room,
                            spw_refusal *refusal)
{
  spw_softmax_plan plan;
  if (!room) return SPW_EINVAL;
  const spw_status status = make_plan(t, wanted, judged, &plan, refusal);
  if (status == SPW_OK) *room = plan.room;
  return status;
}

static spw_status combine(spw_softmax_plan *plan, softmax_work *work, spw_refusal *refusal)
{
  spw_status status = spw_specified_make(plan->form.t, &plan->combined, &work->combined, refusal);
  if (status == SPW_OK) status = spw_form_read(plan->combined.t, &plan->form);
  if (status == SPW_OK) group(plan);
  return status;
}

static spw_status softmax(const spw_tensor *t, const spw_softmax_request *wanted, bool judged, const spw_buffers *buffers,
                          spw_tensor *result, spw_refusal *refusal)
{
  spw_softmax_plan plan;
  if (!buffers || !result) return SPW_EINVAL;
  spw_status status = make_plan(t, wanted, judged, &plan, refusal);
  if (status != SPW_OK) return status;
  if (!spw_buffers_hold(buffers, &plan.room)) return SPW_EINVAL;
  status = spw_keep_apart(&plan.taken, 1, wanted, (int64_t)sizeof *wanted, buffers, &plan.room, refusal);
  if (status != SPW_OK) return status;
  softmax_work work = lay_out(&plan, buffers->work);
  if (plan.combines) status = combine(&plan, &work, refusal);
  if (status != SPW_OK) return status;
  const spw_room room = spw_pattern_room(&plan.form, spw_mul_saturated(plan.scalars,
                                                                       spw_mul_saturated(plan.form.block[0],
                                                                                         plan.form.block[1])));
  if (room.values > 0) take_values(&plan, &work, room.values, buffers->values);
  spw_pattern_copy(&plan.form, &room, buffers);
  spw_pattern_view(&plan.form, &room, buffers, result);
  return SPW_OK;
}

spw_status spw_softmax_size(const spw_tensor *t, const spw_softmax_request *wanted, spw_room *room, spw_refusal *refusal)
{
  return find_room(t, wanted, true, room, refusal);
}

spw_status spw_softmax_size_unchecked(const spw_tensor *t, const spw_softmax_request *wanted, spw_room *room,
                                      spw_refusal *refusal)
{
  return find_room(t, wanted, false, room, refusal);
}

spw_status spw_softmax(const spw_tensor *t, const spw_softmax_request *wanted, const spw_buffers *buffers, spw_tensor *result,
                       spw_refusal *refusal)
{
  return softmax(t, wanted, true, buffers, result, refusal);
}

spw_status spw_softmax_unchecked(const spw_tensor *t, const spw_softmax_request *wanted, const spw_buffers *buffers,
                                 spw_tensor *result, spw_refusal *refusal)
{
  return softmax(t, wanted, false, buffers, result, refusal);
}
