/* SPDX-License-Identifier: Apache-2.0 */
/* spw_restructure and spw_permute, spw_transpose: parts, unions and dimensions of tensors. */
#include "calls.h"
#include "judge.h"

#include <stdlib.h>
#include <string.h>

/* In the order of spw_structure_kind. */
static const char *const kinds[] = {"select",    "narrow",    "index_select", "cat",        "stack",
                                    "unsqueeze", "broadcast", "resize",       "sparse_mask"};
enum { KINDS = sizeof kinds / sizeof *kinds, MOST_OPERANDS = 1024 };

static PyObject *restructured(const spw_tensor *const *operands, int64_t count, const spw_structure *wanted, Py_ssize_t limit)
{
  spw_owned *owned = NULL;
  spw_refusal refusal;
  spw_status status;
  Py_BEGIN_ALLOW_THREADS status = spw_restructure_new(operands, count, wanted, (size_t)limit, &owned, &refusal);
  Py_END_ALLOW_THREADS
  const int64_t named = status == SPW_EINVALID && refusal.other >= 0 && refusal.other < count ? refusal.other : 0;
  const spw_refused what = {.operation = SPW_RESTRUCTURING, .a = operands[named]};
  return finish(&what, status, &refusal, owned);
}

/* Takes all objects of a sequence, or as many as it can. */
static PyObject *restructure_all(PyObject *objects, Py_ssize_t count, const spw_structure *wanted, Py_ssize_t limit)
{
  operand *const taken = calloc((size_t)count, sizeof *taken);
  const spw_tensor **const operands = calloc((size_t)count, sizeof *operands);
  PyObject *result = NULL;
  Py_ssize_t n = 0;
  if (!taken || !operands) PyErr_NoMemory();
  while (taken && operands && n < count) {
    PyObject *const object = PySequence_GetItem(objects, n);
    const int failed = !object || operand_take(&taken[n], object, wanted->kind == SPW_SPARSE_MASK) != 0;
    operands[n] = &taken[n].tensor;
    n++;
    Py_XDECREF(object); /* the operand holds the arrays that it needs */
    if (failed) break;
  }
  if (taken && operands && !PyErr_Occurred()) result = restructured(operands, count, wanted, limit);
  for (Py_ssize_t i = 0; taken && i < n; i++) operand_release(&taken[i]);
  free(operands);
  free(taken);
  return result;
}

static int take_kind(const char *name, spw_structure_kind *kind)
{
  for (int i = 0; i < KINDS; i++)
    if (strcmp(name, kinds[i]) == 0) return *kind = (spw_structure_kind)i, 0;
  PyErr_Format(PyExc_ValueError, "'%s' is no structure operation", name);
  return -1;
}

PyObject *core_restructure(PyObject *module, PyObject *arguments)
{
  const char *kind, *duplicates;
  PyObject *objects, *list;
  long long dim, start, length;
  Py_ssize_t limit;
  spw_structure wanted = {.count = 0};
  (void)module;
  if (!PyArg_ParseTuple(arguments, "sOLLLOsn", &kind, &objects, &dim, &start, &length, &list, &duplicates, &limit)) return NULL;
  const Py_ssize_t count = PySequence_Size(objects);
  if (count < 0 || take_kind(kind, &wanted.kind) != 0 || take_combine(duplicates, &wanted.duplicates) != 0) return NULL;
  if (count < 1 || count > MOST_OPERANDS)
    return PyErr_Format(PyExc_ValueError, "1 to %d tensors are needed, not %zd", MOST_OPERANDS, count);
  int64_t *const numbers = list == Py_None ? NULL : take_numbers(list, &wanted.count);
  if (list != Py_None && !numbers) return NULL;
  wanted.dim = dim;
  wanted.start = start;
  wanted.length = length;
  wanted.numbers = numbers;
  PyObject *const result = restructure_all(objects, count, &wanted, limit);
  PyMem_Free(numbers);
  return result;
}

/* ---- Orders of dimensions ------------------------------------------------------------------------ */

/* A copy of a view, which is to outlive the operand. */
static PyObject *copied(const spw_tensor *view, Py_ssize_t limit)
{
  const spw_making clone = {.kind = SPW_MAKE_CLONE};
  spw_owned *owned = NULL;
  spw_refusal refusal;
  spw_status status;
  Py_BEGIN_ALLOW_THREADS status = spw_make_new(&view, 1, &clone, (size_t)limit, &owned, &refusal);
  Py_END_ALLOW_THREADS
  const spw_refused what = {.operation = SPW_PERMUTING, .a = view};
  return finish(&what, status, &refusal, owned);
}

static PyObject *transposed(const spw_tensor *t, Py_ssize_t limit)
{
  int64_t dims[3 * MOST_DIMS];
  spw_tensor view;
  const spw_status status = spw_transpose(t, dims, 3 * MOST_DIMS, &view);
  const spw_refused what = {.operation = SPW_PERMUTING, .a = t};
  return status == SPW_OK ? copied(&view, limit) : raise_refused(&what, status, NULL);
}

/* The buffers of a permutation lie one after the other: dims, and the rows of indices of COO. */
static PyObject *permuted_in(const spw_tensor *t, const int64_t *order, const spw_room *room, Py_ssize_t limit)
{
  spw_refusal refusal;
  spw_tensor view;
  const spw_refused what = {.operation = SPW_PERMUTING, .a = t};
  const size_t dims = (size_t)room->dims * sizeof(int64_t);
  char *const memory = malloc(dims + (size_t)room->plain * sizeof(int64_t) + 1);
  if (!memory) return PyErr_NoMemory();
  void *const plain = memory + dims;
  const spw_buffers buffers = {.dims = (int64_t *)(void *)memory,
                               .plain_i32 = room->index_dtype == SPW_INT32 ? plain : NULL,
                               .plain_i64 = room->index_dtype == SPW_INT32 ? NULL : plain,
                               .room = *room};
  const spw_status status = spw_permute(t, order, &buffers, &view, &refusal);
  PyObject *const result = status == SPW_OK ? copied(&view, limit) : raise_refused(&what, status, &refusal);
  free(memory);
  return result;
}

static PyObject *permuted(const spw_tensor *t, const int64_t *order, Py_ssize_t limit)
{
  spw_refusal refusal;
  spw_room room;
  const spw_refused what = {.operation = SPW_PERMUTING, .a = t};
  const spw_status status = spw_permute_size(t, order, &room, &refusal);
  return status == SPW_OK ? permuted_in(t, order, &room, limit) : raise_refused(&what, status, &refusal);
}

/* order: null for the last two sparse dimensions of a compressed layout, or those of COO of two dimensions. */
static PyObject *reordered(const spw_tensor *t, const int64_t *order, int64_t count, Py_ssize_t limit)
{
  static const int64_t swapped[] = {1, 0};
  const long long ndim = t->has_size ? (long long)t->ndim : -1;
  if (!order && t->layout != SPW_COO) return transposed(t, limit);
  if (!order && ndim == 2) return permuted(t, swapped, limit);
  if (order && count == ndim) return permuted(t, order, limit);
  if (order)
    return PyErr_Format(PyExc_ValueError, "an order of %lld dimensions is given, and the tensor has %lld", (long long)count,
                        ndim);
  return PyErr_Format(PyExc_ValueError, "a COO tensor of %lld dimensions needs an order", ndim);
}

PyObject *core_permute(PyObject *module, PyObject *arguments)
{
  PyObject *object, *list;
  Py_ssize_t limit;
  int64_t count = 0, *order = NULL;
  operand o;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "OOn", &object, &list, &limit)) return NULL;
  if (list != Py_None && !(order = take_numbers(list, &count))) return NULL;
  PyObject *const result = operand_take(&o, object, false) == 0 ? reordered(&o.tensor, order, count, limit) : NULL;
  operand_release(&o);
  PyMem_Free(order);
  return result;
}
