/* SPDX-License-Identifier: Apache-2.0 */
#include "fits.h"

spw_status spw_refuse_batches(spw_refusal *refusal, int64_t place, int64_t other, int64_t lhs, int64_t rhs)
{
  const spw_status status = spw_refuse(refusal, SPW_OBSTACLE_BATCHES, place, other, lhs, rhs);
  if (refusal) refusal->operand = 2;
  return status;
}

spw_status spw_matrices_fit(const spw_operand *o, int number, spw_refusal *refusal)
{
  if (!o->t->has_size) return spw_refuse_operand(refusal, number, SPW_OBSTACLE_NO_SIZE, -1, -1, -1);
  const int64_t dense = o->numbers.dense_dims;
  if (dense > 0) return spw_refuse_operand(refusal, number, SPW_OBSTACLE_HYBRID, -1, dense, -1);
  return o->t->ndim < 2 ? spw_dims_fit(o->t->ndim, 2, number, refusal) : SPW_OK;
}
