/* SPDX-License-Identifier: Apache-2.0 */
#include "operand.h"
#include "result.h"

#include <string.h>

static PyObject *adapt;

/* Names that are looked up for each object. */
static struct {
  PyObject *format, *layout, *shape, *indptr, *indices, *data, *crow, *col, *ccol, *row, *values, *coo_indices, *coo_values,
      *is_coalesced, *exchange, *is_neg, *resolve_neg, *is_conj, *resolve_conj, *torch;
} names;

/* ---- Element types --------------------------------------------------------------------------- */

/* As the buffer protocol names them, in the byte order of this machine. */
static spw_dtype dtype_of_format(const char *format, Py_ssize_t size)
{
  const uint16_t one = 1;
  const bool little = *(const unsigned char *)&one == 1;
  if (*format == '@' || *format == '=' || *format == (little ? '<' : '>') || (*format == '|' && size == 1)) format++;
  if (format[0] == 'Z') return format[1] == 'f' ? SPW_COMPLEX64 : format[1] == 'd' ? SPW_COMPLEX128 : SPW_DTYPE_NONE;
  if (!format[0] || format[1]) return SPW_DTYPE_NONE;
  if (strchr("bhilq", format[0])) return size == 1 ? SPW_INT8 : size == 2 ? SPW_INT16 : size == 4 ? SPW_INT32 : SPW_INT64;
  switch (format[0]) {
  case 'B':
    return SPW_UINT8;
  case '?':
    return SPW_BOOL;
  case 'e':
    return SPW_FLOAT16;
  case 'f':
    return SPW_FLOAT32;
  case 'd':
    return SPW_FLOAT64;
  default:
    return SPW_DTYPE_NONE;
  }
}

/* As DLPack names them. */
static spw_dtype dtype_of_code(int code, int bits)
{
  static const struct {
    int code, bits;
    spw_dtype dtype;
  } types[] = {{0, 8, SPW_INT8},      {0, 16, SPW_INT16},     {0, 32, SPW_INT32},       {0, 64, SPW_INT64},
               {1, 8, SPW_UINT8},     {2, 16, SPW_FLOAT16},   {2, 32, SPW_FLOAT32},     {2, 64, SPW_FLOAT64},
               {4, 16, SPW_BFLOAT16}, {5, 64, SPW_COMPLEX64}, {5, 128, SPW_COMPLEX128}, {6, 8, SPW_BOOL}};
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
    if (types[i].code == code && types[i].bits == bits) return types[i].dtype;
  return SPW_DTYPE_NONE;
}

/* ---- Arrays ---------------------------------------------------------------------------------- */

/* Who hands out a view vouches for the elements that it reaches, and for no other. */
static int close_array(part *p)
{
  int64_t length = 1;
  p->array.shape = p->shape;
  p->array.strides = p->strides;
  for (int64_t d = 0; d < p->array.ndim; d++)
    if (p->shape[d] == 0) return 0;
  for (int64_t d = 0; d < p->array.ndim; d++) {
    int64_t way;
    if (__builtin_mul_overflow(p->shape[d] - 1, p->strides[d], &way) || __builtin_add_overflow(length, way, &length)) {
      PyErr_SetString(PyExc_ValueError, "an array reaches beyond any memory");
      return -1;
    }
  }
  p->array.length = length;
  const int64_t size = spw_dtype_size(p->array.dtype), unit = size == 16 ? 8 : size;
  if (unit > 0 && (uintptr_t)p->data % (uintptr_t)(unit == 8 && p->array.dtype == SPW_COMPLEX64 ? 4 : unit) != 0) {
    PyErr_SetString(PyExc_TypeError, "the elements of an array are not aligned: pass a copy");
    return -1;
  }
  return 0;
}

static int view_buffer(part *p)
{
  if (PyObject_GetBuffer(p->owner, &p->view, PyBUF_FORMAT | PyBUF_STRIDES) != 0) return -1;
  p->viewed = true;
  const Py_buffer *const v = &p->view;
  p->data = v->buf;
  p->array.ndim = v->ndim;
  p->array.dtype = array_dtype(p->owner);
  if (p->array.dtype == SPW_DTYPE_NONE) p->array.dtype = dtype_of_format(v->format ? v->format : "B", v->itemsize);
  if (p->array.dtype == SPW_DTYPE_NONE || spw_dtype_size(p->array.dtype) != v->itemsize || v->ndim > MOST_DIMS) {
    PyErr_Format(PyExc_TypeError,
                 "an array of %d dimensions and elements of format '%s', %zd bytes each: not one of the twelve types", v->ndim,
                 v->format ? v->format : "B", v->itemsize);
    return -1;
  }
  for (int d = 0; d < v->ndim; d++) {
    if (v->strides[d] < 0 || v->strides[d] % v->itemsize != 0) {
      PyErr_SetString(PyExc_TypeError, "an array with negative or fractional strides: pass a copy");
      return -1;
    }
    p->shape[d] = v->shape[d];
    p->strides[d] = v->strides[d] / v->itemsize;
  }
  return close_array(p);
}

/* The part of DLPack's C exchange interface, version 1, that lends a tensor without giving it away. */
typedef struct lent {
  void *data;
  struct {
    int32_t type, id;
  } device;
  int32_t ndim;
  struct {
    uint8_t code, bits;
    uint16_t lanes;
  } dtype;
  int64_t *shape, *strides;
  uint64_t byte_offset;
} lent;

typedef struct exchange {
  struct {
    uint32_t major, minor;
  } version;
  void *previous, *allocate, *from_managed, *to_object;
  int (*lend)(void *object, lent *tensor);
} exchange;

static const exchange *exchange_of(PyTypeObject *type)
{
  static PyTypeObject *last;
  static const exchange *found;
  if (last == type) return found;
  PyObject *const capsule = PyObject_GetAttr((PyObject *)type, names.exchange);
  if (!capsule) return NULL;
  const exchange *const api = PyCapsule_GetPointer(capsule, "dlpack_exchange_api");
  Py_DECREF(capsule);
  if (!api) return NULL;
  if (api->version.major != 1 || !api->lend) {
    PyErr_SetString(PyExc_TypeError, "the tensor speaks another version of DLPack than 1");
    return NULL;
  }
  Py_INCREF((PyObject *)type);
  Py_XDECREF((PyObject *)last);
  last = type;
  return found = api;
}

static int view_lent(part *p)
{
  lent t;
  const exchange *const api = exchange_of(Py_TYPE(p->owner));
  if (!api || api->lend(p->owner, &t) != 0) return -1;
  if (t.device.type != 1 || t.ndim > MOST_DIMS || t.dtype.lanes != 1) {
    PyErr_SetString(PyExc_TypeError,
                    t.device.type != 1 ? "the tensor is not in the memory of the CPU" : "a tensor of too many dimensions");
    return -1;
  }
  p->data = (const char *)t.data + t.byte_offset;
  p->array.ndim = t.ndim;
  p->array.dtype = dtype_of_code(t.dtype.code, t.dtype.bits);
  if (p->array.dtype == SPW_DTYPE_NONE) {
    PyErr_SetString(PyExc_TypeError, "a tensor whose element type is none of the twelve");
    return -1;
  }
  int64_t step = 1;
  for (int d = t.ndim - 1; d >= 0; d--) {
    p->shape[d] = t.shape[d];
    p->strides[d] = t.strides ? t.strides[d] : step;
    step *= t.shape[d] > 0 ? t.shape[d] : 1;
  }
  return close_array(p);
}

/* The tensor itself, or a copy where negation or conjugation has been put off. */
static PyObject *resolved(PyObject *tensor, PyObject *ask, PyObject *resolve)
{
  if (!tensor) return NULL;
  PyObject *const answer = PyObject_CallMethodObjArgs(tensor, ask, NULL);
  const int put_off = answer ? PyObject_IsTrue(answer) : -1;
  Py_XDECREF(answer);
  if (put_off == 0) return tensor;
  PyObject *const made = put_off > 0 ? PyObject_CallMethodObjArgs(tensor, resolve, NULL) : NULL;
  Py_DECREF(tensor);
  return made;
}

static int is_lender(PyObject *object)
{
  static PyTypeObject *last;
  if (Py_TYPE(object) == last) return 1;
  const int lends = PyObject_HasAttr((PyObject *)Py_TYPE(object), names.exchange);
  if (lends) {
    Py_XDECREF((PyObject *)last);
    Py_INCREF((PyObject *)Py_TYPE(object));
    last = Py_TYPE(object);
  }
  return lends;
}

/* Takes over `owner`, which may be null with an exception. */
static int take_part(operand *o, PyObject *owner)
{
  if (!owner) return -1;
  part *const p = &o->parts[o->count++];
  p->owner = owner;
  p->viewed = false;
  p->array = (spw_array){0};
  p->data = NULL;
  return is_lender(owner) ? view_lent(p) : view_buffer(p);
}

static spw_index_array index_of(const part *p)
{
  return (spw_index_array){.array = p->array,
                           .i32 = p->array.dtype == SPW_INT32 ? p->data : NULL,
                           .i64 = p->array.dtype == SPW_INT64 ? p->data : NULL,
                           .raw = p->data};
}

/* ---- Sizes and layouts ----------------------------------------------------------------------- */

/* Takes over `shape`, a tuple of integers. */
static int take_size(operand *o, PyObject *shape)
{
  if (!shape) return -1;
  if (!PyTuple_Check(shape) || PyTuple_Size(shape) > MOST_DIMS) {
    PyErr_SetString(PyExc_TypeError, "the size of a tensor is no tuple of at most 64 integers");
    Py_DECREF(shape);
    return -1;
  }
  o->tensor.has_size = true;
  o->tensor.ndim = PyTuple_Size(shape);
  o->tensor.size = o->size;
  for (Py_ssize_t d = 0; d < (Py_ssize_t)o->tensor.ndim && !PyErr_Occurred(); d++)
    o->size[d] = PyLong_AsLongLong(PyTuple_GetItem(shape, d));
  Py_DECREF(shape);
  return PyErr_Occurred() ? -1 : 0;
}

static void point_at_parts(operand *o)
{
  const int first_plain = o->tensor.layout == SPW_COO || o->tensor.layout == SPW_DENSE ? o->count - 2 : 1;
  if (o->tensor.layout != SPW_COO && o->tensor.layout != SPW_DENSE) o->tensor.compressed = index_of(&o->parts[0]);
  if (o->tensor.layout != SPW_DENSE) o->tensor.plain = index_of(&o->parts[first_plain]);
  o->tensor.values = (spw_value_array){o->parts[o->count - 1].array, o->parts[o->count - 1].data};
}

static int take_dense(operand *o, PyObject *array)
{
  o->tensor.layout = SPW_DENSE;
  if (take_part(o, array) != 0) return -1;
  o->tensor.has_size = true;
  o->tensor.ndim = o->parts[0].array.ndim;
  o->tensor.size = o->parts[0].shape;
  point_at_parts(o);
  return 0;
}

/* ---- SciPy ----------------------------------------------------------------------------------- */

/* 1 where another way has to be taken. */
static int take_scipy(operand *o, PyObject *object)
{
  PyObject *const format = PyObject_GetAttr(object, names.format);
  Py_ssize_t length;
  const char *const text = format ? PyUnicode_AsUTF8AndSize(format, &length) : NULL;
  const int layout = text ? spw_layout_from_name(text) : -1;
  Py_XDECREF(format);
  if (!text) return -1;
  if (layout < SPW_CSR || layout > SPW_BSR) return 1;
  o->tensor.layout = (spw_layout)layout;
  if (take_part(o, PyObject_GetAttr(object, names.indptr)) != 0 || take_part(o, PyObject_GetAttr(object, names.indices)) != 0 ||
      take_part(o, PyObject_GetAttr(object, names.data)) != 0 || take_size(o, PyObject_GetAttr(object, names.shape)) != 0)
    return -1;
  if (o->tensor.ndim != 2) return 1;
  point_at_parts(o);
  return 0;
}

/* ---- torch ----------------------------------------------------------------------------------- */

static PyObject *torch_layouts[6]; /* sparse_coo, sparse_csr, ..., strided, once torch is there */
static PyObject *torch_tensor;

static int find_torch(void)
{
  static const char *const layouts[] = {"sparse_coo", "sparse_csr", "sparse_csc", "sparse_bsr", "sparse_bsc", "strided"};
  if (torch_tensor) return 0;
  PyObject *const torch = PyImport_GetModule(names.torch); /* looks into sys.modules, imports nothing */
  if (!torch) return -1;
  for (int i = 0; i < 6; i++)
    if (!torch_layouts[i] && !(torch_layouts[i] = PyObject_GetAttrString(torch, layouts[i]))) PyErr_Clear();
  torch_tensor = PyObject_GetAttrString(torch, "Tensor");
  Py_DECREF(torch);
  PyErr_Clear();
  return torch_tensor && torch_layouts[5] ? 0 : -1;
}

/* What a method of the tensor gives. */
static PyObject *ask(PyObject *object, PyObject *method)
{
  return PyObject_CallMethodObjArgs(object, method, NULL);
}

static PyObject *values_of(PyObject *object, PyObject *method)
{
  return resolved(resolved(ask(object, method), names.is_neg, names.resolve_neg), names.is_conj, names.resolve_conj);
}

static int take_torch_coo(operand *o, PyObject *object)
{
  PyObject *const claim = ask(object, names.is_coalesced);
  const int coalesced = claim ? PyObject_IsTrue(claim) : -1;
  Py_XDECREF(claim);
  if (coalesced < 0) return -1;
  o->tensor.coalesced = coalesced ? SPW_CLAIM_YES : SPW_CLAIM_NO;
  return take_part(o, ask(object, names.coo_indices)) != 0 ? -1 : take_part(o, values_of(object, names.coo_values));
}

static int take_torch(operand *o, PyObject *object, bool dense)
{
  PyObject *const layout = PyObject_GetAttr(object, names.layout);
  int i = 0;
  while (i < 6 && torch_layouts[i] != layout) i++;
  Py_XDECREF(layout);
  if (!layout) return -1;
  if (i == 5 && dense) {
    Py_INCREF(object);
    PyObject *const whole = resolved(resolved(object, names.is_neg, names.resolve_neg), names.is_conj, names.resolve_conj);
    return take_dense(o, whole);
  }
  if (i >= 5) {
    PyErr_SetString(PyExc_TypeError,
                    i == 5 ? "a strided tensor: sparse_coo, sparse_csr, sparse_csc, sparse_bsr and sparse_bsc are read"
                           : "a tensor of a layout that is none of torch's sparse ones");
    return -1;
  }
  o->tensor.layout = (spw_layout)i;
  const bool by_rows = i == SPW_CSR || i == SPW_BSR;
  const int failed = i == SPW_COO ? take_torch_coo(o, object)
                                  : take_part(o, ask(object, by_rows ? names.crow : names.ccol)) != 0 ||
                                        take_part(o, ask(object, by_rows ? names.col : names.row)) != 0 ||
                                        take_part(o, values_of(object, names.values)) != 0;
  if (failed || take_size(o, PyObject_GetAttr(object, names.shape)) != 0) return -1;
  point_at_parts(o);
  return 0;
}

/* ---- Others ---------------------------------------------------------------------------------- */

static PyObject *item(PyObject *tuple, Py_ssize_t i)
{
  PyObject *const found = PyTuple_GetItem(tuple, i);
  Py_XINCREF(found);
  return found;
}

static int take_tuple(operand *o, PyObject *t, bool dense)
{
  PyObject *const layout = t && PyTuple_Check(t) && PyTuple_Size(t) == 6 ? PyTuple_GetItem(t, 0) : NULL;
  Py_ssize_t length;
  const char *const text = layout ? PyUnicode_AsUTF8AndSize(layout, &length) : NULL;
  const int found = text ? spw_layout_from_name(text) : -1;
  if (!text || found < 0 || (found == SPW_DENSE && !dense)) {
    if (!PyErr_Occurred())
      PyErr_SetString(PyExc_TypeError, found == SPW_DENSE ? "a dense array, where a sparse tensor is needed" : "no layout");
    return -1;
  }
  if (found == SPW_DENSE) return take_dense(o, item(t, 4));
  o->tensor.layout = (spw_layout)found;
  PyObject *const claim = PyTuple_GetItem(t, 5);
  o->tensor.coalesced = claim == Py_True ? SPW_CLAIM_YES : claim == Py_False ? SPW_CLAIM_NO : SPW_CLAIM_NONE;
  if (PyTuple_GetItem(t, 1) != Py_None && take_size(o, item(t, 1)) != 0) return -1;
  for (Py_ssize_t i = found == SPW_COO ? 3 : 2; i < 5; i++)
    if (take_part(o, item(t, i)) != 0) return -1;
  point_at_parts(o);
  return 0;
}

static int take_other(operand *o, PyObject *object, bool dense)
{
  PyObject *const t = PyObject_CallFunctionObjArgs(adapt, object, NULL);
  const int failed = take_tuple(o, t, dense);
  Py_XDECREF(t);
  return failed;
}

/* ---- Which it is ----------------------------------------------------------------------------- */

typedef enum family { OTHER, SCIPY, TORCH } family;

static family find_family(PyObject *object)
{
  if (find_torch() == 0 && PyObject_IsInstance(object, torch_tensor) == 1) return TORCH;
  PyErr_Clear();
  PyObject *const module = PyObject_GetAttrString((PyObject *)Py_TYPE(object), "__module__");
  Py_ssize_t length;
  const char *const text = module && PyUnicode_Check(module) ? PyUnicode_AsUTF8AndSize(module, &length) : NULL;
  const bool scipy = text && strncmp(text, "scipy.sparse", strlen("scipy.sparse")) == 0;
  Py_XDECREF(module);
  PyErr_Clear();
  return scipy ? SCIPY : OTHER;
}

/* Of the last types: a look-up that fails takes longer than all the rest. */
static family family_of(PyObject *object)
{
  enum { KEPT = 4 };
  static struct {
    PyTypeObject *type;
    family family;
  } kept[KEPT];
  static unsigned next;
  PyTypeObject *const type = Py_TYPE(object);
  for (int i = 0; i < KEPT; i++)
    if (kept[i].type == type) return kept[i].family;
  const family found = find_family(object);
  if (found == OTHER) return found; /* torch may yet be imported */
  Py_INCREF((PyObject *)type);
  Py_XDECREF((PyObject *)kept[next % KEPT].type);
  kept[next % KEPT].type = type;
  kept[next++ % KEPT].family = found;
  return found;
}

int operand_take(operand *o, PyObject *object, bool dense)
{
  o->tensor = (spw_tensor){.coalesced = SPW_CLAIM_NONE};
  o->count = 0;
  const family f = family_of(object);
  if (f == TORCH) return take_torch(o, object, dense);
  const int status = f == SCIPY ? take_scipy(o, object) : 1;
  if (status != 1) return status;
  operand_release(o);
  o->tensor = (spw_tensor){.coalesced = SPW_CLAIM_NONE};
  return take_other(o, object, dense);
}

void operand_release(operand *o)
{
  while (o->count > 0) {
    part *const p = &o->parts[--o->count];
    if (p->viewed) PyBuffer_Release(&p->view);
    Py_XDECREF(p->owner);
  }
}

int operands_begin(PyObject *with)
{
  const struct {
    PyObject **name;
    const char *text;
  } all[] = {{&names.format, "format"},
             {&names.layout, "layout"},
             {&names.shape, "shape"},
             {&names.indptr, "indptr"},
             {&names.indices, "indices"},
             {&names.data, "data"},
             {&names.crow, "crow_indices"},
             {&names.col, "col_indices"},
             {&names.ccol, "ccol_indices"},
             {&names.row, "row_indices"},
             {&names.values, "values"},
             {&names.coo_indices, "_indices"},
             {&names.coo_values, "_values"},
             {&names.is_coalesced, "is_coalesced"},
             {&names.exchange, "__dlpack_c_exchange_api__"},
             {&names.is_neg, "is_neg"},
             {&names.resolve_neg, "resolve_neg"},
             {&names.is_conj, "is_conj"},
             {&names.resolve_conj, "resolve_conj"},
             {&names.torch, "torch"}};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    if (!*all[i].name && !(*all[i].name = PyUnicode_InternFromString(all[i].text))) return -1;
  Py_INCREF(with);
  Py_XDECREF(adapt);
  adapt = with;
  return 0;
}
