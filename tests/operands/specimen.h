/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors made for the tests of the checker: valid ones of any form, and random changes to them. */
#ifndef TESTS_SPECIMEN_H
#define TESTS_SPECIMEN_H

#include "../../src/sparsewright.h"

#define SPECIMEN_NDIM 8
#define SPECIMEN_ELEMENTS 512

/* A repeatable stream of numbers (splitmix64). */
typedef struct dice {
  uint64_t state;
} dice;

uint64_t roll(dice *d);
int64_t roll_below(dice *d, int64_t sides); /* 0 .. sides-1 */
int64_t roll_extreme(dice *d);              /* small numbers and the ends of the integer types */

/* How batches lie in the storage of the index arrays. */
typedef enum spread {
  SPREAD_PACKED,  /* row-major */
  SPREAD_PADDED,  /* a gap after each batch, and an offset */
  SPREAD_TURNED,  /* the first batch dimension varies fastest */
  SPREAD_SHARED,  /* batch strides 0: one structure for all */
  SPREAD_COUNT
} spread;

/* What to make. Compressed layouts: C, P, nse, and the rest as named; COO: sparse_dim and size. */
typedef struct plan {
  spw_layout layout;
  spw_dtype index_dtype;
  spread spread;
  bool has_size;
  bool declares;   /* index_dtype and dtype */
  spw_claim coalesced;
  int64_t batch_ndim, batch[3];
  int64_t C, P, nse;
  int64_t block[2];
  int64_t dense_ndim, dense[2];
  int64_t sparse_dim, sparse_size[3]; /* COO */
  bool scattered; /* COO: cells in any order, some of them more than once; then not coalesced */
} plan;

/* A tensor and all that it points to; `tensor` points into the struct itself, so do not copy it. */
typedef struct specimen {
  spw_tensor tensor;
  int64_t size[SPECIMEN_NDIM];
  int64_t shape[3][SPECIMEN_NDIM];   /* compressed, plain, values */
  int64_t strides[3][SPECIMEN_NDIM];
  int32_t i32[2][SPECIMEN_ELEMENTS]; /* compressed, plain */
  int64_t i64[2][SPECIMEN_ELEMENTS];
} specimen;

enum { LARGEST_BLOCK = 6 }; /* beyond every width that a kernel knows */

/* Some plan that specimen_make can carry out. */
plan plan_random(dice *d);

/* A valid tensor, canonical too unless it is scattered. Its storage around the elements is filled with -7. */
void specimen_make(specimen *s, const plan *p, dice *d);

/* Element `i` of batch number `batch` of the compressed (which = 0) or plain (which = 1) indices;
 * in COO element i = d * nse + k of the indices. */
int64_t specimen_get(const specimen *s, int which, int64_t batch, int64_t i);
void specimen_set(specimen *s, int which, int64_t batch, int64_t i, int64_t value);

/* The same tensor with null for every pointer that nothing lies behind, as callers may have it. */
spw_tensor specimen_with_nulls(const spw_tensor *tensor);

/* One change somewhere, mostly for the worse; the call to spw_check stays allowed. */
void specimen_disturb(specimen *s, dice *d);

#endif
