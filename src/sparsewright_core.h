/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors, rules, the checker, and files: the first part of sparsewright.h, for callers in C.
 *
 * A tensor is a struct of views: it points to memory of the caller. Only `spw_owned`, which readers return, owns
 * memory. The checker (spw_is_valid, spw_first_violation, spw_check) only reads the arrays of its tensor. It allocates
 * nothing, prints nothing and keeps no state, so any thread may call it.
 *
 * Contents must not change during a call, of any function here: not the arrays, not what describes them. No other thread
 * may write there, no process that shares the memory, and nobody to a file that is mapped. An index would no longer be
 * the one that was judged, and the call might read or write out of bounds. The readers copy a file before they judge it.
 *
 * | word | meaning |
 * | B, K | numbers of batch and of dense dimensions |
 * | nse  | specified elements (blocks in BSR, BSC) per batch |
 * | C, P | sizes of the compressed and of the plain dimension, in elements (CSR, CSC) or blocks (BSR, BSC) |
 *
 * spec/rules.def has the rules by id (5.3, 6.7 ...); `spw explain 5.3` prints one.
 *
 * The proofs read this part only, so additions to the other parts leave them as they are. */
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

/* 0 for success, negative otherwise. The status of a check says whether the call worked, not whether the tensor is
 * valid: see spw_violation. An operation whose tensor breaks a rule returns SPW_EINVALID. */
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

/* A short text for any status; never null. */
const char *spw_status_string(spw_status status);

/* ---- Element types and layouts -------------------------------------------------------------- */

/* The element types of rule 1.5. The checker accepts index arrays of int32 and int64. */
typedef enum spw_dtype {
  SPW_DTYPE_NONE = 0, /* not declared */
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

#define SPW_LAYOUT_COUNT 5 /* sparse layouts, which the checker knows */

/* The layout of a dense operand or result: only `values` is used, and its shape is the size. The checker does not know
 * this layout. */
#define SPW_DENSE ((spw_layout)5)

/* The name in NumPy and PyTorch ("int64", "csr"; "dense"); null for any other value. */
const char *spw_dtype_name(spw_dtype dtype);
const char *spw_layout_name(spw_layout layout);

/* The value of a name; SPW_DTYPE_NONE or -1 if the name is unknown. */
spw_dtype spw_dtype_from_name(const char *name);
int spw_layout_from_name(const char *name);

/* Bytes of one element: 1, 2, 4, 8 or 16; 0 for any other value. */
int64_t spw_dtype_size(spw_dtype dtype);

/* A tensor with more dimensions is refused with SPW_EINVAL. */
#define SPW_NDIM_MAX 1073741824

/* ---- Views ----------------------------------------------------------------------------------- */

/* A strided array over a storage of `length` elements, all of which may be read.
 * Element (i0, i1, ...) lies at storage position offset + i0*strides[0] + i1*strides[1] + ...
 * All numbers count elements. `shape` and `strides` have ndim entries each. The numbers may be anything: the checker
 * judges them (3.12, 3.14) before it uses them. */
typedef struct spw_array {
  spw_dtype dtype;
  int64_t ndim;
  const int64_t *shape;
  const int64_t *strides;
  int64_t offset;
  int64_t length;
} spw_array;

/* An index array. `dtype` selects the pointer: i32 for SPW_INT32, i64 for SPW_INT64. `raw` is the storage of any other
 * element type, which rule 1.3 rejects; the checker never reads it. */
typedef struct spw_index_array {
  spw_array array;
  const int32_t *i32;
  const int64_t *i64;
  const void *raw;
} spw_index_array;

/* The values. The checker reads their shape, never the values. */
typedef struct spw_value_array {
  spw_array array;
  const void *data;
} spw_value_array;

typedef enum spw_claim { SPW_CLAIM_NONE = -1, SPW_CLAIM_NO = 0, SPW_CLAIM_YES = 1 } spw_claim;

/* A sparse tensor.
 *
 * | layout   | compressed   | plain                              |
 * | CSR, BSR | crow_indices | col_indices                        |
 * | CSC, BSC | ccol_indices | row_indices                        |
 * | COO      | not used     | indices, of shape (sparse_dim, nse) |
 *
 * If has_size is false, size and ndim are not used, and the checker infers a size. */
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

/* The numbers that the shapes of a tensor give, or -1 if they do not. The rules need not hold: shapes are not judged
 * here. No number but -1 is negative, except a block size, which is the entry in the shape of the values. */
typedef struct spw_numbers {
  int64_t batch_dims;      /* B; COO: 0 */
  int64_t sparse_dims;     /* 2; COO: sparse_dim */
  int64_t dense_dims;      /* K */
  int64_t block_rows;      /* b0; 1 if the layout has no blocks */
  int64_t block_columns;   /* b1 */
  int64_t batches;         /* product of the batch shape, -1 if beyond int64; COO: 1 */
  int64_t compressed_size; /* C; -1 for COO */
  int64_t plain_size;      /* P, if the tensor has a size; -1 for COO */
  int64_t nse;
  int64_t dense_elements;  /* product of the dense shape, -1 if beyond int64 */
} spw_numbers;

/* Works out sizes and numbers of elements from the shapes of a tensor. Reads no index. O(dimensions).
 * SPW_EINVAL: as for the checks below; *numbers is then unchanged. */
spw_status spw_numbers_of(const spw_tensor *tensor, spw_numbers *numbers);

/* ---- Rules ----------------------------------------------------------------------------------- */

/* Every rule of spec/rules.def, in its order. */
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

/* The phases, in the order in which they run. A phase runs only if all rules of the earlier ones hold. */
typedef enum spw_level { SPW_SHAPE = 1, SPW_STRUCTURE = 2, SPW_CANONICAL = 3 } spw_level;

typedef struct spw_rule_info {
  const char *id;      /* "5.3" */
  spw_level phase;
  unsigned layouts;    /* bit 1u << spw_layout */
  const char *formula; /* one line */
  const char *prose;   /* what it says */
  const char *why;     /* what goes wrong if it is violated */
  const char *fix;     /* how to repair a violation */
  const char *torch;   /* PyTorch's message or id, or "" */
  const char *scipy;   /* SciPy's message, or "" */
} spw_rule_info;

/* The texts of a rule; null if `rule` is not in 0 .. SPW_RULE_COUNT-1. */
const spw_rule_info *spw_rule_get(spw_rule rule);

/* The rule of an id such as "5.3"; SPW_RULE_NONE if there is none. */
spw_rule spw_rule_from_id(const char *id);

/* ---- Checking -------------------------------------------------------------------------------- */

/* The member of the tensor that a violation is in. */
typedef enum spw_member {
  SPW_MEMBER_NONE = 0,
  SPW_MEMBER_SIZE,
  SPW_MEMBER_COMPRESSED,
  SPW_MEMBER_PLAIN, /* COO: indices */
  SPW_MEMBER_VALUES,
  SPW_MEMBER_LAYOUT
} spw_member;

/* One violated rule at one place.
 *
 * | rules                | batch                    | position                                                    |
 * | structure, canonical | row-major number         | place in this batch of the member; COO indices: d * nse + k |
 * | shape                | 0                        | dimension of the member, or -1 if it is no single one       |
 *
 * `lhs` and `rhs` are the two numbers of the failed comparison, left and right side of the formula. A number beyond
 * int64 is given as INT64_MAX or INT64_MIN. Special cases:
 *   3.11                      INT64_MAX twice: the product is beyond int64
 *   3.11 with a position      this entry of an inferred size is beyond int64: lhs blocks, of which rhs would fit
 *   1.6 of an inferred size   lhs is the largest index, and rhs should be greater */
typedef struct spw_violation {
  spw_rule rule;
  spw_member member;
  int64_t batch;
  int64_t position;
  int64_t lhs;
  int64_t rhs;
} spw_violation;

typedef enum spw_state {
  SPW_NOT_EVALUATED = 0, /* another violation hides what this rule needs, or the rule is above the level */
  SPW_NOT_APPLICABLE,    /* the rule is about another layout, or about a claim that the tensor does not make */
  SPW_HOLDS,
  SPW_VIOLATED
} spw_state;

/* The state of one rule. If it is SPW_VIOLATED, `first` is the first violation in (batch, position) order, and `count`
 * >= 1 the number of violations, INT64_MAX if there are more. */
typedef struct spw_finding {
  spw_state state;
  int64_t count;
  spw_violation first;
} spw_finding;

typedef struct spw_report {
  bool valid;          /* every applicable rule up to the level holds */
  bool size_inferred;  /* the tensor has no size; compressed_size and plain_size are inferred */
  int64_t batches;         /* number of batches; -1 if unknown; COO: 1 */
  int64_t compressed_size; /* C; -1 if unknown or COO */
  int64_t plain_size;      /* P; -1 if unknown or COO */
  int64_t nse;             /* -1 if unknown */
  spw_finding findings[SPW_RULE_COUNT];
} spw_report;

/* Errors of every check; the outputs are then unchanged. Everything else is data, and the rules judge it.
 *   SPW_EINVAL     - a pointer argument is null, or `level` is no spw_level;
 *                  - an ndim is negative or above SPW_NDIM_MAX, a length is negative, or a null shape, strides, size or
 *                    storage has entries;
 *                  - an int32 (int64) index array of length > 0 has a null i32 (i64).
 *   SPW_EOVERFLOW  more batches than int64 can number; the size then has a zero elsewhere.
 *
 * | level                        | cost                                                                              |
 * | SPW_SHAPE                    | O(dimensions): it reads no index and infers no size                               |
 * | SPW_STRUCTURE, SPW_CANONICAL | O(batches * (C + nse)); batches that all share their index arrays (strides 0)     |
 * |                              | count once. COO: O(sparse_dim * nse)                                              |
 */

/* *valid: whether every applicable rule up to `level` holds. This is the fastest check. */
spw_status spw_is_valid(const spw_tensor *tensor, spw_level level, bool *valid);

/* The same answer from up to `threads` threads, if the library was built with OPENMP=1; otherwise from one.
 * Threads share CSR, CSC, BSR and BSC at SPW_CANONICAL, by batches and rows. One long row stays with one thread.
 * SPW_EINVAL: also if threads < 1. */
spw_status spw_is_valid_parallel(const spw_tensor *tensor, spw_level level, int threads, bool *valid);

/* *first: the first violated rule, in the order of phases and then of spec/rules.def, with its first place.
 * first->rule is SPW_RULE_NONE exactly if the tensor is valid up to `level`. */
spw_status spw_first_violation(const spw_tensor *tensor, spw_level level, spw_violation *first);

/* *report: the state of every rule. Some rule is SPW_VIOLATED exactly if the tensor is not valid up to `level`.
 * A rule is SPW_NOT_EVALUATED only if it is above the level, or a rule that it needs is violated. */
spw_status spw_check(const spw_tensor *tensor, spw_level level, spw_report *report);

/* *steps: how many index elements a check up to `level` reads, each a few times. It is 0 if a shape rule is violated,
 * and INT64_MAX if there are more. O(dimensions). Errors as above.
 * Ask first if tensors come from strangers: a few bytes of shapes and strides can describe more work than anybody can
 * wait for. */
spw_status spw_work(const spw_tensor *tensor, spw_level level, int64_t *steps);

/* Writes the size that the members imply to size[0 .. *ndim-1], with *ndim <= capacity. A size that the tensor has is
 * not used. The outputs may not overlap each other, the tensor or its arrays.
 *
 * | layout   | inferred size                                       |
 * | CSR, BSR | batch + (C*b0, P*b1) + dense                        |
 * | CSC, BSC | batch + (P*b0, C*b1) + dense                        |
 * | COO      | maximum + 1 for each sparse dimension, then dense   |
 *
 * Errors; the outputs are then unchanged:
 *   SPW_EINVAL     as for the checks, or an output is null, or capacity is too small
 *   SPW_EOVERFLOW  as for the checks
 *   SPW_EINVALID   a shape rule is broken, or an index is negative
 *   SPW_ERANGE     an entry of the size is beyond int64
 * A tensor without a size that is valid at SPW_STRUCTURE has an inferred size, whose product fits in int64. */
spw_status spw_infer_size(const spw_tensor *tensor, int64_t *size, int64_t capacity, int64_t *ndim);

/* Writes the row-major strides of a shape, in elements, to strides[0 .. ndim-1]. O(ndim).
 * Errors; `strides` is then unchanged:
 *   SPW_EINVAL     an entry is negative, ndim is outside 0 .. SPW_NDIM_MAX, or a pointer is null and ndim > 0
 *   SPW_EOVERFLOW  a stride is beyond int64 */
spw_status spw_row_major_strides(int64_t ndim, const int64_t *shape, int64_t *strides);

/* Writes the index along each batch dimension of batch number `flat`, row-major, to index[0 .. ndim-1]. O(ndim).
 * SPW_EINVAL: as above, or unless 0 <= flat < product of shape; `index` is then unchanged. */
spw_status spw_unravel(int64_t flat, int64_t ndim, const int64_t *shape, int64_t *index);

/* ---- Files (libsparsewright_io: jansson, zlib) ----------------------------------------------- */

/* A tensor with the memory that it lies in. spw_owned_free frees both. */
typedef struct spw_owned spw_owned;

/* The tensor, valid until spw_owned_free; null for null. */
const spw_tensor *spw_owned_tensor(const spw_owned *owned);
void spw_owned_free(spw_owned *owned); /* null is allowed */

/* Why a file was refused. `where` is "byte 17", "line 3" or a JSON path, "$.values.data[2]". */
typedef struct spw_error {
  char where[96];
  char message[256];
} spw_error;

/* Each reader takes a whole file in memory and trusts nothing in it. On success *out is a tensor, to be freed with
 * spw_owned_free. It may be invalid: check it. Otherwise the status is negative and *error says why; `error` may be
 * null. A reader allocates at most `limit` bytes; limit 0 means spw_memory_limit(size). O(size), or O(inflated size).
 * A file that other readers may take for another tensor is SPW_EFORMAT or SPW_EUNSUPPORTED. */
spw_status spw_read_json(const void *bytes, size_t size, size_t limit, spw_owned **out,
                         spw_error *error);
spw_status spw_read_mtx(const void *bytes, size_t size, size_t limit, spw_owned **out,
                        spw_error *error); /* plain or gzip; an array file is dense */
spw_status spw_read_npz(const void *bytes, size_t size, size_t limit, spw_owned **out,
                        spw_error *error);

/* The default limit of memory for reading a file of `size` bytes: 64 MiB + 64 * size. */
size_t spw_memory_limit(size_t size);

/* Each writer returns the bytes of a file in *bytes, to be freed with free(), and their number in *size. A reader gives
 * the same bits back. If the format cannot express the tensor, the status is SPW_EUNSUPPORTED and *error says what it
 * lacks.
 *
 * | writer | tensors                                                                                             |
 * | json   | all whose storages have at most 2^31 elements, and whose bools are 0 or 1; of a dense array it uses  |
 * |        | only the values and their declared type                                                             |
 * | npz    | 2-D csr, csc, bsr, coo; deflated unless that passes a reader's limit                                |
 * | mtx    | 2-D COO, and 2-D dense arrays                                                                       |
 */
spw_status spw_write_json(const spw_tensor *tensor, void **bytes, size_t *size, spw_error *error);
spw_status spw_write_mtx(const spw_tensor *tensor, void **bytes, size_t *size, spw_error *error);
spw_status spw_write_npz(const spw_tensor *tensor, void **bytes, size_t *size, spw_error *error);

#ifdef __cplusplus
}
#endif

#endif
