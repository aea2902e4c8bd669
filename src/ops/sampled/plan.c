/* SPDX-License-Identifier: Apache-2.0 */
/* What a product at stored positions is about, and what stands in its way. */
#include "sampled.h"
#include "../../operand/fits.h"
#include "../multiply/pack.h"
#include "../../convert/arena.h"
#include "../../convert/plan.h"
#include "../../convert/values.h"
#include "../../core/size.h"
#include "../../structure/pattern.h"

#include <string.h>

static spw_status dense_fits(const spw_sampled_plan *plan, const spw_array *dense, int64_t rows, int64_t columns, int operand,
                             spw_refusal *refusal)
{
  const int64_t n = plan->batch_dims;
  spw_status status = spw_type_fits(dense->dtype, plan->dtype, operand, refusal);
  if (status == SPW_OK) status = spw_dims_fit(dense->ndim, n + 2, operand, refusal);
  if (status == SPW_OK) status = spw_batches_fit(dense->shape, plan->s->size, n, operand, refusal);
  if (status == SPW_OK && rows >= 0) status = spw_size_fits(dense->shape[n], rows, n, operand, refusal);
  if (status == SPW_OK && columns >= 0) status = spw_size_fits(dense->shape[n + 1], columns, n + 1, operand, refusal);
  return status;
}

/* The depth is what A has. */
static spw_status operands_fit(spw_sampled_plan *plan, spw_refusal *refusal)
{
  const spw_array *const a = &plan->a->values.array, *const b = &plan->b->values.array;
  spw_status status = dense_fits(plan, a, plan->rows, -1, 1, refusal);
  if (status != SPW_OK) return status;
  plan->depth = a->shape[plan->batch_dims + 1];
  return dense_fits(plan, b, plan->depth, plan->columns, 2, refusal);
}

static spw_status read_pattern(spw_sampled_plan *plan, const spw_operand *o, spw_refusal *refusal)
{
  const spw_tensor *const s = o->t;
  const spw_numbers *const n = &o->numbers;
  spw_status status = spw_matrices_fit(o, 0, refusal);
  if (status == SPW_OK) status = spw_form_of(o, &plan->form);
  if (status != SPW_OK) return status;
  plan->dtype = s->values.array.dtype;
  plan->scalar = o->scalar;
  plan->batch_dims = s->ndim - 2;
  plan->batches = spw_product(s->size, plan->batch_dims);
  if (plan->batches < 0) plan->batches = INT64_MAX; /* none has an element then */
  plan->rows = s->size[plan->batch_dims];
  plan->columns = s->size[plan->batch_dims + 1];
  plan->cells = spw_mul_saturated(n->block_rows, n->block_columns);
  return SPW_OK;
}

/* Along `element`, one of the last two dimensions. */
static spw_dense_lines lines_of(const spw_array *a, int64_t line, int64_t element)
{
  const spw_dense_lines lines = {a->shape[line], a->shape[element], a->strides[line], a->strides[element]};
  return lines;
}

/* Lines without an element are nowhere, and none of them is packed. */
static bool in_place(const spw_value_array *v, const spw_dense_lines *lines)
{
  if (lines->lines == 0 || lines->width == 0) return true;
  return spw_lines_in_place(lines) && spw_is_aligned(v->data, v->array.dtype);
}

/* How many matrices the workspace has room for: the elements of COO lie in any batch, those of the others in one after the
 * other. */
static int64_t batches_at_once(const spw_sampled_plan *plan)
{
  return plan->s->layout == SPW_COO ? plan->batches : 1;
}

/* A column of B is read from top to bottom for each element that stands in it: one behind the other, or, where there are fewer
 * elements than columns, of which a copy would take longer, where it lies in rows. */
static void find_b(spw_sampled_plan *plan, bool reads)
{
  const int64_t n = plan->batch_dims, columns = spw_mul_saturated(plan->columns, batches_at_once(plan));
  const spw_dense_lines rows = lines_of(&plan->b->values.array, n, n + 1);
  const bool few = spw_mul_saturated(plan->form.nse, plan->cells) < columns;
  plan->b_lines = lines_of(&plan->b->values.array, n + 1, n);
  const bool by_columns = in_place(&plan->b->values, &plan->b_lines);
  const bool by_rows = !by_columns && few && in_place(&plan->b->values, &rows);
  plan->b_packed = reads && !by_columns && !by_rows;
  plan->b_across = by_rows ? 1 : spw_lead_of(&plan->b_lines, plan->b_packed);
  plan->b_down = by_rows ? spw_lead_of(&rows, false) : 1;
}

static void read_places(spw_sampled_plan *plan)
{
  plan->a_lines = lines_of(&plan->a->values.array, plan->batch_dims, plan->batch_dims + 1);
  const bool values = plan->room.values > 0, reads = values && !plan->reads_nothing;
  plan->s_packed = values && !spw_values_in_order(&plan->s->values);
  plan->a_packed = reads && !in_place(&plan->a->values, &plan->a_lines);
  find_b(plan, reads);
}

spw_sampled_work spw_sampled_lay_out(const spw_sampled_plan *plan, char *base)
{
  spw_sampled_work w = {0};
  spw_arena arena = {base, 0};
  const int64_t at_once = batches_at_once(plan);
  const int64_t a = spw_mul_saturated(plan->rows, plan->depth), b = spw_mul_saturated(plan->depth, plan->columns);
  if (plan->s_packed) w.s = spw_take(&arena, plan->room.values, plan->scalar);
  if (plan->a_packed) w.a = spw_take(&arena, spw_mul_saturated(at_once, a), plan->scalar);
  if (plan->b_packed) w.b = spw_take(&arena, spw_mul_saturated(at_once, b), plan->scalar);
  w.bytes = arena.used;
  return w;
}

static spw_status take_room(spw_sampled_plan *plan, spw_refusal *refusal)
{
  plan->room = spw_pattern_room(&plan->form, plan->cells);
  read_places(plan);
  const int64_t bytes = spw_sampled_lay_out(plan, NULL).bytes;
  const spw_room *const r = &plan->room;
  if (!spw_is_object_size(bytes) || r->compressed == INT64_MAX || r->plain == INT64_MAX ||
      r->values == INT64_MAX)
    return spw_refuse_operand(refusal, 3, SPW_OBSTACLE_SIZE, -1, -1, -1);
  plan->room.work = (size_t)bytes;
  return SPW_OK;
}

spw_status spw_sampled_plan_make(const spw_tensor *s, const spw_tensor *a, const spw_tensor *b, const spw_factors *how,
                                 bool judged, spw_sampled_plan *plan, spw_refusal *refusal)
{
  if (!s || !a || !b || !how || how->threads < 0) return SPW_EINVAL;
  if (s->layout == SPW_DENSE || a->layout != SPW_DENSE || b->layout != SPW_DENSE) return SPW_EINVAL;
  memset(plan, 0, sizeof *plan);
  plan->s = s;
  plan->a = a;
  plan->b = b;
  plan->how = *how;
  spw_operand *const o = plan->taken;
  spw_status status = spw_operand_take(s, 0, judged, how->threads, &o[0], refusal);
  if (status == SPW_OK) status = spw_operand_take(a, 1, judged, 1, &o[1], refusal);
  if (status == SPW_OK) status = spw_operand_take(b, 2, judged, 1, &o[2], refusal);
  if (status == SPW_OK) status = read_pattern(plan, &o[0], refusal);
  if (status == SPW_OK) status = operands_fit(plan, refusal);
  if (status != SPW_OK) return status;
  plan->mode = spw_read_factors(how, plan->dtype, plan->alpha, plan->beta);
  plan->reads_nothing = spw_factor_is_zero(how->alpha, plan->dtype);
  return take_room(plan, refusal);
}
