/* SPDX-License-Identifier: Apache-2.0 */
/* What the calls of the module share: words of a caller as numbers, and what comes of an operation. */
#ifndef SPARSEWRIGHT_PYTHON_CALLS_H
#define SPARSEWRIGHT_PYTHON_CALLS_H

#include "judge.h"

/* 0, or -1 with a Python exception. A null name is SPW_DTYPE_NONE. */
int take_dtype(const char *name, spw_dtype *dtype);
int take_layout(const char *name, spw_layout *layout);

/* The number of a word in a list that ends with a null; -1: not there. */
int find_word(const char *const *words, const char *word);

/* A number as one value of a type, which a cast makes of it; None leaves *at as it is. 0, or -1 with an exception. */
int take_number(PyObject *object, spw_dtype dtype, char value[16], const void **at);

/* The whole numbers of a sequence, to be freed with PyMem_Free, and how many; null with an exception. */
int64_t *take_numbers(PyObject *sequence, int64_t *count);

/* The tuple of a result, or an exception with the sentence of the library. */
/* Was a system not solved because KLU is not installed? Then that is raised. */
bool solver_is_missing(spw_status status);
PyObject *finish(const spw_refused *what, spw_status status, const spw_refusal *refusal, spw_owned *owned);

/* ---- Calls --------------------------------------------------------------------------------------- */

PyObject *make_tensor(PyObject *module, PyObject *arguments);
PyObject *compose_tensors(PyObject *module, PyObject *arguments);
PyObject *stack_tensors(PyObject *module, PyObject *arguments);

/* (kind, operands and upstream, wrt, values, full, dims or None, keepdim, scalar or None, limit) */
PyObject *core_gradient(PyObject *module, PyObject *arguments);

/* (kind, parameter, gradient, first or None, second or None, momentum or None, steps, maximize, nesterov, eight numbers) */
PyObject *core_optimise(PyObject *module, PyObject *arguments);

/* (path, tensor, format or None, level or -1) */
PyObject *core_write(PyObject *module, PyObject *arguments);

/* (kind, tensors, dim, start, length, numbers, duplicates, limit) */
PyObject *core_restructure(PyObject *module, PyObject *arguments);

/* (tensor, order or None, limit): dimensions in another order; None: the last two sparse ones of a compressed layout. */
PyObject *core_permute(PyObject *module, PyObject *arguments);

#endif
