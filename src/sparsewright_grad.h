/* SPDX-License-Identifier: Apache-2.0 */
/* Gradients: vector-Jacobian products of operations (G1 to G5), in memory of their own (libsparsewright_io), for callers in C.
 *
 * `g` is the upstream gradient: it has the size and the value type of the operation's result, and is dense or sparse, of any
 * layout; what it does not store is 0. The gradient of a sparse operand is stored where the operand stores something, and
 * nowhere else: it has the layout, the index arrays and the order of the operand. So it takes memory by stored elements,
 * whatever the size. The gradient of a dense operand is dense. */
#ifndef SPARSEWRIGHT_GRAD_H
#define SPARSEWRIGHT_GRAD_H

#include "sparsewright_make.h"
#include "sparsewright_reduce.h"
#include "sparsewright_unary.h"

#ifdef __cplusplus
extern "C" {
#endif

/* With respect to what. {0}: to the first operand, as a tensor.
 *
 * COO that does not claim to be coalesced may store a position several times, and its value is their sum (D1). With respect to
 * the tensor, the gradient stores each position once, and claims to be coalesced. With respect to the array of `values`, it has
 * the columns of the operand, and each copy of a position has the derivative of that position (G2). */
typedef struct spw_vjp_request {
  int operand; /* 0: the first */
  bool values;
} spw_vjp_request;

/* For all calls below. Each takes at most `limit` bytes (0: no limit), with everything in between; beyond that SPW_ENOMEM. Free
 * *out with spw_owned_free. Operands are judged.
 *
 *   SPW_EINVAL        the call is wrong: as for the checks; or there is no such operand, or it cannot have a gradient
 *   SPW_EOVERFLOW     as for the checks
 *   SPW_EUNSUPPORTED  more dimensions than SPW_STRUCTURE_DIMS
 *   SPW_EINVALID      an operand, or `g`, breaks a rule: see refusal->violation
 *   SPW_ERANGE        - SPW_OBSTACLE_NO_SIZE: an operand has no size
 *                     - SPW_OBSTACLE_TYPES: the type of `g` is lhs and has to be rhs; or (rhs is -1) there is no gradient
 *                     - SPW_OBSTACLE_DIMENSIONS, SPW_OBSTACLE_SHAPES, SPW_OBSTACLE_OPERAND: `g` has another size
 *                     - any other obstacle of the operation itself
 * In refusals `g` is the operand after those of the operation. *out is written with SPW_OK only, *refusal (may be null) with
 * SPW_EINVALID and SPW_ERANGE only. */

/* The gradient of a conversion: of a sparse tensor to any layout, to a dense array, or coalescing. Bits of `g` at the stored
 * positions of `a`. Of a dense `a`, it is dense: `g` where the result stores something, +0 elsewhere. Duplicates are summed:
 * other ways to combine are SPW_EINVAL. O(check + elements), and the cost of the conversion if it prunes or is from dense. */
spw_status spw_vjp_convert_new(const spw_tensor *a, const spw_conversion *wanted, const spw_tensor *g, const spw_vjp_request *how,
                               size_t limit, spw_owned **out, spw_refusal *refusal);

/* The gradient of a permutation of dimensions: dimension d of the result is dimension order[d] of `a`. Transposes of CSR, CSC,
 * BSR and BSC are among them. Bits of `g`. SPW_OBSTACLE_DIMENSION: order[place] is lhs, which is none of rhs dimensions, or is
 * repeated. O(check + elements * (dimensions + log elements)). */
spw_status spw_vjp_permute_new(const spw_tensor *a, const int64_t *order, const spw_tensor *g, const spw_vjp_request *how,
                               size_t limit, spw_owned **out, spw_refusal *refusal);

/* The gradient of a structure operation with respect to one of its operands; of sparse_mask, to the first one. At each stored
 * position it is the left fold from +0 of `g` at its images, in ascending order. O(the operation + a sort of its result). */
spw_status spw_vjp_restructure_new(const spw_tensor *const *operands, int64_t count, const spw_structure *wanted,
                                   const spw_tensor *g, const spw_vjp_request *how, size_t limit, spw_owned **out,
                                   spw_refusal *refusal);

/* The same of clone, slice, diagonal, lower and upper of spw_make; other kinds are SPW_EINVAL. */
spw_status spw_vjp_make_new(const spw_tensor *a, const spw_making *wanted, const spw_tensor *g, const spw_vjp_request *how,
                            size_t limit, spw_owned **out, spw_refusal *refusal);

/* The gradient of spw_multiply: C = beta C + alpha (A B), with respect to A (0), B (1) or C (2). One of A and B is sparse, `g` is
 * dense. Of the sparse one it is the product of `g` and the conjugate of the other at its stored positions
 * (spw_sampled_multiply); of the dense one, a product with the conjugate of the sparse one. Sums are left folds from +0 in
 * ascending order, and are then multiplied by the conjugate of alpha. Of C it is the conjugate of beta times `g`; a null
 * beta is 0, and gives zeros. Memory: as these products; nothing of the size of A B is made. */
spw_status spw_vjp_multiply_new(const spw_tensor *a, const spw_tensor *b, const spw_factors *factors, const spw_tensor *g,
                                const spw_vjp_request *how, size_t limit, spw_owned **out, spw_refusal *refusal);

/* The gradient of spw_sampled_multiply, with respect to S (0), A (1) or B (2). `g` is masked by S first. Of S it is the conjugate
 * of beta times `g`. Of A and B it is a product with that as the sparse operand, then multiplied by the conjugate of alpha. */
spw_status spw_vjp_sampled_multiply_new(const spw_tensor *s, const spw_tensor *a, const spw_tensor *b, const spw_factors *factors,
                                        const spw_tensor *g, const spw_vjp_request *how, size_t limit, spw_owned **out,
                                        spw_refusal *refusal);

/* The gradient of spw_elementwise, with respect to `a` (0) or `b` (1, which plus, minus and times have). Plus: `g`, and the
 * conjugate of the scalar times `g`; minus: its negation. Times: `g` times the conjugate of the other operand where that stores
 * something, +0 elsewhere. Scale: the conjugate of the scalar times `g`; divide: `g` by the scalar. */
spw_status spw_vjp_elementwise_new(const spw_tensor *a, const spw_tensor *b, const spw_elementwise_request *wanted,
                                   const spw_tensor *g, const spw_vjp_request *how, size_t limit, spw_owned **out,
                                   spw_refusal *refusal);

/* The gradient of a function of values of float16, bfloat16, float32 or float64. Each operation of the formula of G3 is rounded
 * once; float16 and bfloat16 are computed in float32 and rounded at the end. Tests of values, angle, div_floor, div_trunc,
 * casts, functions of the kind _specified and those that are refused have none: SPW_OBSTACLE_TYPES. */
spw_status spw_vjp_unary_new(const spw_tensor *a, const spw_unary_request *wanted, const spw_tensor *g,
                             const spw_vjp_request *how, size_t limit, spw_owned **out, spw_refusal *refusal);

/* The gradient of a sum or a mean over dimensions: at each stored position, `g` at its projection; for means it is divided by the
 * number of elements, rounded to the type. Other reductions, and a dtype, are SPW_EINVAL. O(check + elements * (dimensions +
 * log elements)). */
spw_status spw_vjp_reduce_dims_new(const spw_tensor *a, const spw_dims_reduction *wanted, const spw_tensor *g,
                                   const spw_vjp_request *how, size_t limit, spw_owned **out, spw_refusal *refusal);

#ifdef __cplusplus
}
#endif

#endif
