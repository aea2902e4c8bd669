/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions over any dimensions: a part of sparsewright.h, for callers in C. spw_reduce (sparsewright_ops.h) reduces rows,
 * columns and matrices, and products with a dense operand. */
#ifndef SPARSEWRIGHT_REDUCE_H
#define SPARSEWRIGHT_REDUCE_H

#include "sparsewright_convert.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What becomes of the elements of a fibre: of the positions that differ in the reduced dimensions only (R7 to R13). */
typedef enum spw_dims_kind {
  SPW_DIMS_SUM = 0,
  SPW_DIMS_MEAN,       /* the sum divided by the number of specified elements; float16, bfloat16, float32, float64 */
  SPW_DIMS_MEAN_DENSE, /* the sum divided by the number of positions; the same types */
  SPW_DIMS_AMAX,       /* the largest specified element; no complex type */
  SPW_DIMS_AMIN,
  SPW_DIMS_MAX,        /* the largest element of the dense array, where unspecified elements are +0; no complex type */
  SPW_DIMS_MIN,
  SPW_DIMS_ANY,        /* bool: is an element != 0? NaN is */
  SPW_DIMS_ALL,        /* bool: is every element of the dense array != 0? */
  SPW_DIMS_NORM_0,     /* the number of elements != 0. Norms are of floating and complex types, and have the type of the parts */
  SPW_DIMS_NORM_1,     /* the sum of magnitudes; of no complex type */
  SPW_DIMS_NORM_2,     /* the square root of the sum of their squares */
  SPW_DIMS_NORM_INF,   /* the largest magnitude */
  SPW_DIMS_ARGMAX,     /* int64: the number of the first position of the fibre, in row-major order, that has the largest element
                        * of the dense array; no complex type. -0 and +0 are equal, and NaN is the largest */
  SPW_DIMS_ARGMIN,     /* the same of the smallest; NaN is the smallest, too */
  SPW_DIMS_IS_NONZERO  /* bool: is the one element of the tensor != 0? One with more positions, or none, is refused */
} spw_dims_kind;

/* A requested reduction. {.kind = SPW_DIMS_SUM} is the sum of all elements. */
typedef struct spw_dims_reduction {
  spw_dims_kind kind;
  const int64_t *dims; /* the reduced dimensions, in any order; a negative one counts from the end. Null: all */
  int64_t count;       /* of them; 0 with a pointer that is not null: none */
  bool keepdim;        /* the reduced dimensions stay, with size 1 */
  bool sparse;         /* rows or columns of CSR, CSC, BSR, BSC: the result is COO and has those with an element */
  spw_dtype dtype;     /* sum, mean: elements are converted to this type first. SPW_DTYPE_NONE: to none */
} spw_dims_reduction;

/* *room: the memory that spw_reduce_dims takes. It is exact if the result is dense or has the pattern of t, otherwise an
 * upper bound. Judges every rule of t, which is sparse, of any layout.
 *
 * | reduced dimensions                         | result                                                               |
 * | all batch and sparse ones                  | dense, of the remaining dense dimensions                             |
 * | sparse ones of COO                         | COO, canonical: the positions that have an element of t; zeros stay  |
 * | dense ones only                            | the layout, index arrays, order and claim of t, with smaller cells   |
 * | rows or columns of CSR, CSC, BSR, BSC      | dense, or COO on request                                             |
 * | none                                       | t itself; a sum of COO is coalesced                                  |
 * | any, for `any` and `all`                   | dense                                                                |
 *
 *   SPW_EINVAL        the call is wrong: as for the checks, or `wanted` makes no sense, or t is dense
 *   SPW_EOVERFLOW     as for the checks
 *   SPW_EUNSUPPORTED  more dimensions than SPW_STRUCTURE_DIMS
 *   SPW_EINVALID      t breaks a rule: see refusal->violation
 *   SPW_ERANGE        - SPW_OBSTACLE_DIMENSION: entry `place` of dims is lhs, and t has rhs dimensions; or it names the same
 *                       one as entry `other`
 *                     - SPW_OBSTACLE_LAYOUT: batch dimension `place` of a compressed tensor is reduced, and not all are
 *                     - SPW_OBSTACLE_TYPES: the type has no such reduction (rhs is -1), or dtype rhs does not hold all
 *                       numbers of lhs
 *                     - SPW_OBSTACLE_SHAPES: the reduced dimension `place` has size 0, of which there is no max, min,
 *                       argmax, argmin or mean_dense; or (place -1) the tensor has lhs positions, and is_nonzero needs rhs
 *                     - SPW_OBSTACLE_INDEX: COO is requested, and its index type holds at most rhs
 *                     - SPW_OBSTACLE_SIZE: the result, the workspace or a position is too large to number
 * *room is written with SPW_OK only, *refusal (may be null) with SPW_EINVALID and SPW_ERANGE only. O(check +
 * dimensions). */
spw_status spw_reduce_dims_size(const spw_tensor *t, const spw_dims_reduction *wanted, spw_room *room, spw_refusal *refusal);

/* Reduces over dimensions; *result views the buffers. Only specified elements count unless the kind says otherwise. A fibre
 * without one gives +0, or no element if the result is COO.
 * Order of sums: one dimension after the other, from the last to the first, each a left fold from +0 in ascending order.
 * COO folds its last reduced sparse dimension in order of storage. Each addition is rounded once, float16 and bfloat16 in
 * float32; the result is rounded to its type at the end. So the bits do not depend on the layout.
 * A norm is the exact one, rounded once: nothing overflows on the way, and no order matters. NaN gives NaN.
 * All kinds but the sum combine duplicates of COO first (D1). NaN wins in extremes, and +0 is larger than -0. One thread.
 * Status as above; SPW_EINVAL also if a buffer is too short, SPW_OBSTACLE_OVERLAP also if one overlaps t or another buffer
 * (operand 2). Nothing is then written.
 * O(check + elements + result), and one sort of the elements. There is no sort of coalesced COO whose reduced sparse
 * dimensions are the last ones. */
spw_status spw_reduce_dims(const spw_tensor *t, const spw_dims_reduction *wanted, const spw_buffers *buffers, spw_tensor *result,
                           spw_refusal *refusal);

/* The same without judging t: spw_is_valid must have called it valid at SPW_CANONICAL. */
spw_status spw_reduce_dims_size_unchecked(const spw_tensor *t, const spw_dims_reduction *wanted, spw_room *room,
                                          spw_refusal *refusal);
spw_status spw_reduce_dims_unchecked(const spw_tensor *t, const spw_dims_reduction *wanted, const spw_buffers *buffers,
                                     spw_tensor *result, spw_refusal *refusal);

/* The same in memory of its own (libsparsewright_io): at most `limit` bytes (0: no limit) with the workspace; beyond that
 * SPW_ENOMEM. */
spw_status spw_reduce_dims_new(const spw_tensor *t, const spw_dims_reduction *wanted, size_t limit, spw_owned **out,
                               spw_refusal *refusal);

/* ---- Positions of what is not 0 ------------------------------------------------------------------ */

/* *room: the memory that spw_nonzero takes, with room for every stored scalar. Judges every rule of t, which is sparse, of any
 * layout.
 *
 *   SPW_EINVAL        the call is wrong: as for the checks, or t is dense
 *   SPW_EOVERFLOW     as for the checks
 *   SPW_EUNSUPPORTED  more dimensions than SPW_STRUCTURE_DIMS
 *   SPW_EINVALID      t breaks a rule: see refusal->violation
 *   SPW_ERANGE        SPW_OBSTACLE_SIZE: the result or the workspace is too large to number
 * *room is written with SPW_OK only, *refusal (may be null) with SPW_EINVALID and SPW_ERANGE only. O(check + dimensions). */
spw_status spw_nonzero_size(const spw_tensor *t, spw_room *room, spw_refusal *refusal);

/* The positions whose values are != 0, in lexicographic order; *result is a dense int64 matrix that has a row for each, and a
 * column for each dimension. Duplicates of COO are combined first (D1). NaN is not 0. One thread.
 * Status as above; SPW_EINVAL also if a buffer is too short, SPW_OBSTACLE_OVERLAP also if one overlaps t or another buffer
 * (operand 2). Nothing is then written.
 * O(check + elements), and one sort of the elements unless t is coalesced COO. */
spw_status spw_nonzero(const spw_tensor *t, const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal);

/* The same without judging t: spw_is_valid must have called it valid at SPW_CANONICAL. */
spw_status spw_nonzero_size_unchecked(const spw_tensor *t, spw_room *room, spw_refusal *refusal);
spw_status spw_nonzero_unchecked(const spw_tensor *t, const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal);

/* The same in memory of its own (libsparsewright_io): at most `limit` bytes (0: no limit) with the workspace; beyond that
 * SPW_ENOMEM. */
spw_status spw_nonzero_new(const spw_tensor *t, size_t limit, spw_owned **out, spw_refusal *refusal);

/* ---- Softmax ------------------------------------------------------------------------------------ */

/* A requested softmax, or log_softmax (N1). {.dim = -1} is the softmax along the last dimension. */
typedef struct spw_softmax_request {
  int64_t dim;    /* a negative one counts from the end */
  bool logarithm; /* log_softmax */
} spw_softmax_request;

/* *room: the memory that spw_softmax takes; an upper bound if duplicates may have to be combined, otherwise exact. Judges
 * every rule of t, which is sparse, of any layout.
 *
 *   SPW_EINVAL        the call is wrong: as for the checks, or t is dense
 *   SPW_EOVERFLOW     as for the checks
 *   SPW_EUNSUPPORTED  more dimensions than SPW_STRUCTURE_DIMS
 *   SPW_EINVALID      t breaks a rule: see refusal->violation
 *   SPW_ERANGE        - SPW_OBSTACLE_DIMENSION: dim is lhs, and t has rhs dimensions
 *                     - SPW_OBSTACLE_LAYOUT: dim is batch dimension `place` of a compressed tensor
 *                     - SPW_OBSTACLE_TYPES: the values are not float16, bfloat16, float32 or float64
 *                     - SPW_OBSTACLE_SIZE: the workspace or a position is too large to number
 * *room is written with SPW_OK only, *refusal (may be null) with SPW_EINVALID and SPW_ERANGE only. O(check +
 * dimensions). */
spw_status spw_softmax_size(const spw_tensor *t, const spw_softmax_request *wanted, spw_room *room, spw_refusal *refusal);

/* The softmax of the specified elements along a dimension; *result views the buffers. Unspecified elements count as -inf, and
 * stay unspecified. The result has the pattern, order and layout of t. COO that does not claim to be coalesced is combined
 * first (D1), and the result then claims it. In each fibre, m is the largest of its elements x, and d = x - m. Each result is
 * exp(d) / s, or d - log(s); s is the sum of exp(d) in ascending order. Each operation is rounded once, exp and log of
 * float32 too; float16 and bfloat16 are computed in float32. A fibre with NaN or +inf, or with nothing but -inf, becomes NaN.
 * One thread.
 * Status as above; SPW_EINVAL also if a buffer is too short, SPW_OBSTACLE_OVERLAP also if one overlaps t or another buffer
 * (operand 2). Nothing is then written.
 * O(check + elements), and one sort of the elements, unless dim is the last sparse one of coalesced COO or a dense one. The
 * size of t costs nothing. */
spw_status spw_softmax(const spw_tensor *t, const spw_softmax_request *wanted, const spw_buffers *buffers, spw_tensor *result,
                       spw_refusal *refusal);

/* The same without judging t: spw_is_valid must have called it valid at SPW_CANONICAL. */
spw_status spw_softmax_size_unchecked(const spw_tensor *t, const spw_softmax_request *wanted, spw_room *room,
                                      spw_refusal *refusal);
spw_status spw_softmax_unchecked(const spw_tensor *t, const spw_softmax_request *wanted, const spw_buffers *buffers,
                                 spw_tensor *result, spw_refusal *refusal);

/* The same in memory of its own (libsparsewright_io): at most `limit` bytes (0: no limit) with the workspace; beyond that
 * SPW_ENOMEM. */
spw_status spw_softmax_new(const spw_tensor *t, const spw_softmax_request *wanted, size_t limit, spw_owned **out,
                           spw_refusal *refusal);

#ifdef __cplusplus
}
#endif

#endif
