/* SPDX-License-Identifier: Apache-2.0 */
/* The public calls of triangular systems. */
#include "triangle.h"
#include "../../convert/buffers.h"
#include "../../convert/indices.h"
#include "../../convert/plan.h"
#include "../../convert/shape.h"
#include "../../convert/values.h"
#include "../../core/size.h"
#include "../../operand/overlap.h"

#define PIVOT_OF(type, name) \
  case type: return wide ? spw_first_pivot_##name##_64(t, stored) : spw_first_pivot_##name##_32(t, stored);
#define SUBSTITUTE(type, name)                                                  \
  case type:                                                                    \
    if (wide) spw_substitute_##name##_64(t, x, width);                          \
    else spw_substitute_##name##_32(t, x, width);                               \
    break;

static int64_t first_pivot(const spw_triangle_lines *t, spw_dtype dtype, bool wide, bool *stored)
{
  switch (dtype) {
  SPW_EACH_TRIANGLE(PIVOT_OF)
  default: return -1;
  }
}

static void substitute(const spw_triangle_lines *t, spw_dtype dtype, bool wide, void *x, int64_t width)
{
  switch (dtype) {
  SPW_EACH_TRIANGLE(SUBSTITUTE)
  default: break;
  }
}

/* ---- Plans --------------------------------------------------------------------------------------- */

typedef struct solve_work {
  spw_arena made;
  void *starts; /* of a batch of COO */
  int64_t bytes;
} solve_work;

static solve_work lay_out(const spw_triangle_plan *plan, char *base)
{
  solve_work w = {.starts = NULL};
  spw_arena arena = {base, 0};
  const spw_room *const made = plan->converts ? &plan->converted : &plan->combined.room;
  w.made = arena;
  if (plan->converts || (plan->a->layout == SPW_COO && !plan->combined.as_it_is)) {
    (void)spw_take_buffers(&arena, made);
    (void)spw_take_bytes(&arena, made->work);
  }
  if (plan->a->layout == SPW_COO) w.starts = spw_take(&arena, spw_add_saturated(plan->n, 1), sizeof(int64_t));
  w.bytes = arena.used;
  return w;
}

/* Is there a number to solve for, or a diagonal to look at? */
static bool solves_nothing(const spw_triangle_plan *plan)
{
  return plan->n == 0 || plan->batches == 0 || (plan->wanted.unit && plan->width == 0);
}

static spw_status read_conversion(spw_triangle_plan *plan, spw_refusal *refusal)
{
  const spw_tensor *const a = plan->a;
  if (solves_nothing(plan)) return SPW_OK;
  if (a->layout == SPW_COO) return spw_specified_size(a, SPW_COMBINE_SUM, SPW_INT64, &plan->combined, refusal);
  plan->converts = spw_has_blocks(a->layout);
  const spw_conversion to = {.layout = a->layout == SPW_BSR ? SPW_CSR : SPW_CSC, .batch_dims = -1, .dense_dims = -1,
                             .index_dtype = SPW_INT64};
  plan->to = to;
  return plan->converts ? spw_convert_size_unchecked(a, &plan->to, &plan->converted, refusal) : SPW_OK;
}

static spw_status make_plan(const spw_tensor *a, const spw_tensor *b, const spw_triangle *wanted, bool judged,
                            spw_triangle_plan *plan, spw_refusal *refusal)
{
  spw_status status = spw_triangle_fits(a, b, wanted, judged, plan, refusal);
  if (status == SPW_OK) status = read_conversion(plan, refusal);
  if (status != SPW_OK) return status;
  const bool nothing = solves_nothing(plan);
  const int64_t bytes = nothing ? 0 : lay_out(plan, NULL).bytes, values = spw_count_values(&b->values.array);
  if (values == INT64_MAX || !spw_is_object_size(bytes))
    return spw_refuse_operand(refusal, 2, SPW_OBSTACLE_SIZE, -1, -1, -1);
  plan->room.dtype = plan->dtype;
  plan->room.dims = 2 * b->values.array.ndim;
  plan->room.values = values;
  plan->room.work = (size_t)bytes;
  return SPW_OK;
}

/* ---- Lines --------------------------------------------------------------------------------------- */

/* What is said of all batches: a line of the layout is a row of A, or a column. */
static spw_triangle_lines lines_of(const spw_triangle_plan *plan)
{
  const bool rows = plan->a->layout != SPW_CSC, gathers = rows != plan->transposed;
  const spw_triangle_lines t = {.plain_step = 1, .step = spw_dtype_size(plan->dtype), .n = plan->n, .gathers = gathers,
                                .above = plan->upper == gathers, .unit = plan->wanted.unit, .conjugate = plan->conjugate};
  return t;
}

static int64_t batch_start(const spw_array *a, int64_t dims, int64_t batch)
{
  return a->offset + (batch == 0 ? 0 : spw_position_of(a->shape, a->strides, dims, batch));
}

static void read_compressed(const spw_triangle_plan *plan, int64_t batch, spw_triangle_lines *t)
{
  const spw_tensor *const a = plan->a;
  const spw_array *const v = &a->values.array;
  const int64_t B = plan->batch_dims;
  t->starts = spw_indices_at(&a->compressed, batch_start(&a->compressed.array, B, batch));
  if (v->shape[B] == 0) return; /* no element, whose place may be anything */
  t->plain = spw_indices_at(&a->plain, batch_start(&a->plain.array, B, batch));
  t->values = spw_value_at(&a->values, batch_start(v, B, batch));
  t->step = spw_dtype_size(plan->dtype) * (v->shape[B] > 1 ? v->strides[B] : 1);
}

/* The number of the batch that element k of COO is in. */
static int64_t batch_of(const spw_triangle_plan *plan, int64_t k)
{
  const spw_array *const p = &plan->a->plain.array;
  int64_t batch = 0;
  for (int64_t d = 0; d < plan->batch_dims; d++)
    batch = batch * plan->a->size[d] + spw_index_at(&plan->a->plain, p->offset + d * p->strides[0] + k * p->strides[1]);
  return batch;
}

/* The elements of the batch begin at *k, and the next ones behind. */
static void read_coordinates(const spw_triangle_plan *plan, int64_t batch, int64_t *k, spw_indices starts, spw_triangle_lines *t)
{
  const spw_tensor *const a = plan->a;
  const spw_array *const p = &a->plain.array, *const v = &a->values.array;
  const int64_t nse = p->shape[1], B = plan->batch_dims, first = *k;
  int64_t line = 0;
  for (; *k < nse && batch_of(plan, *k) == batch; (*k)++) {
    const int64_t row = spw_index_at(&a->plain, p->offset + B * p->strides[0] + *k * p->strides[1]);
    while (line <= row) spw_put_index(starts, line++, *k - first);
  }
  while (line <= plan->n) spw_put_index(starts, line++, *k - first);
  t->starts = spw_indices_data(starts);
  if (*k == first) return;
  t->plain = spw_indices_at(&a->plain, p->offset + (B + 1) * p->strides[0] + first * p->strides[1]);
  t->plain_step = p->strides[1];
  t->values = spw_value_at(&a->values, v->offset + first * v->strides[0]);
  t->step = spw_dtype_size(plan->dtype) * (nse > 1 ? v->strides[0] : 1);
}

/* ---- Solving ------------------------------------------------------------------------------------- */

typedef struct solving {
  const spw_triangle_plan *plan;
  spw_indices starts; /* of COO; of its index type, which holds nse */
  int64_t k;
  bool wide;
} solving;

static spw_triangle_lines read_batch(solving *s, int64_t batch)
{
  spw_triangle_lines t = lines_of(s->plan);
  if (s->plan->a->layout == SPW_COO)
    read_coordinates(s->plan, batch, &s->k, s->starts, &t);
  else
    read_compressed(s->plan, batch, &t);
  return t;
}

static spw_status judge_pivots(solving *s, spw_refusal *refusal)
{
  const spw_triangle_plan *const plan = s->plan;
  for (int64_t batch = 0; batch < plan->batches && !plan->wanted.unit; batch++) {
    const spw_triangle_lines t = read_batch(s, batch);
    bool stored = false;
    const int64_t row = first_pivot(&t, plan->dtype, s->wide, &stored);
    if (row >= 0) return spw_refuse(refusal, SPW_OBSTACLE_PIVOT, row, batch, stored, -1);
  }
  s->k = 0;
  return SPW_OK;
}

/* A right side of its own for each row of X, or all of them side by side. */
static void solve_batch(solving *s, int64_t batch, char *x)
{
  const spw_triangle_plan *const plan = s->plan;
  const spw_triangle_lines t = read_batch(s, batch);
  const int64_t bytes = spw_dtype_size(plan->dtype) * plan->n;
  const bool apart = plan->wanted.right && !plan->vector;
  for (int64_t j = 0; j < (apart ? plan->width : 1); j++)
    substitute(&t, plan->dtype, s->wide, x + j * bytes, apart ? 1 : plan->width);
}

static spw_status prepare(spw_triangle_plan *plan, solve_work *work, spw_refusal *refusal)
{
  spw_status status = SPW_OK;
  if (plan->converts) {
    spw_buffers b = spw_take_buffers(&work->made, &plan->converted);
    b.work = spw_take_bytes(&work->made, plan->converted.work);
    status = spw_convert_unchecked(plan->a, &plan->to, &b, &plan->made, refusal);
    plan->a = &plan->made;
  } else if (plan->a->layout == SPW_COO) {
    status = spw_specified_make(plan->a, &plan->combined, &work->made, refusal);
    plan->a = plan->combined.t;
  }
  return status;
}

static spw_status solve_all(spw_triangle_plan *plan, const spw_buffers *buffers, spw_refusal *refusal)
{
  solve_work work = lay_out(plan, buffers->work);
  spw_status status = prepare(plan, &work, refusal);
  if (status != SPW_OK) return status;
  const bool wide = plan->a->plain.array.dtype == SPW_INT64;
  solving s = {plan, {work.starts, work.starts, wide}, 0, wide};
  status = judge_pivots(&s, refusal);
  if (status != SPW_OK) return status;
  const int64_t step = spw_dtype_size(plan->dtype) * plan->n * plan->width;
  if (plan->room.values > 0) spw_pack_values(&plan->b->values, buffers->values);
  for (int64_t batch = 0; batch < plan->batches && plan->room.values > 0; batch++)
    solve_batch(&s, batch, (char *)buffers->values + batch * step);
  return SPW_OK;
}

static spw_status solve(const spw_tensor *a, const spw_tensor *b, const spw_triangle *wanted, bool judged,
                        const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal)
{
  spw_triangle_plan plan;
  if (!buffers || !result) return SPW_EINVAL;
  spw_status status = make_plan(a, b, wanted, judged, &plan, refusal);
  if (status != SPW_OK) return status;
  if (!spw_buffers_hold(buffers, &plan.room)) return SPW_EINVAL;
  status = spw_keep_apart(plan.operands, 2, wanted, (int64_t)sizeof *wanted, buffers, &plan.room, refusal);
  if (status == SPW_OK && !solves_nothing(&plan)) status = solve_all(&plan, buffers, refusal);
  if (status != SPW_OK) return status;
  const spw_array *const sides = &plan.b->values.array;
  *result = spw_dense_result(plan.dtype, sides->ndim, sides->shape, buffers->dims, buffers->values);
  return SPW_OK;
}

static spw_status find_room(const spw_tensor *a, const spw_tensor *b, const spw_triangle *wanted, bool judged, spw_room *room,
                            spw_refusal *refusal)
{
  spw_triangle_plan plan;
  if (!room) return SPW_EINVAL;
  const spw_status status = make_plan(a, b, wanted, judged, &plan, refusal);
  if (status == SPW_OK) *room = plan.room;
  return status;
}

/* ---- Calls --------------------------------------------------------------------------------------- */

spw_status spw_solve_triangular_size(const spw_tensor *a, const spw_tensor *b, const spw_triangle *wanted, spw_room *room,
                                     spw_refusal *refusal)
{
  return find_room(a, b, wanted, true, room, refusal);
}

spw_status spw_solve_triangular_size_unchecked(const spw_tensor *a, const spw_tensor *b, const spw_triangle *wanted,
                                               spw_room *room, spw_refusal *refusal)
{
  return find_room(a, b, wanted, false, room, refusal);
}

spw_status spw_solve_triangular(const spw_tensor *a, const spw_tensor *b, const spw_triangle *wanted, const spw_buffers *buffers,
                                spw_tensor *result, spw_refusal *refusal)
{
  return solve(a, b, wanted, true, buffers, result, refusal);
}

spw_status spw_solve_triangular_unchecked(const spw_tensor *a, const spw_tensor *b, const spw_triangle *wanted,
                                          const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal)
{
  return solve(a, b, wanted, false, buffers, result, refusal);
}
