/* SPDX-License-Identifier: Apache-2.0 */
/* Products, sums and products element by element, and reductions: the third part of sparsewright.h. */
#ifndef SPARSEWRIGHT_OPS_H
#define SPARSEWRIGHT_OPS_H

#include "sparsewright_convert.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A strided array to write to: what spw_value_array is to read from. `array.length` elements may be written
 * from `data` on; no two elements may lie at one place, and its strides have to tell that: each, of more than one entry, is
 * larger than what all smaller ones reach together.
 * Below, what lies on an operand or an output shares memory with its arrays, from their first element to their last, whatever
 * lies between two of them, or with what describes them: its struct, its size, shapes and strides. Those of a result are in
 * `dims` of the buffers that it was made in. What lies on another buffer may lie on the struct of the buffers, too. */
typedef struct spw_output {
  spw_array array;
  void *data;
} spw_output;

/* What is stored of a product. A zero request, {0}, is the product alone, on the calling thread. The factors are read before
 * anything is written. */
typedef struct spw_factors {
  const void *alpha; /* one value of the operands' type, in memory of any alignment; null: 1 */
  const void *beta;  /* the same; null: 0 */
  int threads;       /* at most so many, where the library has been built with OPENMP=1; 0: one */
} spw_factors;

/* The shape of A B: that of the dense operand, but for *dimension, where it has *entry. Judges both operands. Status as
 * below; written with SPW_OK only. O(check + dimensions). */
spw_status spw_multiply_shape(const spw_tensor *a, const spw_tensor *b, int64_t *dimension, int64_t *entry,
                              spw_refusal *refusal);

/* *work: the bytes that spw_multiply needs beside its operands, aligned as malloc aligns; 0 for CSR and BSR in order on the
 * left, with dense operands in row-major order (CSC and BSC on the right: column-major), and where C is empty. Where
 * alpha compares == 0 it is for C alone. Every operand is judged.
 * SPW_OK
 * SPW_EINVAL    the call is wrong: as for the checks; or both operands are dense, or both sparse
 * SPW_EOVERFLOW as for the checks
 * SPW_EINVALID  an operand (refusal->operand) breaks a rule: see refusal->violation
 * SPW_ERANGE    shapes or types do not fit each other, the output lies on an operand or on itself, or the workspace has
 *               more bytes than can be numbered: see refusal->obstacle
 * *work is written with SPW_OK only, *refusal (null is fine) with SPW_EINVALID and SPW_ERANGE only.
 * O(check + dimensions). */
spw_status spw_multiply_size(const spw_tensor *a, const spw_tensor *b, const spw_factors *how, const spw_output *c,
                             size_t *work, spw_refusal *refusal);

/* C = beta * C + alpha * (A B), for one sparse operand of any layout and one dense one (P1 to P8).
 *   A sparse (..., rows, inner), B dense (..., inner, columns) or, where there are no batch dimensions, (inner);
 *   A dense (..., rows, inner) or (inner), B sparse (..., inner, columns);
 *   C (..., rows, columns), without the dimension that a vector does not have. Batch dimensions are equal.
 * One value type; index and value arrays with any strides that the rules allow (3.14: none is negative, of C neither); a COO
 * tensor may have duplicates, and its leading dimensions are batches. The sparse operand has a size and no dense dimensions.
 * Each element of C is a left fold from +0 over the elements of its row, in ascending order of their columns (COO: in
 * order of storage), with one rounding for each multiplication and each addition; then C = alpha * sum or
 * beta * C + alpha * sum, each operation rounded once. float16 and bfloat16 are multiplied and added in float32 and rounded
 * once at the end; integers are taken modulo 2^w, bool is or of ands. Where beta is null or compares == 0, C is not
 * read; where alpha compares == 0, A and B are judged, not read. The bits (but for the payload and sign of a NaN) do not
 * depend on the number of threads.
 * Status as above, and SPW_EINVAL when `work` is shorter than asked for: nothing is written then.
 * O(check + nse * columns + size of C; of CSC and BSC + batches * inner, in each thread for every 16 columns of B;
 * and of B, where its rows do not lie in order, or batches are of COO). */
spw_status spw_multiply(const spw_tensor *a, const spw_tensor *b, const spw_factors *how, const spw_output *c, void *work,
                        size_t work_bytes, spw_refusal *refusal);

/* The same for a sparse operand that spw_is_valid has called valid at SPW_CANONICAL, and whose contents have not
 * changed since: it is not judged. Shapes, types and the dense operand are. */
spw_status spw_multiply_size_unchecked(const spw_tensor *a, const spw_tensor *b, const spw_factors *how, const spw_output *c,
                                       size_t *work, spw_refusal *refusal);
spw_status spw_multiply_unchecked(const spw_tensor *a, const spw_tensor *b, const spw_factors *how, const spw_output *c,
                                  void *work, size_t work_bytes, spw_refusal *refusal);

/* A left operand that many products are prepared for: it was judged once, and is not judged again. It views the arrays
 * of the tensor that it was made of, or memory of the caller's: they have to stay what they are while it is used. */
typedef struct spw_prepared {
  spw_tensor matrix; /* by rows, with int32 indices where they hold it; COO, batches and what has no size as they are */
  spw_tensor blocks; /* the same in blocks, for vectors, where all elements lie in full ones of 4 x 4 */
  bool has_blocks;
  spw_tensor stripes; /* or in stripes of columns, for vectors of more than 12 MiB whose elements CSR asks for in no order */
  bool has_stripes;
} spw_prepared;

/* *bytes: the memory that the handle of `a` takes, aligned as malloc aligns. Status as spw_multiply_size, with 0 for
 * refusal->operand. O(check + nse; of CSC and BSC + rows). */
spw_status spw_prepare_size(const spw_tensor *a, size_t *bytes, spw_refusal *refusal);

/* *handle: `a`, prepared in `memory`. Status as above; SPW_EINVAL: the memory is shorter than asked for, SPW_ERANGE: it lies
 * on an array of the operand. Written with SPW_OK only. O(check + nse; of CSC and BSC + rows, whose starts are in `memory`). */
spw_status spw_prepare(const spw_tensor *a, void *memory, size_t bytes, spw_prepared *handle, spw_refusal *refusal);

/* spw_multiply with a left operand that is prepared: the same bits (P14), the same status. Its arrays and those of
 * the tensor that it views may not share memory with the output, nor with the workspace: refused, also where this product
 * does not need them; of those that it does not need, only the product itself says so. *work is enough for any number of
 * threads. */
spw_status spw_multiply_prepared_size(const spw_prepared *a, const spw_tensor *b, const spw_factors *how, const spw_output *c,
                                      size_t *work, spw_refusal *refusal);
spw_status spw_multiply_prepared(const spw_prepared *a, const spw_tensor *b, const spw_factors *how, const spw_output *c,
                                 void *work, size_t work_bytes, spw_refusal *refusal);

/* A B in memory of its own (libsparsewright_io): a dense tensor in row-major order. At most `limit` bytes (0: no limit) are
 * taken, with the workspace: SPW_ENOMEM beyond. Status as above. As all calls that end in _new it judges each operand once, and
 * relies on it until it returns: no other thread may write to an operand meanwhile. */
spw_status spw_multiply_new(const spw_tensor *a, const spw_tensor *b, size_t limit, spw_owned **out, spw_refusal *refusal);

/* beta * C + alpha * (A B) in the same way: C, a dense array of any strides, is judged and copied first. SPW_EINVAL besides: C
 * is sparse, or not there. In refusals C is operand 2. */
spw_status spw_multiply_add_new(const spw_tensor *a, const spw_tensor *b, const spw_tensor *c, const spw_factors *how,
                                size_t limit, spw_owned **out, spw_refusal *refusal);

/* ---- Sparse times sparse ----------------------------------------------------------------------- */

/* *work: the bytes that counting and filling need beside operands and result, aligned as malloc aligns: 17 to 34 for each
 * column of the result (CSC: row), a few more, and values that do not lie in order. *multiplications: how many there are, of
 * all batches, INT64_MAX beyond; no row of the result has more elements than it takes multiplications. Every operand is
 * judged. Status as spw_multiply_size. O(check + nse of the left operand; CSC: of the right one). */
spw_status spw_multiply_sparse_work(const spw_tensor *a, const spw_tensor *b, size_t *work, int64_t *multiplications,
                                    spw_refusal *refusal);

/* *room: what A B takes, exactly: its elements are counted, in the workspace.
 * SPW_ERANGE besides: batches of the result have different numbers of elements, its index type cannot hold nse, or
 * the workspace lies on an operand; SPW_EINVAL besides: the workspace is too short. Nothing but the workspace is written
 * then. O(check + multiplications + columns of the result + batches * rows of it; CSC: rows, and columns). */
spw_status spw_multiply_sparse_size(const spw_tensor *a, const spw_tensor *b, void *work, size_t work_bytes, spw_room *room,
                                    spw_refusal *refusal);

/* A B of two CSR or two CSC tensors of one index and one value type, in their layout and types (P9 to P12): A
 * (..., rows, inner), B (..., inner, columns), batch dimensions equal. Other layouts are made one of these by spw_convert.
 * A position is specified if and only if some a[i, k] and b[k, j] both are; its value is a left fold from +0 of their
 * products, k ascending, rounded as those of spw_multiply. Rows are in order: the result is canonical.
 * The operands are judged again: whatever their arrays have come to say since the room was asked for, nothing outside the
 * buffers is touched. Status as spw_multiply_sparse_size, and SPW_EINVAL when a buffer is too short, now;
 * SPW_OBSTACLE_OVERLAP: a buffer lies on an operand, or on another one (2). Where SPW_EINVAL, SPW_OBSTACLE_INDEX and
 * SPW_OBSTACLE_BATCHES are found out on the way, buffers have been written, but never *result.
 * O(check + multiplications + columns of the result + batches * rows of it; CSC: rows, and columns). */
spw_status spw_multiply_sparse(const spw_tensor *a, const spw_tensor *b, const spw_buffers *buffers, spw_tensor *result,
                               spw_refusal *refusal);

/* The same bits from up to `threads` threads when the library was built with OPENMP=1, else from this one: they share the rows
 * of a batch (CSC: its columns), and each that is worth it takes a workspace of its own, which is cleared for each batch. Work
 * and room are those for as many threads. SPW_EINVAL besides: fewer than one thread. */
spw_status spw_multiply_sparse_work_parallel(const spw_tensor *a, const spw_tensor *b, int threads, size_t *work,
                                             int64_t *multiplications, spw_refusal *refusal);
spw_status spw_multiply_sparse_size_parallel(const spw_tensor *a, const spw_tensor *b, int threads, void *work, size_t work_bytes,
                                             spw_room *room, spw_refusal *refusal);
spw_status spw_multiply_sparse_parallel(const spw_tensor *a, const spw_tensor *b, int threads, const spw_buffers *buffers,
                                        spw_tensor *result, spw_refusal *refusal);

/* The same for operands that spw_is_valid has called valid at SPW_CANONICAL, which are not judged. */
spw_status spw_multiply_sparse_work_unchecked(const spw_tensor *a, const spw_tensor *b, size_t *work, int64_t *multiplications,
                                              spw_refusal *refusal);
spw_status spw_multiply_sparse_size_unchecked(const spw_tensor *a, const spw_tensor *b, void *work, size_t work_bytes,
                                              spw_room *room, spw_refusal *refusal);
spw_status spw_multiply_sparse_unchecked(const spw_tensor *a, const spw_tensor *b, const spw_buffers *buffers,
                                         spw_tensor *result, spw_refusal *refusal);

/* A B in memory of its own (libsparsewright_io), of operands of any sparse layouts and index types: where they are not both
 * CSR or both CSC of one index type they are converted to CSR first, and the result is CSR, or COO where both were. At most
 * `limit` bytes (0: no limit) are taken, with what is needed on the way: SPW_ENOMEM beyond. With more multiplications than
 * `most` (0: no limit) it is refused, SPW_OBSTACLE_WORK. Status as above, and as spw_convert. */
spw_status spw_multiply_sparse_new(const spw_tensor *a, const spw_tensor *b, size_t limit, int64_t most, spw_owned **out,
                                   spw_refusal *refusal);

/* ---- At stored positions ------------------------------------------------------------------------- */

/* *room: what spw_sampled_multiply takes, exactly. Every operand is judged. Status as spw_multiply_size, and SPW_EUNSUPPORTED:
 * more dimensions than SPW_STRUCTURE_DIMS. In refusals S is operand 0, A 1, B 2, and the result 3. O(check + dimensions). */
spw_status spw_sampled_multiply_size(const spw_tensor *s, const spw_tensor *a, const spw_tensor *b, const spw_factors *how,
                                     spw_room *room, spw_refusal *refusal);

/* beta * S + alpha * (A B) at the stored positions of S and nowhere else (P13): a tensor of the layout, order, index arrays and
 * claim of S, which are copied. S is sparse, of any layout (..., rows, columns), A dense (..., rows, depth), B dense
 * (..., depth, columns); the leading dimensions of COO are batches. Sums are left folds from +0 in ascending order of the inner
 * index; rounding, alpha and beta are those of spw_multiply: where beta is null or compares == 0, the values of S change
 * nothing, where alpha compares == 0, neither A nor B is read. One thread. The workspace holds a copy of B, unless what stands in
 * one column of it lies side by side, or S has fewer elements than B columns and the rows of B lie in order.
 * Status as above; SPW_EINVAL when a buffer is too short, SPW_OBSTACLE_OVERLAP when one lies on an operand or on another
 * one (3): nothing is written then. O(check + nse * depth + A + B). */
spw_status spw_sampled_multiply(const spw_tensor *s, const spw_tensor *a, const spw_tensor *b, const spw_factors *how,
                                const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal);

/* The same for a sparse operand that spw_is_valid has called valid at SPW_CANONICAL, which is not judged. */
spw_status spw_sampled_multiply_size_unchecked(const spw_tensor *s, const spw_tensor *a, const spw_tensor *b,
                                               const spw_factors *how, spw_room *room, spw_refusal *refusal);
spw_status spw_sampled_multiply_unchecked(const spw_tensor *s, const spw_tensor *a, const spw_tensor *b, const spw_factors *how,
                                          const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal);

/* The same in memory of its own (libsparsewright_io), at most `limit` bytes (0: no limit) with the workspace: SPW_ENOMEM
 * beyond. */
spw_status spw_sampled_multiply_new(const spw_tensor *s, const spw_tensor *a, const spw_tensor *b, const spw_factors *how,
                                    size_t limit, spw_owned **out, spw_refusal *refusal);

/* ---- Elementwise ------------------------------------------------------------------------------- */

/* What becomes of the elements of sparse operands (E1 to E7). */
typedef enum spw_elementwise_kind {
  SPW_PLUS = 0, /* a + scalar * b: what either specifies */
  SPW_MINUS,    /* a + (-scalar) * b; not of bool */
  SPW_TIMES,    /* a * b: what both specify; b may be a dense array: then what a specifies */
  SPW_SCALE,    /* scalar * a */
  SPW_DIVIDE    /* a / scalar: float16, bfloat16, float32, float64 */
} spw_elementwise_kind;

typedef struct spw_elementwise_request {
  spw_elementwise_kind kind;
  const void *scalar;     /* one value of the operands' type, in memory of any alignment. Plus, minus: null adds b itself,
                           * without a multiplication; times: null; scale, divide: needed */
  spw_combine duplicates; /* plus, minus, times: of COO operands that do not claim to be coalesced */
  int threads;            /* at most, in a library built with OpenMP; below 1: one. They judge operands of compressed layouts
                           * together, and share the lines where cells are one scalar each. No bit depends on it, *room does */
  bool upper_bound;       /* plus, minus, times of one batch: *room is for the elements of both together (times: of the one that
                           * has fewer) without counting those in common, if so many fit the index type. One thread does not
                           * count those of compressed layouts at all then. The result is the same, and may be shorter */
} spw_elementwise_request;

/* *room: what the operation takes, in elements: exact, but an upper bound where that is asked for or duplicates may have to be
 * combined. b is null for scale and divide. Every rule of the operands is judged.
 * SPW_OK
 * SPW_EINVAL       the call is wrong: as for the checks; a is a dense array, or b where it may not be; a scalar that is not
 *                  needed, or is and is not there
 * SPW_EOVERFLOW    as for the checks
 * SPW_EUNSUPPORTED more dimensions than SPW_STRUCTURE_DIMS
 * SPW_EINVALID     an operand (refusal->operand) breaks a rule: see refusal->violation
 * SPW_ERANGE       the operands differ in size, in layout, in blocks, in their split into batch, sparse and dense dimensions,
 *                  or in type; there is no such operation on the type; batches of the result would have different numbers
 *                  of cells; or it cannot be numbered: see refusal->obstacle
 * *room is written with SPW_OK only, *refusal (null is fine) with SPW_EINVALID and SPW_ERANGE only. O(check + elements). */
spw_status spw_elementwise_size(const spw_tensor *a, const spw_tensor *b, const spw_elementwise_request *wanted, spw_room *room,
                                spw_refusal *refusal);

/* Does it; *result views the buffers. The operands may be one tensor, and are judged again: nothing outside the buffers is
 * touched, whatever they say by then. Plus, minus and times give what is canonical, and COO claims to be coalesced; a sum
 * that is zero is stored. Scale, divide, and times with a dense array keep the pattern, the order and the claim of a.
 * Each operation is rounded once; float16 and bfloat16 are computed in float32 and rounded once at the end; integers are
 * taken modulo 2^w; bool: or of ands. What only one operand specifies keeps its bits where there is no scalar (minus: but for
 * its sign).
 * Status as above, and SPW_EINVAL when a buffer is shorter than asked for; SPW_ERANGE when a buffer shares memory with an
 * operand or with another buffer. Nothing is written in any of these, but where only sorted duplicates tell: then the workspace.
 * O(check + elements + result). */
spw_status spw_elementwise(const spw_tensor *a, const spw_tensor *b, const spw_elementwise_request *wanted,
                           const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal);

/* The same for sparse operands that spw_is_valid has called valid at SPW_CANONICAL, which are not judged. A dense one is. */
spw_status spw_elementwise_size_unchecked(const spw_tensor *a, const spw_tensor *b, const spw_elementwise_request *wanted,
                                          spw_room *room, spw_refusal *refusal);
spw_status spw_elementwise_unchecked(const spw_tensor *a, const spw_tensor *b, const spw_elementwise_request *wanted,
                                     const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal);

/* The same in memory of its own (libsparsewright_io), of which at most `limit` bytes (0: no limit) are taken, with the
 * workspace: SPW_ENOMEM beyond. Status as above. */
spw_status spw_elementwise_new(const spw_tensor *a, const spw_tensor *b, const spw_elementwise_request *wanted, size_t limit,
                               spw_owned **out, spw_refusal *refusal);

/* ---- Reductions -------------------------------------------------------------------------------- */

/* What becomes of the elements of a row, a column or a matrix (R1 to R6). */
typedef enum spw_reduction_kind {
  SPW_REDUCE_SUM = 0,
  SPW_REDUCE_MEAN, /* the sum, divided by how many are specified; float16, bfloat16, float32, float64 */
  SPW_REDUCE_AMAX, /* the largest; no complex type */
  SPW_REDUCE_AMIN  /* the smallest; no complex type */
} spw_reduction_kind;

typedef enum spw_reduction_span {
  SPW_EACH_ROW = 0, /* the last dimension is gone */
  SPW_EACH_COLUMN,  /* the last but one */
  SPW_EACH_MATRIX   /* both */
} spw_reduction_span;

typedef struct spw_reduction {
  spw_reduction_kind kind;
  spw_reduction_span span;
} spw_reduction;

/* *room: what spw_reduce takes, exactly. b may be null. Every operand is judged.
 * SPW_OK
 * SPW_EINVAL       the call is wrong: as for the checks; a is dense; b is sparse, or there with another span than SPW_EACH_ROW
 * SPW_EOVERFLOW    as for the checks
 * SPW_EUNSUPPORTED more dimensions than SPW_STRUCTURE_DIMS
 * SPW_EINVALID     an operand (refusal->operand) breaks a rule: see refusal->violation
 * SPW_ERANGE       a has no size, dense dimensions or less than two; b does not fit it; there is no such reduction of the type
 *                  (SPW_OBSTACLE_TYPES, rhs is -1); a is COO of two elements or more and does not claim to be coalesced, and it
 *                  is no sum (SPW_OBSTACLE_DUPLICATE); or the result or the workspace cannot be numbered
 * *room is written with SPW_OK only, *refusal (null is fine) with SPW_EINVALID and SPW_ERANGE only. O(check + dimensions). */
spw_status spw_reduce_size(const spw_tensor *a, const spw_tensor *b, const spw_reduction *wanted, spw_room *room,
                           spw_refusal *refusal);

/* Reduces what a specifies, sparse, of any layout (..., rows, columns): to a dense tensor in row-major order, for nearly every
 * row has an element, and which have none would have to be stored besides. With a dense b (..., columns, width), or (columns)
 * where there are no batch dimensions, to (..., rows, width): what is reduced are a[i, k] * b[k, j] for each k that
 * row i specifies. The leading dimensions of COO are batches.
 * A sum is a left fold from +0 in ascending order of columns (of rows, where columns are reduced; COO: in order of storage),
 * rounded as those of spw_multiply: with b it has its bits; that of a matrix is the fold of the sums of its rows. Without an
 * element the result is +0, of every kind. NaN wins in amax and amin, and +0 is larger than -0: of them no order is asked.
 * The bits (but for payload and sign of a NaN) depend on no layout. *result views the buffers. One thread.
 * Status as above; SPW_EINVAL when a buffer is too short, SPW_OBSTACLE_OVERLAP when one lies on an operand or on another
 * one (2): nothing is written then. O(check + nse * width + size of the result; + batches * compressed
 * dimension, also of batches that share their indices; of a matrix: + rows; and size of B, where its rows do not lie in
 * order, or batches are of COO). */
spw_status spw_reduce(const spw_tensor *a, const spw_tensor *b, const spw_reduction *wanted, const spw_buffers *buffers,
                      spw_tensor *result, spw_refusal *refusal);

/* The same for a sparse operand that spw_is_valid has called valid at SPW_CANONICAL, which is not judged. A dense one is. */
spw_status spw_reduce_size_unchecked(const spw_tensor *a, const spw_tensor *b, const spw_reduction *wanted, spw_room *room,
                                     spw_refusal *refusal);
spw_status spw_reduce_unchecked(const spw_tensor *a, const spw_tensor *b, const spw_reduction *wanted,
                                const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal);

/* The same in memory of its own (libsparsewright_io), of which at most `limit` bytes (0: no limit) are taken, with the
 * workspace: SPW_ENOMEM beyond. Status as above. */
spw_status spw_reduce_new(const spw_tensor *a, const spw_tensor *b, const spw_reduction *wanted, size_t limit, spw_owned **out,
                          spw_refusal *refusal);

#ifdef __cplusplus
}
#endif

#endif
