/* SPDX-License-Identifier: Apache-2.0 */
/* A reduction of a sparse tensor, with every number that it is about. */
#ifndef SPW_OPS_REDUCE_REDUCE_H
#define SPW_OPS_REDUCE_REDUCE_H

#include "groups.h"
#include "../multiply/product.h"
#include "../../structure/form.h"

/* Elements whose lines are listed before their values are read. */
enum { SPW_REDUCED_PART = 256 };

typedef struct spw_reduce_plan {
  const spw_tensor *a, *b; /* b may be null */
  spw_operand taken[2];    /* both, judged */
  spw_reduction wanted;
  spw_form form;                /* of a */
  spw_dtype dtype;
  int64_t scalar;
  int64_t batch_dims, at_once;  /* batches whose sums are built at once */
  int64_t columns;
  int64_t lines, width;         /* of one batch: sums, before those of a matrix are joined */
  int64_t size[SPW_STRUCTURE_DIMS], ndim; /* of the result */
  bool reads_nothing;           /* nothing is stored, or nothing asked for */
  bool by_groups;               /* matrices of COO: elements are sorted, so that rows that have none cost nothing */
  spw_grouping grouping;
  bool by_lines;                /* each line gathers its sum: the others are built at once, from lists */
  bool lists_given;             /* the index arrays of a are such lists */
  bool a_packed, b_packed;
  spw_dense_lines b_lines;
  spw_room room;                /* of the result, with the workspace */
} spw_reduce_plan;

/* Judges all operands, the sparse one where `judged`; what does not fit; and the room. */
spw_status spw_reduce_plan_make(const spw_tensor *a, const spw_tensor *b, const spw_reduction *wanted, bool judged,
                                spw_reduce_plan *plan, spw_refusal *refusal);

/* The workspace, at `base`; null: only how long it is. Where nothing is stored, none. */
typedef struct spw_reduce_work {
  char *a, *b, *sums;
  int64_t *counts;
  spw_group_work groups;
  int64_t bytes; /* INT64_MAX beyond */
} spw_reduce_work;

spw_reduce_work spw_reduce_lay_out(const spw_reduce_plan *plan, char *base);

/* All values of the result, one behind the other, to `out`. */
void spw_reduce_all(const spw_reduce_plan *plan, const spw_reduce_work *work, void *out);

/* What the kernels are given: lines of a compressed matrix; or n elements, in the order in which they are taken, of which a list
 * says the line, and another one the line of b that each is multiplied with. */
typedef struct spw_fold {
  spw_reduction_kind kind;
  bool wide, whole;             /* the type of the index arrays; are lines taken together? */
  const void *compressed;       /* of `lines` lines */
  const void *line, *inner;     /* of n elements */
  const void *values;
  int64_t n, lines;
  const void *dense;            /* `columns` lines of `width` values; null without b */
  int64_t columns, dense_lead, width;
  void *sums;                   /* `width` for each line */
  int64_t *counts;              /* terms of each line; null for sums, which do not ask */
} spw_fold;

#endif
