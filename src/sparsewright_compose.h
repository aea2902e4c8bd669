/* SPDX-License-Identifier: Apache-2.0 */
/* Products, sums and stacks that are made of other operations, in memory of their own (libsparsewright_io), for callers in
 * C. Each call takes at most `limit` bytes (0: no limit), with everything in between; beyond that SPW_ENOMEM. Free *out
 * with spw_owned_free. Operands are judged. Status and refusals are those of spw_multiply_size; the number of an operand is
 * in refusal->operand. */
#ifndef SPARSEWRIGHT_COMPOSE_H
#define SPARSEWRIGHT_COMPOSE_H

#include "sparsewright_ops.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Products whose result is sparse --------------------------------------------------------------- */

/* A B of a sparse matrix and a dense one as hybrid COO (P19): one dense row for each row of A that has a stored element, in
 * order. The sums are those of spw_multiply. O(check + nse * (columns + log nse)). */
spw_status spw_hspmm_new(const spw_tensor *a, const spw_tensor *b, size_t limit, spw_owned **out, spw_refusal *refusal);

/* The same with each element of such a row as an element of its own (P18). */
spw_status spw_smm_new(const spw_tensor *a, const spw_tensor *b, size_t limit, spw_owned **out, spw_refusal *refusal);

/* beta * C + alpha * (A B) as COO, where C is a sparse matrix and A B is that of spw_smm_new (P18). Specifies what either
 * does. Each operation is rounded once, and a null alpha multiplies nothing. float16 and bfloat16 are computed in float32
 * and rounded once at the end. If beta is null or compares == 0, C specifies nothing; if alpha compares == 0, A B does
 * not. C is operand 2. */
spw_status spw_sspaddmm_new(const spw_tensor *c, const spw_tensor *a, const spw_tensor *b, const spw_factors *how, size_t limit,
                            spw_owned **out, spw_refusal *refusal);

/* The same of three CSR or three CSC matrices, in their layout: A B is that of spw_multiply_sparse (P20).
 * SPW_OBSTACLE_LAYOUT: they are no such three. */
spw_status spw_multiply_add_sparse_new(const spw_tensor *c, const spw_tensor *a, const spw_tensor *b, const spw_factors *how,
                                       size_t limit, spw_owned **out, spw_refusal *refusal);

/* ---- Products of any dimensions -------------------------------------------------------------------- */

/* A B as NumPy's matmul, one operand at least sparse (P15, P16). A vector is a row on the left and a column on the right, and
 * its dimension is not in the result. Batch dimensions are broadcast as views: of dense arrays and compressed tensors.
 * COO keeps its batches. COO of one sparse and one dense dimension times a dense matrix gives hybrid COO with the
 * index array of A.
 * SPW_OBSTACLE_DIMENSIONS: an operand has no dimension; or COO would have to be broadcast to rhs dimensions. */
spw_status spw_matmul_new(const spw_tensor *a, const spw_tensor *b, size_t limit, spw_owned **out, spw_refusal *refusal);

/* X W^T, plus a dense vector that is added to each row last (P17); it may be null. One of X and W is sparse, and W is a
 * matrix (out, in). A dense X may have any leading dimensions. `bias` is operand 2. */
spw_status spw_linear_new(const spw_tensor *x, const spw_tensor *w, const spw_tensor *bias, size_t limit, spw_owned **out,
                          spw_refusal *refusal);

/* ---- Element by element ---------------------------------------------------------------------------- */

/* spw_elementwise of operands of different layouts and sizes (E8 to E10): plus, minus and times. Dimensions of size 1, and
 * missing leading ones, are repeated as in NumPy. A second sparse operand is converted to the layout of the first. A sum
 * of a sparse tensor and a dense array is dense; one operand at least is sparse. Obstacles are those of
 * spw_elementwise_size; a size that cannot be repeated is SPW_OBSTACLE_OPERAND with its dimension of the result. */
spw_status spw_combine_new(const spw_tensor *a, const spw_tensor *b, const spw_elementwise_request *wanted, size_t limit,
                           spw_owned **out, spw_refusal *refusal);

/* ---- Stacks ---------------------------------------------------------------------------------------- */

typedef enum spw_stacking { SPW_VSTACK = 0, SPW_HSTACK, SPW_DSTACK } spw_stacking;

/* NumPy's vstack, hstack and dstack of sparse operands (K6). Refusals are those of spw_restructure. */
spw_status spw_stack_new(const spw_tensor *const *operands, int64_t count, spw_stacking how, size_t limit, spw_owned **out,
                         spw_refusal *refusal);

#ifdef __cplusplus
}
#endif

#endif
