/* SPDX-License-Identifier: Apache-2.0 */
/* The public calls of optimisers: the cells of the gradient, and of the momentum, one after the other. */
#include "optim.h"
#include "../convert/buffers.h"
#include "../convert/indices.h"
#include "../convert/shape.h"
#include "../convert/values.h"
#include "../core/size.h"

/* ---- Operands ---------------------------------------------------------------------------------- */

/* Flips what says the sign of each. */
static void negate(char *values, int64_t count, int64_t scalar)
{
  for (int64_t i = 0; i < count; i++) values[(i + 1) * scalar - 1] = (char)(values[(i + 1) * scalar - 1] ^ -128);
}

/* Packs the values, and combines where that is asked for. What is read is then `specified.t`. */
static spw_status read_operand(const spw_optim_plan *plan, spw_optim_operand *o, bool negated, spw_arena *arena,
                               spw_refusal *refusal)
{
  const int64_t count = o->packed.values.array.length;
  char *const values = spw_take(arena, count, plan->scalar);
  if (count > 0) spw_pack_values(&o->taken.t->values, values);
  if (negated) negate(values, count, plan->scalar);
  o->packed.values.data = values;
  o->packed.values.array.strides = o->strides;
  if (!plan->combines) {
    o->specified.t = &o->packed;
    return SPW_OK;
  }
  const spw_status status = spw_specified_make(&o->packed, &o->specified, arena, refusal);
  if (o->specified.as_it_is) o->specified.t = &o->packed;
  return status;
}

static int64_t count_cells(const spw_tensor *t)
{
  return t->plain.array.shape[1];
}

static int64_t index_of(const spw_tensor *t, int64_t d, int64_t k)
{
  const spw_array *const a = &t->plain.array;
  return spw_index_at(&t->plain, a->offset + d * a->strides[0] + k * a->strides[1]);
}

static const char *values_of(const spw_optim_plan *plan, const spw_tensor *t, int64_t k)
{
  const int64_t at = k * plan->cell * plan->scalar;
  return at == 0 ? t->values.data : (const char *)t->values.data + at; /* which may be null */
}

/* ---- Cells ------------------------------------------------------------------------------------- */

/* Do the dense dimensions of an output lie in row-major order? */
static bool lies_in_order(const spw_array *a, int64_t sparse_dims)
{
  int64_t stride = 1;
  for (int64_t d = a->ndim - 1; d >= sparse_dims; d--) {
    if (a->shape[d] != 1 && a->strides[d] != stride) return false;
    stride = spw_mul_saturated(stride, a->shape[d]);
  }
  return true;
}

static spw_optim_cell begin_cells(const spw_optim_plan *plan)
{
  spw_optim_cell c = {.plan = plan, .rates = spw_optim_rates_of(&plan->how, plan->step)};
  for (int i = 0; i < SPW_OPTIM_OUTPUTS; i++)
    c.in_order[i] = plan->outputs[i] && lies_in_order(&plan->outputs[i]->array, plan->sparse_dims);
  return c;
}

static void find_bases(spw_optim_cell *c, const spw_tensor *t, int64_t k)
{
  for (int i = 0; i < SPW_OPTIM_OUTPUTS; i++) {
    if (!c->plan->outputs[i]) continue;
    const spw_array *const a = &c->plan->outputs[i]->array;
    c->base[i] = a->offset;
    for (int64_t d = 0; d < c->plan->sparse_dims; d++) c->base[i] += index_of(t, d, k) * a->strides[d];
  }
}

static void take_cell(spw_optim_cell *c, const spw_tensor *at, int64_t k, const char *g, const char *old, char *kept)
{
  find_bases(c, at, k);
  if (c->plan->dtype == SPW_FLOAT64)
    spw_optim_cell_double(c, (const double *)(const void *)g, (const double *)(const void *)old, (double *)(void *)kept);
  else
    spw_optim_cell_float(c, (const float *)(const void *)g, (const float *)(const void *)old, (float *)(void *)kept);
}

static void take_cells(const spw_optim_plan *plan)
{
  const spw_tensor *const g = plan->g.specified.t;
  const int64_t n = plan->cell > 0 ? count_cells(g) : 0;
  spw_optim_cell c = begin_cells(plan);
  for (int64_t k = 0; k < n; k++) take_cell(&c, g, k, values_of(plan, g, k), NULL, NULL);
}

/* ---- Momentum ---------------------------------------------------------------------------------- */

/* Two canonical operands, and where each of them is. */
typedef struct cursors {
  const spw_tensor *t[2]; /* the gradient and the momentum, or null */
  int64_t at[2], n[2], dims;
} cursors;

static cursors begin(const spw_optim_plan *plan)
{
  cursors c = {.t = {plan->g.specified.t, plan->has_old ? plan->old.specified.t : NULL}, .dims = plan->sparse_dims};
  for (int i = 0; i < 2; i++) c.n[i] = c.t[i] ? count_cells(c.t[i]) : 0;
  return c;
}

static int compare(const cursors *c)
{
  if (c->at[0] == c->n[0]) return 1;
  if (c->at[1] == c->n[1]) return -1;
  for (int64_t d = 0; d < c->dims; d++) {
    const int64_t a = index_of(c->t[0], d, c->at[0]), b = index_of(c->t[1], d, c->at[1]);
    if (a != b) return a < b ? -1 : 1;
  }
  return 0;
}

/* Which of the two have the next position; false at the end. */
static bool next(const cursors *c, bool has[2])
{
  if (c->at[0] == c->n[0] && c->at[1] == c->n[1]) return false;
  const int order = compare(c);
  has[0] = order <= 0;
  has[1] = order >= 0;
  return true;
}

static int64_t count_union(const spw_optim_plan *plan)
{
  int64_t count = 0;
  bool has[2];
  for (cursors c = begin(plan); next(&c, has); count++)
    for (int i = 0; i < 2; i++) c.at[i] += has[i];
  return count;
}

static void take_union(const spw_optim_plan *plan, int64_t count, const spw_buffers *b)
{
  const spw_indices to = {b->plain_i32, b->plain_i64, plan->room.index_dtype == SPW_INT64};
  spw_optim_cell cell = begin_cells(plan);
  cursors c = begin(plan);
  bool has[2];
  for (int64_t k = 0; next(&c, has); k++) {
    const int from = has[0] ? 0 : 1;
    for (int64_t d = 0; d < c.dims; d++) spw_put_index(to, d * count + k, index_of(c.t[from], d, c.at[from]));
    const char *const g = has[0] ? values_of(plan, c.t[0], c.at[0]) : NULL;
    const char *const old = has[1] ? values_of(plan, c.t[1], c.at[1]) : NULL;
    if (plan->cell > 0)
      take_cell(&cell, c.t[from], c.at[from], g, old, (char *)b->values + k * plan->cell * plan->scalar);
    for (int i = 0; i < 2; i++) c.at[i] += has[i];
  }
}

static void view(const spw_optim_plan *plan, int64_t count, const spw_buffers *b, spw_tensor *result)
{
  const spw_tensor *const g = plan->g.taken.t;
  const bool wide = plan->room.index_dtype == SPW_INT64;
  int64_t *dims = b->dims;
  int64_t *const size = spw_take_numbers(&dims, g->ndim);
  const spw_shape indices = spw_take_shape(&dims, 2), values = spw_take_shape(&dims, g->values.array.ndim);
  spw_tensor r = {.layout = SPW_COO, .has_size = true, .ndim = g->ndim, .size = size, .index_dtype = plan->room.index_dtype,
                  .dtype = plan->dtype, .coalesced = SPW_CLAIM_YES};
  for (int64_t d = 0; d < g->ndim; d++) size[d] = g->size[d];
  indices.entries[0] = plan->sparse_dims;
  indices.entries[1] = values.entries[0] = count;
  for (int64_t d = 1; d < g->values.array.ndim; d++) values.entries[d] = g->values.array.shape[d];
  r.plain.array = spw_array_of(plan->room.index_dtype, indices);
  r.plain.i32 = wide ? NULL : b->plain_i32;
  r.plain.i64 = wide ? b->plain_i64 : NULL;
  r.values.array = spw_array_of(plan->dtype, values);
  r.values.data = b->values;
  *result = r;
}

/* ---- Calls ------------------------------------------------------------------------------------- */

static spw_status find_room(const spw_output *p, const spw_tensor *g, const spw_optimisation *how,
                            const spw_optimiser_state *state, bool judged, spw_room *room, spw_refusal *refusal)
{
  spw_optim_plan plan;
  if (!room) return SPW_EINVAL;
  const spw_status status = spw_optim_plan_make(p, g, how, state, judged, &plan, refusal);
  if (status == SPW_OK) *room = plan.room;
  return status;
}

static spw_status optimise(const spw_output *p, const spw_tensor *g, const spw_optimisation *how, spw_optimiser_state *state,
                           bool judged, const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal)
{
  spw_optim_plan plan;
  if (!buffers) return SPW_EINVAL;
  spw_status status = spw_optim_plan_make(p, g, how, state, judged, &plan, refusal);
  if (status != SPW_OK) return status;
  if ((plan.keeps && !result) || !spw_buffers_hold(buffers, &plan.room)) return SPW_EINVAL;
  status = spw_optim_apart(&plan, state, buffers, refusal);
  if (status != SPW_OK) return status;
  spw_arena arena = {buffers->work, 0};
  status = read_operand(&plan, &plan.g, how->maximize, &arena, refusal);
  if (status == SPW_OK && plan.has_old) status = read_operand(&plan, &plan.old, false, &arena, refusal);
  if (status != SPW_OK) return status;
  if (plan.keeps) {
    const int64_t count = count_union(&plan);
    take_union(&plan, count, buffers);
    view(&plan, count, buffers, result);
  } else {
    take_cells(&plan);
  }
  state->step = plan.step;
  return SPW_OK;
}

spw_status spw_optimise_size(const spw_output *parameter, const spw_tensor *gradient, const spw_optimisation *how,
                             const spw_optimiser_state *state, spw_room *room, spw_refusal *refusal)
{
  return find_room(parameter, gradient, how, state, true, room, refusal);
}

spw_status spw_optimise_size_unchecked(const spw_output *parameter, const spw_tensor *gradient, const spw_optimisation *how,
                                       const spw_optimiser_state *state, spw_room *room, spw_refusal *refusal)
{
  return find_room(parameter, gradient, how, state, false, room, refusal);
}

spw_status spw_optimise(const spw_output *parameter, const spw_tensor *gradient, const spw_optimisation *how,
                        spw_optimiser_state *state, const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal)
{
  return optimise(parameter, gradient, how, state, true, buffers, result, refusal);
}

spw_status spw_optimise_unchecked(const spw_output *parameter, const spw_tensor *gradient, const spw_optimisation *how,
                                  spw_optimiser_state *state, const spw_buffers *buffers, spw_tensor *result,
                                  spw_refusal *refusal)
{
  return optimise(parameter, gradient, how, state, false, buffers, result, refusal);
}
