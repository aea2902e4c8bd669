/* SPDX-License-Identifier: Apache-2.0 */
/* One element of any type, from JSON. */
#ifndef SPW_IO_ELEMENT_H
#define SPW_IO_ELEMENT_H

#include "../../sparsewright.h"

#include <jansson.h>

enum { SPW_ELEMENT_SIZE = 16 };

/* Writes the element that `value` stands for to *element (spw_dtype_size(dtype) bytes). Null, or
 * what is wrong with it; *part is then the complex component to blame, or -1.
 * Decimals, with a point or without, become a floating type by way of double; hex floats are rounded once. */
const char *spw_element_read(spw_dtype dtype, const json_t *value, void *element, int *part);

/* What is wrong with a value that is not an integer of 64 bits. */
const char *spw_why_no_integer(const json_t *value);

#endif
