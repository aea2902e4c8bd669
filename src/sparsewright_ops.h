/* SPDX-License-Identifier: Apache-2.0 */
/* Products, elementwise operations and reductions: the third part of sparsewright.h, for callers in C. Functions that
 * end in _size say how much memory an operation takes. Contents may change between the two calls of such a pair, but not
 * during one. Functions that end in _new (libsparsewright_io) allocate their result. */
#ifndef SPARSEWRIGHT_OPS_H
#define SPARSEWRIGHT_OPS_H

#include "sparsewright_convert.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A strided array to write to: `array.length` elements may be written from `data` on. No two elements may lie at one
 * place, and the strides must show this: each stride of more than one entry is larger than the reach of all smaller
 * ones together.
 *
 * Below, two things overlap if they share memory. An operand or an output takes its arrays, from their first element to
 * their last with everything between, and what describes them: its struct, its size, shapes and strides. Those of a
 * result lie in `dims` of its buffers. The struct of the buffers counts as another buffer. */
typedef struct spw_output {
  spw_array array;
  void *data;
} spw_output;

/* How a product is stored. {0} requests the product alone, on the calling thread. The factors are read before anything
 * is written. */
typedef struct spw_factors {
  const void *alpha; /* one value of the operands' type, in memory of any alignment; null: 1 */
  const void *beta;  /* the same; null: 0 */
  int threads;       /* at most so many, if the library was built with OPENMP=1; 0: one */
} spw_factors;

/* The shape of A B is that of the dense operand, except for *dimension, which has *entry. Judges both operands. Status
 * as spw_multiply_size; written with SPW_OK only. O(check + dimensions). */
spw_status spw_multiply_shape(const spw_tensor *a, const spw_tensor *b, int64_t *dimension, int64_t *entry,
                              spw_refusal *refusal);

/* *work: the bytes of workspace that spw_multiply needs, aligned as malloc aligns. It is 0 if C is empty, and for CSR
 * and BSR in order on the left with dense operands in row-major order (CSC and BSC on the right: column-major). If
 * alpha compares == 0, it is for C alone. Judges every operand.
 *
 *   SPW_EINVAL     the call is wrong: as for the checks; or both operands are dense, or both sparse
 *   SPW_EOVERFLOW  as for the checks
 *   SPW_EINVALID   an operand (refusal->operand) breaks a rule: see refusal->violation
 *   SPW_ERANGE     shapes or types do not fit, the output overlaps an operand or itself, or the workspace is too large
 *                  to number: see refusal->obstacle
 * *work is written with SPW_OK only, *refusal (may be null) with SPW_EINVALID and SPW_ERANGE only. O(check +
 * dimensions). */
spw_status spw_multiply_size(const spw_tensor *a, const spw_tensor *b, const spw_factors *how, const spw_output *c,
                             size_t *work, spw_refusal *refusal);

/* C = beta * C + alpha * (A B), for one sparse operand of any layout and one dense operand (P1 to P8).
 *
 * | A                         | B                            | C                    |
 * | sparse (..., rows, inner) | dense (..., inner, columns)  | (..., rows, columns) |
 * | sparse (rows, inner)      | dense (inner)                | (rows)               |
 * | dense (..., rows, inner)  | sparse (..., inner, columns) | (..., rows, columns) |
 * | dense (inner)             | sparse (inner, columns)      | (columns)            |
 *
 * Operands: batch dimensions are equal; leading dimensions of COO are batches. All have one value type. Index and value
 * arrays may have any strides that the rules allow (3.14: none is negative, of C neither). COO may have duplicates. The
 * sparse operand has a size and no dense dimensions.
 * Values: each element of C is a left fold from +0 over the elements of its row, in ascending order of columns (COO: in
 * order of storage). Each multiplication and each addition is rounded once. Then C = alpha * sum, or beta * C + alpha *
 * sum, with one rounding per operation. float16 and bfloat16 are computed in float32 and rounded once at the end.
 * Integers are taken modulo 2^w; bool is or of ands. The bits do not depend on the number of threads, except the
 * payload and sign of a NaN. If beta is null or compares == 0, C is not read. If alpha compares == 0, A and B are
 * judged but not read.
 * Status as above, and SPW_EINVAL if `work` is too short; nothing is then written.
 * O(check + nse * columns + size of C). CSC and BSC add batches * inner, in each thread for every 16 columns of B. The
 * size of B is added if its rows are not in order, or if COO has batches. */
spw_status spw_multiply(const spw_tensor *a, const spw_tensor *b, const spw_factors *how, const spw_output *c, void *work,
                        size_t work_bytes, spw_refusal *refusal);

/* The same without judging the sparse operand: spw_is_valid must have called it valid at SPW_CANONICAL, and its
 * contents must not have changed since. Shapes, types and the dense operand are judged. */
spw_status spw_multiply_size_unchecked(const spw_tensor *a, const spw_tensor *b, const spw_factors *how, const spw_output *c,
                                       size_t *work, spw_refusal *refusal);
spw_status spw_multiply_unchecked(const spw_tensor *a, const spw_tensor *b, const spw_factors *how, const spw_output *c,
                                  void *work, size_t work_bytes, spw_refusal *refusal);

/* A left operand that is prepared for many products. It was judged once, and is not judged again. It views the arrays
 * of its tensor and the memory given to spw_prepare: both must stay unchanged while it is used. */
typedef struct spw_prepared {
  spw_tensor matrix; /* by rows, with int32 indices if they fit; COO, batches and tensors without a size are unchanged */
  spw_tensor blocks; /* the same in blocks of 4 x 4, for vectors, if all elements lie in full blocks */
  bool has_blocks;
  spw_tensor stripes; /* or in stripes of columns, for vectors of more than 12 MiB whose elements CSR reads in no order */
  bool has_stripes;
} spw_prepared;

/* *bytes: the memory that preparing `a` takes, aligned as malloc aligns. Status as spw_multiply_size, with 0 in
 * refusal->operand.
 * O(check + nse; CSC and BSC: + rows). */
spw_status spw_prepare_size(const spw_tensor *a, size_t *bytes, spw_refusal *refusal);

/* *handle: `a`, prepared in `memory`; written with SPW_OK only. Status as above. SPW_EINVAL: also if the memory is too
 * short;
 * SPW_ERANGE: also if it overlaps an array of the operand. O(check + nse; CSC and BSC: + rows, whose starts are in
 * `memory`). */
spw_status spw_prepare(const spw_tensor *a, void *memory, size_t bytes, spw_prepared *handle, spw_refusal *refusal);

/* spw_multiply with a prepared left operand: the same bits (P14) and the same status. *work is enough for any number of
 * threads. The arrays of the handle, and of the tensor that it views, may not overlap the output or the workspace. This
 * is refused even if this product does not need the array; for an array that it does not need, only
 * spw_multiply_prepared itself refuses. */
spw_status spw_multiply_prepared_size(const spw_prepared *a, const spw_tensor *b, const spw_factors *how, const spw_output *c,
                                      size_t *work, spw_refusal *refusal);
spw_status spw_multiply_prepared(const spw_prepared *a, const spw_tensor *b, const spw_factors *how, const spw_output *c,
                                 void *work, size_t work_bytes, spw_refusal *refusal);

/* A B in memory of its own (libsparsewright_io): a dense tensor in row-major order, to be freed with spw_owned_free. It
 * takes at most `limit` bytes (0: no limit), with the workspace; beyond that SPW_ENOMEM. Status as above.
 * Like all calls that end in _new, it judges each operand once and relies on that until it returns: no other thread may
 * write to an operand meanwhile. */
spw_status spw_multiply_new(const spw_tensor *a, const spw_tensor *b, size_t limit, spw_owned **out, spw_refusal *refusal);

/* beta * C + alpha * (A B) in the same way. C, a dense array of any strides, is judged and copied first; in refusals it
 * is operand 2. SPW_EINVAL: also if C is sparse or null. */
spw_status spw_multiply_add_new(const spw_tensor *a, const spw_tensor *b, const spw_tensor *c, const spw_factors *how,
                                size_t limit, spw_owned **out, spw_refusal *refusal);

/* ---- Sparse times sparse ----------------------------------------------------------------------- */

/* *work: the bytes of workspace for spw_multiply_sparse_size and spw_multiply_sparse, aligned as malloc aligns. These are 17 to
 * 34 for each column of the result (CSC: row), a few more, and room for values that are not in order. *multiplications:
 * their number over all batches, INT64_MAX if beyond. A row of the result has at most as many elements as
 * multiplications. Judges every operand.
 * Status as spw_multiply_size. O(check + nse of the left operand; CSC: of the right one). */
spw_status spw_multiply_sparse_work(const spw_tensor *a, const spw_tensor *b, size_t *work, int64_t *multiplications,
                                    spw_refusal *refusal);

/* *room: the exact memory that A B takes. The elements are counted in the workspace.
 *   SPW_EINVAL  also if the workspace is too short
 *   SPW_ERANGE  also if batches of the result have different numbers of elements, its index type cannot hold nse, or
 *               the workspace overlaps an operand
 * Then nothing but the workspace is written. O(check + multiplications + columns of the result + batches * rows of it;
 * CSC: rows and columns swapped). */
spw_status spw_multiply_sparse_size(const spw_tensor *a, const spw_tensor *b, void *work, size_t work_bytes, spw_room *room,
                                    spw_refusal *refusal);

/* A B of two CSR or two CSC tensors of one index and one value type, in their layout and types (P9 to P12). A is (...,
 * rows, inner), B is (..., inner, columns), batch dimensions are equal. Convert other layouts with spw_convert first.
 * A position is specified if and only if some a[i, k] and b[k, j] both are. Its value is a left fold from +0 of their
 * products, with k ascending, rounded as in spw_multiply. The result is canonical.
 * The operands are judged again: even if they have changed since the room was computed, nothing outside the buffers is
 * touched. They must not change during the call.
 * Status as spw_multiply_sparse_size.
 *   SPW_EINVAL  also if a buffer is too short
 *   SPW_ERANGE  SPW_OBSTACLE_OVERLAP: also if a buffer overlaps an operand or another buffer (operand 2)
 * SPW_EINVAL, SPW_OBSTACLE_INDEX and SPW_OBSTACLE_BATCHES may leave the buffers written, but never *result.
 * O(check + multiplications + columns of the result + batches * rows of it; CSC: rows and columns swapped). */
spw_status spw_multiply_sparse(const spw_tensor *a, const spw_tensor *b, const spw_buffers *buffers, spw_tensor *result,
                               spw_refusal *refusal);

/* The same bits from up to `threads` threads if the library was built with OPENMP=1; otherwise from this one. The
 * threads share the rows of a batch (CSC: its columns). Each thread takes a workspace of its own, if it pays, which is
 * cleared for each batch. Work and room are those for this many threads. SPW_EINVAL: also if threads < 1. */
spw_status spw_multiply_sparse_work_parallel(const spw_tensor *a, const spw_tensor *b, int threads, size_t *work,
                                             int64_t *multiplications, spw_refusal *refusal);
spw_status spw_multiply_sparse_size_parallel(const spw_tensor *a, const spw_tensor *b, int threads, void *work, size_t work_bytes,
                                             spw_room *room, spw_refusal *refusal);
spw_status spw_multiply_sparse_parallel(const spw_tensor *a, const spw_tensor *b, int threads, const spw_buffers *buffers,
                                        spw_tensor *result, spw_refusal *refusal);

/* The same without judging the operands: spw_is_valid must have called them valid at SPW_CANONICAL. */
spw_status spw_multiply_sparse_work_unchecked(const spw_tensor *a, const spw_tensor *b, size_t *work, int64_t *multiplications,
                                              spw_refusal *refusal);
spw_status spw_multiply_sparse_size_unchecked(const spw_tensor *a, const spw_tensor *b, void *work, size_t work_bytes,
                                              spw_room *room, spw_refusal *refusal);
spw_status spw_multiply_sparse_unchecked(const spw_tensor *a, const spw_tensor *b, const spw_buffers *buffers,
                                         spw_tensor *result, spw_refusal *refusal);

/* A B in memory of its own (libsparsewright_io), of operands of any sparse layouts and index types. Unless both are
 * CSR, or both CSC, of one index type, they are converted to CSR first; the result is CSR, or COO if both were. It
 * takes at most `limit` bytes (0: no limit), with all intermediate memory; beyond that SPW_ENOMEM. More than `most`
 * multiplications (0: no limit) are refused with SPW_OBSTACLE_WORK. Status as above, and as spw_convert. */
spw_status spw_multiply_sparse_new(const spw_tensor *a, const spw_tensor *b, size_t limit, int64_t most, spw_owned **out,
                                   spw_refusal *refusal);

/* ---- At stored positions ------------------------------------------------------------------------- */

/* *room: the exact memory that spw_sampled_multiply takes. Judges every operand. Status as spw_multiply_size, and
 * SPW_EUNSUPPORTED: more dimensions than SPW_STRUCTURE_DIMS. In refusals S is operand 0, A is 1, B is 2 and the result
 * is 3. O(check + dimensions). */
spw_status spw_sampled_multiply_size(const spw_tensor *s, const spw_tensor *a, const spw_tensor *b, const spw_factors *how,
                                     spw_room *room, spw_refusal *refusal);

/* beta * S + alpha * (A B) at the stored positions of S and nowhere else (P13). The result has the layout, order, index
 * arrays and claim of S, which are copied. S is sparse, of any layout (..., rows, columns); A is dense (..., rows,
 * depth); B is dense (..., depth, columns). The leading dimensions of COO are batches.
 * Sums are left folds from +0 in ascending order of the inner index; rounding, alpha and beta are those of
 * spw_multiply. If beta is null or compares == 0, the values of S have no effect. If alpha compares == 0, neither A nor
 * B is read. One thread.
 * The workspace holds a copy of B, with two exceptions: the elements of one column of B lie side by side; or the rows
 * of B are in order, and S has fewer elements than B has columns.
 * Status as above; SPW_EINVAL also if a buffer is too short, SPW_OBSTACLE_OVERLAP also if one overlaps an operand or
 * another buffer (operand 3). Nothing is then written. O(check + nse * depth + A + B). */
spw_status spw_sampled_multiply(const spw_tensor *s, const spw_tensor *a, const spw_tensor *b, const spw_factors *how,
                                const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal);

/* The same without judging the sparse operand: spw_is_valid must have called it valid at SPW_CANONICAL. */
spw_status spw_sampled_multiply_size_unchecked(const spw_tensor *s, const spw_tensor *a, const spw_tensor *b,
                                               const spw_factors *how, spw_room *room, spw_refusal *refusal);
spw_status spw_sampled_multiply_unchecked(const spw_tensor *s, const spw_tensor *a, const spw_tensor *b, const spw_factors *how,
                                          const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal);

/* The same in memory of its own (libsparsewright_io): at most `limit` bytes (0: no limit) with the workspace; beyond
 * that SPW_ENOMEM. */
spw_status spw_sampled_multiply_new(const spw_tensor *s, const spw_tensor *a, const spw_tensor *b, const spw_factors *how,
                                    size_t limit, spw_owned **out, spw_refusal *refusal);

/* ---- Elementwise ------------------------------------------------------------------------------- */

/* Elementwise operations on sparse operands (E1 to E7). */
typedef enum spw_elementwise_kind {
  SPW_PLUS = 0, /* a + scalar * b; specifies what either operand specifies */
  SPW_MINUS,    /* a + (-scalar) * b; not of bool */
  SPW_TIMES,    /* a * b; specifies what both specify. b may be a dense array: then what a specifies */
  SPW_SCALE,    /* scalar * a */
  SPW_DIVIDE    /* a / scalar: float16, bfloat16, float32, float64 */
} spw_elementwise_kind;

typedef struct spw_elementwise_request {
  spw_elementwise_kind kind;
  const void *scalar;     /* one value of the operands' type, in memory of any alignment. Plus, minus: null adds b itself,
                           * without a multiplication. Times: must be null. Scale, divide: must not be null */
  spw_combine duplicates; /* plus, minus, times: for COO operands that do not claim to be coalesced */
  int threads;            /* at most so many, if the library was built with OPENMP=1; below 1: one. They judge compressed
                           * operands together, and share the lines if each cell is one scalar. The bits do not depend on it;
                           * *room does */
  bool upper_bound;       /* plus, minus, times of one batch: *room counts the elements of both operands (times: of the one with
                           * fewer), not those in common, if the index type can hold so many. With one thread, compressed
                           * operands are then not counted at all. The result is the same, and may be shorter */
} spw_elementwise_request;

/* *room: the memory that an elementwise operation takes, in elements. It is an upper bound if one is requested, or if duplicates
 * may have to be combined; otherwise it is exact. b is null for scale and divide. Judges every rule of the operands.
 *
 *   SPW_EINVAL        the call is wrong: as for the checks; a is dense, or b where it may not be; a scalar is missing,
 *                     or is not allowed
 *   SPW_EOVERFLOW     as for the checks
 *   SPW_EUNSUPPORTED  more dimensions than SPW_STRUCTURE_DIMS
 *   SPW_EINVALID      an operand (refusal->operand) breaks a rule: see refusal->violation
 *   SPW_ERANGE        the operands differ in size, layout, blocks, types, or split into batch, sparse and dense
 *                     dimensions; the type has no such operation; batches of the result would have different numbers of
 *                       cells; or the result is too
 *                     large to number: see refusal->obstacle
 * *room is written with SPW_OK only, *refusal (may be null) with SPW_EINVALID and SPW_ERANGE only. O(check +
 * elements). */
spw_status spw_elementwise_size(const spw_tensor *a, const spw_tensor *b, const spw_elementwise_request *wanted, spw_room *room,
                                spw_refusal *refusal);

/* Adds, subtracts, multiplies, scales or divides element by element; *result views the buffers. The operands may be
 * one tensor. They are judged again: even if they have changed, nothing outside the buffers is touched.
 * Pattern: the results of plus, minus and times are canonical, and COO claims to be coalesced; a sum of zero is stored.
 * Scale, divide, and times with a dense array keep the pattern, the order and the claim of a.
 * Values: each operation is rounded once. float16 and bfloat16 are computed in float32 and rounded once at the end.
 * Integers are taken modulo 2^w; bool is or of ands. Without a scalar, a value that only one operand specifies keeps
 * its bits (minus: except its sign).
 * Status as above; SPW_EINVAL also if a buffer is too short, SPW_ERANGE also if one overlaps an operand or another
 * buffer. Nothing is then written, except the workspace if only sorted duplicates show the refusal. O(check + elements
 * + result). */
spw_status spw_elementwise(const spw_tensor *a, const spw_tensor *b, const spw_elementwise_request *wanted,
                           const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal);

/* The same without judging the sparse operands: spw_is_valid must have called them valid at SPW_CANONICAL. A dense one
 * is judged. */
spw_status spw_elementwise_size_unchecked(const spw_tensor *a, const spw_tensor *b, const spw_elementwise_request *wanted,
                                          spw_room *room, spw_refusal *refusal);
spw_status spw_elementwise_unchecked(const spw_tensor *a, const spw_tensor *b, const spw_elementwise_request *wanted,
                                     const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal);

/* The same in memory of its own (libsparsewright_io): at most `limit` bytes (0: no limit) with the workspace; beyond
 * that SPW_ENOMEM.
 * Status as above. */
spw_status spw_elementwise_new(const spw_tensor *a, const spw_tensor *b, const spw_elementwise_request *wanted, size_t limit,
                               spw_owned **out, spw_refusal *refusal);

/* ---- Reductions -------------------------------------------------------------------------------- */

/* Reductions of the elements of a row, a column or a matrix (R1 to R6). */
typedef enum spw_reduction_kind {
  SPW_REDUCE_SUM = 0,
  SPW_REDUCE_MEAN, /* the sum divided by the number of specified elements; float16, bfloat16, float32, float64 */
  SPW_REDUCE_AMAX, /* the largest; no complex type */
  SPW_REDUCE_AMIN  /* the smallest; no complex type */
} spw_reduction_kind;

typedef enum spw_reduction_span {
  SPW_EACH_ROW = 0, /* removes the last dimension */
  SPW_EACH_COLUMN,  /* removes the last but one */
  SPW_EACH_MATRIX   /* removes both */
} spw_reduction_span;

typedef struct spw_reduction {
  spw_reduction_kind kind;
  spw_reduction_span span;
} spw_reduction;

/* *room: the exact memory that spw_reduce takes. b may be null. Judges every operand.
 *
 *   SPW_EINVAL        the call is wrong: as for the checks; a is dense; b is sparse, or is given with a span other than
 *                     SPW_EACH_ROW
 *   SPW_EOVERFLOW     as for the checks
 *   SPW_EUNSUPPORTED  more dimensions than SPW_STRUCTURE_DIMS
 *   SPW_EINVALID      an operand (refusal->operand) breaks a rule: see refusal->violation
 *   SPW_ERANGE        - a has no size, has dense dimensions or has fewer than two dimensions; or b does not fit it
 *                     - the type has no such reduction (SPW_OBSTACLE_TYPES, rhs is -1)
 *                     - the kind is no sum, and a is COO of two or more elements that does not claim to be coalesced
 *                       (SPW_OBSTACLE_DUPLICATE)
 *                     - the result or the workspace is too large to number
 * *room is written with SPW_OK only, *refusal (may be null) with SPW_EINVALID and SPW_ERANGE only. O(check +
 * dimensions). */
spw_status spw_reduce_size(const spw_tensor *a, const spw_tensor *b, const spw_reduction *wanted, spw_room *room,
                           spw_refusal *refusal);

/* Reduces the specified elements of a, which is sparse, of any layout (..., rows, columns). The leading dimensions of
 * COO are batches. The result is dense, in row-major order; *result views the buffers. With a dense b (..., columns,
 * width), or (columns) without batch dimensions, the result is (..., rows, width): it reduces a[i, k] * b[k, j] over
 * the k that row i specifies. A sum is a left fold from +0 in ascending order of columns (of rows, if columns are
 * reduced; COO: in order of storage), rounded as in spw_multiply. With b it has the bits of spw_multiply. The sum of a
 * matrix is the fold of the sums of its rows. Without an element the result is +0 for every kind. In amax and amin NaN
 * wins, and +0 is larger than -0; the order does not matter. The bits do not depend on the layout, except the payload
 * and sign of a NaN. One thread.
 * Status as above; SPW_EINVAL also if a buffer is too short, SPW_OBSTACLE_OVERLAP also if one overlaps an operand or
 * another buffer (operand 2). Nothing is then written.
 * O(check + nse * width + size of the result + batches * compressed dimension), even if batches share their indices. A
 * matrix adds its rows. The size of B is added if its rows are not in order, or if COO has batches. */
spw_status spw_reduce(const spw_tensor *a, const spw_tensor *b, const spw_reduction *wanted, const spw_buffers *buffers,
                      spw_tensor *result, spw_refusal *refusal);

/* The same without judging the sparse operand: spw_is_valid must have called it valid at SPW_CANONICAL. A dense one is
 * judged. */
spw_status spw_reduce_size_unchecked(const spw_tensor *a, const spw_tensor *b, const spw_reduction *wanted, spw_room *room,
                                     spw_refusal *refusal);
spw_status spw_reduce_unchecked(const spw_tensor *a, const spw_tensor *b, const spw_reduction *wanted,
                                const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal);

/* The same in memory of its own (libsparsewright_io): at most `limit` bytes (0: no limit) with the workspace; beyond
 * that SPW_ENOMEM.
 * Status as above. */
spw_status spw_reduce_new(const spw_tensor *a, const spw_tensor *b, const spw_reduction *wanted, size_t limit, spw_owned **out,
                          spw_refusal *refusal);

#ifdef __cplusplus
}
#endif

#endif
