/* SPDX-License-Identifier: Apache-2.0 */
/* The positions of what is not 0. */
#include "../../convert/buffers.h"
#include "../../convert/indices.h"
#include "../../convert/plan.h"
#include "../../convert/shape.h"
#include "../../convert/values.h"
#include "../../core/size.h"
#include "../../operand/overlap.h"
#include "../../sparsewright_reduce.h"
#include "../../structure/form.h"
#include "../../structure/specified.h"

typedef struct nonzero_plan {
  spw_operand taken;
  spw_form form;
  spw_specified specified;
  int64_t scalars; /* of a cell of COO */
  spw_room room;
} nonzero_plan;

static spw_status take_room(nonzero_plan *plan, spw_refusal *refusal)
{
  const spw_form *const f = &plan->form;
  spw_arena arena = {NULL, 0};
  spw_status status = spw_specified_size(f->t, SPW_COMBINE_SUM, SPW_INT64, &plan->specified, refusal);
  if (status == SPW_OK) status = spw_specified_make(f->t, &plan->specified, &arena, refusal);
  if (status != SPW_OK) return status;
  plan->scalars = 1;
  for (int64_t d = f->leading; d < f->ndim; d++) plan->scalars = spw_mul_saturated(plan->scalars, f->size[d]);
  const int64_t count = spw_count_values(&f->t->values.array);
  plan->room.dtype = SPW_INT64;
  plan->room.dims = 4;
  plan->room.values = spw_mul_saturated(count, f->ndim);
  if (count == INT64_MAX || plan->room.values == INT64_MAX || !spw_is_object_size(arena.used))
    return spw_refuse_operand(refusal, 2, SPW_OBSTACLE_SIZE, -1, -1, -1);
  plan->room.work = (size_t)arena.used;
  return SPW_OK;
}

static spw_status make_plan(const spw_tensor *t, bool judged, nonzero_plan *plan, spw_refusal *refusal)
{
  const nonzero_plan none = {.scalars = 0};
  if (!t || t->layout == SPW_DENSE) return SPW_EINVAL;
  *plan = none;
  spw_status status = spw_operand_take(t, 0, judged, 1, &plan->taken, refusal);
  if (status == SPW_OK) status = spw_form_of(&plan->taken, &plan->form);
  return status == SPW_OK ? take_room(plan, refusal) : status;
}

/* The indices of scalar w of element k of canonical COO. */
static void put_position(const nonzero_plan *plan, int64_t k, int64_t w, int64_t *out)
{
  const spw_form *const f = &plan->form;
  const spw_index_array *const i = &plan->specified.t->plain;
  for (int64_t d = 0; d < f->leading; d++)
    out[d] = spw_index_at(i, i->array.offset + d * i->array.strides[0] + k * i->array.strides[1]);
  for (int64_t d = f->ndim - 1; d >= f->leading; d--) {
    out[d] = w % f->size[d];
    w /= f->size[d];
  }
}

static int64_t list_positions(const nonzero_plan *plan, int64_t *out)
{
  const spw_value_array *const v = &plan->specified.t->values;
  const int64_t nse = v->array.shape[0], size = spw_dtype_size(v->array.dtype);
  int64_t count = 0;
  if (nse == 0 || plan->scalars == 0) return 0;
  const char *const values = spw_value_at(v, v->array.offset); /* they lie in order */
  for (int64_t k = 0; k < nse; k++)
    for (int64_t w = 0; w < plan->scalars; w++)
      if (spw_any_nonzero(values + (k * plan->scalars + w) * size, 1, v->array.dtype, false)) {
        if (plan->form.ndim > 0) put_position(plan, k, w, out + count * plan->form.ndim); /* else out may be null */
        count++;
      }
  return count;
}

static spw_status nonzero(const spw_tensor *t, bool judged, const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal)
{
  nonzero_plan plan;
  if (!buffers || !result) return SPW_EINVAL;
  spw_status status = make_plan(t, judged, &plan, refusal);
  if (status != SPW_OK) return status;
  if (!spw_buffers_hold(buffers, &plan.room)) return SPW_EINVAL;
  spw_arena arena = {buffers->work, 0};
  status = spw_keep_apart(&plan.taken, 1, NULL, 0, buffers, &plan.room, refusal);
  if (status == SPW_OK && plan.room.work > 0) status = spw_specified_make(t, &plan.specified, &arena, refusal);
  if (status != SPW_OK) return status;
  const int64_t shape[2] = {list_positions(&plan, buffers->values), plan.form.ndim};
  *result = spw_dense_result(SPW_INT64, 2, shape, buffers->dims, buffers->values);
  return SPW_OK;
}

static spw_status find_room(const spw_tensor *t, bool judged, spw_room *room, spw_refusal *refusal)
{
  nonzero_plan plan;
  if (!room) return SPW_EINVAL;
  const spw_status status = make_plan(t, judged, &plan, refusal);
  if (status == SPW_OK) *room = plan.room;
  return status;
}

spw_status spw_nonzero_size(const spw_tensor *t, spw_room *room, spw_refusal *refusal)
{
  return find_room(t, true, room, refusal);
}

spw_status spw_nonzero_size_unchecked(const spw_tensor *t, spw_room *room, spw_refusal *refusal)
{
  return find_room(t, false, room, refusal);
}

spw_status spw_nonzero(const spw_tensor *t, const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal)
{
  return nonzero(t, true, buffers, result, refusal);
}

spw_status spw_nonzero_unchecked(const spw_tensor *t, const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal)
{
  return nonzero(t, false, buffers, result, refusal);
}
