/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays one element behind the other, whose shapes and strides lie in a view. */
#ifndef SPW_VIEWS_FILL_H
#define SPW_VIEWS_FILL_H

#include "../sparsewright_views.h"

/* A view without arrays, of a size of two entries, and the memory behind that. */
typedef struct spw_filled {
  spw_view *view;
  int64_t used; /* of its numbers */
} spw_filled;

/* The layout, the size and the types. */
spw_filled spw_fill(spw_view *view, spw_layout layout, int64_t rows, int64_t columns, spw_dtype index_dtype, spw_dtype dtype);

/* A row-major array of at most three dimensions. What is negative has no element, and what int64 cannot number INT64_MAX. */
void spw_fill_array(spw_filled *filled, spw_array *array, spw_dtype dtype, int64_t ndim, int64_t first, int64_t second,
                    int64_t third);
void spw_fill_indices(spw_index_array *indices, const void *data);

#endif
