/* SPDX-License-Identifier: Apache-2.0 */
/* 2:4 semi-structured matrices: a part of sparsewright.h.
 *
 * Of every four neighbours in a row at most two are not zero. Two elements of each group are stored, with a code of four
 * bits that says which two. Of elements of four bytes one of every two is stored (1:2).
 *
 * | member   | dtype                               | shape                                                |
 * | packed   | that of the matrix                  | (rows, columns / 2)                                  |
 * | metadata | int32 for elements of one byte,     | (rows, codes of a row / codes of a word, rounded up) |
 * |          | int16 for all others                |                                                      |
 *
 * A code is first + 4 * second, with first < second: the places in the group of the two stored elements. So the codes are
 * 4, 8, 9, 12, 13 and 14. A word has its codes in ascending order of columns, low bits first. A group with fewer than two
 * elements that are not zero has one code: `spw explain 7.4`. An element of four bytes counts as two halves. Its code is 4
 * for the first element of its pair and 14 for the second.
 *
 * spec/semi.def has the rules 7.1 to 7.6. Nothing here allocates, prints or keeps state, except functions that end in _new. */
#ifndef SPARSEWRIGHT_SEMI_H
#define SPARSEWRIGHT_SEMI_H

#include "sparsewright_files.h"
#include "sparsewright_ops.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Matrices ---------------------------------------------------------------------------------- */

/* The order of the words of metadata in memory. Each is a permutation of the same words: spec/README.md has the maps. */
typedef enum spw_semi_order {
  SPW_SEMI_PLAIN = 0, /* row by row */
  SPW_SEMI_CUTLASS,   /* as PyTorch's to_sparse_semi_structured and CUTLASS's kernels for SM80 have it */
  SPW_SEMI_MARLIN,    /* as the kernel Marlin 2:4 has it, in compressed-tensors and vLLM */
  SPW_SEMI_SM90_1,    /* as CUTLASS's kernels for SM90 have it, with one block beside the other in a tile, ... */
  SPW_SEMI_SM90_2,
  SPW_SEMI_SM90_3,
  SPW_SEMI_SM90_4     /* ... or up to four: their MinTileShapeK is so many times 512 bits of a row */
} spw_semi_order;

#define SPW_SEMI_ORDER_COUNT 7

/* Types of one byte that only these matrices have. Dense arrays of theirs are arrays of uint8. */
#define SPW_FLOAT8_E4M3FN ((spw_dtype)13)
#define SPW_FLOAT8_E5M2 ((spw_dtype)14)

/* "plain", "cutlass", "marlin", "sm90-1" to "sm90-4"; null for any other value. The order of a name; -1 for unknown names. */
const char *spw_semi_order_name(spw_semi_order order);
int spw_semi_order_from_name(const char *name);

/* spw_dtype_name, and the names of the two types above. */
const char *spw_semi_dtype_name(spw_dtype dtype);
spw_dtype spw_semi_dtype_from_name(const char *name);

/* A matrix over memory of the caller. The words of metadata lie in `metadata` in the given order. */
typedef struct spw_semi {
  spw_semi_order order;
  int64_t rows, columns; /* of the matrix that it stands for */
  spw_dtype dtype;       /* declared type of the elements, or SPW_DTYPE_NONE */
  spw_value_array packed;
  spw_value_array metadata;
} spw_semi;

/* What a matrix takes. */
typedef struct spw_semi_room {
  spw_dtype metadata_dtype;
  int64_t packed_columns, metadata_columns;
  int64_t packed, metadata; /* elements */
} spw_semi_room;

/* Writes *room for a matrix of this type and size. SPW_EINVAL: a null pointer, no such order. SPW_EINVALID: rule 7.1 or 7.3
 * would be broken; *room is then unchanged. O(1). */
spw_status spw_semi_size(spw_semi_order order, spw_dtype dtype, int64_t rows, int64_t columns, spw_semi_room *room);

/* A matrix, and the memory of its shapes and strides. `semi` points into the struct: do not copy it. */
typedef struct spw_semi_view {
  spw_semi semi;
  int64_t numbers[8];
} spw_semi_view;

/* Fills *view with a matrix over arrays that lie in memory row by row, and returns &view->semi. They have the elements that
 * spw_semi_size says; where that refuses, they have none, and spw_semi_check says why. O(1). */
const spw_semi *spw_semi_of(spw_semi_view *view, spw_semi_order order, int64_t rows, int64_t columns, spw_dtype dtype,
                            const void *packed, const void *metadata);

/* ---- Rules ------------------------------------------------------------------------------------- */

typedef enum spw_semi_rule {
  SPW_SEMI_RULE_NONE = -1,
  SPW_SEMI_RULE_7_1 = 0, SPW_SEMI_RULE_7_2, SPW_SEMI_RULE_7_3, SPW_SEMI_RULE_7_4, SPW_SEMI_RULE_7_5, SPW_SEMI_RULE_7_6,
  SPW_SEMI_RULE_COUNT
} spw_semi_rule;

/* A rule of spec/semi.def, as spw_rule_get gives the others; `layouts` is 0. Null for any other value. */
const spw_rule_info *spw_semi_rule_get(spw_semi_rule rule);
spw_semi_rule spw_semi_rule_from_id(const char *id); /* SPW_SEMI_RULE_NONE if there is none */

typedef enum spw_semi_member {
  SPW_SEMI_MEMBER_NONE = 0,
  SPW_SEMI_MEMBER_SIZE,
  SPW_SEMI_MEMBER_PACKED,
  SPW_SEMI_MEMBER_METADATA
} spw_semi_member;

/* One violated rule at one place.
 *
 * | rules    | place                                                                                  | lhs, rhs             |
 * | 7.4, 7.6 | row and column of the word in `metadata`; `group`: its code, from 0                     | the code, its word   |
 * | others   | row: dimension of the member, 0 for rows and 1 for columns; -1 if it is no single one   | left and right side  |
 *
 * at_row and at_column are the first element of the matrix that a code is about; -1 for other rules and for slack. */
typedef struct spw_semi_violation {
  spw_semi_rule rule;
  spw_semi_member member;
  int64_t row, column, group;
  int64_t at_row, at_column;
  int64_t lhs, rhs;
} spw_semi_violation;

typedef struct spw_semi_finding {
  spw_state state;
  int64_t count; /* of violations; 0 unless the state is SPW_VIOLATED */
  spw_semi_violation first;
} spw_semi_finding;

typedef struct spw_semi_report {
  bool valid;
  spw_semi_finding findings[SPW_SEMI_RULE_COUNT];
} spw_semi_report;

/* *report: the state of every rule up to `level`. 7.4 and 7.6 are structure rules, the others shape rules, and there is no
 * canonical one. O(1), and O(words of metadata) from SPW_STRUCTURE on. No value is read.
 * SPW_EINVAL: a null pointer that is needed, no such level or order, a negative length; *report is then unchanged. */
spw_status spw_semi_check(const spw_semi *semi, spw_level level, spw_semi_report *report);

/* ---- Conversions ------------------------------------------------------------------------------- */

/* Why a call is refused. */
typedef enum spw_semi_obstacle {
  SPW_SEMI_OBSTACLE_NONE = 0,
  SPW_SEMI_OBSTACLE_DENSE,      /* the dense array breaks a rule: `dense` */
  SPW_SEMI_OBSTACLE_RULE,       /* the 2:4 matrix breaks a rule, or the result would: `violation` */
  SPW_SEMI_OBSTACLE_DIMENSIONS, /* lhs dimensions; 2 are needed */
  SPW_SEMI_OBSTACLE_LAYOUT,     /* the array is not dense, but of layout lhs */
  SPW_SEMI_OBSTACLE_TYPE,       /* elements of type lhs, and type rhs was requested or is needed */
  SPW_SEMI_OBSTACLE_PATTERN,    /* group `group` of row `row` has too many elements that are not zero: bits of lhs */
  SPW_SEMI_OBSTACLE_SHAPE,      /* entry `row` of a size is lhs and has to be rhs */
  SPW_SEMI_OBSTACLE_OVERLAP,    /* what is written shares memory with what is read, or with each other */
  SPW_SEMI_OBSTACLE_MASK,       /* group `group` of row `row` of a bitmask has not half of its bits set, but lhs; or, of no group,
                                 * bits behind the last column are set */
  SPW_SEMI_OBSTACLE_PRODUCT     /* spw_multiply refuses: `product` */
} spw_semi_obstacle;

typedef struct spw_semi_refusal {
  spw_semi_obstacle obstacle;
  spw_violation dense;
  spw_semi_violation violation;
  int64_t row, group, lhs, rhs; /* -1 if not used */
  spw_refusal product;          /* operand 0 is the left one */
} spw_semi_refusal;

typedef struct spw_semi_request {
  spw_semi_order order;
  spw_dtype dtype; /* of the result: SPW_DTYPE_NONE: that of the array; another type of one byte for an array of uint8 */
  bool bits;       /* an element with any bit set counts as not zero; otherwise -0.0 counts as zero */
} spw_semi_request;

/* The functions below return, with everything that they write unchanged:
 *   SPW_EINVAL        a null pointer, no such order
 *   SPW_EINVALID      an operand breaks a rule, or the pattern is not 2:4
 *   SPW_ERANGE        overlap, or a size or type that the result cannot have
 * and then write *refusal, which may be null. Results lie in memory row by row, with the elements that spw_semi_size says. */

/* Encodes a dense matrix whose values are at most half of every group. -0.0 in a place that is not stored becomes 0.0,
 * unless `bits` is set. spw_semi_decode gives the same bits back, except for these. O(rows * columns). */
spw_status spw_semi_encode(const spw_tensor *dense, const spw_semi_request *request, void *packed, void *metadata,
                           spw_semi_refusal *refusal);

/* Writes the matrix to values[0 .. rows * columns - 1], row by row. O(rows * columns). */
spw_status spw_semi_decode(const spw_semi *semi, void *values, spw_semi_refusal *refusal);

/* Writes the metadata in another order, and leaves what is packed as it is. O(words). */
spw_status spw_semi_reorder(const spw_semi *semi, spw_semi_order order, void *metadata, spw_semi_refusal *refusal);

/* Encodes the transpose, if each of its groups is 2:4 too, as after spw_semi_prune with SPW_SEMI_TILES. O(rows * columns). */
spw_status spw_semi_transpose(const spw_semi *semi, const spw_semi_request *request, void *packed, void *metadata,
                              spw_semi_refusal *refusal);

typedef enum spw_semi_pruning {
  SPW_SEMI_LARGEST = 0, /* of each group the two largest, of each pair the larger */
  SPW_SEMI_TILES        /* of each tile of 4 x 4 at most two in each row and column: the largest first, if both have room */
} spw_semi_pruning;

/* Writes a dense matrix, row by row, in which the elements that are not kept are zero. Elements are compared by magnitude.
 * A NaN is the largest, and of equal elements the first one is larger: the lower column in a group, the lower place row by
 * row in a tile. `dtype` as in spw_semi_request. SPW_SEMI_TILES needs 4 * n rows; for elements of four bytes 2 x 2 tiles
 * and 2 * n rows. O(rows * columns). */
spw_status spw_semi_prune(const spw_tensor *dense, spw_semi_pruning pruning, spw_dtype dtype, void *values,
                          spw_semi_refusal *refusal);

/* Writes the matrix in CSR, with every stored element, zeros too: crow[0 .. rows], and col and values[0 .. nse - 1] with
 * nse = rows * columns / 2, row by row. index_dtype is SPW_INT32 or SPW_INT64. So products and all other operations take these
 * matrices, and sums have the order of stored positions. O(nse).
 * SPW_ERANGE: also if the index type cannot have columns or nse, and then refusal->lhs is that number. */
spw_status spw_semi_to_csr(const spw_semi *semi, spw_dtype index_dtype, void *crow, void *col, void *values,
                           spw_semi_refusal *refusal);

/* Writes which elements are stored as bits, as compressed-tensors' format sparse_24_bitmask has them: bit c % 8 of byte c / 8
 * for column c, and ceil(columns / 8) bytes for each row. What it calls `compressed` is what is packed. O(words). */
spw_status spw_semi_to_bitmask(const spw_semi *semi, uint8_t *bitmask, spw_semi_refusal *refusal);

/* Writes the metadata of such a bitmask. `packed` of the matrix is what is compressed. Of each group, half of the bits are set.
 * SPW_EINVALID: also if another number is; SPW_ERANGE: also if the size breaks rule 7.1 or there is no such type. O(words). */
spw_status spw_semi_from_bitmask(spw_semi_order order, spw_dtype dtype, int64_t rows, int64_t columns, const uint8_t *bitmask,
                                 void *metadata, spw_semi_refusal *refusal);

/* ---- In memory of their own (libsparsewright_io) -------------------------------------------------- */

/* The functions below allocate at most `limit` bytes (0: any). What they make lies in *out, to be freed with spw_owned_free.
 * SPW_ENOMEM: more than the limit. Otherwise the status is that of the functions above. *out is written with SPW_OK only. */

/* Encodes a dense matrix or any sparse one of two dimensions, pruned before if `pruning` is not null. */
spw_status spw_semi_from_new(const spw_tensor *tensor, const spw_semi_request *request, const spw_semi_pruning *pruning,
                             size_t limit, spw_owned **out, const spw_semi **semi, spw_semi_refusal *refusal);

/* The matrix as a dense array, or as CSR with every stored element: spw_owned_tensor(*out). The two types float8 become uint8. */
spw_status spw_semi_to_dense_new(const spw_semi *semi, size_t limit, spw_owned **out, spw_semi_refusal *refusal);
spw_status spw_semi_to_csr_new(const spw_semi *semi, spw_dtype index_dtype, size_t limit, spw_owned **out,
                               spw_semi_refusal *refusal);

/* The metadata in another order; what is packed is copied. */
spw_status spw_semi_reorder_new(const spw_semi *semi, spw_semi_order order, size_t limit, spw_owned **out,
                                const spw_semi **result,
                                spw_semi_refusal *refusal);

typedef enum spw_semi_side {
  SPW_SEMI_LEFT = 0, /* the 2:4 matrix times the dense one */
  SPW_SEMI_RIGHT     /* the dense one times the 2:4 matrix */
} spw_semi_side;

/* The product, a dense matrix or vector in row-major order; with `how`, beta * C + alpha * product, and C is dense. It has the
 * bits of spw_multiply of the CSR that spw_semi_to_csr makes: each sum runs over the stored elements, zeros too, with ascending
 * inner index. `c` and `how` are null, or neither is. SPW_ERANGE: also for the two types float8, which have no products.
 * O(nse * columns of the result + size of it). */
spw_status spw_semi_multiply_new(const spw_semi *semi, spw_semi_side side, const spw_tensor *dense, const spw_tensor *c,
                                 const spw_factors *how, size_t limit, spw_owned **out, spw_semi_refusal *refusal);

/* ---- Files and sentences (libsparsewright_io) ------------------------------------------------------ */

/* Reads and writes the layout "semi" of .spw.json, as spw_read_json and spw_write_json do the others: members packed and
 * metadata, and the order of the metadata. The matrix may be invalid: check it. *semi lies in *out. */
spw_status spw_read_semi_json(const void *bytes, size_t size, size_t limit, spw_owned **out, const spw_semi **semi,
                              spw_error *error);
spw_status spw_write_semi_json(const spw_semi *semi, void **bytes, size_t *size, spw_error *error);

/* Is tensor i of an archive a 2:4 matrix? Such are, of .safetensors files, members of these names, where X is "" or ends in a
 * dot, and of .pt files PyTorch's SparseSemiStructuredTensorCUTLASS.
 *
 * | members                     | matrix                                                                                   |
 * | Xpacked, Xmeta              | the order of the metadata is that of CUTLASS, unless the metadata Xorder or order say    |
 * |                             | another one; the size is Xsize or Xshape as of others, else what `packed` has            |
 * | Xcompressed, Xbitmask       | compressed-tensors' sparse_24_bitmask, read into the plain order; the size is Xshape     |
 *
 * spw_archive_read of one is SPW_EUNSUPPORTED, and so is spw_archive_read_semi of a tensor. */
bool spw_archive_is_semi(const spw_archive *archive, size_t i);

/* Matrix i, as spw_archive_read. *semi lies in *out, and may be invalid: check it. */
spw_status spw_archive_read_semi(const spw_archive *archive, size_t i, size_t limit, spw_owned **out, const spw_semi **semi,
                                 spw_error *error);

/* Writes a matrix as a .safetensors file, which spw_archive_open_safetensors lists: members packed and meta, row-major, and the
 * metadata sparse_format, order and size. */
spw_status spw_write_semi_safetensors(const spw_semi *semi, void **bytes, size_t *size, spw_error *error);

/* Writes a violation, or why a call was refused, as spw_violation_text and spw_refusal_text do. */
size_t spw_semi_violation_text(const spw_semi *semi, const spw_semi_violation *violation, char *text, size_t length);
size_t spw_semi_refusal_text(spw_status status, const spw_semi_refusal *refusal, char *text, size_t length);

/* "size", "packed", "metadata"; null for SPW_SEMI_MEMBER_NONE and for no member. */
const char *spw_semi_member_name(spw_semi_member member);

#ifdef __cplusplus
}
#endif

#endif
