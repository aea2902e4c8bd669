/* SPDX-License-Identifier: Apache-2.0 */
/* A conversion, with every number that it is about. */
#ifndef SPW_CONVERT_PLAN_H
#define SPW_CONVERT_PLAN_H

#include "../sparsewright.h"

/* What travels with an index through the kernels: a value's bits, where a cell is one scalar of 4 or 8
 * bytes; else its place among the values, which are fetched at the end. */
typedef enum spw_payload { SPW_BITS32, SPW_BITS64, SPW_PLACES } spw_payload;

/* Sizes of both sides. A *scalar* is an element of the dense part, an *element* what one position of the
 * sparse part has (`width` scalars), a *cell* what one stored index addresses: an element, or a block. */
typedef struct spw_plan {
  const spw_tensor *t;
  spw_conversion to; /* every default filled in */
  const int64_t *size; /* of the source, once it is written down; null: before */
  spw_dtype dtype;   /* of the values */
  int64_t scalar;    /* bytes */
  int64_t width;     /* scalars of an element */
  spw_payload payload;

  /* the source */
  int64_t ndim, sparse_dims, dense_dims; /* sparse_dims: all but the dense ones */
  int64_t batches, C, P, nse;            /* compressed and COO; nse of each batch */
  int64_t rows, columns;                 /* of the last two sparse dimensions; else 1 */
  int64_t block[2];                      /* 1, 1 where the source has no blocks */
  bool opaque;                           /* blocks stay what they are: they are moved as cells of `moved` scalars */
  int64_t moved;                         /* scalars of what a payload stands for: an element, or such a block */
  int64_t element_bytes, moved_bytes;    /* of an element, and of `moved` scalars; 0 where there are no values */
  bool packed;                           /* the values have to be packed first */
  bool rows_as_they_are;                 /* cells of other widths, from dense to CSR: no places are fetched from */
  bool ordered;                          /* COO: sorted and without duplicates by its claim */

  /* the result */
  int64_t out_batches, out_block[2], out_C, out_P;
  bool made;   /* a compressed source goes through sorted cells, as COO does, and not line by line */
  int64_t cap; /* cells of each batch at most; -1: not counted yet */
  int threads; /* at most, 1 or more; the result is the same for any number */
} spw_plan;

/* Do the shapes of the source leave no element? What else they say may be beyond all bounds then. */
bool spw_holds_nothing(const spw_plan *plan);

/* May a position be stored more than once? */
bool spw_may_repeat(const spw_plan *plan);

/* 0 and 1: rows and columns; of the layout's compressed dimension. */
int spw_major_of(spw_layout layout);
bool spw_has_blocks(spw_layout layout);

/* Of the transposed matrix, over the same arrays: CSR and CSC, BSR and BSC; COO stays. */
spw_layout spw_transposed_layout(spw_layout layout);
bool spw_is_compressed(spw_layout layout);

/* Size of dimension d of the source; a COO dimension that no size gives is read off the indices. */
int64_t spw_size_entry(const spw_plan *plan, int64_t d);

/* More than one element? */
bool spw_is_block(const int64_t block[2]);

/* The product of the first `dims` entries of the size; INT64_MAX beyond. */
int64_t spw_size_product(const spw_plan *plan, int64_t dims);

/* How many payloads a cell of the result has: the elements of its block, unless blocks are opaque. */
int64_t spw_payloads_of_cell(const spw_plan *plan);
size_t spw_payload_size(spw_payload payload);

/* Elements, or opaque blocks, of one batch of a compressed source. */
int64_t spw_source_elements(const spw_plan *plan);

/* Judges the tensor, with at most so many threads; of a compressed one that is made canonical, no order is asked. SPW_OK,
 * SPW_EINVAL, SPW_EOVERFLOW, or SPW_EINVALID with the violation. */
spw_status spw_convert_judge(const spw_tensor *tensor, bool canonicalize, int threads, spw_refusal *refusal);

/* The first of several that is not to be taken; where it is invalid, refusal->other is its number. */
spw_status spw_convert_judge_all(const spw_tensor *const *operands, int64_t count, spw_refusal *refusal);

/* The first of rules 1.5, 3.12, 3.11 and 3.14 that a dense array breaks, in the order in which they guard each other;
 * SPW_RULE_NONE. */
spw_violation spw_dense_violation(const spw_array *a);

/* Everything of *plan but `cap`. SPW_EINVAL: the request makes no sense; SPW_ERANGE: it is refused. */
spw_status spw_plan_make(const spw_tensor *tensor, const spw_conversion *wanted, spw_plan *plan, spw_refusal *refusal);

/* plan->cap, for which cells may have to be counted. */
spw_status spw_plan_count(spw_plan *plan, spw_refusal *refusal);

/* The lengths that a plan with its cap needs. SPW_ERANGE: beyond what can be numbered. */
spw_status spw_plan_room(const spw_plan *plan, spw_room *room, spw_refusal *refusal);

/* What spw_convert_unchecked takes of these buffers, which may be for fewer cells than there could be. SPW_EINVAL: more than
 * can be numbered; else as it. */
spw_status spw_convert_within(const spw_tensor *tensor, const spw_conversion *wanted, const spw_buffers *buffers, spw_room *need,
                              spw_refusal *refusal);

/* Does the index type hold C, P or sizes, and nse of the result (1.6)? */
spw_status spw_fits_index(const spw_plan *plan, int64_t nse, spw_refusal *refusal);

/* SPW_ERANGE (SPW_EINVALID for a rule) with what stands in the way. */
spw_status spw_refuse(spw_refusal *refusal, spw_obstacle obstacle, int64_t place, int64_t other, int64_t lhs, int64_t rhs);
/* Of operand 0 or 1, ..., or of the result. */
spw_status spw_refuse_operand(spw_refusal *refusal, int operand, spw_obstacle obstacle, int64_t place, int64_t lhs, int64_t rhs);

#endif
