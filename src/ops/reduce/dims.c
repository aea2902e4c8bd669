/* SPDX-License-Identifier: Apache-2.0 */
/* The public calls of reductions over dimensions. */
#include "norms.h"
#include "places.h"
#include "widen.h"
#include "../instances/instances.h"
#include "../../convert/buffers.h"
#include "../../convert/plan.h"
#include "../../convert/shape.h"
#include "../../convert/values.h"
#include "../../core/size.h"
#include "../../operand/overlap.h"
#include "../../structure/pattern.h"

#include <string.h>

#define FOLD_DIMS(type, name) case type: spw_fold_dims_##name(f, out); break;

static void fold_dims(const spw_dims_fold *f, spw_dtype dtype, void *out)
{
  switch (dtype) {
  case SPW_DTYPE_NONE: break;
  SPW_EACH_VALUE_TYPE(FOLD_DIMS)
  }
}

/* What comes of no numbers is 0, without a look at each index of the dimensions beside the empty one, which may be vast. */
static void fold(const spw_dims_plan *plan, const spw_dims_fold *f, int64_t results, void *out)
{
  if (f->per_item == 0)
    memset(out, 0, (size_t)results * (size_t)spw_dtype_size(plan->dtype));
  else if (spw_dims_is_place(plan->wanted.kind))
    spw_fold_places(f, plan->wanted.kind == SPW_DIMS_ARGMAX, plan->folded, out);
  else if (spw_dims_is_norm(plan->wanted.kind))
    spw_fold_norms(f, plan->wanted.kind, plan->folded, out);
  else
    fold_dims(f, plan->folded, out);
}

/* ---- Values -------------------------------------------------------------------------------------- */

/* Which of them are not 0. */
static void test_values(const char *values, spw_dtype dtype, int64_t count, char *out)
{
  const int64_t size = spw_dtype_size(dtype);
  for (int64_t i = 0; i < count; i++) out[i] = spw_any_nonzero(values + i * size, 1, dtype, false);
}

/* The values of what is reduced, one behind the other, in the type in which they are folded. */
static const void *values_of(const spw_dims_plan *plan, const spw_dims_work *work)
{
  const spw_value_array *const v = &plan->form.t->values;
  const spw_array *const a = &v->array;
  static const _Alignas(16) char none[16];
  if (spw_count_values(a) == 0) return none; /* with an offset that may be anything, and of storage that may be null */
  if (!work->packed) return spw_value_at(v, a->offset);
  if (plan->folded == a->dtype && !spw_dims_is_logical(plan->wanted.kind)) {
    spw_pack_values(v, work->packed);
  } else if (spw_values_in_order(v)) {
    test_values(spw_value_at(v, a->offset), a->dtype, spw_count_values(a), work->packed);
  } else {
    const int64_t count = spw_count_values(a);
    for (int64_t i = 0; i < count; i++)
      test_values(spw_value_at(v, a->offset + spw_position_of(a->shape, a->strides, a->ndim, i)), a->dtype, 1, work->packed + i);
  }
  return work->packed;
}

static void read_kind(const spw_dims_plan *plan, spw_dims_fold *f)
{
  switch (plan->wanted.kind) {
  case SPW_DIMS_SUM: f->how = SPW_REDUCE_SUM; break;
  case SPW_DIMS_MEAN: f->how = SPW_REDUCE_MEAN; break;
  case SPW_DIMS_MEAN_DENSE: f->how = SPW_REDUCE_MEAN; f->divisor = plan->positions; break;
  case SPW_DIMS_AMAX: case SPW_DIMS_MAX: case SPW_DIMS_ANY: case SPW_DIMS_IS_NONZERO: f->how = SPW_REDUCE_AMAX; break;
  case SPW_DIMS_AMIN: case SPW_DIMS_MIN: case SPW_DIMS_ALL: f->how = SPW_REDUCE_AMIN; break;
  default: break; /* norms and places are no folds */
  }
  f->joins = plan->wanted.kind == SPW_DIMS_MAX || plan->wanted.kind == SPW_DIMS_MIN || plan->wanted.kind == SPW_DIMS_ALL;
}

/* How the dense part of an item lies in memory. */
static void read_cell(const spw_dims_plan *plan, spw_dims_fold *f)
{
  const spw_form *const form = &plan->form;
  int64_t stride = 1;
  f->width = 1;
  for (int64_t d = form->ndim - 1; d >= form->leading; d--) {
    int64_t *const n = plan->reduced[d] ? &f->dims : &f->kept;
    (plan->reduced[d] ? f->size : f->kept_size)[*n] = form->size[d];
    (plan->reduced[d] ? f->stride : f->kept_stride)[*n] = stride;
    (*n)++;
    if (!plan->reduced[d]) f->width = spw_mul_saturated(f->width, form->size[d]);
    stride = spw_mul_saturated(stride, form->size[d]);
  }
  f->scalars = stride;
  f->per_item = plan->per_item;
}

static spw_dims_fold fold_of(const spw_dims_plan *plan, const spw_dims_work *work)
{
  spw_dims_fold f = {.positions = plan->positions, .n = plan->grouping.items, .levels = plan->grouping.levels,
                     .part = plan->grouping.part, .dense = plan->result == SPW_DIMS_DENSE, .sums = work->sums};
  read_kind(plan, &f);
  read_cell(plan, &f);
  return f;
}

/* ---- Results ------------------------------------------------------------------------------------- */

/* The dense dimensions of the result behind `entries`, which has so many before. */
static void put_dense_dims(const spw_dims_plan *plan, int64_t *entries)
{
  for (int64_t d = plan->form.leading; d < plan->form.ndim; d++)
    if (!plan->reduced[d] || plan->wanted.keepdim) *entries++ = plan->reduced[d] ? 1 : plan->form.size[d];
}

static void keep_pattern(const spw_dims_plan *plan, const spw_dims_work *work, const spw_buffers *buffers, spw_tensor *result)
{
  const spw_form *const m = &plan->form;
  spw_tensor like = *m->t;
  spw_form form = *m;
  spw_array *const a = &like.values.array;
  int64_t shape[SPW_STRUCTURE_DIMS + 4];
  const int64_t before = m->t->values.array.ndim - m->dense_dims;
  for (int64_t d = 0; d < before; d++) shape[d] = a->shape[d];
  put_dense_dims(plan, shape + before);
  a->dtype = plan->dtype;
  a->shape = shape;
  a->ndim = before + plan->ndim - m->leading;
  form.t = &like;
  form.ndim = plan->ndim;
  form.dense_dims = plan->ndim - m->leading;
  for (int64_t d = 0; d < plan->ndim; d++) form.size[d] = plan->size[d];
  spw_dims_fold f = fold_of(plan, work);
  const int64_t block = spw_mul_saturated(m->block[0], m->block[1]);
  const spw_room room = spw_pattern_room(&form, spw_mul_saturated(block, f.width));
  f.n = room.values == 0 ? 0 : spw_mul_saturated(m->layout == SPW_COO ? 1 : m->batches, spw_mul_saturated(m->nse, block));
  if (f.n > 0 && f.width > 0) {
    f.values = values_of(plan, work);
    fold(plan, &f, f.n * f.width, buffers->values);
  }
  spw_pattern_copy(&form, &room, buffers);
  spw_pattern_view(&form, &room, buffers, result);
}

static void join_items(spw_dims_fold *f)
{
  f->scalars *= f->n;
  f->per_item = f->size[0] = f->scalars;
  f->stride[0] = f->dims = f->n = 1;
}

static void make_dense(const spw_dims_plan *plan, const spw_dims_work *work, const spw_buffers *buffers, spw_tensor *result)
{
  const int64_t count = plan->room.values, scalar = spw_dtype_size(plan->dtype);
  const bool vacuous = plan->wanted.kind == SPW_DIMS_ALL && plan->positions == 0;
  spw_dims_fold f = fold_of(plan, work);
  if (count > 0) memset(buffers->values, vacuous, (size_t)(count * scalar));
  if (count > 0 && f.n > 0 && !vacuous) {
    f.values = values_of(plan, work);
    if (plan->joined)
      join_items(&f);
    else
      f.cells = spw_group_items(&plan->form, &plan->grouping, &work->groups);
    fold(plan, &f, count, buffers->values);
  }
  *result = spw_dense_result(plan->dtype, plan->ndim, plan->size, buffers->dims, buffers->values);
}

/* The index of each group along each leading dimension of the result. */
static void put_indices(const spw_dims_plan *plan, const spw_cell *cells, int64_t groups, spw_indices out)
{
  const spw_grouping *const g = &plan->grouping;
  const spw_form *const f = &plan->form;
  const uint64_t part = (uint64_t)g->part[0];
  int64_t row = 0;
  for (int64_t d = 0; d < f->leading; d++) {
    if (plan->reduced[d] && !plan->wanted.keepdim) continue;
    const uint64_t factor = (uint64_t)g->factor[d], size = (uint64_t)f->size[d];
    for (int64_t i = 0, k = 0; k < groups; i++) {
      if (i > 0 && cells[i].key / part == cells[i - 1].key / part) continue;
      spw_put_index(out, row * groups + k++, plan->reduced[d] ? 0 : (int64_t)(cells[i].key / factor % size));
    }
    row++;
  }
}

static void list_groups(const spw_dims_plan *plan, const spw_dims_work *work, const spw_buffers *buffers, spw_tensor *result)
{
  const spw_room *const room = &plan->room;
  const bool wide = room->index_dtype == SPW_INT64;
  spw_dims_fold f = fold_of(plan, work);
  f.cells = spw_group_items(&plan->form, &plan->grouping, &work->groups);
  const int64_t groups = spw_count_groups(f.cells, f.n, f.part[0]), dense = plan->form.dense_dims -
                         (plan->wanted.keepdim ? 0 : plan->reduced_dense), rows = plan->ndim - dense;
  put_indices(plan, f.cells, groups, (spw_indices){buffers->plain_i32, buffers->plain_i64, wide});
  if (f.n > 0 && f.width > 0) {
    f.values = values_of(plan, work);
    fold(plan, &f, groups * f.width, buffers->values);
  }
  int64_t *dims = buffers->dims;
  int64_t *const size = spw_take_numbers(&dims, plan->ndim);
  for (int64_t d = 0; d < plan->ndim; d++) size[d] = plan->size[d];
  spw_tensor r = {.layout = SPW_COO, .has_size = true, .ndim = plan->ndim, .size = size, .index_dtype = room->index_dtype,
                  .dtype = plan->dtype, .coalesced = SPW_CLAIM_YES};
  const spw_shape indices = spw_take_shape(&dims, 2), values = spw_take_shape(&dims, 1 + dense);
  indices.entries[0] = rows;
  indices.entries[1] = groups;
  r.plain.array = spw_array_of(room->index_dtype, indices);
  r.plain.i32 = wide ? NULL : buffers->plain_i32;
  r.plain.i64 = wide ? buffers->plain_i64 : NULL;
  values.entries[0] = groups;
  put_dense_dims(plan, values.entries + 1);
  r.values.array = spw_array_of(plan->dtype, values);
  r.values.data = buffers->values;
  *result = r;
}

/* ---- Calls --------------------------------------------------------------------------------------- */

static spw_status find_room(const spw_tensor *t, const spw_dims_reduction *wanted, bool judged, spw_room *room,
                            spw_refusal *refusal)
{
  spw_dims_plan plan;
  if (!room) return SPW_EINVAL;
  const spw_status status = spw_dims_plan_make(t, wanted, judged, &plan, refusal);
  if (status == SPW_OK) *room = plan.room;
  return status;
}

/* The operand of another type, and then without duplicates. */
static spw_status prepare(spw_dims_plan *plan, spw_dims_work *work, spw_refusal *refusal)
{
  if (plan->widens) {
    spw_widen_values(&plan->form.t->values, plan->dtype, work->wide);
    plan->wide.values.data = work->wide;
    plan->form.t = &plan->wide;
  }
  if (!plan->combines) return SPW_OK;
  spw_status status = spw_specified_make(plan->form.t, &plan->combined, &work->combined, refusal);
  if (status == SPW_OK) status = spw_form_read(plan->combined.t, &plan->form);
  if (status == SPW_OK && plan->result != SPW_DIMS_KEPT) spw_dims_group(plan);
  return status;
}

static spw_status make_copy(const spw_dims_plan *plan, const spw_dims_work *work, const spw_buffers *buffers, spw_tensor *result,
                            spw_refusal *refusal)
{
  spw_buffers b = *buffers;
  b.work = work->copied;
  b.room.work = plan->copied.work;
  return spw_convert_unchecked(plan->form.t, &plan->copy, &b, result, refusal);
}

static spw_status reduce_dims(const spw_tensor *t, const spw_dims_reduction *wanted, bool judged, const spw_buffers *buffers,
                              spw_tensor *result, spw_refusal *refusal)
{
  spw_dims_plan plan;
  if (!buffers || !result) return SPW_EINVAL;
  spw_status status = spw_dims_plan_make(t, wanted, judged, &plan, refusal);
  if (status != SPW_OK) return status;
  if (!spw_buffers_hold(buffers, &plan.room)) return SPW_EINVAL;
  status = spw_keep_apart(&plan.taken, 1, wanted, (int64_t)sizeof *wanted, buffers, &plan.room, refusal);
  if (status != SPW_OK) return status;
  spw_dims_work work = spw_dims_lay_out(&plan, buffers->work);
  status = prepare(&plan, &work, refusal);
  if (status != SPW_OK) return status;
  switch (plan.result) {
  case SPW_DIMS_COPIED: return make_copy(&plan, &work, buffers, result, refusal);
  case SPW_DIMS_KEPT: keep_pattern(&plan, &work, buffers, result); break;
  case SPW_DIMS_LISTED: list_groups(&plan, &work, buffers, result); break;
  case SPW_DIMS_DENSE: make_dense(&plan, &work, buffers, result); break;
  }
  return SPW_OK;
}

spw_status spw_reduce_dims_size(const spw_tensor *t, const spw_dims_reduction *wanted, spw_room *room, spw_refusal *refusal)
{
  return find_room(t, wanted, true, room, refusal);
}

spw_status spw_reduce_dims_size_unchecked(const spw_tensor *t, const spw_dims_reduction *wanted, spw_room *room,
                                          spw_refusal *refusal)
{
  return find_room(t, wanted, false, room, refusal);
}

spw_status spw_reduce_dims(const spw_tensor *t, const spw_dims_reduction *wanted, const spw_buffers *buffers, spw_tensor *result,
                           spw_refusal *refusal)
{
  return reduce_dims(t, wanted, true, buffers, result, refusal);
}

spw_status spw_reduce_dims_unchecked(const spw_tensor *t, const spw_dims_reduction *wanted, const spw_buffers *buffers,
                                     spw_tensor *result, spw_refusal *refusal)
{
  return reduce_dims(t, wanted, false, buffers, result, refusal);
}
