/* SPDX-License-Identifier: Apache-2.0 */
/* From tensors that own their memory to Python objects, without a copy. */
#ifndef SPARSEWRIGHT_PYTHON_RESULT_H
#define SPARSEWRIGHT_PYTHON_RESULT_H

#include "operand.h"

/* Adds the type Array to the module. */
int results_begin(PyObject *module);

/* The element type of an Array; SPW_DTYPE_NONE for any other object. */
spw_dtype array_dtype(PyObject *object);

/* The tuple (layout, size, compressed, plain, values, coalesced) of a tensor, whose arrays keep it alive; takes `owned` over. */
PyObject *tuple_of(spw_owned *owned);

/* The same of a 2:4 matrix that lies in `owned`: (order, rows, columns, type, packed, metadata). */
PyObject *semi_tuple_of(spw_owned *owned, const spw_semi *semi);

/* Puts an object, or null after an exception, at the end of a list; drops both, and makes *list null, where that fails. */
void list_take(PyObject **list, PyObject *object);

#endif
