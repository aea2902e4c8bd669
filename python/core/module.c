/* SPDX-License-Identifier: Apache-2.0 */
/* sparsewright._core: what the package asks of the library. Everything that decides is there; here are only calls. */
#include "judge.h"
#include "calls.h"
#include "semi.h"

#include <string.h>

/* The lock is given away for what takes longer than that. */
enum { WORTH_IT = 4096 };

static PyObject *report_type, *valid, *semi_parts, *error_of_invalid, *error_of_refused, *file_error;

/* ---- Errors ---------------------------------------------------------------------------------- */

PyObject *invalid_error(void)
{
  return error_of_invalid;
}

PyObject *refused_error(void)
{
  return error_of_refused;
}

PyObject *raise_refused(const spw_refused *what, spw_status status, const spw_refusal *refusal)
{
  char text[1024];
  if (status == SPW_ENOMEM) return PyErr_NoMemory();
  spw_refusal_text(what, status, refusal, text, sizeof text);
  PyErr_SetString(status == SPW_EINVALID ? error_of_invalid : error_of_refused, text);
  return NULL;
}

static PyObject *raise_file(spw_status status, const spw_error *error)
{
  char text[512];
  if (status == SPW_ENOMEM && !error->message[0]) return PyErr_NoMemory();
  spw_status_text(status, error, text, sizeof text);
  PyErr_SetString(file_error, text);
  return NULL;
}

/* ---- check ----------------------------------------------------------------------------------- */

static int64_t indices_of(const spw_tensor *t)
{
  return t->plain.array.length + t->compressed.array.length;
}

static PyObject *violation_tuple(const spw_tensor *t, const spw_finding *f)
{
  char text[1024];
  const spw_violation *const v = &f->first;
  const char *const member = spw_member_name(t->layout, v->member);
  spw_violation_text(t, v, text, sizeof text);
  return Py_BuildValue("(szLLLLLs)", spw_rule_get(v->rule)->id, member, (long long)v->batch, (long long)v->position,
                       (long long)v->lhs, (long long)v->rhs, (long long)f->count, text);
}

static PyObject *violations_of(const spw_tensor *t, const spw_report *r)
{
  PyObject *list = PyList_New(0);
  for (int i = 0; list && i < SPW_RULE_COUNT; i++)
    if (r->findings[i].state == SPW_VIOLATED) list_take(&list, violation_tuple(t, &r->findings[i]));
  return list;
}

static PyObject *report_of(const spw_tensor *t, spw_level level)
{
  spw_report r;
  spw_status status;
  Py_BEGIN_ALLOW_THREADS status = spw_check(t, level, &r);
  Py_END_ALLOW_THREADS if (status != SPW_OK) return raise_refused(NULL, status, NULL);
  PyObject *const violations = violations_of(t, &r);
  PyObject *const report = violations ? PyObject_CallFunction(report_type, "sO", spw_layout_name(t->layout), violations) : NULL;
  Py_XDECREF(violations);
  return report;
}

static PyObject *check_tensor(const spw_tensor *t, spw_level level)
{
  bool holds = false;
  spw_status status;
  if (indices_of(t) < WORTH_IT) {
    status = spw_is_valid(t, level, &holds);
  } else {
    Py_BEGIN_ALLOW_THREADS status = spw_is_valid(t, level, &holds);
    Py_END_ALLOW_THREADS
  }
  if (status != SPW_OK) return raise_refused(NULL, status, NULL);
  if (!holds) return report_of(t, level);
  Py_INCREF(valid);
  return valid;
}

/* Of an object that is no tensor of the other layouts: a 2:4 matrix, or what was raised stays raised. */
static PyObject *check_semi(PyObject *object, spw_level level)
{
  PyObject *type, *value, *trace;
  PyErr_Fetch(&type, &value, &trace);
  PyObject *const parts = PyObject_CallFunctionObjArgs(semi_parts, object, NULL);
  const bool found = parts && parts != Py_None;
  PyObject *const violations = found ? semi_violations(parts, level) : NULL;
  PyObject *const report = violations ? PyObject_CallFunction(report_type, "sO", "semi", violations) : NULL;
  const bool restores = parts && !found;
  Py_XDECREF(parts);
  Py_XDECREF(violations);
  if (restores) {
    PyErr_Restore(type, value, trace);
    return NULL;
  }
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(trace);
  return report;
}

static PyObject *check_at(PyObject *object, spw_level level)
{
  operand o;
  const bool taken = operand_take(&o, object, false) == 0;
  PyObject *const report = taken ? check_tensor(&o.tensor, level) : NULL;
  operand_release(&o);
  return !taken && PyErr_ExceptionMatches(PyExc_TypeError) ? check_semi(object, level) : report;
}

static const char *const levels[] = {"shape", "structure", "canonical"};

/* "shape", "structure" or "canonical"; 0 with an exception. */
static int level_of(PyObject *name)
{
  Py_ssize_t length;
  const char *const text = PyUnicode_Check(name) ? PyUnicode_AsUTF8AndSize(name, &length) : NULL;
  for (int i = 0; text && i < 3; i++)
    if (strcmp(text, levels[i]) == 0 && strlen(text) == (size_t)length) return i + 1;
  if (!PyErr_Occurred()) PyErr_Format(PyExc_ValueError, "the level is shape, structure or canonical, not %R", name);
  return 0;
}

static PyObject *check(PyObject *module, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
  static const char *const known[] = {"x", "level"};
  PyObject *given[2] = {NULL, NULL};
  const Py_ssize_t named = keywords ? PyTuple_Size(keywords) : 0;
  (void)module;
  for (Py_ssize_t i = 0; i < count && i < 2; i++) given[i] = arguments[i];
  for (Py_ssize_t i = 0; i < named; i++) {
    const int at = PyUnicode_CompareWithASCIIString(PyTuple_GetItem(keywords, i), known[0]) == 0 ? 0 : 1;
    if (PyUnicode_CompareWithASCIIString(PyTuple_GetItem(keywords, i), known[at]) != 0 || given[at])
      return PyErr_Format(PyExc_TypeError, "check() takes x and level, each once, and no '%U'", PyTuple_GetItem(keywords, i));
    given[at] = arguments[count + i];
  }
  if (count > 2 || !given[0])
    return PyErr_Format(PyExc_TypeError, "check() takes x and level, not %zd arguments", count + named);
  const int level = given[1] ? level_of(given[1]) : SPW_CANONICAL;
  return level ? check_at(given[0], (spw_level)level) : NULL;
}

/* ---- Operations ------------------------------------------------------------------------------ */

int take_dtype(const char *name, spw_dtype *dtype)
{
  *dtype = name ? spw_dtype_from_name(name) : SPW_DTYPE_NONE;
  if (!name || *dtype != SPW_DTYPE_NONE) return 0;
  PyErr_Format(PyExc_ValueError, "'%s' is no element type", name);
  return -1;
}

int find_word(const char *const *words, const char *word)
{
  for (int i = 0; words[i]; i++)
    if (strcmp(words[i], word) == 0) return i;
  return -1;
}

int take_layout(const char *name, spw_layout *layout)
{
  const int found = spw_layout_from_name(name);
  *layout = (spw_layout)found;
  if (found >= 0) return 0;
  PyErr_Format(PyExc_ValueError, "'%s' is no layout: coo, csr, csc, bsr, bsc and dense are", name);
  return -1;
}

int64_t *take_numbers(PyObject *object, int64_t *count)
{
  PyObject *const list = PySequence_Fast(object, "a sequence of integers is needed");
  if (!list) return NULL;
  const Py_ssize_t n = PySequence_Size(list);
  int64_t *const numbers = PyMem_Malloc(((size_t)n + 1) * sizeof *numbers);
  if (!numbers) PyErr_NoMemory();
  for (Py_ssize_t i = 0; numbers && i < n && !PyErr_Occurred(); i++) {
    PyObject *const item = PySequence_GetItem(list, i);
    numbers[i] = item ? (int64_t)PyLong_AsLongLong(item) : -1;
    Py_XDECREF(item);
  }
  Py_DECREF(list);
  *count = n;
  if (!PyErr_Occurred()) return numbers;
  PyMem_Free(numbers);
  return NULL;
}

int take_combine(const char *name, spw_combine *combine)
{
  static const struct {
    const char *name;
    spw_combine combine;
  } all[] = {{"sum", SPW_COMBINE_SUM}, {"first", SPW_COMBINE_FIRST}, {"last", SPW_COMBINE_LAST}, {"error", SPW_COMBINE_REFUSE}};
  for (int i = 0; i < 4; i++)
    if (strcmp(name, all[i].name) == 0) return *combine = all[i].combine, 0;
  PyErr_Format(PyExc_ValueError, "duplicates are to be sum, first, last or error, not '%s'", name);
  return -1;
}

PyObject *finish(const spw_refused *what, spw_status status, const spw_refusal *refusal, spw_owned *owned)
{
  return status == SPW_OK ? tuple_of(owned) : raise_refused(what, status, refusal);
}

static PyObject *convert_tensor(const spw_tensor *t, const spw_conversion *wanted, Py_ssize_t limit)
{
  spw_owned *owned = NULL;
  spw_refusal refusal;
  spw_status status;
  Py_BEGIN_ALLOW_THREADS status = spw_convert_new(t, wanted, (size_t)limit, &owned, &refusal);
  Py_END_ALLOW_THREADS const spw_refused what = {.operation = SPW_CONVERTING, .a = t, .conversion = wanted};
  return finish(&what, status, &refusal, owned);
}

static PyObject *convert(PyObject *module, PyObject *arguments, PyObject *keywords)
{
  static char *known[] = {"x",          "layout", "block_rows", "block_columns", "batch_dims", "dense_dims", "index",
                          "duplicates", "prune",  "bits",       "canonicalize",  "limit",      NULL};
  PyObject *object;
  const char *layout, *index = NULL, *duplicates = "sum";
  long long rows = 0, columns = 0, batch_dims = -1, dense_dims = -1;
  int prune = 0, bits = 0, canonicalize = 0;
  Py_ssize_t limit = 0;
  (void)module;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "Os|LLLLzspppn", known, &object, &layout, &rows, &columns, &batch_dims,
                                   &dense_dims, &index, &duplicates, &prune, &bits, &canonicalize, &limit))
    return NULL;
  spw_conversion wanted = {.block_rows = rows,
                           .block_columns = columns,
                           .batch_dims = batch_dims,
                           .dense_dims = dense_dims,
                           .prune = prune,
                           .bits = bits,
                           .canonicalize = canonicalize};
  if (take_layout(layout, &wanted.layout) != 0 || take_dtype(index, &wanted.index_dtype) != 0 ||
      take_combine(duplicates, &wanted.duplicates) != 0)
    return NULL;
  operand o;
  PyObject *const result = operand_take(&o, object, true) == 0 ? convert_tensor(&o.tensor, &wanted, limit) : NULL;
  operand_release(&o);
  return result;
}

static PyObject *multiply_tensors(const spw_tensor *a, const spw_tensor *b, Py_ssize_t limit)
{
  spw_owned *owned = NULL;
  spw_refusal refusal;
  spw_status status;
  const bool sparse = a->layout != SPW_DENSE && b->layout != SPW_DENSE;
  Py_BEGIN_ALLOW_THREADS status = sparse ? spw_multiply_sparse_new(a, b, (size_t)limit, INT64_MAX, &owned, &refusal)
                                         : spw_multiply_new(a, b, (size_t)limit, &owned, &refusal);
  Py_END_ALLOW_THREADS const spw_refused what = {.operation = SPW_MULTIPLYING, .a = a, .b = b};
  return finish(&what, status, &refusal, owned);
}

static PyObject *multiply(PyObject *module, PyObject *arguments)
{
  PyObject *first, *second;
  Py_ssize_t limit = 0;
  operand a = {.count = 0}, b = {.count = 0};
  (void)module;
  if (!PyArg_ParseTuple(arguments, "OO|n", &first, &second, &limit)) return NULL;
  PyObject *const result = operand_take(&a, first, true) == 0 && operand_take(&b, second, true) == 0
                               ? multiply_tensors(&a.tensor, &b.tensor, limit)
                               : NULL;
  operand_release(&b);
  operand_release(&a);
  return result;
}

static PyObject *combine_tensors(const spw_tensor *a, const spw_tensor *b, const spw_elementwise_request *wanted,
                                 Py_ssize_t limit)
{
  spw_owned *owned = NULL;
  spw_refusal refusal;
  spw_status status;
  Py_BEGIN_ALLOW_THREADS status = spw_elementwise_new(a, b, wanted, (size_t)limit, &owned, &refusal);
  Py_END_ALLOW_THREADS const spw_refused what = {.operation = SPW_COMBINING, .a = a, .b = b, .elementwise = wanted};
  return finish(&what, status, &refusal, owned);
}

static PyObject *elementwise(PyObject *module, PyObject *arguments)
{
  static const char *const kinds[] = {"add", "subtract", "multiply"};
  const char *kind, *duplicates = "sum";
  PyObject *first, *second, *result = NULL;
  Py_ssize_t limit = 0;
  operand a = {.count = 0}, b = {.count = 0};
  spw_elementwise_request wanted = {.threads = 1};
  (void)module;
  if (!PyArg_ParseTuple(arguments, "sOO|sn", &kind, &first, &second, &duplicates, &limit)) return NULL;
  int i = 0;
  while (i < 3 && strcmp(kind, kinds[i]) != 0) i++;
  if (i == 3) return PyErr_Format(PyExc_ValueError, "the operation is add, subtract or multiply, not '%s'", kind);
  wanted.kind = (spw_elementwise_kind)i;
  if (take_combine(duplicates, &wanted.duplicates) != 0) return NULL;
  if (operand_take(&a, first, false) == 0 && operand_take(&b, second, true) == 0)
    result = combine_tensors(&a.tensor, &b.tensor, &wanted, limit);
  operand_release(&b);
  operand_release(&a);
  return result;
}

static PyObject *reduce_tensor(const spw_tensor *t, const spw_reduction *wanted, Py_ssize_t limit)
{
  spw_owned *owned = NULL;
  spw_refusal refusal;
  spw_status status;
  Py_BEGIN_ALLOW_THREADS status = spw_reduce_new(t, NULL, wanted, (size_t)limit, &owned, &refusal);
  Py_END_ALLOW_THREADS const spw_refused what = {.operation = SPW_REDUCING, .a = t, .reduction = wanted};
  return finish(&what, status, &refusal, owned);
}

static PyObject *reduce(PyObject *module, PyObject *arguments)
{
  static const char *const kinds[] = {"sum", "mean", "amax", "amin"}, *const spans[] = {"row", "column", "matrix"};
  const char *kind, *span;
  PyObject *object;
  Py_ssize_t limit = 0;
  operand o;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "sOs|n", &kind, &object, &span, &limit)) return NULL;
  int k = 0, s = 0;
  while (k < 4 && strcmp(kind, kinds[k]) != 0) k++;
  while (s < 3 && strcmp(span, spans[s]) != 0) s++;
  if (k == 4) return PyErr_Format(PyExc_ValueError, "the reduction is sum, mean, amax or amin, not '%s'", kind);
  if (s == 3) return PyErr_Format(PyExc_ValueError, "each is row, column or matrix, not '%s'", span);
  const spw_reduction wanted = {(spw_reduction_kind)k, (spw_reduction_span)s};
  PyObject *const result = operand_take(&o, object, false) == 0 ? reduce_tensor(&o.tensor, &wanted, limit) : NULL;
  operand_release(&o);
  return result;
}

static PyObject *reduce_over(const spw_tensor *t, const spw_dims_reduction *wanted, Py_ssize_t limit)
{
  spw_owned *owned = NULL;
  spw_refusal refusal;
  spw_status status;
  Py_BEGIN_ALLOW_THREADS status = spw_reduce_dims_new(t, wanted, (size_t)limit, &owned, &refusal);
  Py_END_ALLOW_THREADS const spw_refused what = {.operation = SPW_REDUCING, .a = t};
  return finish(&what, status, &refusal, owned);
}

static PyObject *reduce_dims(PyObject *module, PyObject *arguments)
{
  static const char *const kinds[] = {"sum", "mean", "mean_dense", "amax", "amin", "max", "min", "any", "all",
                                      "norm0", "norm1", "norm2", "norm_inf", "argmax", "argmin", "is_nonzero"};
  enum { KINDS = sizeof kinds / sizeof *kinds };
  const char *kind, *dtype;
  PyObject *object, *dims;
  int keepdim, sparse, k = 0;
  Py_ssize_t limit = 0;
  int64_t *numbers = NULL;
  operand o = {.count = 0};
  PyObject *result = NULL;
  spw_dims_reduction wanted = {.kind = SPW_DIMS_SUM};
  (void)module;
  if (!PyArg_ParseTuple(arguments, "sOOppz|n", &kind, &object, &dims, &keepdim, &sparse, &dtype, &limit)) return NULL;
  while (k < KINDS && strcmp(kind, kinds[k]) != 0) k++;
  if (k == KINDS)
    return PyErr_Format(PyExc_ValueError, "the reduction is sum, mean, mean_dense, amax, amin, max, min, any, all or "
                        "a norm, not '%s'", kind);
  wanted.kind = (spw_dims_kind)k;
  wanted.keepdim = keepdim != 0;
  wanted.sparse = sparse != 0;
  if (take_dtype(dtype, &wanted.dtype) == 0 && (dims == Py_None || (numbers = take_numbers(dims, &wanted.count)))) {
    wanted.dims = numbers;
    if (operand_take(&o, object, false) == 0) result = reduce_over(&o.tensor, &wanted, limit);
    operand_release(&o);
  }
  PyMem_Free(numbers);
  return result;
}

static PyObject *map_tensor(const spw_tensor *t, const spw_unary_request *wanted, Py_ssize_t limit)
{
  spw_owned *owned = NULL;
  spw_refusal refusal;
  spw_status status;
  Py_BEGIN_ALLOW_THREADS status = spw_unary_new(t, wanted, (size_t)limit, &owned, &refusal);
  Py_END_ALLOW_THREADS const spw_refused what = {.operation = SPW_MAPPING, .a = t, .unary = wanted};
  return finish(&what, status, &refusal, owned);
}

int take_number(PyObject *object, spw_dtype dtype, char value[16], const void **at)
{
  static const int64_t indices[] = {0, 0};
  const spw_unary_request cast = {.function = SPW_UNARY_CAST, .dtype = dtype};
  const bool whole = PyLong_Check(object), complex = PyComplex_Check(object);
  int64_t integer = 0;
  double parts[2] = {0, 0};
  spw_view view;
  spw_owned *made = NULL;
  spw_refusal refusal;
  if (object == Py_None) return 0;
  if (whole) {
    integer = PyLong_AsLongLong(object);
  } else {
    parts[0] = complex ? PyComplex_RealAsDouble(object) : PyFloat_AsDouble(object);
    if (complex) parts[1] = PyComplex_ImagAsDouble(object);
  }
  if (PyErr_Occurred()) return -1;
  const spw_tensor *const t = spw_coo(&view, 1, 1, 1, SPW_INT64, indices,
                                      whole ? SPW_INT64 : complex ? SPW_COMPLEX128 : SPW_FLOAT64,
                                      whole ? (const void *)&integer : parts);
  const spw_status status = spw_unary_new(t, &cast, 0, &made, &refusal);
  const spw_refused what = {.operation = SPW_MAPPING, .a = t, .unary = &cast};
  if (status != SPW_OK) return raise_refused(&what, status, &refusal), -1;
  memcpy(value, spw_owned_tensor(made)->values.data, (size_t)spw_dtype_size(dtype));
  spw_owned_free(made);
  *at = value;
  return 0;
}

/* unary(name, x, dtype, duplicates, limit, scalar, nan, posinf, neginf): the last four are numbers, or None. */
static PyObject *unary(PyObject *module, PyObject *arguments)
{
  const char *name, *dtype, *duplicates;
  char values[4][16];
  PyObject *object, *given[4], *result = NULL;
  Py_ssize_t limit = 0;
  operand o = {.count = 0};
  spw_unary_request wanted = {.function = SPW_UNARY_COUNT};
  const void **const at[] = {&wanted.scalar, &wanted.nan, &wanted.posinf, &wanted.neginf};
  (void)module;
  if (!PyArg_ParseTuple(arguments, "sOzsnOOOO", &name, &object, &dtype, &duplicates, &limit, &given[0], &given[1], &given[2],
                        &given[3]))
    return NULL;
  const int function = spw_unary_from_name(name);
  if (function < 0) return PyErr_Format(PyExc_ValueError, "'%s' is no function: spw.functions() lists them", name);
  wanted.function = (spw_unary_function)function;
  if (take_dtype(dtype, &wanted.dtype) != 0 || take_combine(duplicates, &wanted.duplicates) != 0) return NULL;
  int failed = operand_take(&o, object, false);
  const spw_dtype own = o.tensor.values.array.dtype;
  const spw_dtype real = own == SPW_COMPLEX64 ? SPW_FLOAT32 : own == SPW_COMPLEX128 ? SPW_FLOAT64 : own;
  for (int i = 0; i < 4 && !failed; i++) failed = take_number(given[i], i == 0 ? own : real, values[i], at[i]);
  if (!failed) result = map_tensor(&o.tensor, &wanted, limit);
  operand_release(&o);
  return result;
}

/* The names of all functions that are not refused. */
static PyObject *functions(PyObject *module, PyObject *nothing)
{
  PyObject *const list = PyList_New(0);
  (void)module;
  (void)nothing;
  for (int f = 0; list && f < SPW_UNARY_COUNT; f++) {
    const spw_unary_function function = (spw_unary_function)f;
    if (spw_unary_of_zero(function)[0] || function == SPW_UNARY_CAST) continue;
    PyObject *const name = PyUnicode_FromString(spw_unary_name(function));
    const int failed = !name || PyList_Append(list, name) != 0;
    Py_XDECREF(name);
    if (failed) {
      Py_DECREF(list);
      return NULL;
    }
  }
  return list;
}

/* nonzero(x, limit) */
static PyObject *nonzero(PyObject *module, PyObject *arguments)
{
  PyObject *object;
  Py_ssize_t limit = 0;
  operand o;
  spw_owned *owned = NULL;
  spw_refusal refusal;
  spw_status status;
  PyObject *result = NULL;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "O|n", &object, &limit)) return NULL;
  if (operand_take(&o, object, false) == 0) {
    Py_BEGIN_ALLOW_THREADS status = spw_nonzero_new(&o.tensor, (size_t)limit, &owned, &refusal);
    Py_END_ALLOW_THREADS const spw_refused what = {.operation = SPW_REDUCING, .a = &o.tensor};
    result = finish(&what, status, &refusal, owned);
  }
  operand_release(&o);
  return result;
}

bool solver_is_missing(spw_status status)
{
  if (status != SPW_EUNSUPPORTED || spw_solve_available()) return false;
  PyErr_SetString(PyExc_NotImplementedError, "KLU is not installed: libklu.so.1 or libklu.so.2, of SuiteSparse");
  return true;
}

/* Without `wanted`: any square matrix. */
static PyObject *solve_tensors(const spw_tensor *a, const spw_tensor *b, const spw_triangle *wanted, Py_ssize_t limit)
{
  static const char *const names[] = {"the matrix", "the right side", "the solution"};
  spw_owned *owned = NULL;
  spw_refusal refusal;
  spw_status status;
  if (a->layout == SPW_DENSE || b->layout != SPW_DENSE)
    return PyErr_Format(PyExc_ValueError, "the matrix has to be sparse, and the right side dense");
  Py_BEGIN_ALLOW_THREADS if (wanted) status = spw_solve_triangular_new(a, b, wanted, (size_t)limit, &owned, &refusal);
  else status = spw_solve_new(a, b, NULL, (size_t)limit, &owned, &refusal);
  Py_END_ALLOW_THREADS if (!wanted && solver_is_missing(status)) return NULL;
  const spw_refused what = {.operation = SPW_ANY_OPERATION, .a = a, .b = b, .names = names};
  return finish(&what, status, &refusal, owned);
}

/* solve(a, b, limit) */
static PyObject *solve_general(PyObject *module, PyObject *arguments)
{
  PyObject *first, *second, *result = NULL;
  Py_ssize_t limit = 0;
  operand a = {.count = 0}, b = {.count = 0};
  (void)module;
  if (!PyArg_ParseTuple(arguments, "OO|n", &first, &second, &limit)) return NULL;
  if (operand_take(&a, first, false) == 0 && operand_take(&b, second, true) == 0)
    result = solve_tensors(&a.tensor, &b.tensor, NULL, limit);
  operand_release(&a);
  operand_release(&b);
  return result;
}

/* solve_triangular(a, b, upper, transpose, adjoint, unit, right, limit) */
static PyObject *solve_triangular(PyObject *module, PyObject *arguments)
{
  PyObject *first, *second, *result = NULL;
  int upper, transpose, adjoint, unit, right;
  Py_ssize_t limit = 0;
  operand a = {.count = 0}, b = {.count = 0};
  (void)module;
  if (!PyArg_ParseTuple(arguments, "OOppppp|n", &first, &second, &upper, &transpose, &adjoint, &unit, &right, &limit))
    return NULL;
  const spw_triangle wanted = {upper != 0, transpose != 0, adjoint != 0, unit != 0, right != 0};
  if (transpose && adjoint) return PyErr_Format(PyExc_ValueError, "transpose and adjoint are two answers to one question");
  if (operand_take(&a, first, false) == 0 && operand_take(&b, second, true) == 0)
    result = solve_tensors(&a.tensor, &b.tensor, &wanted, limit);
  operand_release(&b);
  operand_release(&a);
  return result;
}

static PyObject *softmax_tensor(const spw_tensor *t, const spw_softmax_request *wanted, Py_ssize_t limit)
{
  spw_owned *owned = NULL;
  spw_refusal refusal;
  spw_status status;
  Py_BEGIN_ALLOW_THREADS status = spw_softmax_new(t, wanted, (size_t)limit, &owned, &refusal);
  Py_END_ALLOW_THREADS const spw_refused what = {.operation = SPW_REDUCING, .a = t};
  return finish(&what, status, &refusal, owned);
}

static PyObject *softmax(PyObject *module, PyObject *arguments)
{
  PyObject *object, *result = NULL;
  long long dim;
  int logarithm;
  Py_ssize_t limit = 0;
  operand o;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "OLp|n", &object, &dim, &logarithm, &limit)) return NULL;
  const spw_softmax_request wanted = {dim, logarithm != 0};
  if (operand_take(&o, object, false) == 0) result = softmax_tensor(&o.tensor, &wanted, limit);
  operand_release(&o);
  return result;
}

/* ---- Files ----------------------------------------------------------------------------------- */

/* What a tensor takes of the budget. */
static size_t bytes_of(const spw_tensor *t)
{
  const spw_array *const arrays[] = {&t->compressed.array, &t->plain.array, &t->values.array};
  size_t bytes = 0;
  for (int i = 0; i < 3; i++) bytes += (size_t)(arrays[i]->length * spw_dtype_size(arrays[i]->dtype));
  return bytes;
}

static size_t bytes_of_semi(const spw_semi *s)
{
  return (size_t)(s->packed.array.length * spw_dtype_size(s->packed.array.dtype)) +
         (size_t)(s->metadata.array.length * spw_dtype_size(s->metadata.array.dtype));
}

/* Tensor i, or 2:4 matrix i, as a tuple, and how many bytes its arrays have. */
static PyObject *read_listed(const spw_archive *archive, size_t i, size_t limit, size_t *bytes)
{
  const bool is_semi = spw_archive_is_semi(archive, i);
  const spw_semi *semi = NULL;
  spw_owned *owned;
  spw_error error = {{0}, {0}};
  const spw_status status = is_semi ? spw_archive_read_semi(archive, i, limit, &owned, &semi, &error)
                                    : spw_archive_read(archive, i, limit, &owned, &error);
  if (status != SPW_OK) return raise_file(status, &error), NULL;
  *bytes = is_semi ? bytes_of_semi(semi) : bytes_of(spw_owned_tensor(owned));
  return is_semi ? semi_tuple_of(owned, semi) : tuple_of(owned);
}

/* Reads tensor i and calls `visit` with its path, itself, and whether it is a 2:4 matrix. `left`: what the budget has for it;
 * and, where it is kept, for those behind it. */
static int visit_one(const spw_archive *archive, size_t i, PyObject *visit, size_t *left)
{
  size_t bytes = 0;
  PyObject *const tuple = read_listed(archive, i, *left > 0 ? *left : 1, &bytes);
  PyObject *const semi = spw_archive_is_semi(archive, i) ? Py_True : Py_False;
  PyObject *const kept = tuple ? PyObject_CallFunction(visit, "sOO", spw_archive_path(archive, i), tuple, semi) : NULL;
  Py_XDECREF(tuple);
  const int keeps = kept ? PyObject_IsTrue(kept) : -1;
  Py_XDECREF(kept);
  if (keeps > 0) *left -= bytes < *left ? bytes : *left;
  return keeps < 0 ? -1 : 0;
}

/* The tensor of the arrays that are named, or that of a file of one tensor, in a format that needs no other library than zlib. */
static spw_status read_one(spw_file_format format, const Py_buffer *bytes, const spw_members *members, Py_ssize_t limit,
                           spw_owned **owned, spw_error *error)
{
  if (members->values) return spw_read_members(format, bytes->buf, (size_t)bytes->len, (size_t)limit, members, owned, error);
  switch (format) {
  case SPW_FORMAT_NPZ: return spw_read_npz(bytes->buf, (size_t)bytes->len, (size_t)limit, owned, error);
  case SPW_FORMAT_NPY: return spw_read_npy(bytes->buf, (size_t)bytes->len, (size_t)limit, owned, error);
  case SPW_FORMAT_MTX: return spw_read_mtx(bytes->buf, (size_t)bytes->len, (size_t)limit, owned, error);
  default: return SPW_EUNSUPPORTED;
  }
}

static int visit_archive(spw_file_format format, const Py_buffer *bytes, PyObject *visit, Py_ssize_t limit)
{
  spw_archive *archive = NULL;
  spw_error error = {{0}, {0}};
  spw_status status;
  Py_BEGIN_ALLOW_THREADS status = spw_archive_open(format, bytes->buf, (size_t)bytes->len, (size_t)limit, &archive, &error);
  Py_END_ALLOW_THREADS int failed = status != SPW_OK;
  if (failed) raise_file(status, &error);
  size_t left = limit > 0 ? (size_t)limit : spw_memory_limit((size_t)bytes->len);
  for (size_t i = 0; !failed && i < spw_archive_count(archive); i++) failed = visit_one(archive, i, visit, &left) != 0;
  spw_archive_close(archive);
  return failed ? -1 : 0;
}

static PyObject *read_pt(PyObject *module, PyObject *arguments)
{
  Py_buffer bytes;
  PyObject *visit;
  Py_ssize_t limit = 0;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "y*O|n", &bytes, &visit, &limit)) return NULL;
  const int failed = visit_archive(SPW_FORMAT_PT, &bytes, visit, limit);
  PyBuffer_Release(&bytes);
  if (failed) return NULL;
  Py_RETURN_NONE;
}

static int visit_only(spw_file_format format, const Py_buffer *bytes, const spw_members *members, PyObject *visit,
                      Py_ssize_t limit)
{
  spw_owned *owned = NULL;
  spw_error error = {{0}, {0}};
  spw_status status;
  Py_BEGIN_ALLOW_THREADS status = read_one(format, bytes, members, limit, &owned, &error);
  Py_END_ALLOW_THREADS if (status != SPW_OK) return raise_file(status, &error), -1;
  PyObject *const tuple = tuple_of(owned);
  PyObject *const kept = tuple ? PyObject_CallFunction(visit, "sOO", "", tuple, Py_False) : NULL;
  Py_XDECREF(tuple);
  Py_XDECREF(kept);
  return kept ? 0 : -1;
}

static int visit_format(const char *name, const Py_buffer *bytes, const spw_members *members, PyObject *visit,
                        Py_ssize_t limit)
{
  const char *const foreign = spw_foreign_format(bytes->buf, (size_t)bytes->len);
  if (foreign) return PyErr_Format(file_error, "it is %s", foreign), -1;
  const spw_file_format format = spw_file_format_of(name, bytes->buf, (size_t)bytes->len);
  if (members->values && format != SPW_FORMAT_UNKNOWN) return visit_only(format, bytes, members, visit, limit);
  switch (format) {
  case SPW_FORMAT_PT:
  case SPW_FORMAT_SAFETENSORS:
  case SPW_FORMAT_HDF5: return visit_archive(format, bytes, visit, limit);
  case SPW_FORMAT_NPZ:
  case SPW_FORMAT_NPY:
  case SPW_FORMAT_MTX: return visit_only(format, bytes, members, visit, limit);
  case SPW_FORMAT_JSON:
  case SPW_FORMAT_JSONL:
    return PyErr_Format(file_error, "it is JSON, which the command reads: spw convert FILE.spw.json FILE.npz"), -1;
  default: return PyErr_Format(file_error, "the file is of no known format"), -1;
  }
}

static PyObject *read_file(PyObject *module, PyObject *arguments)
{
  Py_buffer bytes;
  PyObject *visit;
  const char *name;
  Py_ssize_t limit = 0;
  spw_members members = {.layout = -1};
  (void)module;
  const char *layout = NULL;
  if (!PyArg_ParseTuple(arguments, "sy*O|nzzzzz", &name, &bytes, &visit, &limit, &layout, &members.compressed, &members.plain,
                        &members.values, &members.size))
    return NULL;
  if (layout) members.layout = spw_layout_from_name(layout);
  const int failed = visit_format(name, &bytes, &members, visit, limit);
  PyBuffer_Release(&bytes);
  if (failed) return NULL;
  Py_RETURN_NONE;
}

/* ---- Rules ----------------------------------------------------------------------------------- */

static PyObject *explain(PyObject *module, PyObject *id)
{
  Py_ssize_t length;
  const char *const text = PyUnicode_AsUTF8AndSize(id, &length);
  (void)module;
  if (!text) return NULL;
  const bool whole = strlen(text) == (size_t)length;
  const spw_rule_info *rule = whole ? spw_rule_get(spw_rule_from_id(text)) : NULL;
  if (whole && !rule) rule = spw_semi_rule_get(spw_semi_rule_from_id(text));
  if (!rule) return PyErr_Format(PyExc_KeyError, "there is no rule '%s'", text);
  return Py_BuildValue("(sssss)", rule->id, rule->formula, rule->prose, rule->why, rule->fix);
}

/* ---- The module ------------------------------------------------------------------------------ */

static PyObject *begin(PyObject *module, PyObject *arguments)
{
  PyObject *adapt;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "OOOOOOO", &adapt, &semi_parts, &report_type, &valid, &error_of_invalid, &error_of_refused,
                        &file_error))
    return NULL;
  PyObject *const kept[] = {semi_parts, report_type, valid, error_of_invalid, error_of_refused, file_error};
  for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) Py_INCREF(kept[i]);
  if (operands_begin(adapt) != 0) return NULL;
  Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"check", (PyCFunction)(void (*)(void))check, METH_FASTCALL | METH_KEYWORDS,
     "check(x, level='canonical')\n--\n\n"
     "Say whether a sparse tensor is valid: a Report, which is true if it is.\n\n"
     "x      a torch sparse tensor (five layouts), a scipy.sparse array or matrix, a JAX BCOO or BCSR,\n"
     "       a pyarrow sparse tensor, a pydata/sparse array, an h5py or anndata group, or what spw.csr\n"
     "       and its likes make; torch's SparseSemiStructuredTensor of CUTLASS, or what spw.semi makes.\n"
     "       Nothing is copied but the coordinates of SciPy's COO.\n"
     "level  'shape', 'structure' or 'canonical': each includes those before it.\n\n"
     "Raises TypeError for what is no such tensor."},
    {"_convert", (PyCFunction)(void (*)(void))convert, METH_VARARGS | METH_KEYWORDS, NULL},
    {"_semi_encode", semi_encode, METH_VARARGS, NULL},
    {"_semi_reorder", semi_reorder, METH_VARARGS, NULL},
    {"_semi_decode", semi_decode, METH_VARARGS, NULL},
    {"_multiply", multiply, METH_VARARGS, NULL},
    {"_elementwise", elementwise, METH_VARARGS, NULL},
    {"_reduce", reduce, METH_VARARGS, NULL},
    {"_difference", core_difference, METH_VARARGS, NULL},
    {"_judge_product", core_judge_product, METH_VARARGS, NULL},
    {"_unary", unary, METH_VARARGS, NULL},
    {"_functions", functions, METH_NOARGS, NULL},
    {"_reduce_dims", reduce_dims, METH_VARARGS, NULL},
    {"_softmax", softmax, METH_VARARGS, NULL},
    {"_nonzero", nonzero, METH_VARARGS, NULL},
    {"_solve_triangular", solve_triangular, METH_VARARGS, NULL},
    {"_solve", solve_general, METH_VARARGS, NULL},
    {"_make", make_tensor, METH_VARARGS, NULL},
    {"_restructure", core_restructure, METH_VARARGS, NULL},
    {"_permute", core_permute, METH_VARARGS, NULL},
    {"_compose", compose_tensors, METH_VARARGS, NULL},
    {"_stack", stack_tensors, METH_VARARGS, NULL},
    {"_gradient", core_gradient, METH_VARARGS, NULL},
    {"_optimise", core_optimise, METH_VARARGS, NULL},
    {"_read_pt", read_pt, METH_VARARGS, NULL},
    {"_read", read_file, METH_VARARGS, NULL},
    {"_write", core_write, METH_VARARGS, NULL},
    {"_explain", explain, METH_O, NULL},
    {"_begin", begin, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL}};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "sparsewright._core", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__core(void);
PyMODINIT_FUNC PyInit__core(void)
{
  PyObject *const module = PyModule_Create(&definition);
  if (!module) return NULL;
  if (results_begin(module) == 0 && PyModule_AddStringConstant(module, "__version__", SPW_VERSION) == 0) return module;
  Py_DECREF(module);
  return NULL;
}
