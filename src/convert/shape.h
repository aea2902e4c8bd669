/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes and strides of contiguous arrays, written down one behind the other. */
#ifndef SPW_CONVERT_SHAPE_H
#define SPW_CONVERT_SHAPE_H

#include "../sparsewright.h"

typedef struct spw_shape {
  int64_t *entries, *strides;
  int64_t ndim;
} spw_shape;

/* The next n numbers; nothing is added to a null pointer. */
int64_t *spw_take_numbers(int64_t **dims, int64_t n);

/* Entries, which are to be written, and strides, which spw_array_of writes. */
spw_shape spw_take_shape(int64_t **dims, int64_t ndim);

/* A row-major array without gaps. */
spw_array spw_array_of(spw_dtype dtype, spw_shape s);

/* A dense result of that shape over `values`; its numbers are written to `dims`. */
spw_tensor spw_dense_result(spw_dtype dtype, int64_t ndim, const int64_t *shape, int64_t *dims, const void *values);

#endif
