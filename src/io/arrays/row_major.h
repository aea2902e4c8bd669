/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays as files hold them: without strides. */
#ifndef SPW_IO_ROW_MAJOR_H
#define SPW_IO_ROW_MAJOR_H

#include "../../owned/owned.h"

enum { SPW_ROW_MAJOR_DIMS = 64 }; /* the limit of NumPy */

/* May the elements of an array be read, and can a file hold it? `name` is for *error. */
spw_status spw_row_major_check(const spw_array *array, const void *storage, const char *name, spw_error *error);

/* Bytes of all elements of `size` bytes. */
size_t spw_row_major_bytes(const spw_array *array, size_t size);

/* Copies the elements, of which there are some. */
void spw_row_major_copy(const spw_array *array, const void *storage, size_t size, char *to);

#endif
