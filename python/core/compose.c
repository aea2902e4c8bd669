/* SPDX-License-Identifier: Apache-2.0 */
/* Products, sums and stacks that are made of other operations. */
#include "calls.h"

#include <string.h>

enum { MOST_OBJECTS = 3 };

typedef struct composition {
  const char *kind;
  const spw_tensor *t[MOST_OBJECTS];
  Py_ssize_t count;
  spw_factors factors;
  spw_elementwise_request elementwise;
  size_t limit;
} composition;

static const char *const sums[] = {"add", "subtract", "multiply", "scale", "divide", NULL};
static const char *const reductions[] = {"sum", "mean", "amax", "amin", NULL};
static const char *const added[] = {"addmm", "sspaddmm", "addmm_sparse", NULL};

static spw_status compose(const composition *c, spw_owned **owned, spw_refusal *refusal)
{
  const spw_tensor *const *const t = c->t;
  const int sum = find_word(sums, c->kind), reduction = find_word(reductions, c->kind);
  const bool two = c->count == 2, three = c->count == 3;
  if (sum >= 0) {
    spw_elementwise_request wanted = c->elementwise;
    wanted.kind = (spw_elementwise_kind)sum;
    if (two && sum <= SPW_TIMES) return spw_combine_new(t[0], t[1], &wanted, c->limit, owned, refusal);
    if (c->count == 1 && sum > SPW_TIMES) return spw_elementwise_new(t[0], NULL, &wanted, c->limit, owned, refusal);
  }
  if (two && reduction >= 0) {
    const spw_reduction wanted = {(spw_reduction_kind)reduction, SPW_EACH_ROW};
    return spw_reduce_new(t[0], t[1], &wanted, c->limit, owned, refusal);
  }
  if (two && strcmp(c->kind, "matmul") == 0) return spw_matmul_new(t[0], t[1], c->limit, owned, refusal);
  if (two && strcmp(c->kind, "hspmm") == 0) return spw_hspmm_new(t[0], t[1], c->limit, owned, refusal);
  if (two && strcmp(c->kind, "smm") == 0) return spw_smm_new(t[0], t[1], c->limit, owned, refusal);
  if (c->count >= 2 && strcmp(c->kind, "linear") == 0) return spw_linear_new(t[0], t[1], t[2], c->limit, owned, refusal);
  if (three && strcmp(c->kind, "addmm") == 0)
    return spw_multiply_add_new(t[1], t[2], t[0], &c->factors, c->limit, owned, refusal);
  if (three && strcmp(c->kind, "sampled_addmm") == 0)
    return spw_sampled_multiply_new(t[0], t[1], t[2], &c->factors, c->limit, owned, refusal);
  if (three && strcmp(c->kind, "sspaddmm") == 0)
    return spw_sspaddmm_new(t[0], t[1], t[2], &c->factors, c->limit, owned, refusal);
  if (three && strcmp(c->kind, "addmm_sparse") == 0)
    return spw_multiply_add_sparse_new(t[0], t[1], t[2], &c->factors, c->limit, owned, refusal);
  return SPW_EINVAL;
}

static PyObject *composed(const composition *c)
{
  /* The order of the operands in refusals: A, B and then what is added. */
  const bool adds = find_word(added, c->kind) >= 0, reduces = find_word(reductions, c->kind) >= 0;
  const spw_operation other = find_word(sums, c->kind) >= 0 ? SPW_ANY_OPERATION : SPW_MULTIPLYING;
  const bool samples = strcmp(c->kind, "sampled_addmm") == 0;
  const spw_refused what = {.operation = samples ? SPW_SAMPLING : reduces ? SPW_REDUCING : other,
                            .a = c->t[adds ? 1 : 0],
                            .b = c->t[adds ? 2 : 1],
                            .c = adds ? c->t[0] : c->t[2]};
  spw_owned *owned = NULL;
  spw_refusal refusal;
  spw_status status;
  Py_BEGIN_ALLOW_THREADS status = compose(c, &owned, &refusal);
  Py_END_ALLOW_THREADS return finish(&what, status, &refusal, owned);
}

PyObject *compose_tensors(PyObject *module, PyObject *arguments)
{
  composition c = {.count = 0};
  operand o[MOST_OBJECTS] = {{.count = 0}, {.count = 0}, {.count = 0}};
  char values[2][16];
  const char *duplicates;
  PyObject *objects, *alpha, *beta, *result = NULL;
  Py_ssize_t limit;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "sO!OOsn", &c.kind, &PyTuple_Type, &objects, &alpha, &beta, &duplicates, &limit)) return NULL;
  c.count = PyTuple_Size(objects);
  c.limit = (size_t)limit;
  bool taken = c.count <= MOST_OBJECTS && take_combine(duplicates, &c.elementwise.duplicates) == 0;
  for (Py_ssize_t i = 0; taken && i < c.count; i++) {
    taken = operand_take(&o[i], PyTuple_GetItem(objects, i), true) == 0;
    c.t[i] = &o[i].tensor;
  }
  const spw_dtype dtype = o[0].tensor.values.array.dtype;
  taken = taken && take_number(alpha, dtype, values[0], &c.factors.alpha) == 0 &&
          take_number(beta, dtype, values[1], &c.factors.beta) == 0;
  c.elementwise.scalar = c.factors.alpha;
  if (taken) result = composed(&c);
  for (int i = MOST_OBJECTS - 1; i >= 0; i--) operand_release(&o[i]);
  return result;
}

PyObject *stack_tensors(PyObject *module, PyObject *arguments)
{
  static const char *const kinds[] = {"vstack", "hstack", "dstack", NULL};
  const char *kind;
  PyObject *objects, *result = NULL;
  Py_ssize_t limit;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "sO!n", &kind, &PyTuple_Type, &objects, &limit)) return NULL;
  const Py_ssize_t count = PyTuple_Size(objects);
  operand *const o = PyMem_Calloc((size_t)count + 1, sizeof *o);
  const spw_tensor **const t = PyMem_Calloc((size_t)count + 1, sizeof *t);
  bool taken = o && t;
  if (!taken) PyErr_NoMemory();
  for (Py_ssize_t i = 0; taken && i < count; i++) {
    taken = operand_take(&o[i], PyTuple_GetItem(objects, i), false) == 0;
    t[i] = &o[i].tensor;
  }
  if (taken) {
    spw_owned *owned = NULL;
    spw_refusal refusal;
    const spw_refused what = {.a = count > 0 ? t[0] : NULL};
    const spw_stacking how = (spw_stacking)find_word(kinds, kind);
    const spw_status status = spw_stack_new(t, (int64_t)count, how, (size_t)limit, &owned, &refusal);
    result = finish(&what, status, &refusal, owned);
  }
  for (Py_ssize_t i = 0; o && i < count; i++) operand_release(&o[i]);
  PyMem_Free(o);
  PyMem_Free(t);
  return result;
}
