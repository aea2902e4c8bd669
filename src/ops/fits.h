/* SPDX-License-Identifier: Apache-2.0 */
/* Operands of products, judged, and refused by numbers that do not fit each other. */
#ifndef SPW_OPS_FITS_H
#define SPW_OPS_FITS_H

#include "../convert/plan.h"
#include "../sparsewright_ops.h"

/* SPW_ERANGE of the result: its batch `place` would have lhs cells and its batch `other` rhs. */
spw_status spw_refuse_batches(spw_refusal *refusal, int64_t place, int64_t other, int64_t lhs, int64_t rhs);

/* SPW_EINVALID with the violation, or what the checks say, from at most so many threads; below 1: one. */
spw_status spw_judge_operand(const spw_tensor *t, int operand, int threads, spw_refusal *refusal);

/* So many dimensions; that entry of the size at `place`; that value type, or index type. */
spw_status spw_dims_fit(int64_t have, int64_t need, int operand, spw_refusal *refusal);
spw_status spw_size_fits(int64_t have, int64_t need, int64_t place, int operand, spw_refusal *refusal);
spw_status spw_type_fits(spw_dtype have, spw_dtype need, int operand, spw_refusal *refusal);

/* The first n entries of an operand's shape are those of the sparse one's size: its batch dimensions. */
spw_status spw_batches_fit(const int64_t *shape, const int64_t *size, int64_t n, int operand, spw_refusal *refusal);

/* A sparse operand has a size of at least two dimensions, and none that are dense. *numbers are its. */
spw_status spw_matrices_fit(const spw_tensor *t, int operand, spw_numbers *numbers, spw_refusal *refusal);

#endif
