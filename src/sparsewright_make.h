/* SPDX-License-Identifier: Apache-2.0 */
/* Constructors, copies, slices with a step, diagonals, triangles and Kronecker products, for callers in C. The calls are
 * those of sparsewright_convert.h: one says how much memory a result takes, the other fills the caller's buffers, and
 * spw_make_new (libsparsewright_io) allocates. */
#ifndef SPARSEWRIGHT_MAKE_H
#define SPARSEWRIGHT_MAKE_H

#include "sparsewright_ops.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is made (K1 to K11). Results are canonical, except those of clone and fill. */
typedef enum spw_make_kind {
  SPW_MAKE_ZEROS = 0, /* without operands: nothing is specified */
  SPW_MAKE_DIAGONALS, /* entry [i, j] of a dense operand at (j - numbers[i], j); without an operand: ones */
  SPW_MAKE_CLONE,     /* the same arrays without gaps: order, claim and duplicates stay */
  SPW_MAKE_FILL,      /* clone, but every stored scalar is *scalar */
  SPW_MAKE_SLICE,     /* indices start, start + step, ... of `dim`: `length` of them */
  SPW_MAKE_DIAGONAL,  /* COO: the diagonal of each matrix, or a matrix with a vector on its diagonal */
  SPW_MAKE_LOWER,     /* (..., i, j) where j - i <= diagonal; the last two of the batch and sparse dimensions */
  SPW_MAKE_UPPER,     /* (..., i, j) where j - i >= diagonal */
  SPW_MAKE_KRON,      /* two operands: a[p] * b[q] at p * size(b) + q, in the layout of a */
  SPW_MAKE_RESPLIT    /* COO with sparse_dims sparse dimensions; cells that compare == 0 are left out */
} spw_make_kind;

typedef struct spw_making {
  spw_make_kind kind;

  /* Zeros, diagonals: the result. Zero: no blocks, no batch dimensions, no dense dimensions; int64 indices. */
  spw_layout layout;
  int64_t block_rows, block_columns;
  int64_t batch_dims, dense_dims;
  spw_dtype index_dtype;
  spw_dtype dtype; /* zeros, ones */
  const int64_t *size;
  int64_t ndim;

  const int64_t *numbers; /* diagonals: their offsets, positive above the main diagonal */
  int64_t count;
  int64_t dim, start, length, step; /* slice; a negative step goes backwards */
  int64_t diagonal;                 /* diagonal, lower, upper: 0 is the main one, 1 the one above it */
  int64_t sparse_dims;              /* resplit */
  const void *scalar;               /* fill: one value of the operand's type, in memory of any alignment */
} spw_making;

/* *room: the memory that the result takes. It is an upper bound if duplicates may have to be combined, if the result has
 * blocks, or for resplit; otherwise it is exact. Judges every rule of every operand.
 *
 *   SPW_EINVAL        the call is wrong: as for the checks; the number of operands is not that of the kind; the step is
 *                     0; something that is needed is null; or the layout is no sparse one, or has no such blocks
 *   SPW_EOVERFLOW     as for the checks
 *   SPW_EUNSUPPORTED  more dimensions than SPW_STRUCTURE_DIMS; or an operand is dense, and may not be
 *   SPW_EINVALID      an operand breaks a rule: its number is in refusal->other
 *   SPW_ERANGE        any other obstacle
 * Duplicates of COO are summed (D2), but kron and resplit refuse them (SPW_OBSTACLE_DUPLICATE): two or more elements
 * need the claim to be coalesced. *room is written with SPW_OK only, *refusal (may be null) with SPW_EINVALID and
 * SPW_ERANGE only. O(check + elements of the operands, in blocks also those without a value); kron: O(check + elements of the
 * result); diagonals: O(offsets^2
 * / 2048). */
spw_status spw_make_size(const spw_tensor *const *operands, int64_t count, const spw_making *wanted, spw_room *room,
                         spw_refusal *refusal);

/* Writes the result as spw_convert does: *result views the buffers, the operands are judged again, and nothing outside
 * the buffers is touched, even if they have changed. Batches of a compressed result that have different numbers of cells
 * are refused here (SPW_OBSTACLE_BATCHES). */
spw_status spw_make(const spw_tensor *const *operands, int64_t count, const spw_making *wanted, const spw_buffers *buffers,
                    spw_tensor *result, spw_refusal *refusal);

/* The same without judging sparse operands: spw_is_valid must have called them valid at SPW_CANONICAL. */
spw_status spw_make_size_unchecked(const spw_tensor *const *operands, int64_t count, const spw_making *wanted, spw_room *room,
                                   spw_refusal *refusal);
spw_status spw_make_unchecked(const spw_tensor *const *operands, int64_t count, const spw_making *wanted,
                              const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal);

/* The same in memory of its own: at most `limit` bytes (0: no limit) with the workspace; beyond that SPW_ENOMEM.
 * Duplicates that kron and resplit refuse are summed first. */
spw_status spw_make_new(const spw_tensor *const *operands, int64_t count, const spw_making *wanted, size_t limit, spw_owned **out,
                        spw_refusal *refusal);

#ifdef __cplusplus
}
#endif

#endif
