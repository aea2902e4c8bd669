/* SPDX-License-Identifier: Apache-2.0 */
#include "result.h"

#include <string.h>

/* ---- Who owns the memory --------------------------------------------------------------------- */

static const char owner_name[] = "sparsewright.owned";

static void free_owner(PyObject *capsule)
{
  spw_owned_free(PyCapsule_GetPointer(capsule, owner_name));
}

/* ---- Array: a view of it by the buffer protocol ---------------------------------------------- */

typedef struct array_object {
  PyObject_HEAD PyObject *owner;
  const char *dtype;
  spw_array array; /* whose shape and strides the owner has */
  char *first;
  Py_ssize_t *numbers; /* shape, then strides in bytes */
} array_object;

static PyTypeObject *array_type;

/* NumPy has no bfloat16, and the protocol no name for it: it is seen as 16 bits. */
static const char *format_of(spw_dtype dtype)
{
  static const char *const formats[SPW_DTYPE_COUNT] = {
      [SPW_BOOL] = "?",    [SPW_UINT8] = "B",   [SPW_INT8] = "b",       [SPW_INT16] = "h",
      [SPW_INT32] = "i",   [SPW_INT64] = "q",   [SPW_FLOAT16] = "e",    [SPW_BFLOAT16] = "H",
      [SPW_FLOAT32] = "f", [SPW_FLOAT64] = "d", [SPW_COMPLEX64] = "Zf", [SPW_COMPLEX128] = "Zd"};
  return formats[dtype];
}

/* How many elements the shape has; -1 beyond what the buffer protocol can say in bytes. */
static Py_ssize_t count_of(const array_object *self)
{
  Py_ssize_t count = 1, bytes;
  for (int64_t d = 0; d < self->array.ndim; d++)
    if (self->numbers[d] == 0) return 0;
  for (int64_t d = 0; d < self->array.ndim; d++)
    if (__builtin_mul_overflow(count, self->numbers[d], &count)) return -1;
  return __builtin_mul_overflow(count, (Py_ssize_t)spw_dtype_size(self->array.dtype), &bytes) ? -1 : count;
}

static bool is_row_major(const array_object *self)
{
  Py_ssize_t step = (Py_ssize_t)spw_dtype_size(self->array.dtype);
  for (int64_t d = self->array.ndim - 1; d >= 0; d--) {
    if (self->numbers[d] > 1 && self->numbers[self->array.ndim + d] != step) return false;
    step *= self->numbers[d];
  }
  return true;
}

static int get_buffer(PyObject *object, Py_buffer *view, int flags)
{
  array_object *const self = (array_object *)object;
  const Py_ssize_t count = count_of(self);
  if (count < 0) {
    PyErr_SetString(PyExc_BufferError, "the array has more elements than a buffer can say");
    return -1;
  }
  const bool needs_order = (flags & PyBUF_STRIDES) != PyBUF_STRIDES || (flags & PyBUF_C_CONTIGUOUS) == PyBUF_C_CONTIGUOUS ||
                           (flags & PyBUF_ANY_CONTIGUOUS) == PyBUF_ANY_CONTIGUOUS;
  const bool needs_columns = (flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS && self->array.ndim > 1;
  if (count > 0 && ((needs_order && !is_row_major(self)) || needs_columns)) {
    PyErr_SetString(PyExc_BufferError, "the array is strided");
    return -1;
  }
  const Py_ssize_t size = (Py_ssize_t)spw_dtype_size(self->array.dtype);
  *view = (Py_buffer){.buf = self->first,
                      .obj = object,
                      .len = count * size,
                      .itemsize = size,
                      .readonly = 0,
                      .ndim = (int)self->array.ndim,
                      .format = flags & PyBUF_FORMAT ? (char *)(uintptr_t)format_of(self->array.dtype) : NULL,
                      .shape = flags & PyBUF_ND ? self->numbers : NULL,
                      .strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? self->numbers + self->array.ndim : NULL};
  Py_INCREF(object);
  return 0;
}

static void free_array(PyObject *object)
{
  array_object *const self = (array_object *)object;
  PyTypeObject *const type = Py_TYPE(object);
  PyMem_Free(self->numbers);
  Py_XDECREF(self->owner);
  ((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
  Py_DECREF((PyObject *)type);
}

static PyObject *numbers_of(const Py_ssize_t *numbers, int64_t count, Py_ssize_t unit)
{
  PyObject *const tuple = PyTuple_New((Py_ssize_t)count);
  for (Py_ssize_t i = 0; tuple && i < (Py_ssize_t)count; i++) PyTuple_SetItem(tuple, i, PyLong_FromSsize_t(numbers[i] / unit));
  return tuple;
}

static PyObject *get_shape(PyObject *object, void *unused)
{
  (void)unused;
  return numbers_of(((array_object *)object)->numbers, ((array_object *)object)->array.ndim, 1);
}

static PyObject *get_dtype(PyObject *object, void *unused)
{
  (void)unused;
  return PyUnicode_FromString(((array_object *)object)->dtype);
}

static PyObject *get_stored(PyObject *object, void *unused)
{
  (void)unused;
  return PyLong_FromLongLong(((array_object *)object)->array.length);
}

static Py_ssize_t length_of(PyObject *object)
{
  const array_object *const self = (const array_object *)object;
  return self->array.ndim > 0 ? self->numbers[0] : 1;
}

static PyObject *new_array(PyObject *owner, const spw_array *a, const void *storage)
{
  array_object *const self = (array_object *)((allocfunc)PyType_GetSlot(array_type, Py_tp_alloc))(array_type, 0);
  if (!self) return NULL;
  const int64_t size = spw_dtype_size(a->dtype);
  self->array = *a;
  self->dtype = spw_dtype_name(a->dtype);
  self->first = (char *)(uintptr_t)storage + a->offset * size;
  self->numbers = PyMem_Malloc(((size_t)a->ndim * 2 + 1) * sizeof *self->numbers);
  for (int64_t d = 0; self->numbers && d < a->ndim; d++) {
    self->numbers[d] = (Py_ssize_t)a->shape[d];
    self->numbers[a->ndim + d] = (Py_ssize_t)(a->strides[d] * size);
  }
  self->owner = owner;
  Py_INCREF(owner);
  if (self->numbers) return (PyObject *)self;
  Py_DECREF(self);
  return PyErr_NoMemory();
}

spw_dtype array_dtype(PyObject *object)
{
  return Py_TYPE(object) == array_type ? ((const array_object *)object)->array.dtype : SPW_DTYPE_NONE;
}

/* ---- Tensors --------------------------------------------------------------------------------- */

static PyObject *none(void)
{
  Py_INCREF(Py_None);
  return Py_None;
}

static PyObject *index_array(PyObject *owner, const spw_index_array *a)
{
  return new_array(owner, &a->array, a->i32 ? (const void *)a->i32 : a->i64 ? (const void *)a->i64 : a->raw);
}

static PyObject *size_tuple(const spw_tensor *t)
{
  if (!t->has_size) return none();
  PyObject *const tuple = PyTuple_New((Py_ssize_t)t->ndim);
  for (Py_ssize_t d = 0; tuple && d < (Py_ssize_t)t->ndim; d++) PyTuple_SetItem(tuple, d, PyLong_FromLongLong(t->size[d]));
  return tuple;
}

static PyObject *claim_of(const spw_tensor *t)
{
  return t->layout != SPW_COO || t->coalesced == SPW_CLAIM_NONE ? none() : PyBool_FromLong(t->coalesced == SPW_CLAIM_YES);
}

PyObject *tuple_of(spw_owned *owned)
{
  const spw_tensor *const t = spw_owned_tensor(owned);
  PyObject *const owner = PyCapsule_New(owned, owner_name, free_owner);
  if (!owner) {
    spw_owned_free(owned);
    return NULL;
  }
  PyObject *const tuple = PyTuple_New(6);
  PyObject *const members[6] = {PyUnicode_FromString(spw_layout_name(t->layout)),
                                size_tuple(t),
                                t->layout == SPW_COO || t->layout == SPW_DENSE ? none() : index_array(owner, &t->compressed),
                                t->layout == SPW_DENSE ? none() : index_array(owner, &t->plain),
                                new_array(owner, &t->values.array, t->values.data),
                                claim_of(t)};
  Py_DECREF(owner);
  bool whole = tuple != NULL;
  for (Py_ssize_t i = 0; i < 6; i++) {
    whole = whole && members[i];
    if (tuple)
      PyTuple_SetItem(tuple, i, members[i]);
    else
      Py_XDECREF(members[i]);
  }
  if (whole) return tuple;
  Py_XDECREF(tuple);
  return NULL;
}

void list_take(PyObject **list, PyObject *object)
{
  if (!object || PyList_Append(*list, object) != 0) Py_CLEAR(*list);
  Py_XDECREF(object);
}

/* Elements of a type that is no dtype of arrays are bytes. */
static PyObject *packed_array(PyObject *owner, const spw_semi *semi)
{
  spw_array a = semi->packed.array;
  if (a.dtype >= SPW_DTYPE_COUNT) a.dtype = SPW_UINT8;
  return new_array(owner, &a, semi->packed.data);
}

PyObject *semi_tuple_of(spw_owned *owned, const spw_semi *semi)
{
  PyObject *const owner = PyCapsule_New(owned, owner_name, free_owner);
  if (!owner) {
    spw_owned_free(owned);
    return NULL;
  }
  PyObject *const packed = packed_array(owner, semi);
  PyObject *const metadata = new_array(owner, &semi->metadata.array, semi->metadata.data);
  Py_DECREF(owner);
  if (packed && metadata)
    return Py_BuildValue("(sLLsNN)", spw_semi_order_name(semi->order), (long long)semi->rows, (long long)semi->columns,
                         spw_semi_dtype_name(semi->packed.array.dtype), packed, metadata);
  Py_XDECREF(packed);
  Py_XDECREF(metadata);
  return NULL;
}

int results_begin(PyObject *module)
{
  static PyGetSetDef members[] = {
      {"shape", get_shape, NULL, "The length of each dimension.", NULL},
      {"stored", get_stored, NULL, "How many elements its memory has: fewer than the shape where strides repeat them.", NULL},
      {"dtype", get_dtype, NULL, "The name of the element type, as 'float32'.", NULL},
      {NULL, NULL, NULL, NULL, NULL}};
  PyType_Slot slots[] = {{Py_bf_getbuffer, (void *)get_buffer},
                         {Py_tp_dealloc, (void *)free_array},
                         {Py_tp_getset, members},
                         {Py_sq_length, (void *)length_of},
                         {Py_tp_doc, (void *)"An array in memory of sparsewright's: use it through the buffer protocol."},
                         {0, NULL}};
  PyType_Spec spec = {"sparsewright.Array", sizeof(array_object), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                      slots};
  array_type = (PyTypeObject *)PyType_FromSpec(&spec);
  return array_type && PyModule_AddObjectRef(module, "Array", (PyObject *)array_type) == 0 ? 0 : -1;
}
