/* SPDX-License-Identifier: Apache-2.0 */
/* 2:4 semi-structured matrices. Their parts are a tuple (order, rows, columns, type or None, packed, metadata): the last two are
 * dense tensors. */
#ifndef SPARSEWRIGHT_PYTHON_SEMI_H
#define SPARSEWRIGHT_PYTHON_SEMI_H

#include "judge.h"

/* A list of violations, as the constructor of a Report takes them. */
PyObject *semi_violations(PyObject *parts, spw_level level);

/* (tensor, order, type or None, bits, pruning or None, limit): the parts of a result, whose arrays keep it alive. */
PyObject *semi_encode(PyObject *module, PyObject *arguments);

/* (parts, order, limit): the parts of a result. */
PyObject *semi_reorder(PyObject *module, PyObject *arguments);

/* (parts, "dense" or "csr", index type or None, limit): the tuple of a tensor. */
PyObject *semi_decode(PyObject *module, PyObject *arguments);

#endif
