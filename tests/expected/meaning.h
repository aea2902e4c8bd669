/* SPDX-License-Identifier: Apache-2.0 */
/* A second opinion on what tensors mean and on what every conversion of them must give: slow and plain,
 * and sharing nothing with src. */
#ifndef TESTS_MEANING_H
#define TESTS_MEANING_H

#include "../../src/sparsewright.h"

enum {
  MEANING_DIMS = 16,       /* of a tensor, and of a result */
  MEANING_SCALARS = 60000, /* of a tensor or a result that is spelled out */
  MEANING_OBSTACLES = 24
};

static inline bool is_blocked(spw_layout layout)
{
  return layout == SPW_BSR || layout == SPW_BSC;
}

/* ---- Meaning --------------------------------------------------------------------------------- */

/* What one index addresses, apart from blocks: its batch and sparse coordinates, and the scalars of
 * its dense part. */
typedef struct cell {
  int64_t at[MEANING_DIMS];
  int64_t batch, place; /* where it is stored: the k-th element of a batch */
  uint8_t *scalars;
  bool computed;        /* a sum of several */
} cell;

/* The cells of a tensor that is valid up to SPW_STRUCTURE, in order of storage. Of a dense array, every
 * position before the dense dimensions is a cell. */
typedef struct meaning {
  spw_dtype dtype;
  int64_t ndim, size[MEANING_DIMS];
  int64_t leading; /* batch and sparse dimensions */
  int64_t scalars; /* of a cell */
  int64_t count;
  cell *cells;
  uint8_t *memory;
} meaning;

/* False when the tensor has too many dimensions or elements. dense_dims: of a dense array. */
bool meaning_of(const spw_tensor *tensor, int64_t dense_dims, meaning *m);
void meaning_free(meaning *m);

/* By position, and in order of storage where that is the same. */
void meaning_sort(meaning *m);

/* Makes one cell of those at the same position, which meaning_sort has brought together. */
void meaning_combine(meaning *m, spw_combine how);

/* Null where two tensors mean the same by bits, after `how`; else what differs (in static storage). With
 * `dense`, an implicit element is as good as zero bits. What is beyond meaning_of is not compared. */
const char *meaning_difference(const spw_tensor *a, const spw_tensor *b, spw_combine how, bool dense);

/* Where element `number` of a strided array lies, in row-major order. */
int64_t meaning_place(const spw_array *a, int64_t number);

/* How many elements an array has. The product is one modulo 2^64, which is 0 with a size of 0 however large the others are. */
int64_t meaning_count(const spw_array *a);

/* The sum of numbers of dimensions; INT64_MAX where it is greater, as of a tensor that is not valid. */
int64_t meaning_ndim(const spw_numbers *n);

/* The dimensions of a tensor that is valid; without a size those that its arrays give. */
int64_t meaning_dims(const spw_tensor *tensor);

/* ---- Conversions ----------------------------------------------------------------------------- */

/* What a conversion may answer, and what its result is. */
typedef struct expected {
  unsigned statuses;    /* bits 1u << -status; 0: beyond what is spelled out here, nothing is said */
  spw_report report;    /* where SPW_EINVALID is among them, of a sparse tensor */
  int obstacles;        /* where SPW_ERANGE is: any of these; -1 in place and other: not told */
  spw_refusal obstacle[MEANING_OBSTACLES];
  bool late;            /* only the values or the order tell: spw_convert_size may not see it */
  int64_t batches, *cells_of_batch; /* of SPW_OBSTACLE_BATCHES: the cells of each batch */
  bool from_dense;
  bool room_known, room_exact;
  spw_room room;        /* lengths but of dims; where not exact, at least these, */
  spw_room room_most;   /* and at most these */
  bool has_result;      /* where SPW_OK is: the result is small enough */
  bool any_nse;         /* without batches, nse is what it is */
  int64_t of_no_batch;  /* then a result is refused, too, if indices cannot number so many cells; 0: they can */
  spw_tensor result;    /* canonical, all arrays row-major without gaps */
  int64_t numbers[5 * MEANING_DIMS];
  int64_t strides[3][MEANING_DIMS + 1], shapes[3][MEANING_DIMS + 1]; /* in place of two sparse dimensions: nse, b0, b1 */
  void *memory[3];      /* compressed, plain, values */
  bool *computed;       /* of each scalar of the values */
} expected;

/* What converting must give. The tensor is one that the checker does not refuse with SPW_EINVAL. */
void expected_conversion(const spw_tensor *tensor, const spw_conversion *wanted, expected *e);
void expected_free(expected *e);

/* Null, or what is wrong (in static storage) with an answer: a status with its refusal, of either call. */
const char *wrong_answer(const expected *e, spw_status status, const spw_refusal *refusal, bool of_size);

/* Null, or what is wrong with the room. */
const char *wrong_room(const expected *e, const spw_room *room);

/* Null, or the first difference between the expected and the actual result: size, shapes, strides,
 * indices, values by bits, claim. */
const char *wrong_result(const expected *e, const spw_tensor *actual);

#endif
