/* SPDX-License-Identifier: Apache-2.0 */
/* What a reduction over dimensions is about, and what stands in its way. */
#include "dims.h"
#include "widen.h"
#include "../elementwise/elementwise.h"
#include "../multiply/product.h"
#include "../../convert/buffers.h"
#include "../../convert/plan.h"
#include "../../convert/values.h"
#include "../../core/size.h"
#include "../../operand/fits.h"
#include "../../structure/pattern.h"

#include <string.h>

static bool sensible(const spw_tensor *t, const spw_dims_reduction *w)
{
  if (!t || !w || t->layout == SPW_DENSE || w->kind < SPW_DIMS_SUM || w->kind > SPW_DIMS_IS_NONZERO) return false;
  if (w->dtype < SPW_DTYPE_NONE || w->dtype >= SPW_DTYPE_COUNT) return false;
  if (w->kind > SPW_DIMS_MEAN_DENSE && w->dtype != SPW_DTYPE_NONE) return false;
  return w->dims ? w->count >= 0 : w->count == 0;
}

/* ---- Do they fit? -------------------------------------------------------------------------------- */

static spw_status read_dims(spw_dims_plan *plan, spw_refusal *refusal)
{
  const spw_dims_reduction *const w = &plan->wanted;
  const int64_t ndim = plan->form.ndim;
  int64_t entry[SPW_STRUCTURE_DIMS];
  for (int64_t d = 0; d < ndim; d++) plan->reduced[d] = !w->dims;
  for (int64_t i = 0; i < w->count; i++) {
    const int64_t lhs = w->dims[i], d = lhs < 0 ? lhs + ndim : lhs;
    if (d < 0 || d >= ndim) return spw_refuse(refusal, SPW_OBSTACLE_DIMENSION, i, -1, lhs, ndim);
    if (plan->reduced[d]) return spw_refuse(refusal, SPW_OBSTACLE_DIMENSION, i, entry[d], lhs, ndim);
    plan->reduced[d] = true;
    entry[d] = i;
  }
  for (int64_t d = 0; d < ndim; d++) *(d < plan->form.leading ? &plan->reduced_leading : &plan->reduced_dense) +=
      plan->reduced[d];
  return SPW_OK;
}

static int64_t elements_of(const int64_t *size, int64_t ndim)
{
  const int64_t count = ndim == 0 ? 1 : spw_product(size, ndim);
  return count < 0 ? INT64_MAX : count;
}

static spw_status one_position(const spw_dims_plan *plan, spw_refusal *refusal)
{
  const int64_t count = elements_of(plan->form.size, plan->form.ndim);
  return count == 1 ? SPW_OK : spw_refuse_operand(refusal, 0, SPW_OBSTACLE_SHAPES, -1, count, 1);
}

static spw_status kind_fits(spw_dims_plan *plan, spw_refusal *refusal)
{
  const spw_dims_kind kind = plan->wanted.kind;
  const spw_dtype own = plan->form.t->values.array.dtype, dtype = plan->wanted.dtype == SPW_DTYPE_NONE ? own : plan->wanted.dtype;
  if (!spw_widens(own, dtype))
    return spw_refuse_operand(refusal, 0, SPW_OBSTACLE_TYPES, -1, (int64_t)own, (int64_t)dtype);
  const bool mean = kind == SPW_DIMS_MEAN || kind == SPW_DIMS_MEAN_DENSE;
  const bool places = spw_dims_is_place(kind), ordered = (kind >= SPW_DIMS_AMAX && kind <= SPW_DIMS_MIN) || places;
  const bool norm = spw_dims_is_norm(kind), complex = spw_part_type(dtype) != dtype;
  if ((mean && !spw_has_quotients(dtype)) || (ordered && complex) || (norm && dtype < SPW_FLOAT16) ||
      (kind == SPW_DIMS_NORM_1 && complex))
    return spw_refuse_operand(refusal, 0, SPW_OBSTACLE_TYPES, -1, (int64_t)dtype, -1);
  plan->dtype = spw_dims_is_logical(kind) ? SPW_BOOL : places ? SPW_INT64 : norm ? spw_part_type(dtype) : dtype;
  plan->folded = norm || places ? dtype : plan->dtype;
  plan->widens = dtype != own;
  if (kind == SPW_DIMS_IS_NONZERO) return one_position(plan, refusal);
  if (kind != SPW_DIMS_MEAN_DENSE && kind != SPW_DIMS_MAX && kind != SPW_DIMS_MIN && !places) return SPW_OK;
  for (int64_t d = 0; d < plan->form.ndim; d++)
    if (plan->reduced[d] && plan->form.size[d] == 0) return spw_refuse_operand(refusal, 0, SPW_OBSTACLE_SHAPES, d, 0, 1);
  return SPW_OK;
}

/* Which result it is. */
static spw_status read_result(spw_dims_plan *plan, spw_refusal *refusal)
{
  const spw_dims_reduction *const w = &plan->wanted;
  const spw_form *const f = &plan->form;
  const bool all = plan->reduced_leading == f->leading && (!w->dims || f->leading > 0);
  for (int64_t d = 0; d < f->batch_dims && !all; d++)
    if (plan->reduced[d]) return spw_refuse_operand(refusal, 0, SPW_OBSTACLE_LAYOUT, d, (int64_t)f->layout, SPW_COO);
  if (spw_dims_is_logical(w->kind) || all)
    plan->result = SPW_DIMS_DENSE;
  else if (w->dims && w->count == 0 && w->kind == SPW_DIMS_SUM)
    plan->result = SPW_DIMS_COPIED;
  else if (plan->reduced_leading == 0)
    plan->result = SPW_DIMS_KEPT;
  else
    plan->result = f->layout == SPW_COO || w->sparse ? SPW_DIMS_LISTED : SPW_DIMS_DENSE;
  return SPW_OK;
}

/* ---- Before it is reduced ------------------------------------------------------------------------ */

/* Where no value is read yet. */
static const _Alignas(16) char nothing[16];

static const spw_tensor *widened(spw_dims_plan *plan, const spw_tensor *t)
{
  if (!plan->widens) return t;
  plan->wide = *t;
  spw_array *const a = &plan->wide.values.array;
  const int64_t count = spw_count_values(a);
  a->dtype = plan->dtype;
  plan->wide.dtype = plan->dtype;
  a->strides = plan->strides;
  a->offset = 0;
  a->length = count;
  int64_t stride = 1;
  for (int64_t d = a->ndim - 1; d >= 0; d--) {
    plan->strides[d] = stride;
    stride = spw_mul_saturated(stride, a->shape[d]);
  }
  plan->wide.values.data = nothing;
  return &plan->wide;
}

static spw_status prepare(spw_dims_plan *plan, const spw_tensor *t, spw_refusal *refusal)
{
  const spw_tensor *const wide = widened(plan, t);
  const spw_conversion same = {.layout = t->layout, .batch_dims = -1, .dense_dims = -1};
  plan->copy = same;
  if (plan->result == SPW_DIMS_COPIED) return spw_convert_size_unchecked(wide, &plan->copy, &plan->copied, refusal);
  plan->combines = plan->wanted.kind != SPW_DIMS_SUM && t->layout == SPW_COO && t->coalesced != SPW_CLAIM_YES &&
      plan->form.nse > 1;
  if (!plan->combines) return SPW_OK;
  return spw_specified_size(wide, SPW_COMBINE_SUM, t->plain.array.dtype, &plan->combined, refusal);
}

/* ---- Room ---------------------------------------------------------------------------------------- */

static void read_size(spw_dims_plan *plan)
{
  const spw_form *const f = &plan->form;
  const bool dense_size_is_zero = elements_of(f->size, f->ndim) == 0;
  plan->positions = dense_size_is_zero ? 0 : 1;
  plan->per_item = 1;
  for (int64_t d = 0; d < f->ndim; d++) {
    if (!plan->reduced[d] || plan->wanted.keepdim) plan->size[plan->ndim++] = plan->reduced[d] ? 1 : f->size[d];
    if (!plan->reduced[d]) continue;
    plan->positions = spw_mul_saturated(plan->positions, f->size[d]);
    if (d >= f->leading) plan->per_item = spw_mul_saturated(plan->per_item, f->size[d]);
  }
}

/* Dense dimensions of the result, which are its last. */
static int64_t dense_dims_left(const spw_dims_plan *plan)
{
  return plan->form.dense_dims - (plan->wanted.keepdim ? 0 : plan->reduced_dense);
}

static spw_status listed_room(spw_dims_plan *plan, spw_refusal *refusal)
{
  const int64_t dense = dense_dims_left(plan), rows = plan->ndim - dense, groups = elements_of(plan->size, rows);
  const spw_dtype index = plan->form.t->plain.array.dtype;
  for (int64_t d = 0; d < rows && index == SPW_INT32; d++)
    if (plan->size[d] > (int64_t)INT32_MAX + 1)
      return spw_refuse_operand(refusal, 2, SPW_OBSTACLE_INDEX, -1, plan->size[d] - 1, INT32_MAX);
  spw_room *const r = &plan->room;
  r->index_dtype = index;
  r->nse = groups < plan->grouping.items ? groups : plan->grouping.items;
  r->dims = plan->ndim + 4 + 2 * (dense + 1);
  r->plain = spw_mul_saturated(rows, r->nse);
  r->values = r->nse == 0 ? 0 : spw_mul_saturated(r->nse, elements_of(plan->size + rows, dense));
  return SPW_OK;
}

/* With smaller cells: of the operand, or of what it is combined into, which has no more. */
static void kept_room(spw_dims_plan *plan)
{
  const int64_t dense = dense_dims_left(plan), block = spw_mul_saturated(plan->form.block[0], plan->form.block[1]);
  plan->room = spw_pattern_room(&plan->form, spw_mul_saturated(block, elements_of(plan->size + plan->ndim - dense, dense)));
  plan->room.dtype = plan->dtype;
}

static spw_status result_room(spw_dims_plan *plan, spw_refusal *refusal)
{
  const spw_room none = {.index_dtype = SPW_DTYPE_NONE};
  plan->room = plan->result == SPW_DIMS_COPIED ? plan->copied : none;
  if (plan->result == SPW_DIMS_KEPT) kept_room(plan);
  if (plan->result == SPW_DIMS_LISTED) {
    const spw_status status = listed_room(plan, refusal);
    if (status != SPW_OK) return status;
  }
  if (plan->result == SPW_DIMS_DENSE) {
    plan->room.dims = 2 * plan->ndim;
    plan->room.values = elements_of(plan->size, plan->ndim);
  }
  plan->room.dtype = plan->dtype;
  return SPW_OK;
}

static bool grouped(const spw_dims_plan *plan)
{
  return plan->result == SPW_DIMS_LISTED || plan->result == SPW_DIMS_DENSE;
}

spw_dims_work spw_dims_lay_out(spw_dims_plan *plan, char *base)
{
  spw_dims_work w = {0};
  spw_arena arena = {base, 0};
  const spw_array *const v = &plan->form.t->values.array;
  const int64_t values = spw_count_values(v), scalar = spw_dtype_size(plan->folded);
  if (plan->widens) w.wide = spw_take(&arena, values, scalar);
  if (plan->result == SPW_DIMS_COPIED) w.copied = spw_take_bytes(&arena, plan->copied.work);
  if (plan->combines) {
    w.combined = arena;
    (void)spw_take_buffers(&arena, &plan->combined.room);
    (void)spw_take_bytes(&arena, plan->combined.as_it_is ? 0 : plan->combined.room.work);
  }
  const bool in_place = plan->widens || plan->combines || spw_values_in_order(&plan->form.t->values);
  if (plan->result != SPW_DIMS_COPIED && (spw_dims_is_logical(plan->wanted.kind) || !in_place)) w.packed =
      spw_take(&arena, values, scalar);
  if (grouped(plan) && !plan->joined) {
    const int64_t width = elements_of(plan->size + plan->ndim - dense_dims_left(plan), dense_dims_left(plan));
    w.groups = spw_take_groups(&plan->grouping, &arena);
    if (plan->grouping.items > 0) w.sums = spw_take(&arena, spw_mul_saturated(plan->grouping.levels, width),
                                                    spw_sum_size(plan->folded));
  }
  w.bytes = arena.used;
  return w;
}

bool spw_dims_group(spw_dims_plan *plan)
{
  const spw_keys keys = spw_dims_is_place(plan->wanted.kind) ? SPW_KEYS_OF_PLACES : SPW_KEYS_OF_LEVELS;
  return spw_groups_of(&plan->form, plan->reduced, keys, &plan->grouping);
}

static spw_status take_room(spw_dims_plan *plan, spw_refusal *refusal)
{
  read_size(plan);
  bool fits = true;
  if (grouped(plan)) {
    fits = spw_dims_group(plan);
    /* What is combined is in order, and claims it. */
    if (plan->combines) plan->grouping.ascends = false;
  }
  plan->joined = spw_dims_is_norm(plan->wanted.kind) && plan->result == SPW_DIMS_DENSE &&
                 plan->reduced_leading == plan->form.leading && plan->reduced_dense == plan->form.ndim - plan->form.leading;
  const spw_status status = result_room(plan, refusal);
  if (status != SPW_OK) return status;
  const int64_t bytes = spw_dims_lay_out(plan, NULL).bytes;
  const spw_room *const r = &plan->room;
  /* A zero that is reduced no longer hides what the other sizes come to (3.11). */
  if (spw_product(plan->size, plan->ndim) < 0) fits = false;
  if (!fits || r->values == INT64_MAX || r->plain == INT64_MAX || r->compressed == INT64_MAX || !spw_is_object_size(bytes))
    return spw_refuse_operand(refusal, 2, SPW_OBSTACLE_SIZE, -1, -1, -1);
  plan->room.work = (size_t)bytes;
  return SPW_OK;
}

spw_status spw_dims_plan_make(const spw_tensor *t, const spw_dims_reduction *wanted, bool judged, spw_dims_plan *plan,
                              spw_refusal *refusal)
{
  if (!sensible(t, wanted)) return SPW_EINVAL;
  memset(plan, 0, sizeof *plan);
  plan->wanted = *wanted;
  spw_status status = spw_operand_take(t, 0, judged, 1, &plan->taken, refusal);
  if (status == SPW_OK) status = spw_form_of(&plan->taken, &plan->form);
  if (status == SPW_OK) status = read_dims(plan, refusal);
  if (status == SPW_OK) status = kind_fits(plan, refusal);
  if (status == SPW_OK) status = read_result(plan, refusal);
  if (status == SPW_OK) status = prepare(plan, t, refusal);
  return status == SPW_OK ? take_room(plan, refusal) : status;
}
