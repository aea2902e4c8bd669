/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors, rules, the checker, and files: what sparsewright.h begins with. The proofs read this much of the
 * public interface, so that what is added to the rest of it leaves them as they are.
 *
 * A tensor is a struct of *views*: nothing here owns memory, except `spw_owned` which the
 * readers return. The checker (spw_is_valid, spw_first_violation, spw_check) reads the arrays of
 * a tensor and nothing else; it allocates nothing, prints nothing, keeps no state and may be
 * called from any thread.
 *
 * Words: B batch dimensions, K dense dimensions, nse specified elements per batch; C and P are
 * the sizes of the compressed and of the plain dimension, in elements (CSR, CSC) or blocks (BSR,
 * BSC). Rule ids (5.3, 6.7 ...) are those of spec/rules.def; `spw explain 5.3` prints one. */
#ifndef SPARSEWRIGHT_CORE_H
#define SPARSEWRIGHT_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SPW_VERSION "0.1.0"

/* ---- Status: did the call work? ------------------------------------------------------------ */

/* 0, or negative. A checker's status never says what is wrong with the *data*: see spw_violation.
 * An operation that needs data which obey the rules answers SPW_EINVALID, and the checker tells which
 * rule they break. */
typedef enum spw_status {
  SPW_OK = 0,
  SPW_EINVAL = -1,       /* the call is wrong: null pointer with length > 0, negative length ... */
  SPW_EOVERFLOW = -2,    /* more than int64 can number: batches, or a stride */
  SPW_ENOMEM = -3,       /* no memory, or more than the limit allows */
  SPW_EFORMAT = -4,      /* the file is malformed */
  SPW_EUNSUPPORTED = -5, /* the file or tensor is of a kind that this function does not handle */
  SPW_EIO = -6,          /* the file cannot be read or written */
  SPW_EINVALID = -7,     /* the tensor breaks a rule: spw_first_violation says which, and where */
  SPW_ERANGE = -8        /* the result cannot be represented */
} spw_status;

/* A short text, never null, for any value. */
const char *spw_status_string(spw_status status);

/* ---- Element types and layouts -------------------------------------------------------------- */

/* The element types of rule 1.5. Index arrays that the checker accepts are int32 or int64. */
typedef enum spw_dtype {
  SPW_DTYPE_NONE = 0, /* "not declared" */
  SPW_BOOL,
  SPW_UINT8,
  SPW_INT8,
  SPW_INT16,
  SPW_INT32,
  SPW_INT64,
  SPW_FLOAT16,
  SPW_BFLOAT16,
  SPW_FLOAT32,
  SPW_FLOAT64,
  SPW_COMPLEX64,
  SPW_COMPLEX128
} spw_dtype;

#define SPW_DTYPE_COUNT 13

typedef enum spw_layout { SPW_COO = 0, SPW_CSR, SPW_CSC, SPW_BSR, SPW_BSC } spw_layout;

#define SPW_LAYOUT_COUNT 5 /* sparse ones, which the checker knows */

/* An ordinary strided array as operand or result of a conversion: only `values` is looked at, whose
 * shape is the size. It is no sparse layout: the checker does not know it. */
#define SPW_DENSE ((spw_layout)5)

/* NumPy's and PyTorch's names ("int64", "csr"; "dense"); null for a value that is no type or layout. */
const char *spw_dtype_name(spw_dtype dtype);
const char *spw_layout_name(spw_layout layout);

/* The reverse; SPW_DTYPE_NONE and -1 when the name is unknown. */
spw_dtype spw_dtype_from_name(const char *name);
int spw_layout_from_name(const char *name);

/* Bytes of one element: 1, 2, 4, 8 or 16; 0 for a value that is not an element type. */
int64_t spw_dtype_size(spw_dtype dtype);

/* Tensors of more dimensions than this are refused with SPW_EINVAL. */
#define SPW_NDIM_MAX 1073741824

/* ---- Views ----------------------------------------------------------------------------------- */

/* Shape of a strided array over a storage of `length` elements that may be read.
 * Element (i0, i1, ...) lies at storage position offset + i0*strides[0] + i1*strides[1] + ...
 * All in elements. `shape` and `strides` have ndim entries each. The numbers may be anything: the
 * checker judges them (3.12, 3.14) before it uses them. */
typedef struct spw_array {
  spw_dtype dtype;
  int64_t ndim;
  const int64_t *shape;
  const int64_t *strides;
  int64_t offset;
  int64_t length;
} spw_array;

/* An index array: exactly the pointer that `dtype` names is used (i32 for SPW_INT32, i64 for
 * SPW_INT64). `raw` is the storage when the element type is another one, which rule 1.3 rejects;
 * the checker never reads it. */
typedef struct spw_index_array {
  spw_array array;
  const int32_t *i32;
  const int64_t *i64;
  const void *raw;
} spw_index_array;

/* The values. The checker never reads them, only their shape. */
typedef struct spw_value_array {
  spw_array array;
  const void *data;
} spw_value_array;

typedef enum spw_claim { SPW_CLAIM_NONE = -1, SPW_CLAIM_NO = 0, SPW_CLAIM_YES = 1 } spw_claim;

/* A sparse tensor.
 * CSR, BSR: compressed = crow_indices, plain = col_indices; CSC, BSC: ccol_indices, row_indices.
 * COO: plain = indices, shape (sparse_dim, nse); compressed is not looked at.
 * Without a size (has_size false; size and ndim are not looked at) the checker infers one. */
typedef struct spw_tensor {
  spw_layout layout;
  bool has_size;
  int64_t ndim;
  const int64_t *size;
  spw_dtype index_dtype; /* declared type of the index arrays, or SPW_DTYPE_NONE */
  spw_dtype dtype;       /* declared type of the values, or SPW_DTYPE_NONE */
  spw_claim coalesced;   /* COO: the claim that rule 6.7 judges */
  spw_index_array compressed;
  spw_index_array plain;
  spw_value_array values;
} spw_tensor;

/* The numbers of a tensor, as far as its shapes tell them: -1 where they do not. Its rules need not
 * hold; what a shape says is not judged here, but nothing negative is given, except that a block
 * size is what the values' shape has there. */
typedef struct spw_numbers {
  int64_t batch_dims;      /* B; COO: 0 */
  int64_t sparse_dims;     /* 2; COO: sparse_dim */
  int64_t dense_dims;      /* K */
  int64_t block_rows;      /* b0; 1 where the layout has no blocks */
  int64_t block_columns;   /* b1 */
  int64_t batches;         /* product of the batch shape, -1 beyond int64 too; COO: 1 */
  int64_t compressed_size; /* C; -1 for COO */
  int64_t plain_size;      /* P as a size gives it; -1 for COO */
  int64_t nse;
  int64_t dense_elements;  /* product of the dense shape, -1 beyond int64 too */
} spw_numbers;

/* *numbers of a tensor. O(dimensions); reads no index. SPW_EINVAL, with *numbers untouched, as the
 * calls under Checking below. */
spw_status spw_numbers_of(const spw_tensor *tensor, spw_numbers *numbers);

/* ---- Rules ----------------------------------------------------------------------------------- */

/* Every rule of spec/rules.def, in its order: SPW_RULE_1_1 ... SPW_RULE_6_7. */
typedef enum spw_rule {
  SPW_RULE_NONE = -1,
  SPW_RULE_1_1 = 0, SPW_RULE_1_2, SPW_RULE_1_3, SPW_RULE_1_4, SPW_RULE_1_5, SPW_RULE_1_6,
  SPW_RULE_2_1, SPW_RULE_2_2, SPW_RULE_2_3, SPW_RULE_2_4,
  SPW_RULE_3_1, SPW_RULE_3_2, SPW_RULE_3_3, SPW_RULE_3_4, SPW_RULE_3_5, SPW_RULE_3_6,
  SPW_RULE_3_7, SPW_RULE_3_8, SPW_RULE_3_9, SPW_RULE_3_10, SPW_RULE_3_11, SPW_RULE_3_12,
  SPW_RULE_3_13, SPW_RULE_3_14,
  SPW_RULE_4_1, SPW_RULE_4_2, SPW_RULE_4_3, SPW_RULE_4_4,
  SPW_RULE_5_1, SPW_RULE_5_2, SPW_RULE_5_3, SPW_RULE_5_4, SPW_RULE_5_5, SPW_RULE_5_6,
  SPW_RULE_6_1, SPW_RULE_6_2, SPW_RULE_6_3, SPW_RULE_6_4, SPW_RULE_6_5, SPW_RULE_6_6,
  SPW_RULE_6_7,
  SPW_RULE_COUNT
} spw_rule;

/* Phases run in this order, each only when all rules of the earlier ones hold. */
typedef enum spw_level { SPW_SHAPE = 1, SPW_STRUCTURE = 2, SPW_CANONICAL = 3 } spw_level;

typedef struct spw_rule_info {
  const char *id;      /* "5.3" */
  spw_level phase;
  unsigned layouts;    /* bit 1u << spw_layout */
  const char *formula; /* one line */
  const char *prose;   /* what it says */
  const char *why;     /* what goes wrong without it */
  const char *fix;     /* what to do about a violation */
  const char *torch;   /* PyTorch's message or id, or "" */
  const char *scipy;   /* SciPy's message, or "" */
} spw_rule_info;

/* Null when `rule` is not in 0 .. SPW_RULE_COUNT-1. */
const spw_rule_info *spw_rule_get(spw_rule rule);

/* SPW_RULE_NONE when there is no such id. */
spw_rule spw_rule_from_id(const char *id);

/* ---- Checking -------------------------------------------------------------------------------- */

/* Which member a violation lies in. */
typedef enum spw_member {
  SPW_MEMBER_NONE = 0,
  SPW_MEMBER_SIZE,
  SPW_MEMBER_COMPRESSED,
  SPW_MEMBER_PLAIN, /* COO: indices */
  SPW_MEMBER_VALUES,
  SPW_MEMBER_LAYOUT
} spw_member;

/* One violated rule at one place. Structure and canonical rules: `batch` is the flat (row-major)
 * number of the batch, `position` the place inside that batch of the member: 1-D, or row-major
 * (d * nse + k) in COO indices. Shape rules: batch is 0 and position a dimension of the member, or
 * -1 where no single dimension is to blame. `lhs` and `rhs` are the two numbers that should have
 * compared otherwise, the left and right side of the formula; an exact number beyond int64 is given
 * as INT64_MAX or INT64_MIN. So 3.11 has INT64_MAX twice: a product beyond int64, and the largest
 * int64. 3.11 at a position: that entry of an inferred size does not fit in int64; lhs is its number
 * of blocks, rhs how many blocks would fit. In 1.6 of an inferred size, lhs is the largest index,
 * which rhs should exceed. */
typedef struct spw_violation {
  spw_rule rule;
  spw_member member;
  int64_t batch;
  int64_t position;
  int64_t lhs;
  int64_t rhs;
} spw_violation;

typedef enum spw_state {
  SPW_NOT_EVALUATED = 0, /* an earlier violation hides what this rule needs, or above the level */
  SPW_NOT_APPLICABLE,    /* the rule is not about this layout, or about no claim of this tensor */
  SPW_HOLDS,
  SPW_VIOLATED
} spw_state;

/* What became of one rule: with SPW_VIOLATED, `first` is the smallest violation in (batch,
 * position) order and `count` (>= 1) how many there are, INT64_MAX if more than fit. */
typedef struct spw_finding {
  spw_state state;
  int64_t count;
  spw_violation first;
} spw_finding;

typedef struct spw_report {
  bool valid;          /* every applicable rule up to the level holds */
  bool size_inferred;  /* the tensor has no size: compressed_size and plain_size were inferred */
  int64_t batches;         /* number of batches, -1 unknown; COO: 1 */
  int64_t compressed_size; /* C, -1 unknown or COO */
  int64_t plain_size;      /* P, -1 unknown or COO */
  int64_t nse;             /* -1 unknown */
  spw_finding findings[SPW_RULE_COUNT];
} spw_report;

/* The checks return SPW_EINVAL, and touch no output, when
 *  - a pointer argument is null, or `level` is not one of spw_level;
 *  - an ndim is negative or above SPW_NDIM_MAX, a length is negative, or a null shape, strides,
 *    size or storage has entries;
 *  - an int32 (int64) index array of length > 0 has a null i32 (i64).
 * SPW_EOVERFLOW, with the outputs untouched: more batches than int64 can number (possible only when
 * the size has a zero elsewhere). Any other contents are data, which the rules judge.
 * Cost: O(dimensions) at SPW_SHAPE, which reads no index and infers no size; else
 * O(batches * (C + nse)), where batches that all share their index arrays (strides 0) count once;
 * COO: O(sparse_dim * nse). */

/* *valid: does every applicable rule up to `level` hold? The fast path: one answer, no witness. */
spw_status spw_is_valid(const spw_tensor *tensor, spw_level level, bool *valid);

/* The same answer, from up to `threads` threads when the library was built with OPENMP=1, else from
 * one. Only CSR, CSC, BSR and BSC at SPW_CANONICAL are divided, by batches and rows: one long row
 * is one thread's. SPW_EINVAL besides when threads < 1. */
spw_status spw_is_valid_parallel(const spw_tensor *tensor, spw_level level, int threads, bool *valid);

/* The first violated rule, in the order of phases and then of spec/rules.def, with its first
 * place; first->rule is SPW_RULE_NONE exactly when the tensor is valid up to `level`. */
spw_status spw_first_violation(const spw_tensor *tensor, spw_level level, spw_violation *first);

/* What became of every rule. Some rule is SPW_VIOLATED exactly when the tensor is not valid up to
 * `level`: a rule is left open only where one that it needs is violated, or above the level. */
spw_status spw_check(const spw_tensor *tensor, spw_level level, spw_report *report);

/* *steps: the number of index elements that checking up to `level` looks at, each a few times; 0 when
 * a shape rule is violated, INT64_MAX when there are more. Shapes and strides of a few bytes can ask
 * for more than anybody can wait for: ask first where tensors come from strangers. O(dimensions).
 * SPW_EINVAL and SPW_EOVERFLOW as above. */
spw_status spw_work(const spw_tensor *tensor, spw_level level, int64_t *steps);

/* Writes the size that the members imply into size[0 .. *ndim-1], *ndim <= capacity:
 * batch + (C*b0, P*b1) + dense, mirrored for CSC and BSC; COO: max + 1 per sparse dimension, then
 * dense. A size that the tensor has is not looked at. Both outputs stay untouched unless SPW_OK, and
 * may not overlap each other, the tensor or any of its arrays.
 * SPW_EINVAL     as for the checks, or an output is null, or capacity is too small
 * SPW_EOVERFLOW  as for the checks
 * SPW_EINVALID   a shape rule is broken, or an index is negative
 * SPW_ERANGE     an entry of the size is beyond int64
 * A tensor without a size that is valid at SPW_STRUCTURE has one, whose product fits in int64. */
spw_status spw_infer_size(const spw_tensor *tensor, int64_t *size, int64_t capacity, int64_t *ndim);

/* Row-major strides of a shape, in elements. SPW_EINVAL for a negative entry, an ndim outside 0 .. SPW_NDIM_MAX, or a null
 * pointer where there are dimensions; SPW_EOVERFLOW when a stride does not fit; `strides` is then unchanged. O(ndim). */
spw_status spw_row_major_strides(int64_t ndim, const int64_t *shape, int64_t *strides);

/* Batch number -> index along each batch dimension, row-major, written to index[0 .. ndim-1].
 * SPW_EINVAL, index untouched, unless 0 <= flat < product of shape; also as above. O(ndim). */
spw_status spw_unravel(int64_t flat, int64_t ndim, const int64_t *shape, int64_t *index);

/* ---- Files (libsparsewright_io: jansson, libzip, zlib) --------------------------------------- */

/* A tensor together with the memory it lives in. */
typedef struct spw_owned spw_owned;

/* Null for null. */
const spw_tensor *spw_owned_tensor(const spw_owned *owned);
void spw_owned_free(spw_owned *owned); /* null is fine */

/* Why a file was refused. `where` is "byte 17", "line 3" or a JSON path, "$.values.data[2]". */
typedef struct spw_error {
  char where[96];
  char message[256];
} spw_error;

/* Each reader takes the whole file in memory, trusts nothing in it, and gives either a tensor
 * (possibly an invalid one: check it) in *out, or a negative status and *error. It never allocates
 * more than `limit` bytes; limit 0 means spw_memory_limit(size). O(size) time, or O(inflated size)
 * within the limit. A file that other readers may take for another tensor is SPW_EFORMAT or
 * SPW_EUNSUPPORTED. `error` may be null. */
spw_status spw_read_json(const void *bytes, size_t size, size_t limit, spw_owned **out,
                         spw_error *error);
spw_status spw_read_mtx(const void *bytes, size_t size, size_t limit, spw_owned **out,
                        spw_error *error); /* plain or gzip */
spw_status spw_read_npz(const void *bytes, size_t size, size_t limit, spw_owned **out,
                        spw_error *error);

/* The memory that reading a file of `size` bytes may take: 64 MiB + 64 * size. */
size_t spw_memory_limit(size_t size);

/* Each writer gives the file's bytes in *bytes (free() them) and *size. What it writes reads back
 * with the same bits; a tensor the format cannot express gives SPW_EUNSUPPORTED and *error says
 * what it lacks. JSON: every tensor whose storages have at most 2^31 elements and whose bools are 0 or 1; it looks
 * at nothing of a dense array but its values and its declared type. npz: 2-D csr, csc, bsr, coo, deflated where
 * that does not pass a reader's limit. mtx: 2-D COO. */
spw_status spw_write_json(const spw_tensor *tensor, void **bytes, size_t *size, spw_error *error);
spw_status spw_write_mtx(const spw_tensor *tensor, void **bytes, size_t *size, spw_error *error);
spw_status spw_write_npz(const spw_tensor *tensor, void **bytes, size_t *size, spw_error *error);

#ifdef __cplusplus
}
#endif

#endif
