/* SPDX-License-Identifier: Apache-2.0 */
#include "fits.h"

spw_status spw_refuse_batches(spw_refusal *refusal, int64_t place, int64_t other, int64_t lhs, int64_t rhs)
{
  const spw_status status = spw_refuse(refusal, SPW_OBSTACLE_BATCHES, place, other, lhs, rhs);
  if (refusal) refusal->operand = 2;
  return status;
}

spw_status spw_judge_operand(const spw_tensor *t, int operand, int threads, spw_refusal *refusal)
{
  const spw_status status = spw_convert_judge(t, false, threads < 1 ? 1 : threads, refusal);
  if (status == SPW_EINVALID && refusal) refusal->operand = operand;
  return status;
}

spw_status spw_dims_fit(int64_t have, int64_t need, int operand, spw_refusal *refusal)
{
  return have == need ? SPW_OK : spw_refuse_operand(refusal, operand, SPW_OBSTACLE_DIMENSIONS, -1, have, need);
}

spw_status spw_size_fits(int64_t have, int64_t need, int64_t place, int operand, spw_refusal *refusal)
{
  return have == need ? SPW_OK : spw_refuse_operand(refusal, operand, SPW_OBSTACLE_SHAPES, place, have, need);
}

spw_status spw_type_fits(spw_dtype have, spw_dtype need, int operand, spw_refusal *refusal)
{
  if (have == need) return SPW_OK;
  return spw_refuse_operand(refusal, operand, SPW_OBSTACLE_TYPES, -1, (int64_t)have, (int64_t)need);
}

spw_status spw_batches_fit(const int64_t *shape, const int64_t *size, int64_t n, int operand, spw_refusal *refusal)
{
  spw_status status = SPW_OK;
  for (int64_t d = 0; d < n && status == SPW_OK; d++) status = spw_size_fits(shape[d], size[d], d, operand, refusal);
  return status;
}

spw_status spw_matrices_fit(const spw_tensor *t, int operand, spw_numbers *numbers, spw_refusal *refusal)
{
  if (!t->has_size) return spw_refuse_operand(refusal, operand, SPW_OBSTACLE_NO_SIZE, -1, -1, -1);
  const spw_status status = spw_numbers_of(t, numbers);
  if (status != SPW_OK) return status;
  if (numbers->dense_dims > 0) return spw_refuse_operand(refusal, operand, SPW_OBSTACLE_HYBRID, -1, numbers->dense_dims, -1);
  return t->ndim < 2 ? spw_dims_fit(t->ndim, 2, operand, refusal) : SPW_OK;
}
