/* SPDX-License-Identifier: Apache-2.0 */
/* What stands in the way of a step, and what it takes. */
#include "optim.h"
#include "../convert/buffers.h"
#include "../convert/plan.h"
#include "../convert/shape.h"
#include "../convert/values.h"
#include "../core/size.h"
#include "../operand/fits.h"
#include "../operand/overlap.h"

#include <math.h>
#include <string.h>

enum { GRADIENT, MOMENTUM, PARAMETER };

/* ---- Hyper-parameters -------------------------------------------------------------------------- */

static bool is_decay(double x)
{
  return x >= 0 && x < 1;
}

/* The first that is refused; SPW_HYPER_COUNT. `nesterov` is what it was asked with: the dampening, or the momentum. */
static spw_hyper first_refused(const spw_optimisation *how)
{
  const bool sgd = how->kind == SPW_SGD, adam = how->kind == SPW_SPARSE_ADAM;
  if (!(how->lr >= 0)) return SPW_HYPER_LR;
  if (sgd && !(how->momentum >= 0)) return SPW_HYPER_MOMENTUM;
  if (sgd && isnan(how->dampening)) return SPW_HYPER_DAMPENING;
  if (sgd && how->nesterov && !(how->momentum > 0 && how->dampening == 0)) return SPW_HYPER_NESTEROV;
  if (adam && !is_decay(how->beta1)) return SPW_HYPER_BETA1;
  if (adam && !is_decay(how->beta2)) return SPW_HYPER_BETA2;
  if (adam ? !(how->eps > 0) : !sgd && !(how->eps >= 0)) return SPW_HYPER_EPS;
  if (how->kind == SPW_ADAGRAD && !(how->lr_decay >= 0)) return SPW_HYPER_LR_DECAY;
  if (!adam && how->weight_decay != 0) return SPW_HYPER_WEIGHT_DECAY;
  return SPW_HYPER_COUNT;
}

static double number_of(const spw_optimisation *how, spw_hyper number)
{
  const double numbers[SPW_HYPER_COUNT] = {how->lr, how->momentum, how->dampening,
                                           how->dampening != 0 ? how->dampening : how->momentum, how->beta1, how->beta2, how->eps,
                                           how->lr_decay, how->weight_decay};
  return numbers[number];
}

static spw_status judge_numbers(const spw_optimisation *how, spw_refusal *refusal)
{
  const spw_hyper number = first_refused(how);
  if (number == SPW_HYPER_COUNT) return SPW_OK;
  const double value = number_of(how, number);
  int64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return spw_refuse(refusal, SPW_OBSTACLE_SCALAR, number, -1, bits, -1);
}

const char *spw_hyper_name(spw_hyper number)
{
  static const char *const names[SPW_HYPER_COUNT] = {"lr", "momentum", "dampening", "nesterov", "beta1", "beta2", "eps",
                                                     "lr_decay", "weight_decay"};
  return (int)number >= 0 && number < SPW_HYPER_COUNT ? names[number] : NULL;
}

spw_optimisation spw_optimiser_defaults(spw_optimiser kind)
{
  spw_optimisation how = {.kind = kind};
  if (kind == SPW_SGD) how.lr = 1e-3;
  if (kind == SPW_SPARSE_ADAM) how = (spw_optimisation){.kind = kind, .lr = 1e-3, .beta1 = 0.9, .beta2 = 0.999, .eps = 1e-8};
  if (kind == SPW_ADAGRAD) how = (spw_optimisation){.kind = kind, .lr = 1e-2, .eps = 1e-10};
  return how;
}

/* ---- Operands ---------------------------------------------------------------------------------- */

/* A COO tensor with a size. */
static spw_status take(const spw_tensor *t, int number, bool judged, spw_optim_operand *o, spw_refusal *refusal)
{
  const spw_status status = spw_operand_take(t, number, judged, 1, &o->taken, refusal);
  if (status != SPW_OK) return status;
  if (t->layout != SPW_COO) return spw_refuse_operand(refusal, number, SPW_OBSTACLE_LAYOUT, -1, (int64_t)t->layout, SPW_COO);
  if (!t->has_size) return spw_refuse_operand(refusal, number, SPW_OBSTACLE_NO_SIZE, -1, -1, -1);
  return t->ndim > SPW_STRUCTURE_DIMS ? SPW_EUNSUPPORTED : SPW_OK;
}

static spw_status shape_fits(const spw_array *a, const spw_tensor *g, int number, spw_refusal *refusal)
{
  const spw_status status = spw_dims_fit(a->ndim, g->ndim, number, refusal);
  return status == SPW_OK ? spw_batches_fit(a->shape, g->size, g->ndim, number, refusal) : status;
}

static spw_status output_fits(const spw_optim_plan *plan, int which, spw_refusal *refusal)
{
  const spw_output *const o = plan->outputs[which];
  const int number = PARAMETER + which;
  spw_violation first;
  if (!spw_dense_given(&o->array, o->data)) return SPW_EINVAL;
  if (spw_dense_breaks(&o->array, &first)) return spw_refuse_invalid(refusal, number, first);
  if (!spw_told_apart(&o->array)) return spw_refuse_operand(refusal, number, SPW_OBSTACLE_OVERLAP, -1, -1, -1);
  const spw_status status = spw_type_fits(o->array.dtype, plan->dtype, number, refusal);
  return status == SPW_OK ? shape_fits(&o->array, plan->g.taken.t, number, refusal) : status;
}

static spw_status momentum_fits(const spw_optim_plan *plan, spw_refusal *refusal)
{
  const spw_tensor *const g = plan->g.taken.t, *const old = plan->old.taken.t;
  spw_status status = spw_type_fits(old->values.array.dtype, plan->dtype, MOMENTUM, refusal);
  if (status == SPW_OK) status = spw_type_fits(old->plain.array.dtype, g->plain.array.dtype, MOMENTUM, refusal);
  if (status == SPW_OK) status = spw_dims_fit(old->ndim, g->ndim, MOMENTUM, refusal);
  if (status == SPW_OK) status = spw_batches_fit(old->size, g->size, g->ndim, MOMENTUM, refusal);
  const int64_t have = old->plain.array.shape[0], need = plan->sparse_dims;
  return status == SPW_OK ? spw_dims_fit(have, need, MOMENTUM, refusal) : status;
}

static spw_status judge_gradient(spw_optim_plan *plan, spw_refusal *refusal)
{
  const spw_tensor *const g = plan->g.taken.t;
  plan->dtype = g->values.array.dtype;
  if (plan->dtype != SPW_FLOAT32 && plan->dtype != SPW_FLOAT64)
    return spw_refuse_operand(refusal, GRADIENT, SPW_OBSTACLE_TYPES, -1, (int64_t)plan->dtype, -1);
  plan->scalar = spw_dtype_size(plan->dtype);
  plan->sparse_dims = g->plain.array.shape[0];
  plan->cell = spw_product(g->values.array.shape + 1, g->values.array.ndim - 1);
  return SPW_OK;
}

/* Which of the state is needed, and whether it is there. */
static spw_status take_state(spw_optim_plan *plan, const spw_output *parameter, const spw_optimiser_state *state)
{
  const bool adam = plan->how.kind == SPW_SPARSE_ADAM, adagrad = plan->how.kind == SPW_ADAGRAD;
  plan->keeps = plan->how.kind == SPW_SGD && plan->how.momentum != 0;
  plan->combines = adam || adagrad || plan->keeps;
  plan->has_old = plan->keeps && state->momentum;
  plan->outputs[0] = parameter;
  plan->outputs[1] = adam ? state->first : NULL;
  plan->outputs[2] = adam || adagrad ? state->second : NULL;
  return (adam && !state->first) || ((adam || adagrad) && !state->second) ? SPW_EINVAL : SPW_OK;
}

/* ---- Memory ------------------------------------------------------------------------------------ */

/* A copy of the values comes first, of which nothing is read before it is there. */
static spw_status find_specified(spw_optim_operand *o, spw_refusal *refusal)
{
  static const double somewhere = 0; /* aligned as what will lie there */
  const spw_array *const a = &o->taken.t->values.array;
  const int64_t count = spw_count_values(a);
  int64_t stride = 1;
  for (int64_t d = a->ndim - 1; d >= 0; d--) {
    o->strides[d] = stride;
    stride = spw_mul_saturated(stride, a->shape[d]);
  }
  o->packed = *o->taken.t;
  o->packed.values.array.strides = o->strides;
  o->packed.values.array.offset = 0;
  o->packed.values.array.length = count;
  o->packed.values.data = &somewhere;
  return spw_specified_size(&o->packed, SPW_COMBINE_SUM, o->packed.plain.array.dtype, &o->specified, refusal);
}

static int64_t room_of(const spw_optim_operand *o, int64_t scalar, bool combines)
{
  spw_arena arena = {NULL, 0};
  spw_specified s = o->specified;
  (void)spw_take(&arena, o->packed.values.array.length, scalar);
  if (combines) (void)spw_specified_make(&o->packed, &s, &arena, NULL);
  return arena.used;
}

static spw_status find_room(spw_optim_plan *plan, spw_refusal *refusal)
{
  spw_status status = find_specified(&plan->g, refusal);
  if (status == SPW_OK && plan->has_old) status = find_specified(&plan->old, refusal);
  if (status != SPW_OK) return status;
  int64_t bytes = room_of(&plan->g, plan->scalar, plan->combines);
  if (plan->has_old) bytes = spw_add_saturated(bytes, room_of(&plan->old, plan->scalar, true));
  const spw_tensor *const g = plan->g.taken.t;
  int64_t cells = plan->has_old ? spw_add_saturated(plan->g.taken.numbers.nse, plan->old.taken.numbers.nse)
                                : plan->g.taken.numbers.nse;
  spw_room r = {.index_dtype = g->plain.array.dtype, .dtype = plan->dtype};
  if (plan->keeps) {
    r.nse = cells;
    r.dims = g->ndim + 4 + 2 * g->values.array.ndim;
    r.plain = spw_mul_saturated(cells, plan->sparse_dims);
    r.values = spw_mul_saturated(cells, plan->cell);
  }
  if (!spw_is_object_size(bytes) || cells == INT64_MAX || r.plain == INT64_MAX || r.values == INT64_MAX)
    return spw_refuse_operand(refusal, PARAMETER, SPW_OBSTACLE_SIZE, -1, -1, -1);
  if (plan->keeps && r.index_dtype == SPW_INT32 && cells > INT32_MAX)
    return spw_refuse_operand(refusal, PARAMETER, SPW_OBSTACLE_INDEX, -1, cells, INT32_MAX);
  r.work = (size_t)bytes;
  plan->room = r;
  return SPW_OK;
}

/* ---- All of it --------------------------------------------------------------------------------- */

static spw_status judge(spw_optim_plan *plan, const spw_tensor *gradient, const spw_optimiser_state *state, bool judged,
                        spw_refusal *refusal)
{
  spw_status status = take(gradient, GRADIENT, judged, &plan->g, refusal);
  if (status == SPW_OK && plan->has_old) status = take(state->momentum, MOMENTUM, judged, &plan->old, refusal);
  if (status == SPW_OK) status = judge_numbers(&plan->how, refusal);
  if (status == SPW_OK) status = judge_gradient(plan, refusal);
  if (status == SPW_OK && plan->has_old) status = momentum_fits(plan, refusal);
  for (int i = 0; i < SPW_OPTIM_OUTPUTS && status == SPW_OK; i++)
    if (plan->outputs[i]) status = output_fits(plan, i, refusal);
  return status;
}

spw_status spw_optim_plan_make(const spw_output *parameter, const spw_tensor *gradient, const spw_optimisation *how,
                               const spw_optimiser_state *state, bool judged, spw_optim_plan *plan, spw_refusal *refusal)
{
  if (!parameter || !gradient || !how || !state || (int)how->kind < 0 || how->kind > SPW_ADAGRAD || state->step < 0)
    return SPW_EINVAL;
  if (state->step == INT64_MAX) return SPW_EOVERFLOW;
  memset(plan, 0, sizeof *plan);
  plan->how = *how;
  plan->step = state->step + 1;
  spw_status status = take_state(plan, parameter, state);
  if (status == SPW_OK) status = judge(plan, gradient, state, judged, refusal);
  return status == SPW_OK ? find_room(plan, refusal) : status;
}

/* ---- What lies on what ------------------------------------------------------------------------- */

/* Everything that a dense array takes: elements, numbers and struct. */
static void memory_of(const spw_output *o, int64_t scalar, spw_memory *m)
{
  const spw_tensor t = {.layout = SPW_DENSE, .values = {o->array, o->data}};
  spw_memory_of(&t, scalar, m);
  m->ranges[0] = spw_byte_range_of(o, 1, (int64_t)sizeof *o);
}

static spw_byte_range elements_of(const spw_optim_plan *plan, int which)
{
  return spw_byte_range_of_array(&plan->outputs[which]->array, plan->outputs[which]->data, plan->scalar);
}

static bool output_is_apart(const spw_optim_plan *plan, int which, const spw_optimiser_state *state, const spw_buffers *b)
{
  const spw_byte_range own = elements_of(plan, which);
  spw_memory m;
  if (spw_meets(&plan->g.taken.memory, own) || (plan->has_old && spw_meets(&plan->old.taken.memory, own))) return false;
  if (spw_meet(own, spw_byte_range_of(state, 1, (int64_t)sizeof *state)) ||
      spw_meet(own, spw_byte_range_of(b, 1, (int64_t)sizeof *b)))
    return false;
  for (int i = 0; i < SPW_OPTIM_OUTPUTS; i++) {
    if (!plan->outputs[i]) continue;
    memory_of(plan->outputs[i], plan->scalar, &m);
    if (i == which) m.ranges[4] = (spw_byte_range){0, 0}; /* its elements */
    if (spw_meets(&m, own)) return false;
  }
  return true;
}

spw_status spw_optim_apart(const spw_optim_plan *plan, const spw_optimiser_state *state, const spw_buffers *buffers,
                           spw_refusal *refusal)
{
  spw_meeting m = spw_meeting_of(buffers, &plan->room);
  spw_memory outputs[SPW_OPTIM_OUTPUTS], none = {0};
  spw_meeting_add(&m, &plan->g.taken.memory);
  spw_meeting_add(&m, plan->has_old ? &plan->old.taken.memory : &none);
  for (int i = 0; i < SPW_OPTIM_OUTPUTS; i++) {
    outputs[i] = none;
    if (plan->outputs[i]) memory_of(plan->outputs[i], plan->scalar, &outputs[i]);
    spw_meeting_add(&m, &outputs[i]);
  }
  const spw_status status = spw_meeting_end(&m, state, (int64_t)sizeof *state, refusal);
  if (status != SPW_OK) return status;
  for (int i = 0; i < SPW_OPTIM_OUTPUTS; i++)
    if (plan->outputs[i] && !output_is_apart(plan, i, state, buffers))
      return spw_refuse_operand(refusal, PARAMETER + i, SPW_OBSTACLE_OVERLAP, -1, -1, -1);
  return SPW_OK;
}
