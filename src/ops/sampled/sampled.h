/* SPDX-License-Identifier: Apache-2.0 */
/* A product of two dense operands at the positions of a sparse one, with every number that it is about. */
#ifndef SPW_OPS_SAMPLED_SAMPLED_H
#define SPW_OPS_SAMPLED_SAMPLED_H

#include "../multiply/product.h"
#include "../../structure/form.h"

/* rows by depth, depth by columns, in each batch. */
typedef struct spw_sampled_plan {
  const spw_tensor *s, *a, *b;
  spw_operand taken[3]; /* all three, judged */
  spw_form form; /* of s */
  spw_dtype dtype;
  int64_t scalar;
  int64_t batch_dims, batches;    /* of the dense operands */
  int64_t rows, columns, depth;
  int64_t cells;                  /* elements of a block */
  bool s_packed, a_packed, b_packed;
  spw_dense_lines a_lines, b_lines; /* rows of A, columns of B */
  int64_t b_across, b_down;         /* from a column of B to the next, and down one */
  int mode;
  bool reads_nothing;
  spw_factors how;
  char alpha[16], beta[16];
  spw_room room;                  /* of the result, with the workspace */
} spw_sampled_plan;

/* What the kernel is given: rows of a CSR matrix, indices typed by `wide`, lines of A, and B. */
typedef struct spw_sampled_rows {
  bool wide;
  const void *compressed, *plain, *s, *a, *b;
  int64_t rows, columns, depth, nse, a_lead, b_across, b_down;
  void *out; /* as many as s */
  int mode;
  bool reads_nothing;
  const void *alpha, *beta; /* null: 1 */
} spw_sampled_rows;

/* Judges all operands, the sparse one where `judged`; what does not fit; and the room. */
spw_status spw_sampled_plan_make(const spw_tensor *s, const spw_tensor *a, const spw_tensor *b, const spw_factors *how,
                                 bool judged, spw_sampled_plan *plan, spw_refusal *refusal);

/* The workspace, at `base`; null: only how long it is. */
typedef struct spw_sampled_work {
  char *s, *a, *b;
  int64_t bytes; /* INT64_MAX beyond */
} spw_sampled_work;

spw_sampled_work spw_sampled_lay_out(const spw_sampled_plan *plan, char *base);

/* All values of the result, one behind the other, to `out`. */
void spw_sample(const spw_sampled_plan *plan, const spw_sampled_work *work, char *out);

#endif
