/* SPDX-License-Identifier: Apache-2.0 */
/* Operands of products, judged, and refused by numbers that do not fit each other. */
#ifndef SPW_OPERAND_FITS_H
#define SPW_OPERAND_FITS_H

#include "operand.h"
#include "../convert/plan.h"

/* SPW_ERANGE of the result: its batch `place` would have lhs cells and its batch `other` rhs. */
spw_status spw_refuse_batches(spw_refusal *refusal, int64_t place, int64_t other, int64_t lhs, int64_t rhs);

/* So many dimensions; that entry of the size at `place`; that value type, or index type. */
static inline spw_status spw_dims_fit(int64_t have, int64_t need, int operand, spw_refusal *refusal)
{
  return have == need ? SPW_OK : spw_refuse_operand(refusal, operand, SPW_OBSTACLE_DIMENSIONS, -1, have, need);
}

static inline spw_status spw_size_fits(int64_t have, int64_t need, int64_t place, int operand, spw_refusal *refusal)
{
  return have == need ? SPW_OK : spw_refuse_operand(refusal, operand, SPW_OBSTACLE_SHAPES, place, have, need);
}

static inline spw_status spw_type_fits(spw_dtype have, spw_dtype need, int operand, spw_refusal *refusal)
{
  if (have == need) return SPW_OK;
  return spw_refuse_operand(refusal, operand, SPW_OBSTACLE_TYPES, -1, (int64_t)have, (int64_t)need);
}

/* The first n entries of an operand's shape are those of the sparse one's size: its batch dimensions. */
static inline spw_status spw_batches_fit(const int64_t *shape, const int64_t *size, int64_t n, int operand, spw_refusal *refusal)
{
  spw_status status = SPW_OK;
  for (int64_t d = 0; d < n && status == SPW_OK; d++) status = spw_size_fits(shape[d], size[d], d, operand, refusal);
  return status;
}

/* A sparse operand has a size of at least two dimensions, and none that are dense. */
spw_status spw_matrices_fit(const spw_operand *o, int number, spw_refusal *refusal);

#endif
