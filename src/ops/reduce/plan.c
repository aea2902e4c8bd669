/* SPDX-License-Identifier: Apache-2.0 */
/* What a reduction is about, and what stands in its way. */
#include "reduce.h"
#include "../elementwise/elementwise.h"
#include "../../operand/fits.h"
#include "../multiply/pack.h"
#include "../../convert/arena.h"
#include "../../convert/plan.h"
#include "../../convert/values.h"
#include "../../core/size.h"

#include <string.h>

static bool sensible(const spw_tensor *a, const spw_tensor *b, const spw_reduction *w)
{
  if (!a || !w || a->layout == SPW_DENSE || w->kind < SPW_REDUCE_SUM || w->kind > SPW_REDUCE_AMIN) return false;
  if (w->span < SPW_EACH_ROW || w->span > SPW_EACH_MATRIX) return false;
  return !b || (b->layout == SPW_DENSE && w->span == SPW_EACH_ROW);
}

/* ---- Do they fit? ------------------------------------------------------------------------------ */

/* A mean is a quotient, and complex numbers have no order; a largest element is one, and not one of its parts. */
static spw_status kind_fits(const spw_reduce_plan *plan, spw_refusal *refusal)
{
  const spw_reduction_kind kind = plan->wanted.kind;
  const bool complex = plan->dtype == SPW_COMPLEX64 || plan->dtype == SPW_COMPLEX128;
  if (kind == SPW_REDUCE_SUM) return SPW_OK;
  if (kind == SPW_REDUCE_MEAN ? !spw_has_quotients(plan->dtype) : complex)
    return spw_refuse_operand(refusal, 0, SPW_OBSTACLE_TYPES, -1, (int64_t)plan->dtype, -1);
  if (plan->form.layout != SPW_COO || plan->a->coalesced == SPW_CLAIM_YES || plan->form.nse < 2) return SPW_OK;
  return spw_refuse_operand(refusal, 0, SPW_OBSTACLE_DUPLICATE, -1, -1, -1);
}

static spw_status read_sparse(spw_reduce_plan *plan, const spw_operand *o, spw_refusal *refusal)
{
  const spw_tensor *const a = o->t;
  spw_status status = spw_matrices_fit(o, 0, refusal);
  if (status == SPW_OK) status = spw_form_of(o, &plan->form);
  if (status != SPW_OK) return status;
  plan->dtype = a->values.array.dtype;
  plan->scalar = o->scalar;
  plan->batch_dims = a->ndim - 2;
  plan->columns = a->size[plan->batch_dims + 1];
  plan->lines = plan->wanted.span == SPW_EACH_COLUMN ? plan->columns : a->size[plan->batch_dims];
  plan->width = 1;
  return kind_fits(plan, refusal);
}

static spw_status dense_fits(spw_reduce_plan *plan, spw_refusal *refusal)
{
  const spw_array *const b = &plan->b->values.array;
  const int64_t n = plan->batch_dims;
  const bool vector = n == 0 && b->ndim == 1;
  spw_status status = spw_type_fits(b->dtype, plan->dtype, 1, refusal);
  if (status == SPW_OK) status = spw_dims_fit(b->ndim, vector ? 1 : n + 2, 1, refusal);
  if (status == SPW_OK) status = spw_batches_fit(b->shape, plan->a->size, n, 1, refusal);
  if (status == SPW_OK) status = spw_size_fits(b->shape[n], plan->columns, n, 1, refusal);
  if (status != SPW_OK) return status;
  plan->width = vector ? 1 : b->shape[n + 1];
  const spw_dense_lines lines = {plan->columns, plan->width, b->strides[n], vector ? 1 : b->strides[n + 1]};
  plan->b_lines = lines;
  return SPW_OK;
}

/* ---- Room -------------------------------------------------------------------------------------- */

static void read_result(spw_reduce_plan *plan)
{
  int64_t *const size = plan->size;
  while (plan->ndim < plan->batch_dims) {
    size[plan->ndim] = plan->a->size[plan->ndim];
    plan->ndim++;
  }
  if (plan->wanted.span != SPW_EACH_MATRIX) size[plan->ndim++] = plan->lines;
  if (plan->b && plan->b->values.array.ndim == plan->batch_dims + 2) size[plan->ndim++] = plan->width;
}

/* INT64_MAX beyond. */
static int64_t elements_of(const int64_t *size, int64_t ndim)
{
  const int64_t count = spw_product(size, ndim);
  return count < 0 ? INT64_MAX : count;
}

/* Rows of CSR, one by one or all together, and columns of CSC; without b, whose lines are as many sums each. */
static bool gathers(const spw_reduce_plan *plan)
{
  if (plan->b) return false;
  return plan->form.layout == (plan->wanted.span == SPW_EACH_COLUMN ? SPW_CSC : SPW_CSR);
}

/* The plain indices of CSR and CSC are where the lines of the others are; of COO, there is a list for both, where one matrix lies
 * in order. With b, the lines of compressed ones are not listed. */
static bool lists_are_given(const spw_reduce_plan *plan)
{
  const spw_form *const form = &plan->form;
  if (form->layout == SPW_COO) return plan->batch_dims == 0 && (form->nse == 1 || form->t->plain.array.strides[1] == 1);
  return !plan->b && !spw_has_blocks(form->layout) && !plan->by_lines;
}

/* Of rows in a matrix: keys are fewer than positions, which int64 can number. */
static void read_groups(spw_reduce_plan *plan)
{
  bool reduced[SPW_STRUCTURE_DIMS] = {false};
  reduced[plan->batch_dims] = reduced[plan->batch_dims + 1] = true;
  spw_groups_of(&plan->form, reduced, SPW_KEYS_OF_LEVELS, &plan->grouping);
}

static void read_places(spw_reduce_plan *plan)
{
  const bool flat = plan->form.layout == SPW_COO;
  plan->reads_nothing = plan->room.values == 0 || plan->form.nse == 0 || plan->form.batches == 0;
  if (plan->reads_nothing) return;
  plan->at_once = flat ? elements_of(plan->a->size, plan->batch_dims) : 1;
  plan->by_groups = flat && plan->wanted.span == SPW_EACH_MATRIX && !plan->b;
  if (plan->by_groups) read_groups(plan);
  plan->by_lines = gathers(plan);
  plan->lists_given = lists_are_given(plan);
  plan->a_packed = !spw_values_in_order(&plan->a->values);
  if (!plan->b) return;
  plan->b_packed = (flat && plan->batch_dims > 0) || !spw_lines_in_place(&plan->b_lines) ||
                   !spw_is_aligned(plan->b->values.data, plan->dtype);
}

spw_reduce_work spw_reduce_lay_out(const spw_reduce_plan *plan, char *base)
{
  spw_reduce_work w = {0};
  spw_arena arena = {base, 0};
  if (plan->reads_nothing) return w;
  const int64_t lines = spw_mul_saturated(plan->at_once, plan->lines);
  if (plan->a_packed) w.a = spw_take(&arena, spw_count_values(&plan->a->values.array), plan->scalar);
  if (plan->b_packed)
    w.b = spw_take(&arena, spw_mul_saturated(plan->at_once, plan->columns), spw_mul_saturated(plan->width, plan->scalar));
  if (plan->by_groups) {
    w.groups = spw_take_groups(&plan->grouping, &arena);
    w.sums = spw_take(&arena, plan->grouping.levels, spw_sum_size(plan->dtype));
    w.bytes = arena.used;
    return w;
  }
  if (!plan->by_lines) w.sums = spw_take(&arena, spw_mul_saturated(lines, plan->width), spw_sum_size(plan->dtype));
  if (!plan->by_lines && plan->wanted.kind != SPW_REDUCE_SUM) w.counts = spw_take(&arena, lines, 8);
  w.bytes = arena.used;
  return w;
}

static spw_status take_room(spw_reduce_plan *plan, spw_refusal *refusal)
{
  read_result(plan);
  const spw_room room = {.index_dtype = SPW_DTYPE_NONE, .dtype = plan->dtype, .dims = 2 * plan->ndim,
                         .values = elements_of(plan->size, plan->ndim)};
  plan->room = room;
  read_places(plan);
  const int64_t bytes = spw_reduce_lay_out(plan, NULL).bytes;
  if (room.values == INT64_MAX || !spw_is_object_size(bytes))
    return spw_refuse_operand(refusal, 2, SPW_OBSTACLE_SIZE, -1, -1, -1);
  plan->room.work = (size_t)bytes;
  return SPW_OK;
}

spw_status spw_reduce_plan_make(const spw_tensor *a, const spw_tensor *b, const spw_reduction *wanted, bool judged,
                                spw_reduce_plan *plan, spw_refusal *refusal)
{
  if (!sensible(a, b, wanted)) return SPW_EINVAL;
  memset(plan, 0, sizeof *plan);
  plan->a = a;
  plan->b = b;
  plan->wanted = *wanted;
  spw_operand *const o = plan->taken;
  spw_status status = spw_operand_take(a, 0, judged, 1, &o[0], refusal);
  if (status == SPW_OK && b) status = spw_operand_take(b, 1, judged, 1, &o[1], refusal);
  if (status == SPW_OK) status = read_sparse(plan, &o[0], refusal);
  if (status == SPW_OK && b) status = dense_fits(plan, refusal);
  return status == SPW_OK ? take_room(plan, refusal) : status;
}
