/* SPDX-License-Identifier: Apache-2.0 */
/* What tests ask: are two tensors the same, and is a product right? */
#ifndef SPARSEWRIGHT_PYTHON_JUDGE_H
#define SPARSEWRIGHT_PYTHON_JUDGE_H

#include "result.h"

/* Raises what `status` stands for, with the sentence of the library; returns null. */
PyObject *raise_refused(const spw_refused *what, spw_status status, const spw_refusal *refusal);
PyObject *invalid_error(void);
PyObject *refused_error(void);

/* What the word means: 0, or -1 with an exception. */
int take_combine(const char *name, spw_combine *combine);

/* (a, b, duplicates, as_dense, limit): None, or the first difference as (kind, position, bits in a, bits in b). */
PyObject *core_difference(PyObject *module, PyObject *arguments);

/* (a, x, y, precision, limit): is y = a x? The verdict, the fault, counts, the place and the numbers there. */
PyObject *core_judge_product(PyObject *module, PyObject *arguments);

#endif
