/* SPDX-License-Identifier: Apache-2.0 */
/* What operations mean, conversions and structure: the second part of sparsewright.h. */
#ifndef SPARSEWRIGHT_CONVERT_H
#define SPARSEWRIGHT_CONVERT_H

#include "sparsewright_core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- What operations mean -------------------------------------------------------------------- */

/* A statement of spec/semantics.def: what an operation gives, or what a word means. */
typedef struct spw_statement_info {
  const char *id;         /* "C4": a letter for its topic, and a number */
  const char *topic;      /* "meaning", "convert", "combine" or "structure" */
  const char *operations; /* those that it is about besides its topic, separated by blanks, or "" */
  const char *state;      /* "definition"; "built": the library does it; "not built": not yet */
  const char *function;   /* the one that does it, where it is built, else "" */
  const char *formula;    /* one line */
  const char *prose;      /* what it says */
  const char *why;        /* why it is so */
  const char *torch;      /* where PyTorch differs or agrees, or "" */
  const char *scipy;      /* where SciPy differs or agrees, or "" */
} spw_statement_info;

/* Statement 0, 1, 2, ... in the order of spec/semantics.def, topic by topic; null when there is none. */
const spw_statement_info *spw_statement_get(int number);

/* ---- Conversions ----------------------------------------------------------------------------- */

/* What duplicates become, in order of storage: the correctly rounded sum (integers mod 2^w, bool: or),
 * the first, the last; or they are refused. */
typedef enum spw_combine {
  SPW_COMBINE_SUM = 0,
  SPW_COMBINE_FIRST,
  SPW_COMBINE_LAST,
  SPW_COMBINE_REFUSE
} spw_combine;

/* What a tensor is to become. {.layout = SPW_CSR, .batch_dims = -1, .dense_dims = -1} asks for nothing
 * but another layout. */
typedef struct spw_conversion {
  spw_layout layout;      /* SPW_COO ... SPW_BSC, SPW_DENSE */
  int64_t block_rows;     /* BSR, BSC: b0 and b1; both 0: those of a tensor that has blocks */
  int64_t block_columns;
  int64_t batch_dims;     /* of a compressed result, from COO or dense; -1: all but two sparse dimensions */
  int64_t dense_dims;     /* of a result from dense; -1: 0. From a sparse tensor: -1, or what it has */
  spw_dtype index_dtype;  /* SPW_INT32, SPW_INT64; SPW_DTYPE_NONE: the tensor's, from dense int64 */
  spw_combine duplicates; /* of a COO tensor that does not claim to be coalesced, and of `canonicalize` */
  bool prune;             /* leave out cells all of whose scalars compare == 0, afterwards; from dense they are not
                           * stored in the first place, whatever `bits` says */
  bool bits;              /* from dense: store cells with any bit set, not those that compare != 0 */
  bool canonicalize;      /* a compressed tensor may be valid up to SPW_STRUCTURE only: not in order, with duplicates */
} spw_conversion;

/* Why an operation is refused. */
typedef enum spw_obstacle {
  SPW_OBSTACLE_NONE = 0,
  SPW_OBSTACLE_RULE,       /* the tensor breaks a rule: `violation` */
  SPW_OBSTACLE_DIMENSIONS, /* it has `lhs` dimensions that would be sparse, and `rhs` are needed */
  SPW_OBSTACLE_BLOCKS,     /* sparse dimension `place`, of size lhs, is no multiple of the block size rhs */
  SPW_OBSTACLE_INDEX,      /* an index type that holds `rhs` at most would have to hold `lhs` */
  SPW_OBSTACLE_SIZE,       /* the result, or the workspace, has more elements than int64 can number */
  SPW_OBSTACLE_BATCHES,    /* batch `place` has lhs cells, batch `other` has rhs: all need the same number */
  SPW_OBSTACLE_DUPLICATE,  /* elements lhs and rhs (of batch `place`) lie at one position */
  SPW_OBSTACLE_SHAPES,     /* dimension `place` of `operand` is lhs, and rhs is needed there */
  SPW_OBSTACLE_TYPES,      /* the value type (spw_dtype) of `operand` is lhs, and rhs is needed */
  SPW_OBSTACLE_HYBRID,     /* `operand` has lhs dense dimensions */
  SPW_OBSTACLE_NO_SIZE,    /* `operand` has no size */
  SPW_OBSTACLE_OVERLAP     /* the output and `operand`, or two elements of the output (2), share memory */
} spw_obstacle;

typedef struct spw_refusal {
  spw_obstacle obstacle;
  spw_violation violation;
  int64_t place, other, lhs, rhs; /* -1 where not told */
  int operand;                    /* 0: the first or only one, 1: the second, 2: the output */
} spw_refusal;

/* The lengths of what a conversion writes, in elements, and its workspace. */
typedef struct spw_room {
  spw_dtype index_dtype, dtype;
  int64_t nse;        /* cells of each batch of the result, at most; 0 for dense */
  int64_t dims;       /* int64 elements: size, shapes and strides of the result */
  int64_t compressed; /* 0 for COO and dense */
  int64_t plain;      /* 0 for dense */
  int64_t values;
  size_t work;        /* bytes, aligned as malloc aligns */
} spw_room;

/* Where a conversion writes: one array of each kind with at least the elements that spw_room asks for, of
 * the index type that it names. No two of them, nor the tensor's arrays, may overlap. */
typedef struct spw_buffers {
  int64_t *dims;
  int32_t *compressed_i32, *plain_i32;
  int64_t *compressed_i64, *plain_i64;
  void *values; /* aligned as the element type */
  void *work;
  spw_room room; /* the lengths that are there */
} spw_buffers;

/* *room: what converting `tensor` takes. Exact, but an upper bound where duplicates may have to be combined,
 * cells are pruned, or COO becomes blocks: how many there are is known only when it is done. Every rule of the tensor is judged.
 * SPW_OK
 * SPW_EINVAL     the call is wrong: as for the checks, or `wanted` says nothing sensible
 * SPW_EOVERFLOW  as for the checks
 * SPW_EINVALID   refusal->obstacle is SPW_OBSTACLE_RULE: see refusal->violation
 * SPW_ERANGE     any other obstacle
 * *room is written with SPW_OK only, *refusal (null is fine) with SPW_EINVALID and SPW_ERANGE only.
 * O(check + dimensions), and O(nse) or O(size of a dense array) where cells have to be counted. */
spw_status spw_convert_size(const spw_tensor *tensor, const spw_conversion *wanted, spw_room *room,
                            spw_refusal *refusal);

/* Converts; *result views the buffers. The tensor is judged again: whatever its arrays have come to say since
 * the room was asked for, nothing outside the buffers is touched; SPW_EINVAL when they are too short now.
 * Results are canonical; COO is sorted, without duplicates, and claims so. Values are moved as bits;
 * only duplicates are computed. Status as above; a refusal that only the values or the order tell (duplicates,
 * batches) may leave the buffers written, but never *result. */
spw_status spw_convert(const spw_tensor *tensor, const spw_conversion *wanted, const spw_buffers *buffers,
                       spw_tensor *result, spw_refusal *refusal);

/* The same for a tensor that spw_is_valid has called valid at SPW_CANONICAL (SPW_STRUCTURE to canonicalize),
 * which is not judged. */
spw_status spw_convert_size_unchecked(const spw_tensor *tensor, const spw_conversion *wanted, spw_room *room,
                                      spw_refusal *refusal);
spw_status spw_convert_unchecked(const spw_tensor *tensor, const spw_conversion *wanted,
                                 const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal);

/* ---- Structure ------------------------------------------------------------------------------- */

/* *result: a CSR, CSC, BSR or BSC tensor with its last two sparse dimensions exchanged, over the same arrays:
 * CSR becomes CSC, BSR becomes BSC, and the other way; the block dimensions of the values are exchanged by
 * strides (C20). The result's size, values' shape and strides are written to dims[0 .. capacity - 1], and
 * every array of the tensor that is not there has to outlive it. O(dimensions); indices are not read.
 * SPW_EINVAL, nothing written: as for the checks, or `dims` is null or shorter than the size and twice the
 *   dimensions of the values
 * SPW_EINVALID     a shape rule is broken
 * SPW_EUNSUPPORTED COO, whose rows of indices would have to be copied, and dense arrays */
spw_status spw_transpose(const spw_tensor *tensor, int64_t *dims, int64_t capacity, spw_tensor *result);

/* What a tensor takes: its elements, wherever in their storages they lie, and those of the dense array of its size. */
typedef struct spw_bytes {
  int64_t indices;   /* bytes of all index arrays */
  int64_t values;
  int64_t total;     /* of both */
  int64_t dense;     /* of the dense array; -1 without a size */
  int64_t specified; /* how many values there are */
} spw_bytes;

/* *bytes, exactly (S8). O(dimensions). SPW_EINVAL as for the checks; SPW_EINVALID: a shape rule is broken;
 * SPW_ERANGE: the tensor or the dense array has more bytes than int64 can number. *bytes is written with
 * SPW_OK only. */
spw_status spw_nbytes(const spw_tensor *tensor, spw_bytes *bytes);

/* ---- In memory of their own, and in files (libsparsewright_io) -------------------------------- */

/* spw_convert with memory of its own, at most `limit` bytes (0: no limit): SPW_ENOMEM beyond. The tensor is
 * judged once. */
spw_status spw_convert_new(const spw_tensor *tensor, const spw_conversion *wanted, size_t limit, spw_owned **out,
                           spw_refusal *refusal);

/* NumPy's .npy: a dense array, SPW_DENSE, whose size is its shape. Fortran order stays, as strides;
 * elements come in the byte order of this machine. An array that rule 1.5 has no type for (strings,
 * objects, structures, unsigned integers of more than 8 bits) is SPW_EUNSUPPORTED. spw_read_json gives
 * dense arrays too. */
spw_status spw_read_npy(const void *bytes, size_t size, size_t limit, spw_owned **out,
                        spw_error *error);

/* A dense array as version 1.0 of .npy in C order, otherwise as the other writers: no bfloat16, for which NumPy has
 * no type. Only the values are looked at. */
spw_status spw_write_npy(const spw_tensor *tensor, void **bytes, size_t *size, spw_error *error);

#ifdef __cplusplus
}
#endif

#endif
