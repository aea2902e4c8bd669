/* SPDX-License-Identifier: Apache-2.0 */
/* What 2:4 matrices are made of: the numbers of a type, rows of groups whatever their width, and rows of metadata whatever
 * their order. */
#ifndef SPW_SEMI_SEMI_H
#define SPW_SEMI_SEMI_H

#include "../sparsewright_semi.h"
#include "kernels/order.h"

/* The numbers of an element type. */
typedef struct spw_semi_kind {
  int64_t scalar;     /* bytes of an element: 1, 2 or 4 */
  int64_t group;      /* elements of a group: 4, or 2 where a group is a pair */
  int64_t kept;       /* elements of a group that are stored: half of it */
  int64_t codes;      /* of a word of metadata: 8 or 4 */
  int64_t interleave; /* of the reordered metadata, as src/semi/kernels/order.h has it: 2 or 4 */
  uint32_t other;     /* the bits of -0.0; 0 where there is none */
} spw_semi_kind;

/* False for a type that these matrices do not have. */
bool spw_semi_kind_of(spw_dtype dtype, spw_semi_kind *kind);
spw_dtype spw_semi_metadata_dtype(const spw_semi_kind *kind);

/* Rule 7.1: the violation, or no rule. */
spw_semi_violation spw_semi_size_violation(spw_semi_order order, const spw_semi_kind *kind, int64_t rows, int64_t columns);

/* The room of a matrix that breaks no rule about its size. */
spw_semi_room spw_semi_room_of(const spw_semi_kind *kind, int64_t rows, int64_t columns);

/* ---- Metadata ---------------------------------------------------------------------------------- */

/* Where the words of metadata lie. They are read and written as words of sixteen bits: `halves` of them are one word. */
typedef struct spw_semi_words {
  spw_semi_order order;
  int interleave;
  int64_t rows, columns; /* in words of metadata */
  int64_t stride;        /* from a row to the next one, in words of metadata */
  int64_t halves;        /* 1 or 2 */
} spw_semi_words;

/* So many groups of a row are handled at once: their codes fill whole words. In the order of CUTLASS so many rows at most
 * are handled
 * together, since their words lie side by side. */
enum { SPW_SEMI_CHUNK = 2048, SPW_SEMI_CHUNK_BYTES = SPW_SEMI_CHUNK * 8, SPW_SEMI_ROW_HALVES = SPW_SEMI_CHUNK / 4,
      SPW_SEMI_BLOCK = 32 };

/* The rows of a block: one, but in the order of CUTLASS. */
static inline int64_t spw_semi_block_of(const spw_semi_words *w)
{
  return w->order == SPW_SEMI_CUTLASS ? 8 * w->interleave : 1;
}

/* Where the word of a row and column lies, and the word that lies at a place. */
int64_t spw_semi_place_of(const spw_semi_words *w, int64_t row, int64_t column);
spw_semi_word spw_semi_word_of(const spw_semi_words *w, int64_t at);

/* Halves first .. first + count - 1 of at most SPW_SEMI_BLOCK rows; those of the next row are SPW_SEMI_ROW_HALVES behind. In
 * the order of
 * CUTLASS these are whole pairs of words: `first` and `count` are multiples of 2 * halves. */
void spw_semi_get_words(const spw_semi_words *w, const uint16_t *metadata, int64_t row, int64_t rows, int64_t first,
                        int64_t count,
                        uint16_t *halves);
void spw_semi_put_words(const spw_semi_words *w, uint16_t *metadata, int64_t row, int64_t rows, int64_t first, int64_t count,
                        const uint16_t *halves);

/* ---- Groups ------------------------------------------------------------------------------------- */

/* The kernels of a type's width. */
bool spw_semi_groups_fit(const spw_semi_kind *kind, const void *x, int64_t groups, uint32_t other);
int64_t spw_semi_unfit_group(const spw_semi_kind *kind, const void *x, int64_t groups, uint32_t other);
void spw_semi_encode_any(const spw_semi_kind *kind, const void *x, int64_t groups, uint32_t other, void *packed, int8_t *code);
void spw_semi_decode_any(const spw_semi_kind *kind, const void *packed, const int8_t *code, int64_t groups, void *x);

/* ---- Operands ----------------------------------------------------------------------------------- */

/* A 2:4 matrix that was judged. */
typedef struct spw_semi_operand {
  const spw_semi *s;
  spw_semi_kind kind;
  spw_semi_room room;
  spw_semi_words words;
  const char *packed;       /* the first element */
  const uint16_t *metadata; /* the first word */
  int64_t packed_stride;    /* from a row to the next one, in bytes */
  int64_t groups;           /* of a row */
} spw_semi_operand;

/* A dense matrix that was judged. */
typedef struct spw_semi_dense {
  const char *data; /* the first element */
  spw_semi_kind kind;
  int64_t rows, columns;
  int64_t row_stride, column_stride; /* in bytes */
} spw_semi_dense;

/* SPW_OK, SPW_EINVAL, or SPW_EINVALID with the violation. */
spw_status spw_semi_take(const spw_semi *s, spw_semi_operand *o, spw_semi_refusal *refusal);
spw_status spw_semi_take_dense(const spw_tensor *t, spw_dtype *dtype, spw_semi_dense *d, spw_semi_refusal *refusal);

/* Groups first .. first + groups - 1 of a row, in `buffer` where they do not lie side by side. */
const void *spw_semi_dense_chunk(const spw_semi_dense *d, int64_t row, int64_t first, int64_t groups, char *buffer);
/* The same of rows of a 2:4 matrix, decoded; those of the next row are `stride` bytes behind. */
void spw_semi_decode_chunk(const spw_semi_operand *o, int64_t row, int64_t rows, int64_t first, int64_t groups, void *x,
                           int64_t stride);

/* Writes *refusal, which may be null, and returns `status`. */
spw_status spw_semi_refuse(spw_semi_refusal *refusal, spw_status status, spw_semi_obstacle obstacle, int64_t row, int64_t group,
                           int64_t lhs, int64_t rhs);
spw_status spw_semi_refuse_rule(spw_semi_refusal *refusal, spw_status status, const spw_semi_violation *violation);

/* The bytes that a call reads, and those of what it writes. */
bool spw_semi_apart(const void *a, int64_t a_bytes, const void *b, int64_t b_bytes);
/* Bytes from an array's first element on, up to its last. */
int64_t spw_semi_reach(const spw_value_array *a, int64_t scalar);
const void *spw_semi_first(const spw_value_array *a, int64_t scalar);
/* The stride of a dimension, where it matters; otherwise 0 of rows and 1 of columns. */
int64_t spw_semi_stride(const spw_array *a, int dimension);

#endif
