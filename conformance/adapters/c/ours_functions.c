/* SPDX-License-Identifier: Apache-2.0 */
/* sparsewright's functions of values, reductions over dimensions, pieces and triangular systems. */
#include "ours_call.h"

#include <string.h>

/* ---- Each value by itself ---------------------------------------------------------------------- */

static spw_status measure_unary(const ours_call *c, spw_room *room, spw_refusal *refusal)
{
  return spw_unary_size(c->pointers[0], &c->unary, room, refusal);
}

static spw_status fill_unary(const ours_call *c, const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal)
{
  return spw_unary(c->pointers[0], &c->unary, buffers, result, refusal);
}

static void map_values(ours_call *c, kit_answer *answer)
{
  const kit_question *const q = c->q;
  const int function = q->operation == KIT_CAST ? SPW_UNARY_CAST : spw_unary_from_name(q->function);
  if (function < 0) {
    kit_unsupported(answer, "no such function");
    return;
  }
  c->unary.function = (spw_unary_function)function;
  c->unary.dtype = q->dtype;
  if (q->operation == KIT_UNARY) c->unary.scalar = ours_value_of(c->pointers[0]->values.array.dtype, q->alpha);
  ours_make(c, measure_unary, fill_unary, answer);
}

static spw_status measure_softmax(const ours_call *c, spw_room *room, spw_refusal *refusal)
{
  return spw_softmax_size(c->pointers[0], &c->softmax, room, refusal);
}

static spw_status fill_softmax(const ours_call *c, const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal)
{
  return spw_softmax(c->pointers[0], &c->softmax, buffers, result, refusal);
}

/* ---- Over a dimension -------------------------------------------------------------------------- */

static spw_status measure_dims(const ours_call *c, spw_room *room, spw_refusal *refusal)
{
  return spw_reduce_dims_size(c->pointers[0], &c->dims, room, refusal);
}

static spw_status fill_dims(const ours_call *c, const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal)
{
  return spw_reduce_dims(c->pointers[0], &c->dims, buffers, result, refusal);
}

static void reduce(ours_call *c, kit_answer *answer)
{
  static const struct {
    const char *name;
    spw_dims_kind kind;
  } known[] = {{"mean", SPW_DIMS_MEAN},     {"amax", SPW_DIMS_AMAX}, {"amin", SPW_DIMS_AMIN},     {"max", SPW_DIMS_MAX},
               {"min", SPW_DIMS_MIN},       {"any", SPW_DIMS_ANY},   {"all", SPW_DIMS_ALL},       {"argmax", SPW_DIMS_ARGMAX},
               {"argmin", SPW_DIMS_ARGMIN}, {"norm", SPW_DIMS_NORM_2}};
  size_t k = 0;
  while (k < sizeof known / sizeof *known && strcmp(c->q->function, known[k].name) != 0) k++;
  if (k == sizeof known / sizeof *known) {
    kit_unsupported(answer, "no such reduction");
    return;
  }
  c->dims = (spw_dims_reduction){.kind = known[k].kind, .dims = &c->q->dim, .count = 1};
  ours_make(c, measure_dims, fill_dims, answer);
}

static spw_status measure_nonzero(const ours_call *c, spw_room *room, spw_refusal *refusal)
{
  return spw_nonzero_size(c->pointers[0], room, refusal);
}

static spw_status fill_nonzero(const ours_call *c, const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal)
{
  return spw_nonzero(c->pointers[0], buffers, result, refusal);
}

/* ---- Pieces and products ------------------------------------------------------------------------ */

static spw_status measure_making(const ours_call *c, spw_room *room, spw_refusal *refusal)
{
  return spw_make_size(c->pointers, c->count, &c->making, room, refusal);
}

static spw_status fill_making(const ours_call *c, const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal)
{
  return spw_make(c->pointers, c->count, &c->making, buffers, result, refusal);
}

/* In memory of the library's own, which sums duplicates first. */
static void kron(ours_call *c, kit_answer *answer)
{
  spw_owned *owned = NULL;
  spw_refusal refusal;
  c->making.kind = SPW_MAKE_KRON;
  ours_add_operand(c, ours_guarded(c->q->other));
  const spw_status status = spw_make_new(c->pointers, c->count, &c->making, LARGEST_COPY, &owned, &refusal);
  ours_answer_owned(c, status, owned, &refusal, answer);
}

static void linear(ours_call *c, kit_answer *answer)
{
  const spw_tensor x = ours_dense(&c->q->x), bias = ours_dense(&c->q->dense);
  spw_owned *owned = NULL;
  spw_refusal refusal;
  const spw_status status = spw_linear_new(&x, c->pointers[0], &bias, LARGEST_COPY, &owned, &refusal);
  ours_answer_owned(c, status, owned, &refusal, answer);
}

/* Dense. */
static void add_dense(ours_call *c, kit_answer *answer)
{
  const spw_tensor dense = ours_dense(&c->q->dense);
  spw_owned *owned = NULL;
  spw_refusal refusal;
  const spw_status status = spw_combine_new(c->pointers[0], &dense, &c->elementwise, LARGEST_COPY, &owned, &refusal);
  ours_answer_owned(c, status, owned, &refusal, answer);
}

/* ---- Triangular systems ------------------------------------------------------------------------- */

static spw_status measure_triangle(const ours_call *c, spw_room *room, spw_refusal *refusal)
{
  return spw_solve_triangular_size(c->pointers[0], c->pointers[1], &c->triangle, room, refusal);
}

static spw_status fill_triangle(const ours_call *c, const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal)
{
  return spw_solve_triangular(c->pointers[0], c->pointers[1], &c->triangle, buffers, result, refusal);
}

/* ---- Operations --------------------------------------------------------------------------------- */

bool ours_map(ours_call *c, kit_answer *answer)
{
  const kit_question *const q = c->q;
  switch (q->operation) {
  case KIT_UNARY: case KIT_CAST: return map_values(c, answer), true;
  case KIT_SOFTMAX:
    c->softmax.dim = q->dim;
    return ours_make(c, measure_softmax, fill_softmax, answer), true;
  case KIT_REDUCE: return reduce(c, answer), true;
  case KIT_NONZERO: return ours_make(c, measure_nonzero, fill_nonzero, answer), true;
  case KIT_TRIANGLE:
    c->making.kind = strcmp(q->function, "tril") == 0 ? SPW_MAKE_LOWER : SPW_MAKE_UPPER;
    c->making.diagonal = q->index;
    return ours_make(c, measure_making, fill_making, answer), true;
  case KIT_KRON: return kron(c, answer), true;
  case KIT_ADD_DENSE: return add_dense(c, answer), true;
  case KIT_LINEAR: return linear(c, answer), true;
  case KIT_TRIANGULAR_SOLVE:
    c->triangle = (spw_triangle){.upper = q->upper, .transpose = q->transposed, .unit = q->unit};
    ours_add_operand(c, ours_dense(&q->x));
    return ours_make(c, measure_triangle, fill_triangle, answer), true;
  default: return false;
  }
}
