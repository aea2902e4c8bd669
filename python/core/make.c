/* SPDX-License-Identifier: Apache-2.0 */
/* spw_make: constructors, copies, slices, diagonals, triangles and Kronecker products. */
#include "calls.h"

#include <string.h>

static const char *const kinds[] = {"zeros", "spdiags", "clone", "fill_specified", "slice",
                                    "diag",  "tril",    "triu",  "kron",           "resplit"};
enum { KINDS = sizeof kinds / sizeof *kinds };

static PyObject *made_of(const spw_tensor *const *operands, int64_t count, const spw_making *wanted, Py_ssize_t limit)
{
  spw_owned *owned = NULL;
  spw_refusal refusal;
  spw_status status;
  Py_BEGIN_ALLOW_THREADS status = spw_make_new(operands, count, wanted, (size_t)limit, &owned, &refusal);
  Py_END_ALLOW_THREADS const spw_refused what = {.a = count > 0 ? operands[0] : NULL, .b = count > 1 ? operands[1] : NULL};
  return finish(&what, status, &refusal, owned);
}

/* Of a tuple of one or two objects, or none. */
static PyObject *make_of(PyObject *objects, const spw_making *wanted, Py_ssize_t limit)
{
  operand o[2] = {{.count = 0}, {.count = 0}};
  const spw_tensor *operands[2] = {&o[0].tensor, &o[1].tensor};
  const Py_ssize_t count = PyTuple_Size(objects);
  PyObject *result = NULL;
  bool taken = count >= 0 && count <= 2;
  if (!taken && !PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "two tensors at most");
  for (Py_ssize_t i = 0; taken && i < count; i++)
    taken = operand_take(&o[i], PyTuple_GetItem(objects, i), wanted->kind == SPW_MAKE_DIAGONALS) == 0;
  if (taken) result = made_of(operands, (int64_t)count, wanted, limit);
  operand_release(&o[1]);
  operand_release(&o[0]);
  return result;
}

PyObject *make_tensor(PyObject *module, PyObject *arguments)
{
  const char *kind, *layout, *dtype, *index;
  PyObject *objects, *size, *offsets, *result = NULL;
  Py_buffer value;
  long long rows, columns, batch_dims, dense_dims, dim, start, length, step, diagonal, sparse_dims;
  Py_ssize_t limit;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "sOsLLLLssOOLLLLLLy*n", &kind, &objects, &layout, &rows, &columns, &batch_dims, &dense_dims,
                        &dtype, &index, &size, &offsets, &dim, &start, &length, &step, &diagonal, &sparse_dims, &value, &limit))
    return NULL;
  spw_making w = {.block_rows = rows,
                  .block_columns = columns,
                  .batch_dims = batch_dims,
                  .dense_dims = dense_dims,
                  .dim = dim,
                  .start = start,
                  .length = length,
                  .step = step,
                  .diagonal = diagonal,
                  .sparse_dims = sparse_dims};
  int k = 0;
  while (k < KINDS && strcmp(kind, kinds[k]) != 0) k++;
  w.kind = (spw_make_kind)k;
  int64_t *sizes = NULL, *numbers = NULL;
  if (k == KINDS) {
    PyErr_Format(PyExc_ValueError, "there is no %s to make", kind);
  } else if (take_layout(layout, &w.layout) == 0 && take_dtype(dtype, &w.dtype) == 0 &&
             take_dtype(index, &w.index_dtype) == 0) {
    sizes = take_numbers(size, &w.ndim);
    numbers = sizes ? take_numbers(offsets, &w.count) : NULL;
    w.size = sizes;
    w.numbers = numbers;
    if (value.len > 0) w.scalar = value.buf;
    if (numbers) result = make_of(objects, &w, limit);
  }
  PyMem_Free(sizes);
  PyMem_Free(numbers);
  PyBuffer_Release(&value);
  return result;
}
