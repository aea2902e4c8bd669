/* SPDX-License-Identifier: Apache-2.0 */
/* Where the kernels cannot use an operand where it lies, they use a copy of it in order. */
#ifndef SPW_OPS_MULTIPLY_PACK_H
#define SPW_OPS_MULTIPLY_PACK_H

#include "product.h"
#include "../../core/size.h"

/* Can the kernels use the lines where they are? */
static inline bool spw_lines_in_place(const spw_dense_lines *l)
{
  return (l->width <= 1 || l->stride == 1) && (l->lines <= 1 || l->line_stride >= l->width);
}

/* How far lines lie apart, in order or where they are. */
static inline int64_t spw_lead_of(const spw_dense_lines *l, bool packed)
{
  return packed || l->lines <= 1 || l->width == 0 ? l->width : l->line_stride; /* strides of nothing may be any numbers */
}

/* From lines that begin at `from` to lines in order, one behind the other, and back. `scalar` bytes each. */
void spw_pack_lines(const char *from, const spw_dense_lines *lines, int64_t scalar, char *to);
void spw_unpack_lines(const char *from, const spw_dense_lines *lines, int64_t scalar, char *to);

/* The values of batch b, blocks as the kernels want them. */
void spw_pack_cells(const spw_product_plan *plan, int64_t b, char *to);

/* Rows and columns of all elements of a COO tensor, batches one behind the other. */
void spw_pack_indices(const spw_product_plan *plan, int64_t *rows, int64_t *columns);

/* Where batch b of an array begins, of which the first `dims` dimensions are batches: a place in its storage. */
static inline int64_t spw_batch_place(const spw_array *a, int64_t dims, int64_t b)
{
  return a->offset + (b == 0 ? 0 : spw_position_of(a->shape, a->strides, dims, b));
}

#endif
