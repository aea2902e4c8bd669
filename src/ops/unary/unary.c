/* SPDX-License-Identifier: Apache-2.0 */
/* The public calls of functions of values: judge, combine duplicates, look whether values fit, copy the pattern, map. */
#include "unary.h"
#include "../../convert/arena.h"
#include "../../convert/buffers.h"
#include "../../convert/indices.h"
#include "../../convert/plan.h"
#include "../../convert/values.h"
#include "../../core/size.h"
#include "../../operand/fits.h"
#include "../../operand/overlap.h"
#include "../../structure/pattern.h"
#include "../../structure/specified.h"

#include <string.h>

typedef struct unary_plan {
  const spw_tensor *t;
  spw_operand taken;
  const spw_function *function;
  spw_form form;
  int64_t scalars;         /* of a cell */
  bool combines;           /* duplicates are combined first */
  spw_specified combined;
  spw_map_how how;
  spw_room room;
} unary_plan;

/* ---- What is asked ---------------------------------------------------------------------------------------- */

static bool sensible(const spw_tensor *t, const spw_unary_request *w)
{
  if (!t || !w || t->layout == SPW_DENSE || !spw_unary_name(w->function)) return false;
  if (w->duplicates < SPW_COMBINE_SUM || w->duplicates > SPW_COMBINE_REFUSE) return false;
  const spw_function *const f = spw_function_get(w->function);
  if (f && f->has_scalar && !w->scalar) return false;
  return w->function != SPW_UNARY_CAST || (w->dtype > SPW_DTYPE_NONE && (int)w->dtype < SPW_DTYPE_COUNT);
}

static spw_status function_fits(unary_plan *plan, const spw_unary_request *w, spw_refusal *refusal)
{
  const spw_dtype dtype = plan->t->values.array.dtype;
  plan->function = spw_function_get(w->function);
  if (!plan->function) return spw_refuse(refusal, SPW_OBSTACLE_ZERO, -1, -1, -1, -1);
  const spw_dtype to = spw_unary_dtype(w->function, dtype);
  if (to == SPW_DTYPE_NONE) return spw_refuse_operand(refusal, 0, SPW_OBSTACLE_TYPES, -1, (int64_t)dtype, -1);
  plan->how.function = plan->function;
  plan->how.from = dtype;
  plan->how.dtype = w->function == SPW_UNARY_CAST ? w->dtype : to;
  if (w->function == SPW_UNARY_NAN_TO_NUM) spw_default_replacements(dtype, w, &plan->how);
  if (!plan->function->has_scalar) return SPW_OK;
  memcpy(plan->how.scalar, w->scalar, (size_t)spw_dtype_size(dtype));
  if (spw_scalar_fits(w->function, dtype, plan->how.scalar)) return SPW_OK;
  int64_t wide[2];
  spw_widen_value(plan->how.scalar, dtype, wide);
  return spw_refuse(refusal, SPW_OBSTACLE_SCALAR, -1, wide[1], wide[0], -1);
}

/* A cast to the same type moves bits. One from reals to complex numbers of the same parts is a sum by parts. */
static bool is_linear(const unary_plan *plan)
{
  return plan->function->linear || (plan->function->result == SPW_RESULT_ASKED && plan->how.from == plan->how.dtype);
}

static int64_t scalars_of(const spw_form *f)
{
  const spw_array *const v = &f->t->values.array;
  const int64_t before = f->batch_dims + 1, n = spw_product(v->shape + before, v->ndim - before);
  return n < 0 ? INT64_MAX : n; /* only where there are no cells */
}

static spw_status plan_make(const spw_tensor *t, const spw_unary_request *wanted, bool judged, unary_plan *plan,
                            spw_refusal *refusal)
{
  if (!sensible(t, wanted)) return SPW_EINVAL;
  memset(plan, 0, sizeof *plan);
  plan->t = t;
  spw_status status = spw_operand_take(t, 0, judged, 1, &plan->taken, refusal);
  if (status == SPW_OK) status = spw_form_of(&plan->taken, &plan->form);
  if (status == SPW_OK) status = function_fits(plan, wanted, refusal);
  if (status != SPW_OK) return status;
  plan->combines = t->layout == SPW_COO && t->coalesced != SPW_CLAIM_YES && !is_linear(plan);
  plan->scalars = scalars_of(&plan->form);
  return SPW_OK;
}

/* ---- Room ------------------------------------------------------------------------------------------------- */

/* Takes the workspace, and combines in it if there is one. */
static spw_status combine(unary_plan *plan, spw_arena *arena, spw_refusal *refusal)
{
  return plan->combines ? spw_specified_make(plan->t, &plan->combined, arena, refusal) : SPW_OK;
}

static spw_status take_room(unary_plan *plan, spw_combine duplicates, spw_refusal *refusal)
{
  spw_arena arena = {NULL, 0};
  spw_status status = SPW_OK;
  if (plan->combines)
    status = spw_specified_size(plan->t, duplicates, plan->t->plain.array.dtype, &plan->combined, refusal);
  if (status == SPW_OK) status = combine(plan, &arena, refusal);
  if (status != SPW_OK) return status;
  plan->room = spw_pattern_room(&plan->form, plan->scalars);
  const spw_room *const r = &plan->room;
  if (r->compressed == INT64_MAX || r->plain == INT64_MAX || r->values == INT64_MAX || !spw_is_object_size(arena.used))
    return spw_refuse_operand(refusal, 2, SPW_OBSTACLE_SIZE, -1, -1, -1);
  plan->room.dtype = plan->how.dtype;
  plan->room.work = (size_t)arena.used;
  return SPW_OK;
}

static spw_status find_room(const spw_tensor *t, const spw_unary_request *wanted, bool judged, spw_room *room,
                            spw_refusal *refusal)
{
  unary_plan plan;
  if (!room) return SPW_EINVAL;
  spw_status status = plan_make(t, wanted, judged, &plan, refusal);
  if (status == SPW_OK) status = take_room(&plan, wanted->duplicates, refusal);
  if (status == SPW_OK) *room = plan.room;
  return status;
}

/* ---- Values ------------------------------------------------------------------------------------------------ */

enum { CHUNK = 512 };

/* What is done with n values that lie in order: number `at` and those behind it. Whether to go on. */
typedef bool take_values(void *context, const void *values, int64_t at, int64_t n);

/* Visits all in row-major order: where they lie if they are in order, otherwise a few at a time, copied. */
static void visit_values(const spw_value_array *values, take_values *take, void *context)
{
  const int64_t n = spw_count_values(&values->array), size = spw_dtype_size(values->array.dtype);
  _Alignas(16) char few[CHUNK * 16];
  if (n == 0) return;
  if (spw_elements_in_order(values)) {
    (void)take(context, spw_value_at(values, values->array.offset), 0, n);
    return;
  }
  const spw_array *const a = &values->array;
  for (int64_t i = 0; i < n; i += CHUNK) {
    const int64_t count = n - i < CHUNK ? n - i : CHUNK;
    for (int64_t k = 0; k < count; k++)
      memcpy(few + k * size, spw_value_at(values, a->offset + spw_position_of(a->shape, a->strides, a->ndim, i + k)),
             (size_t)size);
    if (!take(context, few, i, count)) return;
  }
}

typedef struct misfit {
  const spw_map_how *how;
  int64_t at;      /* -1: all fit */
  int64_t bits[2]; /* an integer; or the parts, as bits of doubles */
} misfit;

static bool look_at_values(void *context, const void *values, int64_t at, int64_t n)
{
  misfit *const m = context;
  const int64_t first = spw_first_misfit(values, n, m->how->from, m->how->dtype), size = spw_dtype_size(m->how->from);
  if (first == n) return true;
  m->at = at + first;
  spw_widen_value((const char *)values + first * size, m->how->from, m->bits);
  return false;
}

/* The first element of the operand that lies where element k of the combined one does. */
static int64_t first_there(const spw_tensor *t, const spw_tensor *combined, int64_t k)
{
  const spw_array *const a = &t->plain.array, *const c = &combined->plain.array;
  for (int64_t i = 0; i < a->shape[1]; i++) {
    int64_t d = 0;
    while (d < a->shape[0] && spw_index_at(&t->plain, a->offset + d * a->strides[0] + i * a->strides[1]) ==
                                  spw_index_at(&combined->plain, c->offset + d * c->strides[0] + k * c->strides[1]))
      d++;
    if (d == a->shape[0]) return i;
  }
  return 0;
}

static spw_status values_fit(const unary_plan *plan, const spw_tensor *from, spw_refusal *refusal)
{
  misfit m = {.how = &plan->how, .at = -1};
  if (plan->function->result != SPW_RESULT_ASKED) return SPW_OK;
  visit_values(&from->values, look_at_values, &m);
  if (m.at < 0) return SPW_OK;
  int64_t place = m.at;
  if (from != plan->t) place = first_there(plan->t, from, m.at / plan->scalars) * plan->scalars + m.at % plan->scalars;
  return spw_refuse(refusal, SPW_OBSTACLE_VALUE, place, m.bits[1], m.bits[0], (int64_t)plan->how.dtype);
}

typedef struct mapping {
  const unary_plan *plan;
  char *out;
} mapping;

static bool map_values(void *context, const void *values, int64_t at, int64_t n)
{
  const mapping *const m = context;
  const spw_map_how *const how = &m->plan->how;
  how->function->kernel[how->from](values, m->out + at * spw_dtype_size(how->dtype), n, how);
  return true;
}

/* ---- Filling ------------------------------------------------------------------------------------------------ */

static spw_status fill(unary_plan *plan, const spw_buffers *b, spw_tensor *result, spw_refusal *refusal)
{
  spw_arena arena = {b->work, 0};
  spw_status status = combine(plan, &arena, refusal);
  const spw_tensor *const from = plan->combines ? plan->combined.t : plan->t;
  if (status == SPW_OK) status = values_fit(plan, from, refusal);
  if (status == SPW_OK && plan->combines) status = spw_form_read(from, &plan->form);
  if (status != SPW_OK) return status;
  spw_room room = spw_pattern_room(&plan->form, plan->scalars);
  mapping m = {plan, b->values};
  spw_tensor made;
  room.dtype = plan->how.dtype;
  spw_pattern_copy(&plan->form, &room, b);
  visit_values(&from->values, map_values, &m);
  spw_pattern_view(&plan->form, &room, b, &made);
  made.values.array.dtype = plan->how.dtype;
  *result = made;
  return SPW_OK;
}

static spw_status map(const spw_tensor *t, const spw_unary_request *wanted, bool judged, const spw_buffers *buffers,
                      spw_tensor *result, spw_refusal *refusal)
{
  unary_plan plan;
  if (!buffers || !result) return SPW_EINVAL;
  spw_status status = plan_make(t, wanted, judged, &plan, refusal);
  if (status == SPW_OK) status = take_room(&plan, wanted->duplicates, refusal);
  if (status != SPW_OK) return status;
  if (!spw_buffers_hold(buffers, &plan.room)) return SPW_EINVAL;
  status = spw_keep_apart(&plan.taken, 1, wanted, (int64_t)sizeof *wanted, buffers, &plan.room, refusal);
  return status == SPW_OK ? fill(&plan, buffers, result, refusal) : status;
}

/* ---- In place ----------------------------------------------------------------------------------------------- */

/* Do values of a tensor lie apart from each other, and from all else of it? */
static bool lie_apart(const spw_tensor *t, int64_t size)
{
  spw_tensor rest = *t;
  spw_memory memory;
  rest.values.data = NULL;
  spw_memory_of(&rest, size, &memory);
  return spw_told_apart(&t->values.array) &&
         !spw_meets(&memory, spw_byte_range_of_array(&t->values.array, t->values.data, size));
}

/* One by one where they do not lie in order. */
static void map_in_place(const unary_plan *plan)
{
  const spw_value_array *const values = &plan->t->values;
  const spw_array *const a = &values->array;
  const spw_map_how *const how = &plan->how;
  const int64_t n = spw_count_values(a), size = spw_dtype_size(a->dtype);
  spw_map *const kernel = plan->function->kernel[how->from];
  _Alignas(16) char one[16];
  if (n == 0) return;
  if (spw_elements_in_order(values)) {
    char *const at = (char *)(uintptr_t)spw_value_at(values, a->offset);
    kernel(at, at, n, how);
    return;
  }
  for (int64_t i = 0; i < n; i++) {
    char *const at = (char *)(uintptr_t)spw_value_at(values, a->offset + spw_position_of(a->shape, a->strides, a->ndim, i));
    memcpy(one, at, (size_t)size);
    kernel(one, one, 1, how);
    memcpy(at, one, (size_t)size);
  }
}

spw_status spw_unary_in_place(const spw_tensor *tensor, const spw_unary_request *wanted, spw_refusal *refusal)
{
  unary_plan plan;
  const spw_status status = plan_make(tensor, wanted, true, &plan, refusal);
  if (status != SPW_OK) return status;
  const spw_dtype from = plan.how.from, to = plan.how.dtype;
  if (from != to) return spw_refuse_operand(refusal, 0, SPW_OBSTACLE_TYPES, -1, (int64_t)from, (int64_t)to);
  if (plan.combines && plan.form.nse > 1) return spw_refuse_operand(refusal, 0, SPW_OBSTACLE_DUPLICATE, -1, -1, -1);
  if (!lie_apart(tensor, spw_dtype_size(from))) return spw_refuse_operand(refusal, 0, SPW_OBSTACLE_OVERLAP, -1, -1, -1);
  map_in_place(&plan);
  return SPW_OK;
}

/* ---- Calls -------------------------------------------------------------------------------------------------- */

spw_status spw_unary_size(const spw_tensor *tensor, const spw_unary_request *wanted, spw_room *room, spw_refusal *refusal)
{
  return find_room(tensor, wanted, true, room, refusal);
}

spw_status spw_unary_size_unchecked(const spw_tensor *tensor, const spw_unary_request *wanted, spw_room *room,
                                    spw_refusal *refusal)
{
  return find_room(tensor, wanted, false, room, refusal);
}

spw_status spw_unary(const spw_tensor *tensor, const spw_unary_request *wanted, const spw_buffers *buffers, spw_tensor *result,
                     spw_refusal *refusal)
{
  return map(tensor, wanted, true, buffers, result, refusal);
}

spw_status spw_unary_unchecked(const spw_tensor *tensor, const spw_unary_request *wanted, const spw_buffers *buffers,
                               spw_tensor *result, spw_refusal *refusal)
{
  return map(tensor, wanted, false, buffers, result, refusal);
}
