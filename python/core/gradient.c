/* SPDX-License-Identifier: Apache-2.0 */
/* Gradients of operations, and steps of optimisers. */
#include "calls.h"

#include <string.h>

enum { MOST_OPERANDS = 3 };

/* ---- Gradients ----------------------------------------------------------------------------------- */

typedef struct gradient_call {
  const char *kind;
  const spw_tensor *t[MOST_OPERANDS + 1]; /* and the upstream gradient */
  Py_ssize_t count;
  spw_vjp_request how;
  int64_t *dims, dims_count;
  bool every; /* dimension */
  bool keepdim;
  const void *scalar;
  size_t limit;
} gradient_call;

static const char *const sums[] = {"add", "subtract", "multiply", "scale", "divide", NULL};
static const char *const reductions[] = {"sum", "mean", "mean_dense", "amax", "amin", "max", "min", "any", "all",
                                         "norm0", "norm1", "norm2", "norm_inf", NULL};
static const char *const products[] = {"mm_sum", "mm_mean", "mm_amax", "mm_amin", NULL};
static const char *const solves[] = {"solve_lower", "solve_upper", "spsolve", NULL};
static const char *const normal[] = {"softmax", "log_softmax", NULL};

static spw_status of_one(const gradient_call *c, spw_owned **made, spw_refusal *refusal)
{
  const spw_tensor *const a = c->t[0], *const g = c->t[1];
  const spw_conversion coo = {.layout = SPW_COO, .batch_dims = -1, .dense_dims = -1};
  const int reduction = find_word(reductions, c->kind), softmax = find_word(normal, c->kind);
  const int function = spw_unary_from_name(c->kind), sum = find_word(sums, c->kind);
  if (strcmp(c->kind, "convert") == 0) return spw_vjp_convert_new(a, &coo, g, &c->how, c->limit, made, refusal);
  if (strcmp(c->kind, "permute") == 0) {
    if (c->dims_count != a->ndim) return SPW_EINVAL;
    return spw_vjp_permute_new(a, c->dims, g, &c->how, c->limit, made, refusal);
  }
  if (reduction >= 0) {
    const spw_dims_reduction wanted = {.kind = (spw_dims_kind)reduction, .dims = c->every ? NULL : c->dims,
                                       .count = c->dims_count, .keepdim = c->keepdim};
    return spw_vjp_reduce_dims_new(a, &wanted, g, &c->how, c->limit, made, refusal);
  }
  if (softmax >= 0) {
    const spw_softmax_request wanted = {.dim = c->dims_count == 1 ? c->dims[0] : -1, .logarithm = softmax};
    return spw_vjp_softmax_new(a, &wanted, g, &c->how, c->limit, made, refusal);
  }
  if (sum > SPW_TIMES) {
    const spw_elementwise_request wanted = {.kind = (spw_elementwise_kind)sum, .scalar = c->scalar};
    return spw_vjp_elementwise_new(a, NULL, &wanted, g, &c->how, c->limit, made, refusal);
  }
  if (function < 0) return SPW_EINVAL;
  const spw_unary_request wanted = {.function = (spw_unary_function)function, .scalar = c->scalar};
  return spw_vjp_unary_new(a, &wanted, g, &c->how, c->limit, made, refusal);
}

static spw_status of_two(const gradient_call *c, spw_owned **made, spw_refusal *refusal)
{
  const spw_tensor *const a = c->t[0], *const b = c->t[1], *const g = c->t[2];
  const int sum = find_word(sums, c->kind), product = find_word(products, c->kind), solve = find_word(solves, c->kind);
  const spw_factors alpha = {.alpha = c->scalar};
  if (sum >= 0 && sum <= SPW_TIMES) {
    const spw_elementwise_request wanted = {.kind = (spw_elementwise_kind)sum, .scalar = c->scalar};
    return spw_vjp_elementwise_new(a, b, &wanted, g, &c->how, c->limit, made, refusal);
  }
  if (product >= 0) {
    const spw_reduction wanted = {(spw_reduction_kind)product, SPW_EACH_ROW};
    return spw_vjp_reduce_new(a, b, &wanted, g, &c->how, c->limit, made, refusal);
  }
  if (solve >= 0) {
    const spw_triangle wanted = {.upper = solve == 1};
    return spw_vjp_solve_triangular_new(a, b, solve == 2 ? NULL : &wanted, g, &c->how, c->limit, made, refusal);
  }
  if (strcmp(c->kind, "kron") == 0) return spw_vjp_kron_new(a, b, g, &c->how, c->limit, made, refusal);
  if (strcmp(c->kind, "linear") == 0) return spw_vjp_linear_new(a, b, NULL, g, &c->how, c->limit, made, refusal);
  if (strcmp(c->kind, "matmul") != 0) return SPW_EINVAL;
  if (!c->scalar) return spw_vjp_matmul_new(a, b, g, &c->how, c->limit, made, refusal);
  if (a->layout != SPW_DENSE && b->layout != SPW_DENSE)
    return spw_vjp_multiply_sparse_new(a, b, NULL, &alpha, g, &c->how, c->limit, made, refusal);
  return spw_vjp_multiply_new(a, b, &alpha, g, &c->how, c->limit, made, refusal);
}

static spw_status of_three(const gradient_call *c, spw_owned **made, spw_refusal *refusal)
{
  const spw_factors alpha = {.alpha = c->scalar};
  const spw_tensor *const *const t = c->t;
  if (strcmp(c->kind, "linear") == 0) return spw_vjp_linear_new(t[0], t[1], t[2], t[3], &c->how, c->limit, made, refusal);
  if (strcmp(c->kind, "sampled_addmm") != 0) return SPW_EINVAL;
  return spw_vjp_sampled_multiply_new(t[0], t[1], t[2], &alpha, t[3], &c->how, c->limit, made, refusal);
}

static PyObject *differentiated(const gradient_call *c)
{
  const spw_operation operation = c->count == 3 ? SPW_SAMPLING : SPW_ANY_OPERATION;
  const spw_refused what = {.operation = operation, .a = c->t[0], .b = c->t[1], .c = c->t[2]};
  spw_owned *owned = NULL;
  spw_refusal refusal;
  spw_status status;
  Py_BEGIN_ALLOW_THREADS if (c->count == 1) status = of_one(c, &owned, &refusal);
  else status = c->count == 2 ? of_two(c, &owned, &refusal) : of_three(c, &owned, &refusal);
  Py_END_ALLOW_THREADS if (strcmp(c->kind, "spsolve") == 0 && solver_is_missing(status)) return NULL;
  return finish(&what, status, &refusal, owned);
}

PyObject *core_gradient(PyObject *module, PyObject *arguments)
{
  gradient_call c = {.count = 0};
  operand o[MOST_OPERANDS + 1] = {{.count = 0}, {.count = 0}, {.count = 0}, {.count = 0}};
  char value[16];
  PyObject *objects, *dims, *scalar, *result = NULL;
  int values, full, keepdim;
  Py_ssize_t limit;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "sO!ippOpOn", &c.kind, &PyTuple_Type, &objects, &c.how.operand, &values, &full, &dims,
                        &keepdim, &scalar, &limit))
    return NULL;
  c.count = PyTuple_Size(objects) - 1;
  c.how.values = values;
  c.how.full = full;
  c.keepdim = keepdim;
  c.limit = (size_t)limit;
  c.every = dims == Py_None;
  if (c.count < 1 || c.count > MOST_OPERANDS)
    return PyErr_SetString(PyExc_ValueError, "a gradient has one to three operands"), NULL;
  if (!c.every) c.dims = take_numbers(dims, &c.dims_count);
  bool taken = c.every || c.dims;
  for (Py_ssize_t i = 0; taken && i <= c.count; i++) {
    taken = operand_take(&o[i], PyTuple_GetItem(objects, i), true) == 0;
    c.t[i] = &o[i].tensor;
  }
  taken = taken && take_number(scalar, o[0].tensor.values.array.dtype, value, &c.scalar) == 0;
  if (taken) result = differentiated(&c);
  for (int i = MOST_OPERANDS; i >= 0; i--) operand_release(&o[i]);
  PyMem_Free(c.dims);
  return result;
}

/* ---- Optimisers ---------------------------------------------------------------------------------- */

/* An array that is written to; null of None. */
static int take_output(operand *o, PyObject *object, spw_output *out, const spw_output **at)
{
  if (object == Py_None) return 0;
  if (operand_take(o, object, true) != 0) return -1;
  const part *const p = &o->parts[0];
  if (o->tensor.layout != SPW_DENSE || (p->viewed && p->view.readonly)) {
    PyErr_SetString(PyExc_TypeError, "a parameter and its state are dense arrays that can be written to");
    return -1;
  }
  *out = (spw_output){p->array, (void *)(uintptr_t)p->data};
  *at = out;
  return 0;
}

typedef struct step_taken {
  operand o[5];
  spw_output out[3];
  const spw_output *parameter, *first, *second;
  spw_optimisation how;
  spw_optimiser_state state;
  spw_buffers buffers;
  void *memory[4];
} step_taken;

static PyObject *refused_step(spw_status status, const spw_refusal *refusal)
{
  char text[512];
  if (status == SPW_ENOMEM) return PyErr_NoMemory();
  spw_optimise_refusal_text(status, refusal, text, sizeof text);
  PyErr_SetString(status == SPW_EINVALID ? invalid_error() : refused_error(), text);
  return NULL;
}

static bool take_buffers(step_taken *s)
{
  const spw_room *const r = &s->buffers.room;
  const bool wide = r->index_dtype == SPW_INT64;
  const size_t sizes[4] = {r->work, (size_t)r->dims * 8, (size_t)r->plain * 8,
                           r->values > 0 ? (size_t)r->values * (size_t)spw_dtype_size(r->dtype) : 0};
  for (int i = 0; i < 4; i++)
    if (!(s->memory[i] = PyMem_Malloc(sizes[i] + 1))) return false;
  s->buffers.work = s->memory[0];
  s->buffers.dims = s->memory[1];
  s->buffers.plain_i64 = wide ? s->memory[2] : NULL;
  s->buffers.plain_i32 = wide ? NULL : s->memory[2];
  s->buffers.values = s->memory[3];
  return true;
}

/* (steps done, the new momentum or None) */
static PyObject *step(step_taken *s)
{
  const spw_making clone = {.kind = SPW_MAKE_CLONE};
  spw_tensor result;
  const spw_tensor *const momentum = &result, *const g = &s->o[1].tensor;
  spw_owned *owned = NULL;
  spw_refusal refusal;
  const bool keeps = s->how.kind == SPW_SGD && s->how.momentum != 0;
  spw_status status = spw_optimise_size(s->parameter, g, &s->how, &s->state, &s->buffers.room, &refusal);
  if (status == SPW_OK && !take_buffers(s)) status = SPW_ENOMEM;
  if (status == SPW_OK) status = spw_optimise(s->parameter, g, &s->how, &s->state, &s->buffers, &result, &refusal);
  if (status == SPW_OK && keeps) status = spw_make_new(&momentum, 1, &clone, 0, &owned, &refusal);
  if (status != SPW_OK) return refused_step(status, &refusal);
  if (!keeps) return Py_BuildValue("(LO)", (long long)s->state.step, Py_None);
  PyObject *const tuple = tuple_of(owned);
  return tuple ? Py_BuildValue("(LN)", (long long)s->state.step, tuple) : NULL;
}

PyObject *core_optimise(PyObject *module, PyObject *arguments)
{
  static const char *const kinds[] = {"sgd", "sparse_adam", "adagrad", NULL};
  PyObject *parameter, *gradient, *first, *second, *momentum, *result = NULL;
  const char *kind;
  long long steps;
  int maximize, nesterov;
  step_taken *const s = PyMem_Calloc(1, sizeof *s);
  (void)module;
  if (!s) return PyErr_NoMemory();
  spw_optimisation *const how = &s->how;
  bool taken = PyArg_ParseTuple(arguments, "sOOOOOLpp(dddddddd)", &kind, &parameter, &gradient, &first, &second, &momentum,
                                &steps, &maximize, &nesterov, &how->lr, &how->momentum, &how->dampening, &how->beta1,
                                &how->beta2, &how->eps, &how->lr_decay, &how->weight_decay);
  taken = taken && take_output(&s->o[0], parameter, &s->out[0], &s->parameter) == 0 &&
          operand_take(&s->o[1], gradient, false) == 0 && take_output(&s->o[2], first, &s->out[1], &s->first) == 0 &&
          take_output(&s->o[3], second, &s->out[2], &s->second) == 0 &&
          (momentum == Py_None || operand_take(&s->o[4], momentum, false) == 0);
  if (taken) {
    how->kind = (spw_optimiser)find_word(kinds, kind);
    how->maximize = maximize;
    how->nesterov = nesterov;
    s->state = (spw_optimiser_state){steps, momentum == Py_None ? NULL : &s->o[4].tensor, s->first, s->second};
    result = step(s);
  }
  for (int i = 0; i < 4; i++) PyMem_Free(s->memory[i]);
  for (int i = 4; i >= 0; i--) operand_release(&s->o[i]);
  PyMem_Free(s);
  return result;
}
