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
  const char *topic;      /* "meaning", "convert", "combine", "structure", "product", "judge", "elementwise" or "reduce" */
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
  SPW_OBSTACLE_DIMENSIONS, /* it has `lhs` dimensions that would be sparse, and `rhs` are needed; or, where rhs is SPW_NDIM_MAX or
                            * one less, lhs in all, and the result can have rhs at most: COO without an element or a size may
                            * claim more */
  SPW_OBSTACLE_BLOCKS,     /* sparse dimension `place`, of size lhs, is no multiple of the block size rhs; of a structure
                            * operation, what is asked for there, lhs (entry `other` of a list), cuts blocks of rhs */
  SPW_OBSTACLE_INDEX,      /* an index type that holds `rhs` at most would have to hold `lhs` */
  SPW_OBSTACLE_SIZE,       /* the result, or the workspace, has more elements than int64 can number */
  SPW_OBSTACLE_BATCHES,    /* batch `place` has lhs cells, batch `other` has rhs: all need the same number */
  SPW_OBSTACLE_DUPLICATE,  /* elements lhs and rhs (of batch `place`; of operand `other` of a structure operation) lie at one
                            * position */
  /* Structure operations, and those by element: */
  SPW_OBSTACLE_DIMENSION,  /* dimension lhs is none of rhs, or a compressed layout can have no new one there */
  SPW_OBSTACLE_RANGE,      /* lhs (entry `other` of a list) lies outside dimension `place`, of size rhs */
  SPW_OBSTACLE_OPERAND,    /* operand `other` has lhs where it needs rhs: the size of dimension `place`, or (-1) its layout,
                            * types, dimensions of each kind or blocks */
  SPW_OBSTACLE_PATTERN,    /* operand `other` has lhs where operand 0 has rhs: an index (of batch `place`), or (-1) nse */
  SPW_OBSTACLE_LOST,       /* lhs is specified along dimension `place`, of which only rhs are to be left */
  /* Products, operations by element and reductions; of a DIMENSIONS of theirs, `operand` has lhs and needs rhs, and of BLOCKS
   * by element, blocks are of lhs in the second operand and of rhs in the first: */
  SPW_OBSTACLE_SHAPES,     /* dimension `place` of `operand` is lhs, and rhs is needed there */
  SPW_OBSTACLE_TYPES,      /* the value or index type (spw_dtype) of `operand` is lhs, and rhs is needed */
  SPW_OBSTACLE_HYBRID,     /* `operand` has lhs dense dimensions */
  SPW_OBSTACLE_NO_SIZE,    /* `operand` has no size */
  SPW_OBSTACLE_OVERLAP,    /* of all operations: what is written and `operand` share memory; or two buffers do, two elements of
                            * the output, or a buffer and what is asked for: those have the number behind the operands, 2 at
                            * least */
  SPW_OBSTACLE_LAYOUT,     /* the layout of `operand` is lhs, and rhs is needed */
  SPW_OBSTACLE_WORK        /* lhs multiplications are needed, and rhs allowed */
} spw_obstacle;

typedef struct spw_refusal {
  spw_obstacle obstacle;
  spw_violation violation;
  int64_t place, other, lhs, rhs; /* -1 where not told */
  int operand;                    /* 0: the first or only one, 1: the second, 2: the third or the output, 3: of three */
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

/* Where a conversion writes: one array of each kind with at least the elements that spw_room asks for, of the index type that it
 * names; room.nse is the one that was asked for, or any other number of cells of each batch that all the arrays hold.
 * Where two of them share memory, or one and a tensor with its arrays, size, shapes and strides, or what is asked for, or the
 * list of the tensors, or this struct, the call is refused (SPW_OBSTACLE_OVERLAP), and nothing written: what has become an
 * operand keeps `dims` too. */
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
 * O(check + dimensions), and O(nse) or O(elements of a dense array) where cells have to be counted. What shapes say costs
 * nothing: not the size of a block, nor repeated batches or positions of a dense array whose strides are 0. Dense
 * strides that overlap otherwise are gone along; so are nse^2 / 256 elements at worst, where blocks of a result have
 * more than 64 lines and lie far apart: most of them at least 256 blocks from the next one. */
spw_status spw_convert_size(const spw_tensor *tensor, const spw_conversion *wanted, spw_room *room,
                            spw_refusal *refusal);

/* Converts; *result views the buffers. The tensor is judged again: whatever its arrays have come to say since
 * the room was asked for, nothing outside the buffers is touched; SPW_EINVAL when they are too short now.
 * O(spw_work + elements + result), each in the number of dimensions where these are more than a few: a workspace has no line for
 * each row or column that neither side stores.
 * Results are canonical; COO is sorted, without duplicates, and claims so. Values are moved as bits;
 * only duplicates are computed. Status as above; a refusal that only the values or the order tell (duplicates,
 * batches) may leave the buffers written, but never *result. */
spw_status spw_convert(const spw_tensor *tensor, const spw_conversion *wanted, const spw_buffers *buffers,
                       spw_tensor *result, spw_refusal *refusal);

/* The same result, bit by bit, from up to `threads` threads when the library was built with OPENMP=1, else from this one.
 * They share CSR to CSC and back, dense to CSC and to CSR without dense dimensions, COO of two dimensions to COO, CSR
 * and CSC, and the order of other COO, where they are worth it; all else is one thread's. A room is one for as many threads or
 * fewer, and may be larger than that of spw_convert. SPW_EINVAL besides: fewer than one thread. */
spw_status spw_convert_size_parallel(const spw_tensor *tensor, const spw_conversion *wanted, int threads, spw_room *room,
                                     spw_refusal *refusal);
spw_status spw_convert_parallel(const spw_tensor *tensor, const spw_conversion *wanted, int threads, const spw_buffers *buffers,
                                spw_tensor *result, spw_refusal *refusal);

/* The same for a tensor that spw_is_valid has called valid at SPW_CANONICAL (SPW_STRUCTURE to canonicalize),
 * which is not judged. */
spw_status spw_convert_size_unchecked(const spw_tensor *tensor, const spw_conversion *wanted, spw_room *room,
                                      spw_refusal *refusal);
spw_status spw_convert_unchecked(const spw_tensor *tensor, const spw_conversion *wanted,
                                 const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal);

/* ---- Structure ------------------------------------------------------------------------------- */

/* Tensors of more dimensions are SPW_EUNSUPPORTED to structure operations. */
#define SPW_STRUCTURE_DIMS 64

/* What is asked of one operand, or of several (S1 to S7). Results are canonical, and COO claims to be coalesced, but for
 * what sparse_mask keeps of its mask. */
typedef enum spw_structure_kind {
  SPW_SELECT = 0,   /* index `start` of dimension `dim`, which is taken away; from the end where it is negative */
  SPW_NARROW,       /* indices start .. start + length - 1 of `dim` */
  SPW_INDEX_SELECT, /* indices numbers[0 .. count - 1] of `dim`, in any order, repeated or not */
  SPW_CAT,          /* the operands one behind the other along `dim` */
  SPW_STACK,        /* the operands along a new dimension `dim` of the result */
  SPW_UNSQUEEZE,    /* a new dimension `dim` of the result, of size 1 */
  SPW_BROADCAST,    /* `dim`, of size 1, repeated `length` times */
  SPW_RESIZE,       /* the size numbers[0 .. count - 1] */
  SPW_SPARSE_MASK   /* two operands of one size and type: the values of operand 0, which may be dense, at the positions of
                     * operand 1, whose layout, order, index arrays and claim the result has */
} spw_structure_kind;

/* A new dimension of a compressed tensor is a batch or a dense one; at a border, it is one of those before it where these
 * may be more. What cuts or renumbers a dimension of blocks has to do it by whole blocks, or is refused
 * (SPW_OBSTACLE_BLOCKS). Along dense dimensions the operands of cat and stack need the same index arrays, entry by
 * entry, for a cell is specified as a whole (SPW_OBSTACLE_PATTERN); for the same reason resize keeps dense dimensions
 * where anything is specified (a larger one: SPW_OBSTACLE_OPERAND), and leaves out cells without a scalar. */
typedef struct spw_structure {
  spw_structure_kind kind;
  int64_t dim, start, length;
  const int64_t *numbers;
  int64_t count;
  spw_combine duplicates; /* of COO operands that do not claim to be coalesced */
} spw_structure;

/* *room: what the operation takes, exact but where duplicates may have to be combined: then an upper bound. Every rule
 * of every operand is judged. Status as spw_convert_size; SPW_EUNSUPPORTED besides: too many dimensions, or a dense
 * array. An invalid operand is told by its number in refusal->other.
 * O(check + elements of the operands), but for select and narrow along batch and dense dimensions, which read nothing
 * else; index_select along a sparse dimension: as often for each 2048 entries of its list. */
spw_status spw_restructure_size(const spw_tensor *const *operands, int64_t count, const spw_structure *wanted, spw_room *room,
                                spw_refusal *refusal);

/* Does it, as spw_convert does: the operands are judged again, nothing outside the buffers is touched whatever they say
 * by then, and *result views the buffers. */
spw_status spw_restructure(const spw_tensor *const *operands, int64_t count, const spw_structure *wanted,
                           const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal);

/* The same for operands that spw_is_valid has called valid at SPW_CANONICAL, which are not judged. */
spw_status spw_restructure_size_unchecked(const spw_tensor *const *operands, int64_t count, const spw_structure *wanted,
                                          spw_room *room, spw_refusal *refusal);
spw_status spw_restructure_unchecked(const spw_tensor *const *operands, int64_t count, const spw_structure *wanted,
                                     const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal);

/* ---- The same meaning -------------------------------------------------------------------------- */

typedef enum spw_difference_kind {
  SPW_NO_DIFFERENCE = 0,
  SPW_OTHER_SIZE,
  SPW_OTHER_TYPE,  /* of the values */
  SPW_OTHER_VALUE  /* at the first position at which they differ */
} spw_difference_kind;

/* a and b: the values there, in the tensors' own arrays or in the workspace; null where the position is unspecified, and, of
 * a dense array, where all bits are zero. */
typedef struct spw_first_difference {
  spw_difference_kind kind;
  const void *a, *b;
} spw_first_difference;

/* *work: the bytes that comparing two tensors takes, of any layouts, index types and splits into sparse and dense
 * dimensions; dense arrays too. Every rule of both is judged; status as spw_convert_size, and refusal->other is the number
 * of a tensor that is invalid. O(check), and what spw_convert_size takes to COO. */
spw_status spw_same_meaning_size(const spw_tensor *a, const spw_tensor *b, spw_combine duplicates, size_t *work,
                                 spw_refusal *refusal);

/* *first: SPW_NO_DIFFERENCE if and only if both mean the same (M6): size, type, specified positions and the bits of every
 * value. Else the first difference; of a value, position[0 .. ndim - 1] is where. `as_dense`, and where one is a dense
 * array: what is unspecified is the same as zero bits (M7). `capacity` is the length of `position`, at least the
 * dimensions of a. O(check + conversions to COO + values).
 * SPW_EINVAL: the workspace or `position` is too short, or the workspace is not aligned to 8 bytes. SPW_OBSTACLE_OVERLAP:
 * the workspace lies on a tensor.
 * Outputs are written with SPW_OK only, but the workspace. */
spw_status spw_same_meaning(const spw_tensor *a, const spw_tensor *b, spw_combine duplicates, bool as_dense, void *work,
                            size_t bytes, int64_t *position, int64_t capacity, spw_first_difference *first, spw_refusal *refusal);

/* The same for tensors that spw_is_valid has called valid at SPW_CANONICAL, which are not judged. */
spw_status spw_same_meaning_size_unchecked(const spw_tensor *a, const spw_tensor *b, spw_combine duplicates, size_t *work,
                                           spw_refusal *refusal);
spw_status spw_same_meaning_unchecked(const spw_tensor *a, const spw_tensor *b, spw_combine duplicates, bool as_dense, void *work,
                                      size_t bytes, int64_t *position, int64_t capacity, spw_first_difference *first,
                                      spw_refusal *refusal);

/* ---- The certifier ----------------------------------------------------------------------------- */

/* Positions that one of two tensors specifies, and the other one does not: are they allowed, where all their bits are zero? */
typedef enum spw_zeros {
  SPW_ZEROS_KEPT = 0,    /* both specify the same positions (M6) */
  SPW_ZEROS_ADDED = 1,   /* the second may specify more, as blocks do */
  SPW_ZEROS_DROPPED = 2, /* the first may, as where the second was pruned */
  SPW_ZEROS_ANY = 3      /* both may (M7) */
} spw_zeros;

/* *same: have a and b the same size and type, and at every position the same bits? Of a dense array no position is unspecified,
 * and the other one may leave out zeros. The verdict is proved in both directions (proofs/SOUNDNESS.md says what of it is not),
 * of any layouts, blocks, index types and batches, whatever made the tensors: an operation of this library, threads, a device,
 * somebody else. It takes no workspace; *same is written with SPW_OK only.
 * Every rule of both is judged; status as spw_convert_size, and refusal->other is the number of a tensor that is invalid.
 * SPW_EUNSUPPORTED: what is left to spw_same_meaning. That is no size; COO that is not in order, or has duplicates, or no
 * sparse dimension; values that do not lie one behind the other, or not aligned; other dense dimensions than the other one has;
 * INT64_MAX or more batches, or scalars of a row or in all.
 * O(check + batches * lines + scalars of both * log(elements of a line)), times batch dimensions where there are more than a
 * few; of COO, log of all elements, times sparse dimensions. */
spw_status spw_certify(const spw_tensor *a, const spw_tensor *b, spw_zeros zeros, bool *same, spw_refusal *refusal);

/* The same for tensors that spw_is_valid has called valid at SPW_CANONICAL, which are not judged. */
spw_status spw_certify_unchecked(const spw_tensor *a, const spw_tensor *b, spw_zeros zeros, bool *same);

/* *work: the bytes that spw_certify_coalesced takes: twice the values of c, and a byte for each of its elements; of compressed
 * tensors besides, an index of each element of both for each batch dimension and two more, and a few. */
spw_status spw_certify_coalesced_size(const spw_tensor *a, const spw_tensor *c, size_t *work, spw_refusal *refusal);

/* *same: is c what `a` comes to where its duplicates are combined (semantics section 3)? Both are COO, or both have the same
 * compressed layout and blocks; the elements of `a` have any order, of COO in all and else within each line, as `canonicalize`
 * takes them. Size and type are the same, c specifies the positions that a does, and its bits are those that a's elements there
 * come to, one after another in the order of storage: their sum (if that is NaN, any NaN), the first or the last of them; with
 * SPW_COMBINE_REFUSE a has none twice. The verdict is proved in both directions, but for what a sum of two scalars is
 * (proofs/SOUNDNESS.md); what else becomes of c, spw_certify tells.
 * Every rule of both is judged, but not the order of a's lines (5.6); status as spw_convert_size, and refusal->other is the
 * number of a tensor that is invalid.
 * SPW_EINVAL: the workspace is too short, or not aligned to 8 bytes; SPW_OBSTACLE_OVERLAP: it lies on a tensor.
 * SPW_EUNSUPPORTED: layouts or blocks are other ones, or c is not in order, each position once; an index type does not number
 * the elements of all batches, or the batches; and what spw_certify does not take besides.
 * Where the size has a zero there is no position, and nothing is asked of elements.
 * *same is written with SPW_OK only, the workspace with that and SPW_EUNSUPPORTED.
 * O(check + scalars of both + elements of a * log(elements of c) * sparse dimensions), and what spw_convert takes from compressed
 * layouts to COO. */
spw_status spw_certify_coalesced(const spw_tensor *a, const spw_tensor *c, spw_combine duplicates, void *work, size_t bytes,
                                 bool *same, spw_refusal *refusal);

/* The same for tensors that spw_is_valid has called valid at SPW_CANONICAL (`a`, where it is compressed, at SPW_STRUCTURE), which
 * are not judged. */
spw_status spw_certify_coalesced_size_unchecked(const spw_tensor *a, const spw_tensor *c, size_t *work);
spw_status spw_certify_coalesced_unchecked(const spw_tensor *a, const spw_tensor *c, spw_combine duplicates, void *work,
                                           size_t bytes, bool *same, spw_refusal *refusal);

/* ---- Views ------------------------------------------------------------------------------------- */

/* *result: a CSR, CSC, BSR or BSC tensor with its last two sparse dimensions exchanged, over the same arrays:
 * CSR becomes CSC, BSR becomes BSC, and the other way; the block dimensions of the values are exchanged by
 * strides (C20). The result's size, values' shape and strides are written to dims[0 .. capacity - 1], and
 * every array of the tensor that is not there has to outlive it. O(dimensions); indices are not read.
 * SPW_EINVAL, nothing written: as for the checks, or `dims` is null, lies on something of the tensor's, or is shorter
 *   than the size and twice the dimensions of the values
 * SPW_EINVALID     a shape rule is broken
 * SPW_EUNSUPPORTED COO, whose rows of indices would have to be copied, and dense arrays */
spw_status spw_transpose(const spw_tensor *tensor, int64_t *dims, int64_t capacity, spw_tensor *result);

/* *result: dimension d is dimension order[d] of the tensor (C21, C22). Batch dimensions change places among themselves, so do
 * dense ones, and sparse ones of COO; those of a compressed tensor stay (spw_transpose exchanges them). A view of the
 * tensor's arrays, but for the indices of COO where sparse dimensions change places: their rows are copied, and a claim
 * to be coalesced of more than one element becomes SPW_CLAIM_NO. Needed are room.dims and room.plain alone; indices are
 * read only to be copied, and only shape rules are judged. O(dimensions), and O(sparse_dim * nse) for a copy.
 * Status as spw_restructure; SPW_OBSTACLE_DIMENSION: order[place] is lhs, which is no dimension, named before, or of
 * another kind. */
spw_status spw_permute_size(const spw_tensor *tensor, const int64_t *order, spw_room *room, spw_refusal *refusal);
spw_status spw_permute(const spw_tensor *tensor, const int64_t *order, const spw_buffers *buffers, spw_tensor *result,
                       spw_refusal *refusal);

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

/* The same of spw_restructure. */
spw_status spw_restructure_new(const spw_tensor *const *operands, int64_t count, const spw_structure *wanted, size_t limit,
                               spw_owned **out, spw_refusal *refusal);

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
