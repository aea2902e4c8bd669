/* SPDX-License-Identifier: Apache-2.0 */
/* Statements, conversions, structure operations and the certifier: the second part of sparsewright.h, for callers in C.
 * Each operation has a pair of functions: one whose name ends in _size says how much memory the result takes. The other
 * one writes the result to buffers of the caller. Contents may change between the two calls of a pair, but not during
 * one. Functions that end in _new (libsparsewright_io) allocate instead. */
#ifndef SPARSEWRIGHT_CONVERT_H
#define SPARSEWRIGHT_CONVERT_H

#include "sparsewright_core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- What operations mean -------------------------------------------------------------------- */

/* A statement of spec/semantics.def. */
typedef struct spw_statement_info {
  const char *id;         /* "C4": a letter for its topic, and a number */
  const char *topic;      /* "meaning", "convert", "combine", "structure", "product", "judge", "elementwise", "reduce", "unary" */
  const char *operations; /* other operations that it is about, separated by blanks, or "" */
  const char *state;      /* "definition"; "built": the library does it; "not built": not yet */
  const char *function;   /* the function that does it, if it is built, else "" */
  const char *formula;    /* one line */
  const char *prose;      /* what it says */
  const char *why;        /* the reason */
  const char *torch;      /* what PyTorch does, or "" */
  const char *scipy;      /* what SciPy does, or "" */
} spw_statement_info;

/* Statement `number`, from 0, in the order of spec/semantics.def; null if there is none. */
const spw_statement_info *spw_statement_get(int number);

/* ---- Conversions ----------------------------------------------------------------------------- */

/* How to combine the duplicates of a position, in order of storage (D1 to D4). */
typedef enum spw_combine {
  SPW_COMBINE_SUM = 0,
  SPW_COMBINE_FIRST,
  SPW_COMBINE_LAST,
  SPW_COMBINE_REFUSE
} spw_combine;

/* The requested result. {.layout = SPW_CSR, .batch_dims = -1, .dense_dims = -1} requests only another layout. */
typedef struct spw_conversion {
  spw_layout layout;      /* SPW_COO ... SPW_BSC, SPW_DENSE */
  int64_t block_rows;     /* BSR, BSC: b0 and b1; both 0: the blocks that the tensor has */
  int64_t block_columns;
  int64_t batch_dims;     /* of a compressed result from COO or dense; -1: all but two sparse dimensions */
  int64_t dense_dims;     /* of a result from dense; -1: 0. From a sparse tensor: -1, or the number that it has */
  spw_dtype index_dtype;  /* SPW_INT32, SPW_INT64; SPW_DTYPE_NONE: that of the tensor; from dense: int64 */
  spw_combine duplicates; /* for COO that does not claim to be coalesced, and for `canonicalize` */
  bool prune;             /* at the end, leave out cells whose scalars all compare == 0; batches need as many cells only
                           * then. From dense, such cells are not stored, whatever `bits` says */
  bool bits;              /* from dense: store cells with any bit set, instead of those that compare != 0 */
  bool canonicalize;      /* accept a compressed tensor that is valid up to SPW_STRUCTURE: out of order, with duplicates */
} spw_conversion;

/* Why an operation is refused. `place`, `other`, `lhs`, `rhs` and `operand` are members of spw_refusal. */
typedef enum spw_obstacle {
  SPW_OBSTACLE_NONE = 0,
  SPW_OBSTACLE_RULE,       /* the tensor breaks a rule: `violation` */
  SPW_OBSTACLE_DIMENSIONS, /* lhs dimensions would be sparse, and rhs are needed. If rhs is SPW_NDIM_MAX or one less: lhs
                            * dimensions in all, and the result can have at most rhs; COO without an element or a size may claim
                            * more */
  SPW_OBSTACLE_BLOCKS,     /* sparse dimension `place`, of size lhs, is no multiple of the block size rhs; structure operations:
                            * the requested lhs (entry `other` of a list) cuts blocks of rhs */
  SPW_OBSTACLE_INDEX,      /* an index type that holds at most rhs would have to hold lhs */
  SPW_OBSTACLE_SIZE,       /* the result or the workspace has more elements than int64 can number */
  SPW_OBSTACLE_BATCHES,    /* batch `place` has lhs cells and batch `other` has rhs; all need the same number */
  SPW_OBSTACLE_DUPLICATE,  /* elements lhs and rhs (of batch `place`; structure operations: of operand `other`) share a
                            * position */
  /* Structure and elementwise operations: */
  SPW_OBSTACLE_DIMENSION,  /* lhs is none of rhs dimensions, or a compressed layout can have no new one there */
  SPW_OBSTACLE_RANGE,      /* lhs (entry `other` of a list) lies outside dimension `place`, of size rhs */
  SPW_OBSTACLE_OPERAND,    /* operand `other` has lhs and needs rhs: the size of dimension `place`, or (place -1) its layout,
                            * types, dimensions of each kind or blocks */
  SPW_OBSTACLE_PATTERN,    /* operand `other` has lhs and operand 0 has rhs: an index (of batch `place`), or (place -1) nse */
  SPW_OBSTACLE_LOST,       /* lhs is specified along dimension `place`, of which only rhs indices would remain */
  /* Products, elementwise operations and reductions. In a DIMENSIONS refusal of theirs, `operand` has lhs and needs
   * rhs. In a BLOCKS refusal of elementwise operations, the second operand has blocks of lhs and the first of rhs. */
  SPW_OBSTACLE_SHAPES,     /* dimension `place` of `operand` is lhs and has to be rhs */
  SPW_OBSTACLE_TYPES,      /* the value or index type (spw_dtype) of `operand` is lhs and has to be rhs */
  SPW_OBSTACLE_HYBRID,     /* `operand` has lhs dense dimensions */
  SPW_OBSTACLE_NO_SIZE,    /* `operand` has no size */
  SPW_OBSTACLE_OVERLAP,    /* all operations: what is written shares memory with `operand`. If `operand` is the number after the
                            * operands, at least 2: two buffers do, two elements of the output, or a buffer and the request */
  SPW_OBSTACLE_LAYOUT,     /* the layout of `operand` is lhs and has to be rhs */
  SPW_OBSTACLE_WORK,       /* lhs multiplications are needed, and rhs are allowed */
  /* Functions of values: */
  SPW_OBSTACLE_ZERO,       /* the function of 0 is not 0: unspecified positions would become specified */
  SPW_OBSTACLE_SCALAR,     /* the function is not defined for the scalar of the request: lhs and other as below */
  SPW_OBSTACLE_VALUE       /* a value has no place in the type rhs: scalar `place` of the values, in row-major order. lhs is an
                            * integer, or the bits of the value as a double; other: those of an imaginary part */
} spw_obstacle;

typedef struct spw_refusal {
  spw_obstacle obstacle;
  spw_violation violation;
  int64_t place, other, lhs, rhs; /* -1 if not used */
  int operand;                    /* 0: the first or only one, 1: the second, 2: the third or the output, 3: of three */
} spw_refusal;

/* The lengths of the buffers of a result, in elements, and of the workspace. */
typedef struct spw_room {
  spw_dtype index_dtype, dtype;
  int64_t nse;        /* at most so many cells in each batch of the result; 0 for dense */
  int64_t dims;       /* int64 elements: size, shapes and strides of the result */
  int64_t compressed; /* 0 for COO and dense */
  int64_t plain;      /* 0 for dense */
  int64_t values;
  size_t work;        /* bytes, aligned as malloc aligns */
} spw_room;

/* The buffers of a result, owned by the caller: one array of each kind, of the index type that spw_room names. Each has
 * at least the elements that spw_room asks for. room.nse is the requested one, or any other number of cells per batch
 * that all arrays hold. `dims` belongs to the result: it must stay as long as the result is used.
 * No buffer may share memory with another buffer, with this struct, with the request, with the list of operands, or
 * with an operand: its arrays, size, shapes and strides. Otherwise the call is refused (SPW_OBSTACLE_OVERLAP), and
 * writes nothing. */
typedef struct spw_buffers {
  int64_t *dims;
  int32_t *compressed_i32, *plain_i32;
  int64_t *compressed_i64, *plain_i64;
  void *values; /* aligned as the element type */
  void *work;
  spw_room room; /* the lengths of the buffers above */
} spw_buffers;

/* *room: the memory that converting `tensor` takes. It is exact, unless duplicates may have to be combined, cells are
 * pruned or COO becomes blocks: then it is an upper bound. Judges every rule of the tensor.
 *
 *   SPW_EINVAL     the call is wrong: as for the checks, or `wanted` makes no sense
 *   SPW_EOVERFLOW  as for the checks
 *   SPW_EINVALID   the tensor breaks a rule: refusal->obstacle is SPW_OBSTACLE_RULE, see refusal->violation
 *   SPW_ERANGE     any other obstacle
 * *room is written with SPW_OK only, *refusal (may be null) with SPW_EINVALID and SPW_ERANGE only.
 *
 * O(check + dimensions), and O(nse) or O(elements of a dense array) if cells have to be counted. The size of a block
 * costs nothing, nor do repeated batches or positions of a dense array whose strides are 0. Other overlapping strides
 * of a dense array are read element by element. Worst case nse^2 / 256 elements: if blocks of a result have more than
 * 64 lines, and most lie at least 256 blocks from the next one. */
spw_status spw_convert_size(const spw_tensor *tensor, const spw_conversion *wanted, spw_room *room,
                            spw_refusal *refusal);

/* Converts a tensor to another layout; *result views the buffers. Results are canonical: COO is sorted, has no
 * duplicates, and claims to be coalesced. Values are moved as bits; only duplicates are computed.
 * Status as above, and SPW_EINVAL if a buffer is too short. The tensor is judged again: even if its arrays have changed
 * since the room was computed, nothing outside the buffers is touched. They must not change during the call. A refusal
 * that depends on values or order (duplicates, batches) may leave the buffers written, but never *result.
 * O(spw_work + elements + result), each times the number of dimensions if there are more than a few. The workspace has
 * no line for rows and columns that neither side stores. */
spw_status spw_convert(const spw_tensor *tensor, const spw_conversion *wanted, const spw_buffers *buffers,
                       spw_tensor *result, spw_refusal *refusal);

/* The same result, bit by bit, from up to `threads` threads if the library was built with OPENMP=1; otherwise from this
 * one. A room serves this many threads or fewer, and may be larger than that of spw_convert. SPW_EINVAL: also if
 * threads < 1. One thread does everything but the following, which threads share if it pays:
 *   - CSR to CSC and back
 *   - dense to CSC, and to CSR without dense dimensions
 *   - COO of two dimensions to COO, CSR and CSC
 *   - the sorting of other COO */
spw_status spw_convert_size_parallel(const spw_tensor *tensor, const spw_conversion *wanted, int threads, spw_room *room,
                                     spw_refusal *refusal);
spw_status spw_convert_parallel(const spw_tensor *tensor, const spw_conversion *wanted, int threads, const spw_buffers *buffers,
                                spw_tensor *result, spw_refusal *refusal);

/* The same without judging the tensor: spw_is_valid must have called it valid at SPW_CANONICAL (to canonicalize:
 * SPW_STRUCTURE). */
spw_status spw_convert_size_unchecked(const spw_tensor *tensor, const spw_conversion *wanted, spw_room *room,
                                      spw_refusal *refusal);
spw_status spw_convert_unchecked(const spw_tensor *tensor, const spw_conversion *wanted,
                                 const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal);

/* Of what spw_convert_explain tells, one line. The first two name a layout, and have no words. */
typedef enum spw_explained {
  SPW_EXPLAINED_FROM = 0,     /* a layout of tensors, of those that the row of the table that is taken is for */
  SPW_EXPLAINED_TO,           /* a layout of results */
  SPW_EXPLAINED_ROW_FACT,     /* why it is that row: what is so */
  SPW_EXPLAINED_STEP_FACT,    /* what is so, on which steps of the row depend */
  SPW_EXPLAINED_STEP,         /* a step that runs, and what it does: in order */
  SPW_EXPLAINED_STEP_LEFT_OUT /* a step of the row that does not run here */
} spw_explained;

/* Name and words are literals. */
typedef void spw_explain_line(void *context, spw_explained what, const char *name, const char *words);

/* Says line by line which steps spw_convert_parallel takes, and why; nothing is converted, and no cell counted. Status as
 * spw_convert_size_parallel, but what only counting tells is not refused. */
spw_status spw_convert_explain(const spw_tensor *tensor, const spw_conversion *wanted, int threads, spw_explain_line *line,
                               void *context, spw_refusal *refusal);

/* ---- Structure ------------------------------------------------------------------------------- */

/* Structure operations refuse tensors of more dimensions with SPW_EUNSUPPORTED. */
#define SPW_STRUCTURE_DIMS 64

/* Structure operations on one operand or several (S1 to S7). Results are canonical, and COO claims to be coalesced;
 * only sparse_mask keeps the order and claim of its mask. */
typedef enum spw_structure_kind {
  SPW_SELECT = 0,   /* index `start` of dimension `dim`, which the result lacks; a negative `start` counts from the end */
  SPW_NARROW,       /* indices start .. start + length - 1 of `dim` */
  SPW_INDEX_SELECT, /* indices numbers[0 .. count - 1] of `dim`, in any order, repeated or not */
  SPW_CAT,          /* the operands one after the other along `dim` */
  SPW_STACK,        /* the operands along a new dimension `dim` of the result */
  SPW_UNSQUEEZE,    /* a new dimension `dim` of the result, of size 1 */
  SPW_BROADCAST,    /* `dim`, of size 1, repeated `length` times */
  SPW_RESIZE,       /* the size numbers[0 .. count - 1] */
  SPW_SPARSE_MASK   /* two operands of one size and type: the values of operand 0, which may be dense, at the positions of
                     * operand 1; the result has its layout, order, index arrays and claim */
} spw_structure_kind;

/* A requested structure operation.
 * New dimensions: those of a compressed tensor are batch or dense dimensions. At a border, the new one is of the kind
 * before it if this kind may have more dimensions.
 * Blocks: an operation that cuts or renumbers a dimension of blocks needs whole blocks (SPW_OBSTACLE_BLOCKS).
 * Dense dimensions: a cell is specified as a whole. Along them, operands of cat and stack need the same index arrays,
 * entry by entry (SPW_OBSTACLE_PATTERN). resize keeps them if anything is specified (a larger one:
 * SPW_OBSTACLE_OPERAND), and leaves out cells without a scalar. */
typedef struct spw_structure {
  spw_structure_kind kind;
  int64_t dim, start, length;
  const int64_t *numbers;
  int64_t count;
  spw_combine duplicates; /* of COO operands that do not claim to be coalesced */
} spw_structure;

/* *room: the memory that a structure operation takes; an upper bound if duplicates may have to be combined, otherwise exact.
 * Judges every rule of every operand.
 * Status as spw_convert_size, with the number of an invalid operand in refusal->other. SPW_EUNSUPPORTED: too many
 * dimensions, or a dense array.
 * O(check + elements of the operands). select and narrow along batch and dense dimensions read nothing beyond the
 * check. index_select along a sparse dimension reads the elements once for each 2048 entries of its list. */
spw_status spw_restructure_size(const spw_tensor *const *operands, int64_t count, const spw_structure *wanted, spw_room *room,
                                spw_refusal *refusal);

/* Does a structure operation, and writes its result as spw_convert does: *result views the buffers, the operands are
 * judged again, and nothing outside the buffers is touched, even if the operands have changed. */
spw_status spw_restructure(const spw_tensor *const *operands, int64_t count, const spw_structure *wanted,
                           const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal);

/* The same without judging the operands: spw_is_valid must have called them valid at SPW_CANONICAL. */
spw_status spw_restructure_size_unchecked(const spw_tensor *const *operands, int64_t count, const spw_structure *wanted,
                                          spw_room *room, spw_refusal *refusal);
spw_status spw_restructure_unchecked(const spw_tensor *const *operands, int64_t count, const spw_structure *wanted,
                                     const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal);

/* ---- The same meaning -------------------------------------------------------------------------- */

typedef enum spw_difference_kind {
  SPW_NO_DIFFERENCE = 0,
  SPW_OTHER_SIZE,
  SPW_OTHER_TYPE,  /* of the values */
  SPW_OTHER_VALUE  /* at the first position where they differ */
} spw_difference_kind;

/* a and b point to the two values, in the tensors' own arrays or in the workspace. A pointer is null if its position is
 * unspecified or, in a dense array, if all bits are zero. */
typedef struct spw_first_difference {
  spw_difference_kind kind;
  const void *a, *b;
} spw_first_difference;

/* *work: the bytes that comparing two tensors takes. Layouts, index types and splits into sparse and dense dimensions
 * may differ; dense arrays are allowed. Judges every rule of both; status as spw_convert_size, with the number of an
 * invalid tensor in refusal->other. O(check), and the cost of spw_convert_size to COO. */
spw_status spw_same_meaning_size(const spw_tensor *a, const spw_tensor *b, spw_combine duplicates, size_t *work,
                                 spw_refusal *refusal);

/* *first: SPW_NO_DIFFERENCE if and only if both mean the same (M6): size, type, specified positions and the bits of
 * every value. Otherwise the first difference; if it is a value, position[0 .. ndim - 1] is where. With `as_dense`, or
 * if one is a dense array, an unspecified position equals zero bits (M7). `capacity` is the length of `position`: at
 * least the dimensions of a.
 *   SPW_EINVAL  also if the workspace or `position` is too short, or the workspace is not aligned to 8 bytes
 *   SPW_ERANGE  SPW_OBSTACLE_OVERLAP: also if the workspace shares memory with a tensor
 * The outputs, but not the workspace, are written with SPW_OK only. O(check + conversions to COO + values). */
spw_status spw_same_meaning(const spw_tensor *a, const spw_tensor *b, spw_combine duplicates, bool as_dense, void *work,
                            size_t bytes, int64_t *position, int64_t capacity, spw_first_difference *first, spw_refusal *refusal);

/* The same for tensors that spw_is_valid has called valid at SPW_CANONICAL, which are not judged. */
spw_status spw_same_meaning_size_unchecked(const spw_tensor *a, const spw_tensor *b, spw_combine duplicates, size_t *work,
                                           spw_refusal *refusal);
spw_status spw_same_meaning_unchecked(const spw_tensor *a, const spw_tensor *b, spw_combine duplicates, bool as_dense, void *work,
                                      size_t bytes, int64_t *position, int64_t capacity, spw_first_difference *first,
                                      spw_refusal *refusal);

/* ---- The certifier ----------------------------------------------------------------------------- */

/* Whether one tensor may specify positions that the other does not, if all their bits are zero. */
typedef enum spw_zeros {
  SPW_ZEROS_KEPT = 0,    /* no: both specify the same positions (M6) */
  SPW_ZEROS_ADDED = 1,   /* the second tensor may specify more, as blocks do */
  SPW_ZEROS_DROPPED = 2, /* the first tensor may specify more, as if the second was pruned */
  SPW_ZEROS_ANY = 3      /* each may specify more (M7) */
} spw_zeros;

/* *same: whether a and b have the same size and type, and the same bits at every position. A dense array specifies
 * every position; the other tensor may then leave out zeros. Layouts, blocks, index types and batches may differ. The
 * verdict is proved in both directions (proofs/SOUNDNESS.md names the limits), so it does not matter what made the
 * tensors: this library, threads, a device or another program. Needs no workspace. Judges every rule of both; *same is
 * written with SPW_OK only.
 * Status as spw_convert_size, with the number of an invalid tensor in refusal->other. SPW_EUNSUPPORTED, in each of
 * these cases use spw_same_meaning:
 *   - a tensor has no size
 *   - COO is out of order, has duplicates, or has no sparse dimension
 *   - values do not lie one after the other, or are not aligned
 *   - the two have different dense dimensions
 *   - there are INT64_MAX or more batches, or scalars of a row or in all
 * O(check + batches * lines + scalars of both * log(elements of a line)), times batch dimensions if there are more than
 * a few. Of COO: log of all elements, times sparse dimensions. Equal matrices of scalars in CSR and COO, with one index
 * type: O(check + lines + elements). */
spw_status spw_certify(const spw_tensor *a, const spw_tensor *b, spw_zeros zeros, bool *same, spw_refusal *refusal);

/* The same for tensors that spw_is_valid has called valid at SPW_CANONICAL, which are not judged. */
spw_status spw_certify_unchecked(const spw_tensor *a, const spw_tensor *b, spw_zeros zeros, bool *same);

/* *work: the bytes that spw_certify_coalesced takes: twice the values of c, and a byte for each of its elements.
 * Compressed tensors take besides, for each element of both, an index for each batch dimension and two more, and a few
 * bytes. */
spw_status spw_certify_coalesced_size(const spw_tensor *a, const spw_tensor *c, size_t *work, spw_refusal *refusal);

/* *same: whether c is `a` with its duplicates combined (D1 to D6). Both are COO, or both have the same compressed
 * layout and blocks. The elements of `a` may have any order: COO in all, compressed layouts within each line, as for
 * `canonicalize`. Size and type
 * agree, and c specifies the positions of a. At each it has the bits of a's elements there, combined in order of
 * storage: their sum (if that is NaN, any NaN), the first or the last. With SPW_COMBINE_REFUSE, a has no position
 * twice. The verdict is proved in both directions, except what the sum of two scalars is (proofs/SOUNDNESS.md). Judges
 * every rule of both, except the order of a's lines (5.6). If the size has a zero, there is no position, and elements
 * do not matter.
 * Status as spw_convert_size, with the number of an invalid tensor in refusal->other.
 *   SPW_EINVAL        the workspace is too short, or not aligned to 8 bytes
 *   SPW_ERANGE        SPW_OBSTACLE_OVERLAP: the workspace shares memory with a tensor
 *   SPW_EUNSUPPORTED  layouts or blocks differ; c is out of order or has duplicates; an index type cannot number the
 *                     elements of all batches, or the batches; and the cases of spw_certify
 * *same is written with SPW_OK only, the workspace with SPW_OK and SPW_EUNSUPPORTED.
 * O(check + scalars of both + elements of a * log(elements of c) * sparse dimensions), and the cost of spw_convert from
 * compressed layouts to COO. */
spw_status spw_certify_coalesced(const spw_tensor *a, const spw_tensor *c, spw_combine duplicates, void *work, size_t bytes,
                                 bool *same, spw_refusal *refusal);

/* The same without judging the tensors: spw_is_valid must have called them valid at SPW_CANONICAL (a compressed `a`:
 * SPW_STRUCTURE). */
spw_status spw_certify_coalesced_size_unchecked(const spw_tensor *a, const spw_tensor *c, size_t *work);
spw_status spw_certify_coalesced_unchecked(const spw_tensor *a, const spw_tensor *c, spw_combine duplicates, void *work,
                                           size_t bytes, bool *same, spw_refusal *refusal);

/* ---- Views ------------------------------------------------------------------------------------- */

/* *result: a view of a CSR, CSC, BSR or BSC tensor with its last two sparse dimensions swapped (C20). CSR becomes CSC,
 * BSR becomes BSC, and the reverse; strides swap the block dimensions of the values. The size, and the shape and
 * strides of the values, are written to dims[0 .. capacity - 1]. `dims` and the arrays of the tensor must stay as long
 * as the result is used. O(dimensions); indices are not read. Errors; nothing is then written:
 *   SPW_EINVAL        as for the checks; or `dims` is null, shares memory with the tensor, or is shorter than the size
 *                     and twice the dimensions of the values
 *   SPW_EINVALID      a shape rule is broken
 *   SPW_EUNSUPPORTED  COO, whose rows of indices would have to be copied, and dense arrays */
spw_status spw_transpose(const spw_tensor *tensor, int64_t *dims, int64_t capacity, spw_tensor *result);

/* Permutes dimensions: dimension d of *result is dimension order[d] of the tensor (C21, C22). Batch dimensions change
 * places among themselves, and so do dense dimensions, and sparse dimensions of COO. The sparse dimensions of a
 * compressed tensor stay; spw_transpose swaps them. The result is a view of the tensor's arrays. If sparse dimensions
 * of COO change places, the rows of indices are copied, and a claim to be coalesced of more than one element becomes
 * SPW_CLAIM_NO. Only room.dims and room.plain are needed. Only shape rules are judged. O(dimensions), and O(sparse_dim
 * * nse) for a copy.
 * Status as spw_restructure; SPW_OBSTACLE_DIMENSION: order[place] is lhs, which is no dimension, is repeated, or is of
 * another kind. */
spw_status spw_permute_size(const spw_tensor *tensor, const int64_t *order, spw_room *room, spw_refusal *refusal);
spw_status spw_permute(const spw_tensor *tensor, const int64_t *order, const spw_buffers *buffers, spw_tensor *result,
                       spw_refusal *refusal);

/* The bytes of the elements of a tensor, wherever they lie in their storages, and of the dense array of its size. */
typedef struct spw_bytes {
  int64_t indices;   /* bytes of all index arrays */
  int64_t values;
  int64_t total;     /* of both */
  int64_t dense;     /* of the dense array; -1 without a size */
  int64_t specified; /* number of values */
} spw_bytes;

/* Counts the bytes of a tensor and of its dense array: exact numbers (S8), written with SPW_OK only. O(dimensions).
 *   SPW_EINVAL    as for the checks
 *   SPW_EINVALID  a shape rule is broken
 *   SPW_ERANGE    the tensor or the dense array has more bytes than int64 can number */
spw_status spw_nbytes(const spw_tensor *tensor, spw_bytes *bytes);

/* ---- In memory of their own, and in files (libsparsewright_io) -------------------------------- */

/* spw_convert with memory of its own: at most `limit` bytes (0: no limit), beyond that SPW_ENOMEM. *out is to be freed
 * with spw_owned_free. The tensor is judged once. */
spw_status spw_convert_new(const spw_tensor *tensor, const spw_conversion *wanted, size_t limit, spw_owned **out,
                           spw_refusal *refusal);

/* The same for spw_restructure. */
spw_status spw_restructure_new(const spw_tensor *const *operands, int64_t count, const spw_structure *wanted, size_t limit,
                               spw_owned **out, spw_refusal *refusal);

/* Reads NumPy's .npy as the other readers do (sparsewright_core.h): a dense array, SPW_DENSE, whose size is its shape.
 * Fortran order becomes strides. Elements have the byte order of this machine. SPW_EUNSUPPORTED: rule 1.5 has no such
 * type (strings, objects, structures, unsigned integers of more than 8 bits). spw_read_json reads dense arrays too. */
spw_status spw_read_npy(const void *bytes, size_t size, size_t limit, spw_owned **out,
                        spw_error *error);

/* Writes a dense array as version 1.0 of .npy in C order, as the other writers do (sparsewright_core.h). NumPy has no
 * bfloat16, so it cannot be written. Only the values are used. */
spw_status spw_write_npy(const spw_tensor *tensor, void **bytes, size_t *size, spw_error *error);

#ifdef __cplusplus
}
#endif

#endif
