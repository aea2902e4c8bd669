/* SPDX-License-Identifier: Apache-2.0 */
/* Are two tensors the same, and is a product right? For tests. */
#include "judge.h"

#include <stdlib.h>

/* ---- The same meaning ------------------------------------------------------------------------ */

static PyObject *bits_or_none(const void *value, spw_dtype dtype)
{
  if (value) return PyBytes_FromStringAndSize(value, (Py_ssize_t)spw_dtype_size(dtype));
  Py_RETURN_NONE;
}

/* None, or the tuple (kind, position, bits in a, bits in b): "size", "type", "value". */
static PyObject *difference_tuple(const spw_tensor *a, const spw_first_difference *first, const int64_t *position, int64_t count)
{
  static const char *const kinds[] = {"", "size", "type", "value"};
  if (first->kind == SPW_NO_DIFFERENCE) Py_RETURN_NONE;
  const bool valued = first->kind == SPW_OTHER_VALUE;
  PyObject *const place = PyTuple_New(valued ? (Py_ssize_t)count : 0);
  for (int64_t d = 0; place && valued && d < count; d++) {
    PyObject *const index = PyLong_FromLongLong(position[d]);
    if (!index || PyTuple_SetItem(place, (Py_ssize_t)d, index) != 0) {
      Py_DECREF(place);
      return NULL;
    }
  }
  if (!place) return NULL;
  const spw_dtype dtype = a->values.array.dtype;
  return Py_BuildValue("(sNNN)", kinds[first->kind], place, bits_or_none(valued ? first->a : NULL, dtype),
                       bits_or_none(valued ? first->b : NULL, dtype));
}

static PyObject *raise_of(const spw_tensor *a, const spw_tensor *b, spw_status status, const spw_refusal *refusal)
{
  const spw_refused what = {.operation = SPW_ANY_OPERATION, .a = a, .b = b};
  return raise_refused(&what, status, refusal);
}

/* A tensor without a size has the dimensions that its arrays give. */
static int64_t dimensions_of(const spw_tensor *t)
{
  spw_numbers n;
  if (t->layout == SPW_DENSE) return t->values.array.ndim;
  if (t->has_size || spw_numbers_of(t, &n) != SPW_OK) return t->ndim;
  return n.batch_dims + n.sparse_dims + n.dense_dims;
}

/* In memory for the workspace and then for the position. */
static PyObject *compare_in(void *memory, size_t bytes, const spw_tensor *a, const spw_tensor *b, spw_combine duplicates,
                            bool as_dense)
{
  const int64_t count = dimensions_of(a);
  int64_t *const position = (int64_t *)((char *)memory + bytes);
  spw_first_difference first;
  spw_refusal refusal;
  spw_status status;
  Py_BEGIN_ALLOW_THREADS status =
      spw_same_meaning(a, b, duplicates, as_dense, memory, bytes, position, count, &first, &refusal);
  Py_END_ALLOW_THREADS
  return status == SPW_OK ? difference_tuple(a, &first, position, count) : raise_of(a, b, status, &refusal);
}

static PyObject *compare(const spw_tensor *a, const spw_tensor *b, spw_combine duplicates, bool as_dense, Py_ssize_t limit)
{
  spw_refusal refusal;
  size_t bytes = 0;
  spw_status status;
  Py_BEGIN_ALLOW_THREADS status = spw_same_meaning_size(a, b, duplicates, &bytes, &refusal);
  Py_END_ALLOW_THREADS
  if (status != SPW_OK) return raise_of(a, b, status, &refusal);
  bytes = (bytes + 7) / 8 * 8; /* positions lie behind, aligned */
  const size_t all = bytes + (size_t)dimensions_of(a) * sizeof(int64_t) + 1;
  void *const memory = limit > 0 && all > (size_t)limit ? NULL : malloc(all);
  if (!memory) return PyErr_NoMemory();
  PyObject *const result = compare_in(memory, bytes, a, b, duplicates, as_dense);
  free(memory);
  return result;
}

PyObject *core_difference(PyObject *module, PyObject *arguments)
{
  PyObject *first, *second, *result = NULL;
  const char *duplicates;
  int as_dense;
  Py_ssize_t limit;
  spw_combine combine;
  operand a = {.count = 0}, b = {.count = 0};
  (void)module;
  if (!PyArg_ParseTuple(arguments, "OOspn", &first, &second, &duplicates, &as_dense, &limit) ||
      take_combine(duplicates, &combine) != 0)
    return NULL;
  if (operand_take(&a, first, true) == 0 && operand_take(&b, second, true) == 0)
    result = compare(&a.tensor, &b.tensor, combine, as_dense, limit);
  operand_release(&b);
  operand_release(&a);
  return result;
}

/* ---- Products -------------------------------------------------------------------------------- */

static PyObject *refuse_to_judge(const spw_product_claim *claim, spw_status status, const spw_judgement *j)
{
  char text[1024];
  const char *const whose = j->operand == claim->a ? "a" : j->operand == claim->x ? "x" : "the result";
  if (status == SPW_EINVALID && j->operand) {
    spw_violation_text(j->operand, &j->violation, text, sizeof text);
    return PyErr_Format(invalid_error(), "%s: rule %s: %s", whose, spw_rule_get(j->violation.rule)->id, text);
  }
  if (j->fault == SPW_FAULT_DUPLICATE)
    return PyErr_Format(refused_error(), "%s stores two elements in row %lld, column %lld: coalesce it first", whose,
                        (long long)j->row, (long long)j->column);
  return PyErr_Format(refused_error(), "nothing is judged: %s of %s (%lld against %lld)",
                      j->fault ? spw_fault_name(j->fault) : spw_status_string(status), whose, (long long)j->lhs,
                      (long long)j->rhs);
}

/* The verdict and the fault by name, counts, place, and the first wrong number or the one with the largest error. */
static PyObject *judgement_tuple(const spw_judgement *j, bool integers)
{
  PyObject *const counts = Py_BuildValue("(LLLLLLLL)", (long long)j->numbers, (long long)j->exact, (long long)j->bounded,
                                         (long long)j->special, (long long)j->undecided, (long long)j->wrong,
                                         (long long)j->absent, (long long)j->extra);
  PyObject *const place =
      Py_BuildValue("(LLLL)", (long long)j->batch, (long long)j->row, (long long)j->column, (long long)j->part);
  PyObject *const numbers = integers ? Py_BuildValue("(LLdd)", (long long)j->integer_found, (long long)j->integer_sum, 0.0, 0.0)
                                     : Py_BuildValue("(dddd)", j->found, j->worst.sum, j->worst.bound, j->worst.ratio);
  if (counts && place && numbers)
    return Py_BuildValue("(ssNNN)", spw_verdict_name(j->verdict), spw_fault_name(j->fault), counts, place, numbers);
  Py_XDECREF(counts);
  Py_XDECREF(place);
  Py_XDECREF(numbers);
  return NULL;
}

static PyObject *judge(const spw_product_claim *claim, Py_ssize_t limit)
{
  spw_judgement j;
  size_t bytes = 0;
  spw_status status;
  Py_BEGIN_ALLOW_THREADS status = spw_judge_work(claim, &bytes, &j);
  Py_END_ALLOW_THREADS
  if (status != SPW_OK) return refuse_to_judge(claim, status, &j);
  void *const work = limit > 0 && bytes > (size_t)limit ? NULL : malloc(bytes + 1);
  if (!work) return PyErr_NoMemory();
  Py_BEGIN_ALLOW_THREADS status = spw_judge_product(claim, work, bytes, &j);
  Py_END_ALLOW_THREADS
  free(work);
  if (status != SPW_OK || j.verdict == SPW_NOT_JUDGED) return refuse_to_judge(claim, status, &j);
  return judgement_tuple(&j, spw_precision_of(claim->y->values.array.dtype) == SPW_PRECISION_NONE);
}

static int take_precision(const char *name, const spw_tensor *a, spw_precision *precision)
{
  *precision = name ? spw_precision_from_name(name) : spw_precision_of(a->values.array.dtype);
  if (!name || *precision != SPW_PRECISION_NONE) return 0;
  PyErr_Format(PyExc_ValueError, "'%s' is no precision: float64, float32, float32-ftz, tf32, bfloat16-in, float16 and "
               "bfloat16 are", name);
  return -1;
}

PyObject *core_judge_product(PyObject *module, PyObject *arguments)
{
  PyObject *objects[3], *result = NULL;
  const char *name;
  Py_ssize_t limit;
  operand of[3] = {{.count = 0}, {.count = 0}, {.count = 0}};
  spw_precision precision;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "OOOzn", &objects[0], &objects[1], &objects[2], &name, &limit)) return NULL;
  int taken = 0;
  while (taken < 3 && operand_take(&of[taken], objects[taken], taken > 0) == 0) taken++;
  if (taken == 3 && take_precision(name, &of[0].tensor, &precision) == 0) {
    const spw_product_claim claim = {.a = &of[0].tensor, .x = &of[1].tensor, .y = &of[2].tensor, .alpha = {1, 0, 1},
                                     .precision = precision};
    result = judge(&claim, limit);
  }
  for (int i = 0; i < 3; i++) operand_release(&of[i]);
  return result;
}
