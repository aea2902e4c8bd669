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
#include "sparsewright_solve.h"
#include "sparsewright_unary.h"

#ifdef __cplusplus
extern "C" {
#endif

/* With respect to what. {0}: to the first operand, as a tensor.
 *
 * COO that does not claim to be coalesced may store a position several times, and its value is their sum (D1). With respect to
 * the tensor, the gradient stores each position once, and claims to be coalesced. With respect to the array of `values`, it has
 * the columns of the operand, and each copy of a position has the derivative of that position (G2).
 *
 * A full gradient of a sparse operand is dense: it has what is not stored, too. spw_vjp_multiply_new gives it; of other calls it
 * is SPW_EINVAL. */
typedef struct spw_vjp_request {
  int operand; /* 0: the first */
  bool values;
  bool full;
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
 * position it is the left fold from +0 of `g` at its images, in ascending order. Of a dense array that is masked, it is dense:
 * +0 where the mask stores nothing. O(the operation + a sort of its result). */
spw_status spw_vjp_restructure_new(const spw_tensor *const *operands, int64_t count, const spw_structure *wanted,
                                   const spw_tensor *g, const spw_vjp_request *how, size_t limit, spw_owned **out,
                                   spw_refusal *refusal);

/* The same of clone, slice, diagonal, lower and upper of spw_make. Of resplit: bits of `g` at the positions that the result
 * stores. Of diagonals with respect to their dense operand: bits of `g` at the position of each entry, +0 if it has none. Other
 * kinds are SPW_EINVAL. */
spw_status spw_vjp_make_new(const spw_tensor *a, const spw_making *wanted, const spw_tensor *g, const spw_vjp_request *how,
                            size_t limit, spw_owned **out, spw_refusal *refusal);

/* The gradient of a Kronecker product (spw_make), with respect to `a` (0) or `b` (1). It is the fold from +0 of `g` times the
 * conjugate of each element of the other one, in row-major order of these. O(check + elements of the product * log elements of
 * `g`). */
spw_status spw_vjp_kron_new(const spw_tensor *a, const spw_tensor *b, const spw_tensor *g, const spw_vjp_request *how,
                            size_t limit, spw_owned **out, spw_refusal *refusal);

/* The gradient of spw_multiply: C = beta C + alpha (A B), with respect to A (0), B (1) or C (2). One of A and B is sparse. A
 * sparse `g` is made dense first. spw_smm_new and spw_hspmm_new have the same gradient.
 * Of the sparse one it is the product of `g` and the conjugate of the other at its stored positions (spw_sampled_multiply); of
 * the dense one, a product with the conjugate of the sparse one. Sums are left folds from +0 in ascending order, and are then
 * multiplied by the conjugate of alpha. Of C it is the conjugate of beta times `g`; a null beta is 0, and gives zeros. Memory:
 * as these products; nothing else of the size of A B is made. `full`: the product of `g` and the conjugate of the other one at
 * every position of the sparse one, as a dense array. A may be COO of one sparse and one dense dimension, as in spw_matmul_new:
 * then neither C nor a full gradient. */
spw_status spw_vjp_multiply_new(const spw_tensor *a, const spw_tensor *b, const spw_factors *factors, const spw_tensor *g,
                                const spw_vjp_request *how, size_t limit, spw_owned **out, spw_refusal *refusal);

/* The gradient of spw_matmul_new, with respect to A (0) or B (1): of each product of matrices that of spw_multiply, or of
 * spw_multiply_sparse_new; a vector is a matrix of one row or column. If its batches are repeated, it is the left fold from +0
 * of the gradients of the repetitions, in row-major order of batches. Each of these is rounded to the type of the operand
 * first. `full`: of spw_multiply only. Memory: the gradients of all batches of the result. */
spw_status spw_vjp_matmul_new(const spw_tensor *a, const spw_tensor *b, const spw_tensor *g, const spw_vjp_request *how,
                              size_t limit, spw_owned **out, spw_refusal *refusal);

/* The gradient of spw_sampled_multiply, with respect to S (0), A (1) or B (2). `g` is masked by S first. Of S it is the conjugate
 * of beta times `g`. Of A and B it is a product with that as the sparse operand, then multiplied by the conjugate of alpha. */
spw_status spw_vjp_sampled_multiply_new(const spw_tensor *s, const spw_tensor *a, const spw_tensor *b, const spw_factors *factors,
                                        const spw_tensor *g, const spw_vjp_request *how, size_t limit, spw_owned **out,
                                        spw_refusal *refusal);

/* The gradient of spw_sspaddmm_new, with respect to A (0) and B (1), as of spw_multiply, or to the sparse C (2): the conjugate of
 * beta times `g`. In refusals `g` is operand 3, of A and B 2. */
spw_status spw_vjp_sspaddmm_new(const spw_tensor *added, const spw_tensor *a, const spw_tensor *b, const spw_factors *factors,
                                const spw_tensor *g, const spw_vjp_request *how, size_t limit, spw_owned **out,
                                spw_refusal *refusal);

/* The gradient of a product of two sparse operands of any layouts: spw_multiply_sparse_new, or with `added`, which may be null,
 * spw_multiply_add_sparse_new. With respect to A (0), at its element [i, k]: the left fold from +0 of g[i, j] times the
 * conjugate of b[k, j] over the j that both store, in ascending order. With respect to B (1) at [k, j]: over i, by a[i, k]. Both
 * are then multiplied by the conjugate of alpha. Of `added` (2): the conjugate of beta times `g`.
 * O(check + multiplications of the product * log elements of a row of `g`). */
spw_status spw_vjp_multiply_sparse_new(const spw_tensor *a, const spw_tensor *b, const spw_tensor *added,
                                       const spw_factors *factors, const spw_tensor *g, const spw_vjp_request *how, size_t limit,
                                       spw_owned **out, spw_refusal *refusal);

/* The gradient of spw_linear_new, with respect to X (0), a matrix if it is sparse, W (1) or the bias (2; else it may be null). Of
 * X: `g` times the conjugate of W. Of W: the sum over the rows of `g` times the conjugate of X. Of the bias: the sum of the rows
 * of `g`. Sums are left folds from +0, rows ascending. */
spw_status spw_vjp_linear_new(const spw_tensor *x, const spw_tensor *w, const spw_tensor *bias, const spw_tensor *g,
                              const spw_vjp_request *how, size_t limit, spw_owned **out, spw_refusal *refusal);

/* The gradient of spw_reduce, with respect to `a` (0) or the dense b (1), which may be null. A sum has that of spw_multiply. Of a
 * mean, each row of `g` is divided by the number of its elements first. Of an extreme, `g` goes to the first product in the row
 * that attains it, as in spw_vjp_reduce_dims_new. Folds are over columns for `a`, and over rows for b, in ascending order. */
spw_status spw_vjp_reduce_new(const spw_tensor *a, const spw_tensor *b, const spw_reduction *wanted, const spw_tensor *g,
                              const spw_vjp_request *how, size_t limit, spw_owned **out, spw_refusal *refusal);

/* The gradient of spw_solve_triangular, with respect to A (0) or B (1). Let M X = B be the system, and S the solution of the
 * system of M adjoint with `g`. Of B it is S. Of M it is -(S X^H) at the stored positions that are read, +0 at others; it is
 * transposed or conjugated back to A. With `right`: -(X^H S). Sums are left folds from +0 in ascending order, and then
 * negated.
 * If `wanted` is null, the gradient of spw_solve_new: X and S are solutions with its certificate, all of A is read, and the call
 * may be refused as that one. */
spw_status spw_vjp_solve_triangular_new(const spw_tensor *a, const spw_tensor *b, const spw_triangle *wanted,
                                        const spw_tensor *g, const spw_vjp_request *how, size_t limit, spw_owned **out,
                                        spw_refusal *refusal);

/* The gradient of spw_elementwise, with respect to `a` (0) or `b` (1, which plus, minus and times have). Plus: `g`, and the
 * conjugate of the scalar times `g`; minus: its negation. One of the two may be a dense array of the same size (spw_combine_new):
 * its gradient is dense, and has all of `g`. Times: `g` times the conjugate of the other operand where that stores
 * something, +0 elsewhere. Scale: the conjugate of the scalar times `g`; divide: `g` by the scalar. With respect to that
 * scalar (1): a dense array without dimensions, the fold from +0 of `g` times the conjugate of `a` in row-major order; for divide
 * it is then negated and divided by the scalar twice. */
spw_status spw_vjp_elementwise_new(const spw_tensor *a, const spw_tensor *b, const spw_elementwise_request *wanted,
                                   const spw_tensor *g, const spw_vjp_request *how, size_t limit, spw_owned **out,
                                   spw_refusal *refusal);

/* The gradient of a function of values of float16, bfloat16, float32 or float64. Each operation of the formula of G3 is rounded
 * once; float16 and bfloat16 are computed in float32 and rounded at the end. Tests of values, angle, div_floor, div_trunc,
 * casts and those that are refused have none: SPW_OBSTACLE_TYPES. */
spw_status spw_vjp_unary_new(const spw_tensor *a, const spw_unary_request *wanted, const spw_tensor *g,
                             const spw_vjp_request *how, size_t limit, spw_owned **out, spw_refusal *refusal);

/* The gradient of spw_reduce_dims.
 *
 *   sums      at each stored position, `g` at its projection
 *   means     the same, divided by the number of elements, rounded to the type
 *   extremes  `g` at the first position of the fibre, in row-major order, that attains them; +0 at others, and at all where an
 *             unspecified 0 attains max or min. Zeros of either sign are equal here, and NaN attains NaN
 *   norms     1: `g` times the sign of `a`. 2: a / norm, times `g`; +0 of a norm 0. inf: as extremes, times the sign of `a`. 0:
 *             +0. `g` has the type of the norm
 *
 * Other reductions, and a dtype, are SPW_EINVAL. O(check + elements * (dimensions + log elements)). */
spw_status spw_vjp_reduce_dims_new(const spw_tensor *a, const spw_dims_reduction *wanted, const spw_tensor *g,
                                   const spw_vjp_request *how, size_t limit, spw_owned **out, spw_refusal *refusal);

/* The gradient of spw_softmax, whose result is y. In each fibre, t is the left fold from +0 of g y, for log_softmax of g, in
 * ascending order. The gradient is y (g - t), for log_softmax g - exp(y) t. float16 and bfloat16 are computed in float32 and
 * rounded at the end, y too. O(the operation + elements * (dimensions + log elements)). */
spw_status spw_vjp_softmax_new(const spw_tensor *a, const spw_softmax_request *wanted, const spw_tensor *g,
                               const spw_vjp_request *how, size_t limit, spw_owned **out, spw_refusal *refusal);

#ifdef __cplusplus
}
#endif

#endif
