/* SPDX-License-Identifier: Apache-2.0 */
/* What a triangular system is about, and what stands in its way. */
#include "triangle.h"
#include "../../core/size.h"
#include "../../operand/fits.h"

#include <string.h>

static bool has_solutions(spw_dtype dtype)
{
  return dtype == SPW_FLOAT32 || dtype == SPW_FLOAT64 || dtype == SPW_COMPLEX64 || dtype == SPW_COMPLEX128;
}

static spw_status read_matrix(spw_triangle_plan *plan, spw_refusal *refusal)
{
  const spw_tensor *const a = plan->a;
  const spw_triangle *const w = &plan->wanted;
  const spw_status status = spw_matrices_fit(&plan->operands[0], 0, refusal);
  if (status != SPW_OK) return status;
  if (a->ndim > SPW_STRUCTURE_DIMS) return SPW_EUNSUPPORTED;
  plan->batch_dims = a->ndim - 2;
  plan->n = a->size[a->ndim - 1];
  const int64_t batches = spw_product(a->size, plan->batch_dims);
  plan->batches = batches < 0 ? INT64_MAX : batches; /* of empty ones */
  plan->dtype = a->values.array.dtype;
  plan->transposed = (w->transpose || w->adjoint) != w->right;
  plan->upper = w->upper != plan->transposed;
  plan->conjugate = w->adjoint;
  if (!has_solutions(plan->dtype)) return spw_refuse_operand(refusal, 0, SPW_OBSTACLE_TYPES, -1, (int64_t)plan->dtype, -1);
  return spw_size_fits(plan->n, a->size[a->ndim - 2], a->ndim - 1, 0, refusal);
}

/* The dimension of the unknowns in a right side. */
static int64_t unknowns_at(const spw_triangle_plan *plan)
{
  return plan->batch_dims + (plan->wanted.right && !plan->vector);
}

spw_status spw_side_fits(const spw_triangle_plan *plan, const spw_tensor *side, int operand, spw_refusal *refusal)
{
  const spw_array *const s = &side->values.array;
  const int64_t dims = plan->batch_dims + (plan->vector ? 1 : 2), at = unknowns_at(plan);
  spw_status status = spw_type_fits(s->dtype, plan->dtype, operand, refusal);
  if (status == SPW_OK) status = spw_dims_fit(s->ndim, dims, operand, refusal);
  if (status == SPW_OK) status = spw_batches_fit(s->shape, plan->a->size, plan->batch_dims, operand, refusal);
  if (status == SPW_OK) status = spw_size_fits(s->shape[at], plan->n, at, operand, refusal);
  if (status != SPW_OK || plan->vector) return status;
  const int64_t across = 2 * plan->batch_dims + 1 - at;
  return spw_size_fits(s->shape[across], plan->width, across, operand, refusal);
}

int64_t spw_side_place(const spw_triangle_plan *plan, const spw_array *side, int64_t batch, int64_t i, int64_t j)
{
  const int64_t B = plan->batch_dims, at = unknowns_at(plan);
  const int64_t place = side->offset + (batch == 0 ? 0 : spw_position_of(side->shape, side->strides, B, batch));
  return place + i * side->strides[at] + (plan->vector ? 0 : j * side->strides[2 * B + 1 - at]);
}

spw_status spw_triangle_fits(const spw_tensor *a, const spw_tensor *b, const spw_triangle *wanted, bool judged,
                             spw_triangle_plan *plan, spw_refusal *refusal)
{
  if (!a || !b || !wanted || a->layout == SPW_DENSE || b->layout != SPW_DENSE) return SPW_EINVAL;
  if (wanted->transpose && wanted->adjoint) return SPW_EINVAL;
  memset(plan, 0, sizeof *plan);
  plan->wanted = *wanted;
  plan->a = a;
  plan->b = b;
  spw_status status = spw_operand_take(a, 0, judged, 1, &plan->operands[0], refusal);
  if (status == SPW_OK) status = spw_operand_take(b, 1, judged, 1, &plan->operands[1], refusal);
  if (status == SPW_OK) status = read_matrix(plan, refusal);
  if (status != SPW_OK) return status;
  const spw_array *const s = &b->values.array;
  plan->vector = s->ndim == plan->batch_dims + 1;
  plan->width = plan->vector || s->ndim != plan->batch_dims + 2 ? 1 : s->shape[2 * plan->batch_dims + 1 - unknowns_at(plan)];
  return spw_side_fits(plan, b, 1, refusal);
}
