/* SPDX-License-Identifier: Apache-2.0 */
/* A product of two sparse operands, with every number that it is about. */
#ifndef SPW_OPS_SPGEMM_SPGEMM_H
#define SPW_OPS_SPGEMM_SPGEMM_H

#include "distinct.h"
#include "../../operand/operand.h"

/* Rows of `left` by rows of `right`: A and B of CSR. Of CSC they are B and A, for the arrays of a CSC matrix are those of its
 * transpose as CSR, and (A B)' = B' A'. */
typedef struct spw_spgemm_plan {
  spw_operand taken[2];          /* a and b */
  const spw_tensor *left, *right;
  spw_layout layout;
  spw_dtype dtype, index_dtype;
  int64_t scalar;                /* bytes */
  bool wide;
  int64_t batch_dims, batches;
  int64_t rows, inner, columns;  /* of one batch */
  int64_t left_nse, right_nse;
  bool left_packed, right_packed; /* values that do not lie as the kernel reads them */
  bool one_pattern;               /* all batches have the same indices */
  int64_t parts;                  /* that threads share the rows in */
} spw_spgemm_plan;

/* What a thread works in, as long as the columns of the result. */
typedef struct spw_row_work {
  void *sums;
  uint64_t *list, *where;
  uint32_t *met; /* where `where` is, for counting */
  spw_distinct columns;
} spw_row_work;

/* Needed of all batches alike. */
typedef struct spw_spgemm_work {
  char *left_values, *right_values;
  int64_t *first, *done; /* of each part, and behind the last one: its first row, and the elements before it */
  uint32_t *last;        /* of each part: the number of the row that was counted last, UINT32_MAX before the first */
  char *rows;            /* of each part, row_bytes for a spw_row_work */
  int64_t row_bytes, bytes; /* INT64_MAX beyond */
} spw_spgemm_work;

/* What the kernels are given: one matrix each, indices typed by `wide`. */
typedef struct spw_row_products {
  bool wide;
  const void *left_rows, *left_columns, *left_values, *right_rows, *right_columns, *right_values;
  int64_t rows, inner, columns, left_nse, right_nse;
  void *out_rows, *out_columns, *out_values; /* the last two with room for `room` elements */
  int64_t room;
} spw_row_products;

/* Judges the operands where `judged`; whether their layouts, types and shapes fit. */
spw_status spw_spgemm_plan_make(const spw_tensor *a, const spw_tensor *b, bool judged, int threads,
                                spw_spgemm_plan *plan, spw_refusal *refusal);

/* The workspace, at `base`; null: only how long it is. */
spw_spgemm_work spw_spgemm_lay_out(const spw_spgemm_plan *plan, char *base);

/* What part i works in. */
spw_row_work spw_row_work_at(const spw_spgemm_plan *plan, const spw_spgemm_work *work, int64_t i);

/* Multiplications of all batches; INT64_MAX beyond. */
int64_t spw_count_multiplications(const spw_spgemm_plan *plan);

/* How many elements each batch of the result has. SPW_ERANGE: not all the same. */
spw_status spw_count_products(const spw_spgemm_plan *plan, const spw_spgemm_work *work, int64_t *nse, spw_refusal *refusal);

/* Where batch b begins: the indices of an operand. */
void spw_point_at_rows(const spw_spgemm_plan *plan, int64_t b, spw_row_products *p);

/* What rows were counted before, and what was done with their columns since, is forgotten. */
void spw_clear_before_counting(const spw_spgemm_plan *plan, const spw_spgemm_work *work);

/* Elements of a batch, after that, or after another one was counted. Where there are parts, work->first and work->done say where
 * they begin. */
int64_t spw_count_batch(const spw_spgemm_plan *plan, const spw_spgemm_work *work, const spw_row_products *p);

/* Writes rows from .. to - 1 of one batch, before which there are `done` elements; how many there are then, or -1 when there is
 * not room enough. */
int64_t spw_fill_rows(const spw_row_products *p, const spw_row_work *work, spw_dtype dtype, int64_t from, int64_t to,
                      int64_t done);

#endif
