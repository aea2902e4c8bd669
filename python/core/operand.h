/* SPDX-License-Identifier: Apache-2.0 */
/* From Python objects to tensors: views of the arrays that an object has, without a copy. */
#ifndef SPARSEWRIGHT_PYTHON_OPERAND_H
#define SPARSEWRIGHT_PYTHON_OPERAND_H

#define Py_LIMITED_API 0x030B0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <sparsewright.h>

enum { MOST_DIMS = 64 };

/* An array of an object, which is held until it is released. */
typedef struct part {
  PyObject *owner;
  Py_buffer view;
  bool viewed;
  spw_array array;
  const void *data;
  int64_t shape[MOST_DIMS], strides[MOST_DIMS];
} part;

typedef struct operand {
  spw_tensor tensor;
  int count; /* of parts in use */
  part parts[3];
  int64_t size[MOST_DIMS];
} operand;

/* To be called once. `adapt` turns an object that is no compressed matrix of SciPy, no tensor of torch and no tensor of ours
 * into the tuple (layout, size, compressed, plain, values, coalesced). */
int operands_begin(PyObject *adapt);

/* Views a sparse tensor, or, with `dense`, an array of numbers, too. 0, or -1 with a Python exception; release it in either
 * case. */
int operand_take(operand *o, PyObject *object, bool dense);
void operand_release(operand *o);

#endif
