/* SPDX-License-Identifier: Apache-2.0 */
/* A reduction over any dimensions, with every number that it is about. */
#ifndef SPW_OPS_REDUCE_DIMS_H
#define SPW_OPS_REDUCE_DIMS_H

#include "groups.h"
#include "../../sparsewright_reduce.h"
#include "../../structure/specified.h"

typedef enum spw_dims_result {
  SPW_DIMS_COPIED = 0, /* the tensor itself */
  SPW_DIMS_KEPT,       /* its pattern, with smaller cells */
  SPW_DIMS_LISTED,     /* COO of the groups */
  SPW_DIMS_DENSE
} spw_dims_result;

typedef struct spw_dims_plan {
  spw_dims_reduction wanted;
  spw_operand taken;
  spw_form form;               /* of what is reduced: of the operand, and then of what it is combined into */
  bool reduced[SPW_STRUCTURE_DIMS];
  int64_t reduced_leading, reduced_dense;
  spw_dims_result result;
  spw_dtype dtype, folded;     /* of the values of the result; in which they are folded */
  spw_grouping grouping;
  bool joined;                 /* a norm of all numbers, for which their order does not matter: all are one item */
  int64_t positions;           /* of a fibre; INT64_MAX beyond */
  int64_t per_item;            /* scalars of an item that are reduced to one */
  int64_t ndim, size[SPW_STRUCTURE_DIMS]; /* of the result */
  /* The operand with values of another type, one behind the other. */
  bool widens;
  spw_tensor wide;
  int64_t strides[SPW_STRUCTURE_DIMS + 1];
  /* The operand without duplicates. */
  bool combines;
  spw_specified combined;
  spw_conversion copy;         /* where the result is the tensor itself */
  spw_room copied;
  spw_room room;
} spw_dims_plan;

/* Judges the operand where `judged`, what does not fit, and the room. The plan points into itself: it stays where it is. */
spw_status spw_dims_plan_make(const spw_tensor *t, const spw_dims_reduction *wanted, bool judged, spw_dims_plan *plan,
                              spw_refusal *refusal);

/* Parts of a workspace, at `base`; null: only how long it is. */
typedef struct spw_dims_work {
  char *wide, *packed;
  spw_arena combined;          /* where that part begins */
  spw_group_work groups;
  void *sums, *copied;
  int64_t bytes; /* INT64_MAX beyond */
} spw_dims_work;

spw_dims_work spw_dims_lay_out(spw_dims_plan *plan, char *base);

/* The groups of what is reduced; false: their keys are too large. */
bool spw_dims_group(spw_dims_plan *plan);

static inline bool spw_dims_is_logical(spw_dims_kind kind)
{
  return kind == SPW_DIMS_ANY || kind == SPW_DIMS_ALL || kind == SPW_DIMS_IS_NONZERO;
}

static inline bool spw_dims_is_norm(spw_dims_kind kind)
{
  return kind >= SPW_DIMS_NORM_0 && kind <= SPW_DIMS_NORM_INF;
}

static inline bool spw_dims_is_place(spw_dims_kind kind)
{
  return kind == SPW_DIMS_ARGMAX || kind == SPW_DIMS_ARGMIN;
}

/* What the kernels are given: items, whose cells of `scalars` become `width` numbers each, and their groups. */
typedef struct spw_dims_fold {
  int how;                     /* a kind of spw_reduction_kind */
  bool joins;                  /* a group with fewer terms than `positions` has +0 among them */
  int64_t positions;
  int64_t divisor;             /* of means, 0: the number of terms */
  const void *values;
  int64_t n, scalars, width, per_item;
  int64_t dims, size[SPW_STRUCTURE_DIMS], stride[SPW_STRUCTURE_DIMS]; /* dense ones that are reduced, */
  int64_t kept, kept_size[SPW_STRUCTURE_DIMS], kept_stride[SPW_STRUCTURE_DIMS]; /* and those that stay */
  const spw_cell *cells;       /* keys, in order, and items; null: each item is a group */
  int64_t levels;
  const int64_t *part;         /* key / part[0] is the group, key / part[l] the indices of l reduced dimensions besides */
  bool dense;                  /* groups have the place of their number */
  void *sums;                  /* levels * width */
} spw_dims_fold;

/* Where number w of an item begins in it. */
static inline int64_t spw_dims_start(const spw_dims_fold *f, int64_t w)
{
  int64_t start = 0;
  if (f->dims == 0) return w;
  for (int64_t d = 0; d < f->kept; d++) {
    start += w % f->kept_size[d] * f->kept_stride[d];
    w /= f->kept_size[d];
  }
  return start;
}

#endif
